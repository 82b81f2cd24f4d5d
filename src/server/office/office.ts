// Reads the tables of every service and changes them only by the services' functions.
import type { Db } from "../platform/db/db.ts";
import type { Asking } from "./office.request.ts";
import type { FigurePeriod } from "../../contract/office/overview.ts";
import { countHours, type Figures, readFigures } from "./office.hours.ts";
import { type Overview, readOverview, type Standing } from "./office.overview.ts";
import { selectAuditAge, selectAudited, selectJobs, selectStock } from "./office.overview.sql.ts";
import { putWeek } from "./office.week.sql.ts";
import { type Page, readFile, readPage, type Unreadable } from "./office.tables.ts";

export { type ActServices, doersOf, type Who } from "./office.acts.ts";
export { actRoutes } from "./office.acts.routes.ts";
export { sendSummaries } from "./office.summary.ts";
export type { Standing };
export { auditShop, brokenIn, closeDay, reopenBooks } from "./office.audit.ts";

export interface Office {
  readonly page: (asking: Asking, page: number, now: Date) => Promise<Page | Unreadable>;
  readonly file: (asking: Asking, now: Date) => AsyncGenerator<string, void> | Unreadable;
  /** Cached for two seconds for all callers. */
  readonly overview: (standing: () => Promise<Standing>, now: Date) => Promise<Overview>;
  readonly figures: (period: FigurePeriod, now: Date) => Promise<Figures>;
  readonly jobs: () => ReturnType<typeof selectJobs>;
  readonly audited: () => ReturnType<typeof selectAudited>;
  readonly auditAge: () => ReturnType<typeof selectAuditAge>;
  readonly stock: () => ReturnType<typeof selectStock>;
  /** `since`: outcomes since then are added up anew. */
  readonly countHours: (now: Date, since?: Date) => Promise<void>;
  readonly lookAtWeek: (now: Date) => Promise<void>;
}

const freshMs = 2_000;

export function openOffice(db: Db): Office {
  let last: { readonly at: Date; readonly overview: Promise<Overview> } | undefined;
  return {
    page: (asking, page, now) => readPage(db, asking, page, now),
    file: (asking, now) => readFile(db, asking, now),
    overview: (standing, now) => {
      if (last && Math.abs(now.getTime() - last.at.getTime()) < freshMs) return last.overview;
      const overview = readOverview(db, standing, now);
      last = { at: now, overview };
      overview.catch(() => (last = undefined));
      return overview;
    },
    figures: (period, now) => readFigures(db, period, now),
    jobs: () => selectJobs(db),
    audited: () => selectAudited(db),
    auditAge: () => selectAuditAge(db),
    stock: () => selectStock(db),
    countHours: (now, since) => countHours(db, now, since),
    lookAtWeek: async (now) => void (await putWeek(db, now)),
  };
}
