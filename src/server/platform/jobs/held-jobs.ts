// For a command that must not meet the jobs of a shop that runs.
import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "../db/db.ts";
import { newHolder } from "./scheduler.holder.ts";
import { claimJobs, releaseJob, renewJobs, selectNames } from "./scheduler.sql.ts";

const leaseMs = 15_000;
const triesMax = 300;
const pauseMs = 100;

/** Runs `work` while no process runs any of the jobs, except those whose name begins with `except`: it leases them all, as if it ran them. */
export async function withoutJobs<Answer>(
  db: Db,
  except: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const by = newHolder();
  const held: string[] = [];
  const found = (await selectNames(db)).map(({ name }) => name).filter((name) => !name.startsWith(except));
  let renewing: NodeJS.Timeout | undefined;
  try {
    renewing = setInterval(
      // What one renewal misses the next one does: a lease lives as long as five of them.
      () => void renewJobs(db, { names: held, by, leaseMs }).catch(() => undefined),
      leaseMs / 5,
    );
    for (let tries = 0; held.length < found.length; tries++) {
      const names = found.filter((name) => !held.includes(name));
      if (tries === triesMax) throw new Error(`the jobs ${names.join(", ")} do not end`);
      if (tries > 0) await pause(pauseMs);
      held.push(...(await claimJobs(db, { names, by, leaseMs, isEarly: true })).map(({ name }) => name));
    }
    return await work();
  } finally {
    clearInterval(renewing);
    for (const name of held) await releaseJob(db, { name, by });
  }
}
