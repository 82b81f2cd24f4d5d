// A lock of one clone: `npm start` and `npm test` may run side by side.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { say } from "./run.mjs";

const beatMilliseconds = 1_000;
const staleAfterMilliseconds = 10_000;

/** Runs `work` under the lock folder `path`; takes over the lock of a dead process. */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  for (let told = false; !take(path); await sleep(200)) {
    if (isStale(path)) rmSync(path, { recursive: true, force: true });
    else if (!told) {
      say("another set-up is running in this folder, waiting for it");
      told = true;
    }
  }
  const release = () => rmSync(path, { recursive: true, force: true });
  const beat = setInterval(() => writeFileSync(join(path, "holder"), String(process.pid)), beatMilliseconds);
  const stop = () => process.exit(130);
  process.once("exit", release).once("SIGINT", stop).once("SIGTERM", stop);
  try {
    await work();
  } finally {
    clearInterval(beat);
    release();
    process.off("exit", release).off("SIGINT", stop).off("SIGTERM", stop);
  }
}

function take(path) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
  writeFileSync(join(path, "holder"), String(process.pid));
  return true;
}

function isStale(path) {
  const touched = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  const last = touched(join(path, "holder")) ?? touched(path);
  if (last === undefined) return false;
  return Date.now() - last > staleAfterMilliseconds || isHolderGone(path);
}

function isHolderGone(path) {
  try {
    const holder = Number(readFileSync(join(path, "holder"), "utf8"));
    if (holder === 0) return false;
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
