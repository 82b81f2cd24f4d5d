// The time of the database, which all processes have in common: the clock of a machine may be wrong.
import { z } from "zod/mini";
import { now } from "../clock.ts";
import type { Log } from "../log.ts";
import { one, type Sql } from "./db.ts";

export async function timeOf(sql: Sql): Promise<Date> {
  return (await one(z.object({ at: z.date() }), sql`select clock_timestamp() as at`)).at;
}

/** Twice the second that a clock kept by NTP is never off by, and what a busy machine adds. */
const toleratedSeconds = 5;

export interface ClockWatch {
  /** By how many seconds this process's clock was ahead of the database's at the last look; below zero, behind. */
  readonly secondsAhead: () => number;
  readonly close: () => void;
}

/** Compares both clocks now and each minute. Logs a difference that matters once, and its end. */
export async function openClockWatch(
  sql: Sql,
  log: Pick<Log, "info" | "warn" | "error">,
  seconds = 60,
): Promise<ClockWatch> {
  let ahead = 0;
  let isWrong = false;
  const look = async (): Promise<void> => {
    ahead = await lookAt(sql);
    const was = isWrong;
    isWrong = Math.abs(ahead) > toleratedSeconds;
    if (isWrong && !was)
      log.warn(
        { aheadSeconds: ahead },
        "the clock of this machine is not that of the database: set both by NTP",
      );
    if (was && !isWrong) log.info("the clock of this machine is that of the database again");
  };
  await look();
  const timer = setInterval(() => {
    look().catch((fault: unknown) => log.error({ err: fault }, "the clock could not be compared"));
  }, seconds * 1000).unref();
  return { secondsAhead: () => ahead, close: () => clearInterval(timer) };
}

/** Only what the time on the way cannot explain. */
async function lookAt(sql: Sql): Promise<number> {
  const before = now().getTime();
  const at = (await timeOf(sql)).getTime();
  const after = now().getTime();
  return (Math.max(0, before - at) + Math.min(0, after - at)) / 1000;
}
