import type { Reply } from "../../contract/endpoint.ts";
import type { officeOverview, Trouble } from "../../contract/office/overview.ts";
import { alertsAt } from "../platform/alerts.ts";
import { secondsAfter, unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import * as rows from "./office.overview.sql.ts";
import { selectWeek } from "./office.week.sql.ts";

export type Overview = Reply<typeof officeOverview>;

/** How the process that answers is itself. */
export interface Standing {
  readonly down: readonly string[];
  readonly troubles: readonly Trouble[];
}

export async function readOverview(db: Db, standing: () => Promise<Standing>, now: Date): Promise<Overview> {
  const backupsSince = secondsAfter(now, -alertsAt.BackupOld);
  const [living, waiting, week, jobs, unreached, audited, backup, mail, own] = await Promise.all([
    rows.countLiving(db),
    rows.countWaiting(db, backupsSince),
    selectWeek(db),
    rows.selectJobs(db),
    rows.selectUnreached(db),
    rows.selectAudited(db),
    rows.selectBackup(db),
    rows.selectMailWaits(db),
    standing(),
  ]);
  return {
    living: living.count,
    waiting,
    week: week ? { ...week, at: unixSeconds(week.at) } : null,
    health: {
      down: [...own.down, ...unreached.map(({ name }) => name)],
      failing: jobs.filter(({ failures }) => failures > 0).map(({ name }) => name),
      troubles: [
        ...own.troubles,
        ...(mail.isThere ? (["mail"] as const) : []),
        ...(jobs.some(({ lateSeconds }) => lateSeconds > alertsAt.JobLate) ? (["jobs"] as const) : []),
      ],
    },
    audited_at: audited ? unixSeconds(audited.at) : null,
    backup: {
      at: backup ? unixSeconds(backup.at) : null,
      late: backup !== undefined && backup.at < backupsSince,
    },
  };
}
