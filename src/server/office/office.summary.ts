// The daily summary by mail, to each administrator who wants it.
import { secondsAfter, startOfDay } from "../platform/clock.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import type { Seal } from "../platform/seal.ts";
import { queue } from "../mailer/mailer.ts";
import { sumsOf } from "./office.hours.ts";
import { readOverview } from "./office.overview.ts";
import * as rows from "./office.summary.sql.ts";

const hour = 60 * 60;
const day = 24 * hour;
const beginsAt = 8 * hour;
/** Later it would only repeat what everybody has seen: it is left out then. */
const endsAt = 20 * hour;

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
}

/**
 * From 08:00 to 20:00 UTC writes the summary of yesterday to everybody who has not got it: the note that it is written and the mail are
 * one transaction. Answers how many were written.
 */
export async function sendSummaries({ db, seal }: Parts, at: Date): Promise<number> {
  const today = startOfDay(at);
  if (at < secondsAfter(today, beginsAt) || at >= secondsAfter(today, endsAt)) return 0;
  const yesterday = secondsAfter(today, -day);
  const name = yesterday.toISOString().slice(0, 10);
  const readers = await rows.selectReaders(db, name);
  if (readers.length === 0) return 0;
  const summary = await readSummary(db, { name, yesterday, today }, at);
  let mailed = 0;
  for (const { userId, to, language } of readers) {
    const isMailed = await attempt(db, async (tx) => {
      if ((await rows.noteMailed(tx, userId, name)).length === 0) return false;
      await queue(
        tx,
        seal,
        { to, kind: "daily-summary", language, values: { summary } },
        { userId, dueAt: at },
      );
      return true;
    });
    if (isMailed) mailed++;
  }
  return mailed;
}

async function readSummary(
  db: Db,
  { name, yesterday, today }: { name: string; yesterday: Date; today: Date },
  at: Date,
) {
  const [[now, before], overview] = await Promise.all([
    sumsOf(db, [
      { from: yesterday, to: today },
      { from: secondsAfter(yesterday, -day), to: yesterday },
    ]),
    readOverview(db, async () => ({ down: [], troubles: [] }), at),
  ]);
  if (!now || !before) throw new Error("two days were asked for");
  const { down, failing } = overview.health;
  return { day: name, now, before, waiting: overview.waiting, down, failing };
}
