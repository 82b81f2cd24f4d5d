import { every, type Job } from "./kit/every.ts";
import type { Db } from "./kit/db.ts";
import type { Log } from "./kit/log.ts";

/** What the jobs need from the rooms. Each asks the database for rows that are due: the row is the timer. */
export interface DueWork {
  readonly [name: string]: { readonly seconds: number; readonly work: (signal: AbortSignal) => Promise<unknown> };
}

/** Starts every periodic job; each runs once across all processes of the shop. */
export function startJobs(db: Db, log: Log, due: DueWork): Job[] {
  return Object.entries(due).map(([name, { seconds, work }]) =>
    every({
      name,
      seconds,
      db,
      log: { error: (details, message) => log.error({ job: name, ...details }, message) },
      work: async (signal) => void (await work(signal)),
    }),
  );
}
