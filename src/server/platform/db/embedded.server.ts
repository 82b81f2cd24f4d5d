import { spawn, type ChildProcess } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Db } from "./db.ts";
import { giveToShop, makeRole, shopRole } from "./embedded.role.ts";
import { adoptCluster, makeFolder, type Installation } from "./embedded.installation.ts";

/** The superuser, who made the cluster and whom only this folder connects as; and the shop's database. */
const name = "postern";

/** Everything we ask of the server that is not PostgreSQL's default. */
const settings: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "", // One way in, the same on every system.
  max_connections: "100",
  shared_buffers: "256MB",
  fsync: "on", // The default, said because money rests on these two.
  synchronous_commit: "on",
  wal_buffers: "16MB",
  max_wal_size: "2GB", // Fewer checkpoints under load.
  min_wal_size: "256MB",
  random_page_cost: "1.1", // Solid-state disks.
  jit: "off", // Our statements are short: compiling them costs more than it gains.
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  log_min_error_statement: "panic", // Statements and details carry addresses and hashes: they stay out of the log.
  log_error_verbosity: "terse",
};

/** For tests: a database that nobody needs after a power cut. */
const throwawaySettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  // Its databases live for seconds.
  autovacuum: "off",
  // Several files of tests run at a time, each with a shop or two.
  max_connections: "400",
};

const logSizeMaxBytes = 10_000_000;
const startMinutesMax = 10;
const silentSecondsMax = 15;

/** One embedded server: its installation, and how to connect to it. */
export interface Server {
  installation: Installation;
  dataDir: string;
  password: string;
  throwaway: boolean;
  log: { info(text: string): void; warn(text: string): void };
}

/** The address of the server's database, for the shop or for its superuser. */
export const urlOf = (server: Server, port: number, role = shopRole, database: string = name): string =>
  `postgres://${role}:${server.password}@127.0.0.1:${port}/${database}`;

export const adminUrlOf = (server: Server, port: number): string => urlOf(server, port, name);

/** Makes the cluster: all of it, or nothing that a later start could take for one. */
export async function createCluster(server: Server): Promise<void> {
  const { installation } = server;
  server.log.info(`creating the database in ${installation.cluster}`);
  const folder = makeFolder(installation);
  const passwordFile = `${folder}.password`;
  writeFileSync(passwordFile, server.password, { mode: 0o600 });
  if (installation.owner) chownSync(passwordFile, installation.owner.uid, installation.owner.gid);
  try {
    const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
    const access = ["-U", name, "--pwfile", passwordFile, "--auth=scram-sha-256"];
    const haste = server.throwaway ? ["--no-sync"] : [];
    await run(server, "initdb", ["-D", folder, ...access, ...locale, ...haste]);
    adoptCluster(installation, folder, server.dataDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The port of the server that already runs on this cluster, if one does: left by a process that was killed, or
 * shared with one that lives. Waits for one that is coming up or going down, ends one that is deaf, and clears
 * away a postmaster.pid whose process is gone or is by now some other program.
 */
export async function findRunning(server: Server): Promise<number | undefined> {
  const since = performance.now();
  let answeredAt = since;
  for (;;) {
    const noted = readPidFile(server.installation.cluster);
    if (!noted) return undefined;
    const answer = noted.port ? await ping(server, noted.port) : "silent";
    if (answer === "ours") return noted.port;
    if (!isPostmaster(noted.pid, server.installation.cluster)) {
      rmSync(join(server.installation.cluster, "postmaster.pid"), { force: true });
      return undefined;
    }
    if (answer === "busy") answeredAt = performance.now();
    if (performance.now() - answeredAt > silentSecondsMax * 1000) {
      server.log.warn(`PostgreSQL (process ${noted.pid}) does not answer: ending it`);
      await endDeaf(server, noted.pid);
    }
    if (performance.now() - since > startMinutesMax * 60_000)
      throw new Error(`PostgreSQL (process ${noted.pid}) is not ready after ${startMinutesMax} minutes`);
    await sleep(50);
  }
}

/** Starts the server on `wanted`, or else a free port, and waits until it takes connections. Gives the port. */
export async function launch(server: Server, wanted?: number): Promise<number> {
  const patient = performance.now() + silentSecondsMax * 1000;
  for (;;) {
    const port = wanted ?? (await freePort());
    const trouble = await tryLaunch(server, port);
    if (trouble === undefined) return port;
    // Somebody took the port in between, or children of a killed server still hold its memory: soon gone.
    const passing = /could not bind|could not create any TCP|pre-existing shared memory|lock file/.test(
      trouble,
    );
    if (!passing || performance.now() > patient) throw new Error(`PostgreSQL did not start:\n${trouble}`);
    await sleep(100);
  }
}

/** Stops the server: ends its sessions, writes everything out, and waits until it is gone. */
export async function stopServer(server: Server): Promise<void> {
  await run(server, "pg_ctl", ["stop", "-D", server.installation.cluster, "-m", "fast", "-w", "-t", "60"]);
}

/** Ends a server that nothing can be said to; what was committed is recovered by the next start. */
async function endDeaf(server: Server, pid: number): Promise<void> {
  try {
    await run(server, "pg_ctl", [
      "stop",
      "-D",
      server.installation.cluster,
      "-m",
      "immediate",
      "-w",
      "-t",
      "5",
    ]);
  } catch (error) {
    // It is deaf to this as well, or it has just ended: then there is nothing to kill.
    if (!isPostmaster(pid, server.installation.cluster)) return;
    server.log.warn(`killing it: ${String(error)}`);
    process.kill(pid, "SIGKILL");
  }
}

/** One connection to the server, named so that others can tell what it is for. */
export function connectTo(server: Server, port: number, options: { purpose: string; database?: string }): Db {
  return connect(urlOf(server, port, name, options.database), { max: 1, name: options.purpose });
}

/** Makes the shop's role and database where they are missing: on a new cluster, when its first start was killed, or on one of before. */
export async function ensureDatabase(server: Server, port: number): Promise<void> {
  const db = connectTo(server, port, { purpose: "postern-start", database: "postgres" });
  try {
    await makeRole(db, server.password);
    const found = await db`select from pg_database where datname = ${name}`;
    if (found.length === 0) await db.unsafe(`create database ${name} owner ${shopRole}`);
  } finally {
    await db.end();
  }
  const within = connectTo(server, port, { purpose: "postern-start" });
  try {
    await giveToShop(within, name);
  } finally {
    await within.end();
  }
}

type Answer = "ours" | "busy" | "silent";

/** Who answers at that port: our server, ours while it starts or stops, or nobody of ours. */
async function ping(server: Server, port: number): Promise<Answer> {
  const db = connectTo(server, port, { purpose: "postern-ping", database: "postgres" });
  try {
    const [row] = await db`select current_setting('data_directory') as dir`;
    return row?.["dir"] === server.installation.cluster ? "ours" : "silent";
  } catch (error) {
    const { code } = error as { code?: string };
    // 57P03 cannot_connect_now: starting, recovering or stopping; 57P01: stopped while we asked; 53300: full.
    if (code === "57P03" || code === "57P01" || code === "53300") return "busy";
    return "silent";
  } finally {
    await db.end({ timeout: 1 });
  }
}

/** postmaster.pid: line 1 the process, line 4 the port, line 8 its state. PostgreSQL src/include/utils/pidfile.h. */
function readPidFile(cluster: string): { pid: number; port: number; state: string } | undefined {
  const path = join(cluster, "postmaster.pid");
  if (!existsSync(path)) return undefined;
  const lines = readFileSync(path, "utf8").split("\n");
  return { pid: Number(lines[0]), port: Number(lines[3] ?? 0), state: (lines[7] ?? "").trim() };
}

/** Is that process a PostgreSQL on this cluster? The number may have gone to another program since it was written. */
function isPostmaster(pid: number, cluster: string): boolean {
  const commandLine = `/proc/${pid}/cmdline`;
  if (existsSync("/proc/self/cmdline"))
    return existsSync(commandLine) && readFileSync(commandLine, "utf8").includes(`-D\0${cluster}\0`);
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Starts once. Gives nothing when it is up, else what the server said before it ended. */
async function tryLaunch(server: Server, port: number): Promise<string | undefined> {
  const { installation, log } = server;
  const logFile = openLog(server);
  const asked = { ...settings, ...(server.throwaway ? throwawaySettings : {}) };
  const options = Object.entries(asked).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const child = spawn(
    join(installation.binDir, "postgres"),
    ["-D", installation.cluster, "-p", String(port), ...options],
    {
      cwd: installation.cluster,
      env: plainEnvironment(),
      // Its own session: Ctrl-C in the terminal reaches only us, and we stop it when our work is done.
      detached: true,
      stdio: ["ignore", logFile.descriptor, logFile.descriptor],
      ...installation.owner,
    },
  );
  child.unref();
  closeSync(logFile.descriptor);
  const ended = endOf(child);
  const since = performance.now();
  let loggedAt = since;
  while (ended.reason === undefined) {
    const noted = readPidFile(installation.cluster);
    if (noted?.pid === child.pid && noted?.state === "ready") return undefined;
    if (performance.now() - loggedAt > 5_000) {
      loggedAt = performance.now();
      log.info(`PostgreSQL is recovering, ${Math.round((loggedAt - since) / 1000)} s so far`);
    }
    await sleep(10);
  }
  const output = readFileSync(logFile.path, "utf8").slice(logFile.size).trim();
  return output === "" ? ended.reason : output;
}

/** How a child ended, once it has. */
function endOf(child: ChildProcess): { reason: string | undefined } {
  const ended: { reason: string | undefined } = { reason: undefined };
  child.once("error", (error) => (ended.reason = error.message));
  child.once("exit", (code, signal) => (ended.reason = `it ended with ${signal ?? `status ${code}`}`));
  return ended;
}

function openLog(server: Server): { path: string; size: number; descriptor: number } {
  const path = join(server.dataDir, "postgres.log");
  if (existsSync(path) && statSync(path).size > logSizeMaxBytes) renameSync(path, `${path}.old`);
  const size = existsSync(path) ? statSync(path).size : 0;
  return { path, size, descriptor: openSync(path, "a", 0o600) };
}

/** Runs one of PostgreSQL's programs to its end; what it said is in the error when it fails. */
async function run(server: Server, program: string, args: string[]): Promise<void> {
  const child = spawn(join(server.installation.binDir, program), args, {
    cwd: "/",
    env: plainEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    ...server.installation.owner,
  });
  let output = "";
  child.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
  child.stderr.on("data", (piece: Buffer) => (output += piece.toString()));
  await new Promise<void>((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) =>
      code === 0 ? done() : failed(new Error(`${program}: status ${code}\n${output}`)),
    );
  });
}

/** Nothing of the caller's surroundings (PGDATA, LANG, …) may change how the server behaves. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return { LC_ALL: "C", TZ: "UTC" };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done, failed) => probe.once("error", failed).listen(0, "127.0.0.1", done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === "string") throw new Error("a TCP server without a port");
  return address.port;
}
