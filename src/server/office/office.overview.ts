import type { Reply } from "../../contract/endpoint.ts";
import type { officeOverview } from "../../contract/office/office.ts";
import { secondsAfter, unixSeconds } from "../platform/clock.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import * as rows from "./office.overview.sql.ts";
import { readPage } from "./office.tables.ts";

export type Overview = Reply<typeof officeOverview>;

/** A day, and what a large one takes; as the alert has it (docs/alerts.yml). */
const backupLateSeconds = 30 * 60 * 60;

export async function readOverview(
  db: Db,
  down: () => Promise<readonly string[]>,
  now: Date,
): Promise<Overview> {
  const [living, days, waiting, jobs, unreached, audited, backup, parts] = await Promise.all([
    rows.countLiving(db),
    readPage(db, { table: "days" }, 1, now),
    rows.countWaiting(db),
    rows.selectJobs(db),
    rows.selectUnreached(db),
    rows.selectAudited(db),
    rows.selectBackup(db),
    down(),
  ]);
  const today = typeof days === "string" ? undefined : days.rows[0];
  const count = (name: string) => Number(today?.[name] ?? 0);
  const dollars = (name: string) => String(today?.[name] ?? "0.0");
  return {
    living: living.count,
    orders_today: count("orders"),
    received_today: count("received"),
    letters_today: count("letters"),
    revenue_today: dollars("revenue"),
    top_ups_today: dollars("top_ups"),
    registrations_today: count("registrations"),
    waiting,
    health: {
      down: [...parts, ...unreached.map(({ name }) => name)],
      failing: jobs.filter(({ failures }) => failures > 0).map(({ name }) => name),
    },
    audited_at: audited ? unixSeconds(audited.at) : null,
    backup: {
      at: backup ? unixSeconds(backup.at) : null,
      late: backup !== undefined && backup.at < secondsAfter(now, -backupLateSeconds),
    },
  };
}

/** Longer than any transaction that adds a registration or a letter. */
const settledSeconds = 30;

/** Adds new registrations and letters to the sums of their days, each once, in however many processes. */
export async function countDays(db: Db, now: Date): Promise<void> {
  await attempt(db, async (tx) => {
    if ((await rows.lockMark(tx, secondsAfter(now, -settledSeconds))).length === 0) return;
    await rows.addDays(tx);
    await rows.moveMark(tx, now);
  });
}
