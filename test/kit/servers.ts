// Whole PostgreSQL servers of their own, one or a pair, for tests that kill, freeze, fill or copy them.
import { execFile } from "node:child_process";
import { chownSync, globSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { connect } from "../../src/server/platform/db/db.ts";
import { onTestFinished } from "vitest";
import { openInstallation } from "../../src/server/platform/db/embedded.installation.ts";
import { freePort } from "./port.ts";

const run = promisify(execFile);
const [user, password] = ["postern", "of-a-test"];

/** Where the programs of a PostgreSQL are, and who may run them: PostgreSQL refuses root. */
export interface Programs {
  readonly bin: string;
  readonly owner: { readonly uid: number; readonly gid: number } | undefined;
}

/** Those that come with the packages. */
export function embeddedPrograms(folder: string): Programs {
  const { binDir: bin, owner } = openInstallation(folder);
  return { bin, owner };
}

/** Those of Debian's package for a major version. */
export const debianPrograms = (folder: string, version: number): Programs => ({
  ...embeddedPrograms(folder),
  bin: `/usr/lib/postgresql/${version}/bin`,
});

export interface DatabaseServer {
  /** Of the database `postern`, as the superuser of the same name. */
  readonly url: string;
  readonly port: number;
  readonly cluster: string;
  start(settings?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
  promote(): Promise<void>;
  /** Runs a program of it (pg_dump and the like), as the user that owns it. */
  program(file: string, ...words: string[]): Promise<unknown>;
  /** Sends a signal to all of its processes at once. */
  signal(name: NodeJS.Signals): Promise<void>;
}

/** Registers what is to be undone: vitest's `onTestFinished`, or `afterAll`. */
type After = (undo: () => Promise<void>) => void;

/** Makes a folder that its programs may write to. */
export async function ownFolder({ owner }: Programs, path: string): Promise<string> {
  await mkdir(path, { mode: 0o700 });
  if (owner) chownSync(path, owner.uid, owner.gid);
  return path;
}

/** A folder that its programs may enter, removed after the test. */
export async function serverFolder(after: After = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-servers-"));
  await chmod(folder, 0o755);
  after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const usual = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  timezone: "UTC",
  jit: "off",
  max_connections: "150",
  // What is written is with the system: it outlives the processes, if not the machine.
  fsync: "off",
  log_min_messages: "fatal",
};

/** Makes a server in `folder`, or takes one that is there as a copy; it is not started. Stopped after the test. */
export async function makeServer(
  programs: Programs,
  folder: string,
  { name = "one", after = onTestFinished }: { name?: string; after?: After } = {},
): Promise<DatabaseServer> {
  const { bin, owner } = programs;
  const cluster = join(folder, name);
  const port = await freePort();
  const program = (file: string, ...words: string[]) =>
    run(join(bin, file), words, { cwd: "/", env: { LC_ALL: "C", TZ: "UTC" }, ...owner });
  const control = (...words: string[]) => program("pg_ctl", "-D", cluster, "-w", "-t", "60", ...words);
  if (globSync(join(cluster, "PG_VERSION")).length === 0) await initialize(programs, cluster, program);
  let isUp = false;
  const stop = async () => {
    if (!isUp) return;
    isUp = false;
    await control("stop", "-m", "immediate");
  };
  const server: DatabaseServer = {
    url: `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/postern`,
    port,
    cluster,
    program,
    async start(settings = {}) {
      const asked = Object.entries({ ...usual, ...settings }).map(([key, value]) => `-c ${key}='${value}'`);
      const log = join(cluster, "server.log");
      await control("start", "-l", log, "-o", [`-p ${port}`, ...asked].join(" ")).catch(async (cause) => {
        throw new Error(`PostgreSQL did not start: ${await readFile(log, "utf8")}`, { cause });
      });
      isUp = true;
    },
    stop,
    promote: async () => void (await control("promote")),
    async signal(name) {
      if (name === "SIGKILL") isUp = false;
      // Twice: what it started while the first were signalled.
      for (
        let turn = 0;
        turn < 2 || (name === "SIGKILL" && (await processesOf(cluster)).length > 0);
        turn++
      ) {
        for (const pid of await processesOf(cluster)) kill(pid, name);
      }
      // The next start would be refused as long as nobody has asked for the end of the dead one.
      if (name === "SIGKILL") await rm(join(cluster, "postmaster.pid"), { force: true });
    },
  };
  after(async () => {
    await server.signal("SIGCONT");
    await stop();
  });
  return server;
}

type Program = (file: string, ...words: string[]) => Promise<unknown>;

async function initialize(programs: Programs, cluster: string, program: Program): Promise<void> {
  const { bin, owner } = programs;
  await ownFolder(programs, cluster);
  const secret = `${cluster}.password`;
  await writeFile(secret, password);
  if (owner) chownSync(secret, owner.uid, owner.gid);
  const access = ["-U", user, "--pwfile", secret, "--auth=scram-sha-256"];
  await program("initdb", "-D", cluster, ...access, "--encoding=UTF8", "--locale=C", "--no-sync");
  // In single-user mode, so that no server is started for one statement.
  const single = `echo 'create database postern' | '${join(bin, "postgres")}' --single -D '${cluster}' postgres`;
  await run("/bin/sh", ["-c", single], { cwd: "/", env: { LC_ALL: "C", TZ: "UTC" }, ...owner });
}

function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (fault) {
    // It has ended in between.
    if ((fault as NodeJS.ErrnoException).code !== "ESRCH") throw fault;
  }
}

/** Its postmaster first; each works in the folder of the cluster. */
async function processesOf(cluster: string): Promise<number[]> {
  const [postmaster] = (await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const own = await Promise.all(
    all.map(async (pid) => (await readlink(`/proc/${pid}/cwd`).catch(() => "")) === cluster),
  );
  const found = all.filter((_, nth) => own[nth]).map(Number);
  return found.toSorted((a, b) => Number(b === Number(postmaster)) - Number(a === Number(postmaster)));
}

export interface Pair {
  /** Names both. */
  readonly url: string;
  readonly primary: DatabaseServer;
  readonly standby: DatabaseServer;
  /** The standby applies nothing from now on, or goes on. */
  hold(isHeld: boolean): Promise<void>;
}

/** A primary and a standby that has each commit before its client hears of it; both run, until after the test. */
export async function startPair(after: After = onTestFinished): Promise<Pair> {
  const folder = await serverFolder(after);
  const programs = embeddedPrograms(folder);
  const primary = await makeServer(programs, folder, { name: "first", after });
  await run("cp", ["-a", primary.cluster, join(folder, "second")]);
  const standby = await makeServer(programs, folder, { name: "second", after });
  await writeFile(join(standby.cluster, "standby.signal"), "");
  await primary.start({ synchronous_standby_names: "*", wal_keep_size: "1GB" });
  const from = `host=127.0.0.1 port=${primary.port} user=${user} password=${password}`;
  await standby.start({ primary_conninfo: from });
  const second = new URL(standby.url).host;
  const url = primary.url.replace(/(@[^/]+)/, `$1,${second}`);
  const hold = async (isHeld: boolean) => {
    const admin = connect(standby.url, { max: 1 });
    await (isHeld ? admin`select pg_wal_replay_pause()` : admin`select pg_wal_replay_resume()`);
    await admin.end();
  };
  return { url, primary, standby, hold };
}

export interface CitusCluster {
  /** Of the coordinator; its database has the extension and knows the workers. */
  readonly url: string;
  readonly workers: readonly DatabaseServer[];
}

/** Debian's major version whose PostgreSQL has Citus here. */
export const citusVersion = globSync("/usr/lib/postgresql/*/lib/citus.so")
  .map((path) => Number(path.split("/")[4]))
  .toSorted((a, b) => b - a)[0];

/** A coordinator and two workers, until after the test. */
export async function startCitus(
  version: number,
  after: After = onTestFinished,
  more: Record<string, string> = {},
): Promise<CitusCluster> {
  const folder = await serverFolder(after);
  const programs = debianPrograms(folder, version);
  const settings = {
    shared_preload_libraries: "citus",
    max_prepared_transactions: usual.max_connections,
    "citus.node_conninfo": "sslmode=disable",
    "citus.enable_statistics_collection": "off",
    ...more,
  };
  const servers: DatabaseServer[] = [];
  for (const name of ["coordinator", "first", "second"]) {
    const server = await makeServer(programs, folder, { name, after });
    const start = () => server.start(settings);
    await start();
    const admin = connect(server.url, { max: 1 });
    await admin`create extension citus`;
    await admin`insert into pg_dist_authinfo values (0, ${user}, ${`password=${password}`})`;
    await admin.end();
    servers.push({ ...server, start });
  }
  const [coordinator, ...workers] = servers;
  const admin = connect(coordinator!.url, { max: 1 });
  await admin`select citus_set_coordinator_host('127.0.0.1', ${coordinator!.port})`;
  for (const { port } of workers) await admin`select citus_add_node('127.0.0.1', ${port})`;
  await admin.end();
  return { url: coordinator!.url, workers };
}
