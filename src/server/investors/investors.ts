// Investors: mailboxes in files in, earnings out, and nothing that was stolen.
import type * as catalog from "../catalog/catalog.ts";
import type { Db } from "../kit/db.ts";
import { showUsd } from "../kit/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { check, type CheckTimes, type Look, recheck, usualTimes } from "./investors.check.ts";
import { Judge } from "./investors.stage.ts";
import * as rows from "./investors.sql.ts";
import { type Barred, type Brought, store, type TooFew, type Upload } from "./investors.upload.ts";

export * from "./investors.desk.ts";
export type { Batch } from "./investors.sql.ts";
export { type Brought, type TooFew, type Upload, usualSharePpm } from "./investors.upload.ts";

/** What an investor has earned; amounts as text, days as YYYY-MM-DD. */
export interface Stats {
  readonly total: string;
  readonly today: string;
  readonly due: string;
  readonly paidDay: string | undefined;
}

export interface Investors {
  /** Stores a file as a batch, or nothing of it. "busy": as many files as this process takes are under way. */
  upload(upload: Upload): Promise<Brought | TooFew | Barred | "busy">;
  /** A page of an investor's batches, the newest first, and how many he has. */
  batches(
    userId: bigint,
    page: { limit: number; offset: number },
  ): Promise<{ rows: rows.Batch[]; total: number }>;
  stats(userId: bigint, now: Date): Promise<Stats>;
  /** Tries mailboxes of batches that are not on sale yet, until none is due or `signal` aborts. */
  check(signal: AbortSignal): Promise<void>;
  /** Opens some mailboxes on sale again; one that does not open leaves the stock. */
  recheck(now: Date): Promise<void>;
  close(): Promise<void>;
}

/** Files that a process takes in at a time: each has a connection to the database for itself. */
const uploadsAtOnce = 2;

interface Parts {
  readonly db: Db;
  readonly secretKey: Uint8Array;
  readonly look: Look;
  readonly times?: Partial<CheckTimes>;
}

/** Opens the investors of a database. */
export function openInvestors({ db, secretKey, look, times }: Parts): Investors {
  const checking = { db, look, times: { ...usualTimes, ...times } };
  const judge = new Judge(secretKey);
  let uploads = 0;
  return {
    async upload(upload) {
      if (uploads >= uploadsAtOnce) return "busy";
      uploads++;
      try {
        return await store({ db, judge }, upload);
      } finally {
        uploads--;
      }
    },
    async batches(userId, { limit, offset }) {
      const [found, { count }] = await Promise.all([
        rows.selectBatches(db, userId, limit, offset),
        rows.countBatches(db, userId),
      ]);
      return { rows: found, total: count };
    },
    async stats(userId, at) {
      const [{ earned, balance, payedDay }, days] = await Promise.all([
        ledger.earnings(db, userId, "investor"),
        ledger.earnedByDay(db, userId, "investor", at),
      ]);
      return {
        total: showUsd(earned),
        today: showUsd(days[0]?.credit ?? (0n as typeof earned)),
        due: showUsd(balance),
        paidDay: payedDay,
      };
    },
    check: (signal) => check(checking, signal),
    recheck: (at) => recheck(checking, at),
    close: () => judge.close(),
  };
}

/** Of names of sites, those that are none. */
export async function notSites(
  siteOf: catalog.Catalog["siteOf"],
  names: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(names.map(async (name) => ({ name, site: await siteOf(name) })));
  return found.flatMap(({ name, site }) => ("refused" in site ? [name] : []));
}
