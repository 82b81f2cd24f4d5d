// Where tests make their databases: hundreds are made and dropped, and half of the processor's time went to the file system.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const prefix = "postern-run-";
// Ten times what a whole run was seen to take at once.
const neededBytes = 4 * 1024 ** 3;

/**
 * Has this run, and the processes it starts, keep its temporary files in a folder of its own, removed when it ends: in memory
 * where Linux has room for it and lets programs start there.
 */
export function useTemporary() {
  // The workers of a run read its configuration again.
  if (tmpdir().includes(prefix)) return;
  const folder = makeInMemory() ?? makeIn(tmpdir());
  process.env["TMPDIR"] = folder;
  process.once("exit", () => remove(folder));
}

function makeInMemory() {
  try {
    if (roomOf(memory) < neededBytes) return undefined;
    const folder = makeIn(memory);
    if (startsPrograms(folder)) return folder;
    remove(folder);
  } catch {
    // Not there, or not ours to write in.
  }
  return undefined;
}

function makeIn(place) {
  sweep(place, prefix);
  const folder = mkdtempSync(join(place, `${prefix}${process.pid}-`));
  // PostgreSQL does not run as root, and its user has to get to its own folder.
  chmodSync(folder, 0o755);
  return folder;
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

/** Removes what killed runs have left in `place`: folders named by `prefix` and the number of their process. */
export function sweep(place, prefix) {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length).split("-")[0]);
    if (!isAlive(pid)) remove(join(place, name));
  }
}

/** What cannot be removed (a process still writes there) is left to the next run. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {}
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}
