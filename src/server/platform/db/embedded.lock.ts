import { randomBytes } from "node:crypto";
import { readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

import { now } from "../clock.ts";

const heartbeatMilliseconds = 1_000;
const staleAfterMilliseconds = 10_000;
const askAgainMilliseconds = 20;

/**
 * Runs `work` while this process holds the lock file, and gives the lock back after it.
 * A lock whose holder died is taken over: its process is gone, or (a process id may have been given to
 * another program) its file has not been touched for ten seconds.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${randomBytes(8).toString("hex")}`;
  while (!(await take(path, mine))) {
    await removeIfStale(path);
    await sleep(askAgainMilliseconds);
  }
  // A heartbeat that fails once is made up by the next: only ten seconds without any would lose the lock.
  const heartbeat = setInterval(() => void utimes(path, now(), now()).catch(() => {}), heartbeatMilliseconds);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    if ((await contentOf(path)) === mine) await rm(path, { force: true });
  }
}

async function take(path: string, mine: string): Promise<boolean> {
  try {
    await writeFile(path, mine, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function removeIfStale(path: string): Promise<void> {
  const content = await contentOf(path);
  const touched = await stat(path).catch(() => undefined);
  if (content === undefined || !touched) return;
  const holder = Number(content.split(" ")[0]);
  const silent = now().getTime() - touched.mtimeMs;
  // A file without its content yet is a lock being written this very moment.
  const gone = content !== "" && !isAlive(holder);
  if (!gone && silent < staleAfterMilliseconds) return;
  // Moved aside before it goes, so that of two that found it stale only one removes this very lock.
  const aside = `${path}.${randomBytes(4).toString("hex")}`;
  await rename(path, aside).catch(() => {});
  await rm(aside, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(() => undefined);
}
