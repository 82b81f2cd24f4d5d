// @module-tag slow
import { chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  type DatabaseServer,
  embeddedPrograms,
  makeServer,
  ownFolder,
  serverFolder,
} from "../../../../test/kit/servers.ts";
import { startShop } from "../../../../test/kit/shop.ts";
import { certificateFor } from "../certificate.ts";
import { connect } from "./db.ts";

let server: DatabaseServer;
let right: string;
let other: string;

beforeAll(async () => {
  const folder = await serverFolder(afterAll);
  const programs = embeddedPrograms(folder);
  const own = await ownFolder(programs, join(folder, "tls"));
  const { cert, key } = certificateFor("localhost");
  right = join(folder, "right.pem");
  other = join(folder, "other.pem");
  writeFileSync(right, cert);
  writeFileSync(other, certificateFor("localhost").cert);
  const files = { ssl_cert_file: join(own, "server.pem"), ssl_key_file: join(own, "server.key") };
  writeFileSync(files.ssl_cert_file, cert);
  writeFileSync(files.ssl_key_file, key, { mode: 0o600 });
  if (programs.owner)
    for (const file of Object.values(files)) chownSync(file, programs.owner.uid, programs.owner.gid);
  server = await makeServer(programs, folder, { after: afterAll });
  await server.start({ ssl: "on", ...files });
});

/** The address of the server by a name, with what the URL says of TLS. */
function address(host: string, said: Record<string, string>): string {
  const url = new URL(server.url);
  url.hostname = host;
  for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value);
  return url.href;
}

/** Whether the connection is encrypted; the fault when there is none. */
async function tried(host: string, said: Record<string, string>): Promise<boolean | string> {
  const db = connect(address(host, said), { max: 1 });
  try {
    const [row] = await db<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row!.ssl;
  } catch (fault) {
    return (fault as Error).message;
  } finally {
    await db.end({ timeout: 1 });
  }
}

test("verify-full takes the server whose certificate is of a named authority and has its name, and no other", async () => {
  const mode = { sslmode: "verify-full" };
  expect(await tried("localhost", { ...mode, sslrootcert: right })).toBe(true);
  expect(await tried("localhost", { ...mode, sslrootcert: other })).toMatch(/self[- ]signed certificate/);
  expect(await tried("127.0.0.1", { ...mode, sslrootcert: right })).toMatch(/does not match.*127\.0\.0\.1/s);
  // Without a file, the authorities that browsers know.
  expect(await tried("localhost", mode)).toMatch(/self[- ]signed certificate/);
  expect(await tried("localhost", { ...mode, sslrootcert: "system" })).toMatch(/self[- ]signed certificate/);
  expect(await tried("localhost", { ...mode, sslrootcert: "/nonexistent/ca.pem" })).toContain("ENOENT");
});

test("verify-ca, and require with an authority, look at the authority alone; require without one only encrypts", async () => {
  for (const sslmode of ["verify-ca", "require"]) {
    expect(await tried("127.0.0.1", { sslmode, sslrootcert: right })).toBe(true);
    expect(await tried("127.0.0.1", { sslmode, sslrootcert: other })).toMatch(/self[- ]signed certificate/);
  }
  expect(await tried("127.0.0.1", { sslmode: "verify-ca" })).toMatch(/self[- ]signed certificate/);
  expect(await tried("127.0.0.1", { sslmode: "require" })).toBe(true);
  expect(await tried("127.0.0.1", { sslmode: "disable" })).toBe(false);
  expect(await tried("127.0.0.1", {})).toBe(false);
});

test("every connection of a shop is encrypted when its DATABASE_URL says so, and a wrong authority stops the start", async () => {
  const refused = startShop({
    DATABASE_URL: address("localhost", { sslmode: "verify-full", sslrootcert: other }),
  });
  await expect(refused).rejects.toThrow(/^DATABASE_URL names a database that cannot be used: self/);
  const DATABASE_URL = address("localhost", { sslmode: "verify-full", sslrootcert: right });
  const shop = await startShop({ DATABASE_URL });
  onTestFinished(() => shop.stop());
  expect(await shop.member("encrypted@example.com")).toMatch(/^\w{32}$/);
  const db = connect(DATABASE_URL, { max: 1, name: "looking" });
  onTestFinished(() => db.end());
  const [sessions] = await db<{ all: bigint; clear: bigint }[]>`
    select count(*) as all, count(*) filter (where not ssl) as clear
    from pg_stat_activity join pg_stat_ssl using (pid)
    where datname = current_database() and application_name <> 'looking'`;
  expect(sessions!.all).toBeGreaterThan(2n);
  expect(sessions!.clear).toBe(0n);
});
