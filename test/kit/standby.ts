import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdtemp,
  readdir,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { startEmbedded } from "../../src/server/platform/db/embedded.ts";

const log = { info: () => undefined, warn: () => undefined };

/** A PostgreSQL and a hot standby that follows it, both started by us. */
export interface Pair {
  readonly primary: string;
  readonly standby: string;
  /** The standby applies nothing from now on, or goes on. */
  hold(isHeld: boolean): Promise<void>;
  stop(): Promise<void>;
}

export async function startPair(): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), "pair-"));
  await chmod(folder, 0o755);
  const [first, second] = [join(folder, "primary"), join(folder, "standby")];
  const primary = await startEmbedded({ dataDir: first, log });
  await copyCluster(primary.url, first, second);
  const standby = await startEmbedded({ dataDir: second, log });
  const admin = postgres(standby.url, { max: 1, onnotice: () => undefined });
  return {
    primary: primary.url,
    standby: standby.url,
    hold: async (isHeld) =>
      void (await (isHeld ? admin`select pg_wal_replay_pause()` : admin`select pg_wal_replay_resume()`)),
    stop: async () => {
      await admin.end();
      await standby.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A base backup by hand: the embedded PostgreSQL comes without pg_basebackup. */
async function copyCluster(url: string, from: string, to: string): Promise<void> {
  const source = await realpath(join(from, "postgres"));
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await sql`select pg_backup_start('standby', true)`;
    await cp(from, to, {
      recursive: true,
      filter: (path) => !/\/(postmaster\.(pid|opts)|postgres\.lock)$/.test(path),
    });
    const [stopped] = await sql<{ label: string }[]>`select labelfile as label from pg_backup_stop(false)`;
    const cluster = await realpath(join(to, "postgres"));
    if (cluster === source) throw new Error("the copy leads to the same cluster");
    await writeFile(join(cluster, "backup_label"), stopped?.label ?? "");
    await writeFile(join(cluster, "standby.signal"), "");
    const { hostname, port, username, password } = new URL(url);
    const way = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
    await appendFile(join(cluster, "postgresql.auto.conf"), `\nprimary_conninfo = '${way}'\n`);
    await ownAs(source, cluster);
  } finally {
    await sql.end();
  }
}

/** Copied as root, the files must belong to the system user of the server. */
async function ownAs(source: string, cluster: string): Promise<void> {
  const { uid, gid } = await stat(source);
  for (const name of ["", ...(await readdir(cluster, { recursive: true }))])
    await chown(join(cluster, name), uid, gid);
  await chmod(cluster, 0o700);
}
