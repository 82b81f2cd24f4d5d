// Whether this process still gets anywhere. What is away (the database) is no reason to start it anew; what stands still is.
import type { Db } from "./platform/db/db.ts";
import { inPool } from "./platform/db/pools.ts";
import { schedulerOf } from "./platform/jobs/scheduler.ts";

/** A timer of each second that comes so late says that the event loop hangs: between its turns hardly anybody is answered. */
const loopMs = 5_000;
/** A query that is neither answered nor refused for so long: connections that wait for one another. By their deadlines all are shorter. */
const poolMs = 30_000;
/** The scheduler has a connection of its own and looks each second. */
const schedulerMs = 30_000;

const tickMs = 1_000;

/** What may stand still. */
export type Part = "event loop" | "pool" | "scheduler";

export interface Watchdog {
  /** Names what stands still now. */
  still(): Part[];
  close(): void;
}

/** Begins to watch this process. Asks the pools of calls and of jobs each second, unless the question before waits still. */
export function openWatchdog(db: Db): Watchdog {
  let tickedAt = performance.now();
  let lateMs = 0;
  const asked = { calls: Number.POSITIVE_INFINITY, jobs: Number.POSITIVE_INFINITY };

  const ask = (kind: "calls" | "jobs"): void => {
    if (asked[kind] !== Number.POSITIVE_INFINITY) return;
    asked[kind] = performance.now();
    const answered = () => void (asked[kind] = Number.POSITIVE_INFINITY);
    // A refusal is an answer.
    inPool(kind, async () => db`select 1`).then(answered, answered);
  };
  const timer = setInterval(() => {
    const now = performance.now();
    lateMs = now - tickedAt - tickMs;
    tickedAt = now;
    // While the process itself stood still nothing could be answered: that is no fault of the pool.
    for (const kind of ["calls", "jobs"] as const) {
      if (lateMs > loopMs && asked[kind] < now) asked[kind] = now;
      ask(kind);
    }
  }, tickMs).unref();

  return {
    still: () => {
      const now = performance.now();
      const found: Part[] = [];
      if (Math.max(lateMs, now - tickedAt - tickMs) > loopMs) found.push("event loop");
      if (now - Math.min(asked.calls, asked.jobs) > poolMs) found.push("pool");
      if (schedulerOf(db).stillMs() > schedulerMs) found.push("scheduler");
      return found;
    },
    close: () => clearInterval(timer),
  };
}
