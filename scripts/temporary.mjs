// Where tests make their databases: hundreds are made and dropped, and half of the processor's time went to the file system.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const prefix = "postern-run-";
// Ten times what a whole run was seen to take at once.
const neededBytes = 4 * 1024 ** 3;

/** Makes a folder for this run, removed when the process ends: in memory where Linux has room for it and lets programs start there. */
export function makeTemporary() {
  const folder = [memory, tmpdir()].map(makeIn).find((made) => made !== undefined);
  if (folder === undefined) throw new Error(`no folder can be made in ${tmpdir()}`);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

function makeIn(place) {
  try {
    sweep(place);
    if (place === memory && roomOf(place) < neededBytes) return undefined;
    const folder = mkdtempSync(join(place, `${prefix}${process.pid}-`));
    // PostgreSQL does not run as root, and its user has to get to its own folder.
    chmodSync(folder, 0o755);
    if (place !== memory || startsPrograms(folder)) return folder;
    rmSync(folder, { recursive: true });
  } catch {
    // Not there, or not ours to write in.
  }
  return undefined;
}

function roomOf(place) {
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize;
}

function startsPrograms(folder) {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/** A killed run leaves its folder. */
function sweep(place) {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length).split("-")[0]);
    if (!isAlive(pid)) rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}
