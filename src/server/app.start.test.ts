// @module-tag slow
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../test/kit/command.ts";
import { createDatabase } from "../../test/kit/database.ts";
import { guarded } from "../../test/kit/guard.ts";
import { freePort } from "../../test/kit/port.ts";
import { databasePidOf, environment, spawnShop } from "../../test/kit/process.ts";
import { startShop } from "../../test/kit/shop.ts";

// What a shop says that cannot start where its settings want it: each time a sentence that names the setting.

async function takenPort(): Promise<string> {
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await new Promise((resolve) => other.once("listening", resolve));
  return String((other.address() as AddressInfo).port);
}

test("a door that somebody else has", async () => {
  const port = await takenPort();
  await expect(startShop({ PORT: port })).rejects.toThrow(/^HOST and PORT name .+EADDRINUSE.+\.$/);
  await expect(startShop({ SMTP_PORT: port })).rejects.toThrow(/^SMTP_HOST and SMTP_PORT name .+EADDRINUSE/);
  await expect(startShop({ ROLES: "jobs", HEALTH_PORT: port })).rejects.toThrow(
    /^HOST and HEALTH_PORT name .+EADDRINUSE/,
  );
});

test("an address that this machine does not have", async () => {
  await expect(startShop({ HOST: "203.0.113.7" })).rejects.toThrow(/^HOST and PORT name .+EADDRNOTAVAIL/);
});

test("a database that is not there, or that lets nobody in", async () => {
  const nowhere = `postgres://shop:secret@127.0.0.1:${await freePort()}/shop`;
  const refused = startShop({ DATABASE_URL: nowhere });
  await expect(refused).rejects.toThrow(/^DATABASE_URL names a database that cannot be used: .+ECONNREFUSED/);
  await expect(refused).rejects.not.toThrow("secret");
  const { url } = await createDatabase();
  const missing = new URL(url);
  missing.pathname = "/nothing";
  await expect(startShop({ DATABASE_URL: missing.href })).rejects.toThrow(
    'DATABASE_URL names a database that cannot be used: database "nothing" does not exist.',
  );
});

test("a database that cannot hold the letters of every script", async () => {
  const { db, url } = await createDatabase();
  const name = `latin_${randomBytes(6).toString("hex")}`;
  await db.unsafe(`create database ${name} encoding 'LATIN1' locale 'C' template template0`);
  onTestFinished(() => db.unsafe(`drop database ${name}`).then(() => undefined));
  const latin = new URL(url);
  latin.pathname = `/${name}`;
  await expect(startShop({ DATABASE_URL: latin.href })).rejects.toThrow(
    "DATABASE_URL names a database in LATIN1, but one in UTF8 is needed.",
  );
});

test("a key that is another than its database was sealed with, until the operator says that the old one is lost", async () => {
  const shop = await startShop();
  onTestFinished(() => shop.stop());
  const email = "keyed@example.com";
  const token = await shop.member(email);
  const another = { SECRET_KEY: "5f0d9a1be77c42386d94a0c35b1e8f62c9d3477a10be65f84e2b9c70d6a1385e" };
  const refused = /^SECRET_KEY .+ is not the one that this database was sealed with\./;
  await expect(startShop(another, shop)).rejects.toThrow(refused);
  // A database that is older than the mark of its key tells by what it has.
  await shop.db`delete from shop_key`;
  await expect(startShop(another, shop)).rejects.toThrow(refused);

  const settings = { DATABASE_URL: shop.databaseUrl, ...another };
  expect(await sayTo(shop.db, ["secret", "accept"], settings)).toMatchObject({ status: 0 });
  expect((await sayTo(shop.db, ["secret", "accept"], settings)).err).toContain("nothing is to be done");
  const second = await startShop(another, shop);
  onTestFinished(() => second.stop());
  expect(await second.get("/user/balance", { token })).toMatchObject({ value: "token" });
  const login = { email, password: "correct horse", captcha: "off" };
  const { data } = await second.post("/user/authorize", login);
  expect(await second.get("/user/balance", data as { token: string })).toMatchObject({
    status: "success",
  });
  expect(await shop.db`select did, about from audit_log`).toEqual([
    { did: "secret accept", about: "SECRET_KEY" },
  ]);
});

test("a role that owns its database and nothing else is enough for a shop", async () => {
  const { db, url } = await createDatabase();
  const name = `owner_${randomBytes(6).toString("hex")}`;
  await db.unsafe(`create role ${name} login password 'its-own'`);
  await db.unsafe(`create database ${name} owner ${name}`);
  const own = new URL(url);
  [own.username, own.password, own.pathname] = [name, "its-own", `/${name}`];
  const shop = await startShop({ DATABASE_URL: own.href });
  onTestFinished(async () => {
    await shop.stop();
    await db.unsafe(`drop database ${name} with (force)`);
    await db.unsafe(`drop role ${name}`);
  });
  const token = await shop.member("admin@example.com");
  expect(await shop.get("/api/admin/setup", { token })).toMatchObject({ superuser: false });
});

test("a folder that is none", async () => {
  await expect(startShop({ DATA_DIR: "/dev/null/data" })).rejects.toThrow(
    /^DATA_DIR names \/dev\/null\/data, which is no folder that can be written to \(ENOTDIR\)\.$/,
  );
});

test(
  "a start that is told twice to stop stops when it has started, and leaves no database running",
  { tags: ["full"] },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "postern-stopped-"));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const place = { port: await freePort(), smtpPort: await freePort(), dataDir };
    const child = spawnShop({ ...environment(place), LOG_LEVEL: "info" });
    const ended = once(child, "exit");
    let said = "";
    let told = 0;
    for await (const chunk of child.stdout) {
      said += String(chunk);
      // The database is there and runs; what stands on it is not open yet.
      if (told === 0 && said.includes("demo catalogue is stocked")) told += Number(child.kill("SIGTERM"));
      // npm passes on a Ctrl-C that has reached the shop already.
      if (told === 1 && said.includes("stopping")) told += Number(child.kill("SIGTERM"));
    }
    expect(told).toBe(2);
    expect(await ended).toEqual([0, null]);
    expect(said).not.toMatch(/^ready/m);
    await expect(databasePidOf(dataDir)).rejects.toThrow("ENOENT");
  },
);

// A process of its own: what went on for ever held the thread, and no time limit of a test could end it.
test.runIf(process.platform === "linux").each([["src/server/main.ts"], ["src/server/shop.ts", "audit"]])(
  "a folder where none can be made, to %s",
  { tags: ["full"] },
  (...words) => {
    const { stderr, status } = spawnSync(process.execPath, words, {
      env: { ...guarded(), DATA_DIR: "/proc/postern/data", LOG_LEVEL: "silent" },
      encoding: "utf8",
      timeout: 60_000,
    });
    expect(stderr).toMatch(/DATA_DIR names \/proc\/postern\/data, which is no folder that can be written to/);
    expect(status).toBe(1);
  },
);
