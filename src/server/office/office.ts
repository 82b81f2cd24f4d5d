// The back office: what administrators see of the whole shop. It stands above every service and reads what they wrote; what is
// done from it goes through their doors.
import type { Db } from "../platform/db/db.ts";
import type { Asking } from "./office.request.ts";
import { countDays, type Overview, readOverview } from "./office.overview.ts";
import { selectAudited, selectJobs, selectStock } from "./office.overview.sql.ts";
import { type Page, readFile, readPage, type Unreadable } from "./office.tables.ts";

export { auditShop } from "./office.audit.ts";

export interface Office {
  /** A page of a table, from 1; or what of the ask cannot be read. */
  readonly page: (asking: Asking, page: number, now: Date) => Promise<Page | Unreadable>;
  /** All rows of a table as CSV, in pieces that are read when they are taken. */
  readonly file: (asking: Asking, now: Date) => AsyncGenerator<string, void> | Unreadable;
  /** How the shop is doing; the same answer for all who ask within two seconds. */
  readonly overview: (down: () => Promise<readonly string[]>, now: Date) => Promise<Overview>;
  /** Every job, and how often it failed in a row up to now. */
  readonly jobs: () => ReturnType<typeof selectJobs>;
  /** The last audit; undefined before the first. */
  readonly audited: () => ReturnType<typeof selectAudited>;
  /** What each mail domain on sale has to sell. */
  readonly stock: () => ReturnType<typeof selectStock>;
  /** Counts registrations and letters into the sums of their days. */
  readonly countDays: (now: Date) => Promise<void>;
}

const freshMs = 2_000;

/** Opens the back office on a database. */
export function openOffice(db: Db): Office {
  let last: { readonly at: Date; readonly told: Promise<Overview> } | undefined;
  return {
    page: (asking, page, now) => readPage(db, asking, page, now),
    file: (asking, now) => readFile(db, asking, now),
    overview: (down, now) => {
      if (last && Math.abs(now.getTime() - last.at.getTime()) < freshMs) return last.told;
      const told = readOverview(db, down, now);
      last = { at: now, told };
      told.catch(() => (last = undefined));
      return told;
    },
    jobs: () => selectJobs(db),
    audited: () => selectAudited(db),
    stock: () => selectStock(db),
    countDays: (now) => countDays(db, now),
  };
}
