// The backup of each day: made by a job in one of the processes that have BACKUP_DIR, which asks what is due, so that one that was killed
// is made anew by the next turn.
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { secondsAfter, startOfDay } from "../clock.ts";
import type { Db } from "../db/db.ts";
import { partEnd } from "./backup.file.ts";
import * as rows from "./backup.sql.ts";
import { backupName, writeBackup, type Writing } from "./backup.write.ts";

export interface Daily {
  /** Makes the backup of the day unless there is one, and deletes what is too old. A fault is tried again after an hour. */
  makeDue(at: Date, signal?: AbortSignal): Promise<void>;
  /** Since the moment that the last good one shows; before the first, since the shop was made. */
  ageSeconds(): Promise<number>;
}

export interface DailySettings extends Omit<Writing, "signal"> {
  /** How many stay. */
  readonly keep: number;
}

const hour = 60 * 60;
const atHour = 3;

/** The last 03:00 UTC. */
function lastDue(at: Date): Date {
  const today = secondsAfter(startOfDay(at), atHour * hour);
  return today <= at ? today : secondsAfter(today, -24 * hour);
}

export function openDaily(settings: DailySettings): Daily {
  const { db, folder, keep } = settings;
  let notBefore = new Date(0);
  return {
    makeDue: async (at, signal) => {
      const last = await rows.selectOutcome(db);
      if (at < notBefore || (last && last.at >= lastDue(at))) return;
      notBefore = secondsAfter(at, hour);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await deleteParts(folder, at);
      const made = await writeBackup({ ...settings, signal });
      await rows.putOutcome(db, made);
      await deleteOld(folder, keep);
      notBefore = new Date(0);
    },
    ageSeconds: () => backupAge(db),
  };
}

/** How many seconds ago the last good backup was; before the first: since the shop was made. */
export const backupAge = async (db: Db): Promise<number> => (await rows.selectAge(db)).seconds;

/** A backup that is being written grows all the time; one that has not for an hour was given up by a process that was killed. */
async function deleteParts(folder: string, at: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(partEnd) || !backupName.test(name.slice(0, -partEnd.length))) continue;
    const { mtime } = await stat(join(folder, name));
    if (mtime < secondsAfter(at, -hour)) await rm(join(folder, name));
  }
}

/** Their names stand in the order of their moments. */
async function deleteOld(folder: string, keep: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => backupName.test(name)).toSorted();
  for (const name of names.slice(0, -keep)) await rm(join(folder, name));
}
