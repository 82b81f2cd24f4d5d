import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setInterval, setTimeout as sleep } from "node:timers/promises";

import { openInstallation, removeHalfBuilt } from "./embedded.installation.ts";
import {
  createCluster,
  ensureDatabase,
  findRunning,
  launch,
  connectTo,
  stopServer,
  adminUrlOf,
  urlOf,
} from "./embedded.server.ts";
import type { Server } from "./embedded.server.ts";
import { makeDataDir } from "../config/data-dir.ts";
import type { Db } from "./db.ts";
import { withFileLock } from "./embedded.lock.ts";

/** A running embedded PostgreSQL. */
export interface Embedded {
  url: string;
  /** As the superuser, for benches and tests: the shop is none. */
  adminUrl: string;
  /** Leaves it; the last of the processes that use it turns it off. Close your own connections first. */
  stop(): Promise<void>;
}

/** What the embedded database is told. `throwaway` is for tests: nothing of it would survive a power cut. */
export interface EmbeddedOptions {
  dataDir: string;
  log: Server["log"];
  throwaway?: boolean;
}

const majorVersion = "18";
const guardName = "postern-guard";

/**
 * Starts the PostgreSQL that came with the packages on the cluster `<dataDir>/postgres`, or joins the one that
 * already runs on it: started by another process of the shop, or left by one that was killed.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = resolve(options.dataDir);
  makeDataDir(dataDir);
  const lock = join(dataDir, "postgres.lock");
  return withFileLock(lock, async () => {
    const installation = openInstallation(dataDir);
    removeHalfBuilt(installation);
    const isNew = !existsSync(join(installation.cluster, "PG_VERSION"));
    const password = readPassword(dataDir, isNew);
    const server: Server = {
      installation,
      dataDir,
      password,
      throwaway: options.throwaway ?? false,
      log: options.log,
    };
    if (isNew) await createCluster(server);
    refuseOtherVersion(installation.cluster);
    const port = (await findRunning(server)) ?? (await launch(server));
    await ensureDatabase(server, port);
    // An open connection for as long as we live says to the others that somebody is here; it ends with us, however we end.
    const guard = connectTo(server, port, { purpose: guardName });
    await guard`select 1`;
    const leaving = new AbortController();
    void raiseWhenFallen(server, { port, guard, lock, signal: leaving.signal });
    const stop = once(() => {
      leaving.abort();
      return withFileLock(lock, () => leave(server, guard));
    });
    return { url: urlOf(server, port), adminUrl: adminUrlOf(server, port), stop };
  });
}

const lookMs = 2_000;

/**
 * Starts the server again, at the same port, when it fell over: nobody else would, and each query would fail until somebody
 * restarts the shop. Of the processes that use it the first does.
 */
async function raiseWhenFallen(
  server: Server,
  { port, guard, lock, signal }: { port: number; guard: Db; lock: string; signal: AbortSignal },
): Promise<void> {
  const raise = async () => {
    if (signal.aborted || (await findRunning(server)) !== undefined) return;
    server.log.warn("PostgreSQL is gone: starting it again");
    await launch(server, port);
  };
  for await (const _ of setInterval(lookMs, undefined, { ref: false })) {
    if (signal.aborted) return;
    const isUp = await guard`select 1`.catch(() => undefined);
    if (isUp || signal.aborted) continue;
    await withFileLock(lock, raise).catch((fault: unknown) =>
      server.log.warn(`PostgreSQL could not be started again: ${String(fault)}`),
    );
  }
}

/** Turns the server off unless somebody else is connected. */
async function leave(server: Server, guard: Db): Promise<void> {
  const last = await isLast(guard).catch((error: unknown) => {
    // It fell over by itself: there is nothing to turn off, and the next start recovers it.
    server.log.warn(`PostgreSQL was gone before it was stopped: ${String(error)}`);
    return false;
  });
  await guard.end({ timeout: 1 });
  if (last) await stopServer(server);
}

/** Another process of the shop is seen at once; our own connections, just closed, get a second to vanish. */
async function isLast(guard: Db): Promise<boolean> {
  const until = performance.now() + 1_000;
  for (;;) {
    const others = await guard<{ name: string }[]>`
      select application_name as name from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    if (others.length === 0) return true;
    if (others.some((other) => other.name === guardName) || performance.now() > until) return false;
    await sleep(20);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

/** The password of the database role: made with the cluster, kept beside it for the owner's eyes only. */
function readPassword(dataDir: string, isNew: boolean): string {
  const path = join(dataDir, "postgres.password");
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  if (!isNew)
    throw new Error(`the database in ${join(dataDir, "postgres")} is there, but its password ${path} is not`);
  const password = randomBytes(24).toString("base64url");
  writeFileSync(`${path}.new`, password, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return password;
}

function refuseOtherVersion(cluster: string): void {
  const version = readFileSync(join(cluster, "PG_VERSION"), "utf8").trim();
  if (version !== majorVersion)
    throw new Error(`the database in ${cluster} is of PostgreSQL ${version}, this shop has ${majorVersion}`);
}
