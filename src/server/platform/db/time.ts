// The time of the database, which all processes have in common: the clock of a machine may be wrong.
import { z } from "zod/mini";
import { now } from "../clock.ts";
import type { Log } from "../log.ts";
import { one, type Sql } from "./db.ts";

export async function timeOf(sql: Sql): Promise<Date> {
  return (await one(z.object({ at: z.date() }), sql`select clock_timestamp() as at`)).at;
}

export const toleratedSeconds = 5;

export interface ClockWatch {
  /** By how many seconds this machine's clock was ahead of the database's at the last look; below zero, behind. */
  readonly secondsAhead: () => number;
  /** The same in whole seconds, 0 while that does not matter. */
  readonly secondsOff: () => number;
  readonly close: () => void;
}

/** Compares both clocks now and each minute. Logs once that they differ, and once that they do no more. */
export async function openClockWatch(
  sql: Sql,
  log: Pick<Log, "info" | "warn" | "error">,
  seconds = 60,
): Promise<ClockWatch> {
  let ahead = 0;
  const secondsOff = () => (Math.abs(ahead) > toleratedSeconds ? Math.round(ahead) : 0);
  const look = async (): Promise<void> => {
    const was = secondsOff();
    ahead = await secondsAhead(sql);
    const is = secondsOff();
    if (is !== 0 && was === 0)
      log.warn(
        { aheadSeconds: is },
        "the clocks of this machine and of the database differ: set both by NTP",
      );
    if (is === 0 && was !== 0) log.info("the clocks of this machine and of the database agree again");
  };
  await look();
  const timer = setInterval(() => {
    look().catch((fault: unknown) => log.error({ err: fault }, "the clocks could not be compared"));
  }, seconds * 1000).unref();
  return { secondsAhead: () => ahead, secondsOff, close: () => clearInterval(timer) };
}

/** By how many seconds this machine's clock is ahead of the database's: only what the time on the way cannot explain. */
export async function secondsAhead(sql: Sql): Promise<number> {
  const before = now().getTime();
  const at = (await timeOf(sql)).getTime();
  const after = now().getTime();
  return (Math.max(0, before - at) + Math.min(0, after - at)) / 1000;
}
