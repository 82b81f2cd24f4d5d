import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile, chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { freePort } from "./port.ts";

const noted = fileURLToPath(new URL("../../.cache/pgbouncer/path", import.meta.url));
const program = existsSync(noted) ? readFileSync(noted, "utf8") : "";

/** Why there is no PgBouncer to test with; undefined when there is one. Tests that need it are skipped with this in their name. */
export const noPgbouncer =
  program === ""
    ? "SKIPPED: there is no PgBouncer here (node scripts/setup.mjs pgbouncer unpacks Debian's)"
    : undefined;

/** Starts a PgBouncer before the database of `url`, stopped after the test; answers the way over it. */
export async function startPgbouncer(
  url: string,
  { mode, connections = 10 }: { mode: "transaction" | "session"; connections?: number },
): Promise<string> {
  const { hostname, port: databasePort, username, password, pathname } = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), "postern-pgbouncer-"));
  const port = await freePort();
  const settings = join(folder, "pgbouncer.ini");
  await writeFile(
    settings,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${databasePort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${connections}
max_client_conn = 200
`,
  );
  await chmod(folder, 0o755);
  // It refuses to run as root.
  const asNobody = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(program, [...asNobody, settings], { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(async () => {
    if (child.exitCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  });
  const told: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    told.push(line);
    if (line.includes("process up")) {
      child.stderr.resume();
      const address = new URL(url);
      Object.assign(address, { hostname: "127.0.0.1", port: String(port) });
      return address.href;
    }
  }
  throw new Error(`PgBouncer did not start: ${told.join("; ")}`);
}
