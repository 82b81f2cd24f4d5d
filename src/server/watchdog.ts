// Detects that this process hangs. An absent database is no reason for a restart; a hanging process is.
import type { Db } from "./platform/db/db.ts";
import { inPool } from "./platform/db/pools.ts";
import { schedulerOf } from "./platform/jobs/scheduler.ts";

/** With a timer of each second so late, the event loop hangs. */
const loopMs = 5_000;
/** A query without answer or refusal for so long is a deadlock of connections: all deadlines are shorter. */
const poolMs = 30_000;
/** The scheduler polls each second on a connection of its own. */
const schedulerMs = 30_000;

const tickMs = 1_000;

export const watchedParts = ["event loop", "pool", "scheduler"] as const;
export type Part = (typeof watchedParts)[number];

export interface Watchdog {
  /** Names the parts that hang now. */
  still(): Part[];
  close(): void;
}

/** Queries the pools of calls and of jobs each second, unless the last query still waits. */
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
    // While the process itself hung, no answer could arrive: no fault of the pool.
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
