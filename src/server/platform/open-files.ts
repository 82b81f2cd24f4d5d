// A process that has no file descriptor left accepts nobody, and neither Node.js nor its callers get to hear of it.
import { closeSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";
import type { Log } from "./log.ts";

/** How many files and connections the system lets this process have open; undefined where that is not told. */
export function openFilesMax(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

export interface OpenFiles {
  /** For how many seconds nothing could be opened, since the start. */
  readonly exhaustedSeconds: () => number;
  readonly close: () => void;
}

const tickMs = 1_000;
/** Between two lines of the log. */
const againMs = 60_000;

/** Warns when a process may `need` more than it may have open, and says when it has no more: it tries each second. */
export function watchOpenFiles(log: Log, need: number): OpenFiles {
  const max = openFilesMax();
  if (max !== undefined && max < need)
    log.warn(
      { max, need },
      `this process may have ${max} files and connections open, but may need ${need}: raise its limit (ulimit -n, LimitNOFILE)`,
    );
  let exhausted = 0;
  let isExhausted = false;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    try {
      closeSync(openSync(devNull, "r"));
      if (isExhausted) log.warn({ exhaustedSeconds: exhausted }, "files and connections can be opened again");
      isExhausted = false;
    } catch (fault) {
      isExhausted = true;
      exhausted++;
      if (performance.now() - loggedAt < againMs) return;
      loggedAt = performance.now();
      log.error(
        { err: fault, max },
        "no more files and connections can be opened, so calls, letters and the database wait: raise the limit (ulimit -n, LimitNOFILE)",
      );
    }
  }, tickMs).unref();
  return { exhaustedSeconds: () => exhausted, close: () => clearInterval(timer) };
}
