import { earningDays, uploadBytesMax } from "../../contract/limits.ts";
import type * as catalog from "../catalog/catalog.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { showUsd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import {
  check,
  type CheckTimes,
  type Mailboxes,
  type Pause,
  recheck,
  usualTimes,
  wait,
} from "./investors.check.ts";
import { TooSlow } from "./investors.pace.ts";
import { RowChecker } from "./investors.stage.ts";
import * as rows from "./investors.sql.ts";
import {
  type Barred,
  type Brought,
  registered,
  store,
  type TooFew,
  type Upload,
  usualSharePpm,
} from "./investors.upload.ts";

export * from "./investors.admin.ts";
export type { Batch } from "./investors.sql.ts";
export { type Brought, type TooFew, type Upload, usualSharePpm } from "./investors.upload.ts";

/** Amounts as text, days as YYYY-MM-DD. */
export interface Stats {
  readonly total: string;
  readonly today: string;
  readonly due: string;
  readonly paidDay: string | undefined;
  /** In none of the sums above; then the part that waits for the operator, and when the next of the rest is decided. */
  readonly held: string;
  readonly heldForOperator: string;
  readonly heldNext: Date | null;
  /** Of what is uploaded now. */
  readonly sharePpm: number;
  /** Those whose mailboxes are accepted. */
  readonly domains: readonly string[];
  /** Of the last 30 those with earnings, the oldest first. */
  readonly days: readonly ledger.AccountDay[];
}

export interface Investors {
  /** Stores a file as a batch, or nothing of it. A repeat at the same time (by key) gets the same answer. "busy": try again later. */
  upload(upload: Upload): Promise<Uploaded>;
  batches(
    userId: bigint,
    page: { limit: number; offset: number },
  ): Promise<{ rows: rows.Batch[]; total: number }>;
  hasBatches(userId: bigint): Promise<boolean>;
  stats(userId: bigint, now: Date): Promise<Stats>;
  check(signal: AbortSignal): Promise<void>;
  recheck(now: Date): Promise<void>;
  close(): Promise<void>;
}

/** Files at a time in a process, each of another account and with a database connection of its own. */
const uploadsAtOnce = 4;

type Uploaded = Brought | TooFew | Barred | "under way" | "too slow" | "busy";

interface Parts {
  readonly db: Db;
  readonly secretKey: Uint8Array;
  readonly mailboxes: Mailboxes;
  readonly times?: Partial<CheckTimes>;
  /** Of the checks; undefined: the present. */
  readonly clock?: () => Date;
  /** Between two mailboxes of a sample; undefined: waits, until the signal. */
  readonly pause?: Pause;
}

export function openInvestors({
  db,
  secretKey,
  mailboxes,
  times,
  clock = now,
  pause = wait,
}: Parts): Investors {
  const checking = { db, mailboxes, times: { ...usualTimes, ...times }, clock, pause };
  const checker = new RowChecker(secretKey);
  const running = new Map<bigint, { key: string | undefined; outcome: Promise<Uploaded> }>();
  return {
    async upload(upload) {
      const { userId, key } = upload;
      const before = running.get(userId);
      if (before)
        return before.key === undefined || before.key !== key ? "under way" : follow(before, upload);
      if (running.size >= uploadsAtOnce) return "busy";
      const outcome = store({ db, checker }, upload).catch(whenSlow);
      running.set(userId, { key, outcome });
      return outcome.finally(() => running.delete(userId));
    },
    async batches(userId, { limit, offset }) {
      const [found, { count }] = await Promise.all([
        rows.selectBatches(db, userId, limit, offset),
        rows.countBatches(db, userId),
      ]);
      return { rows: found, total: count };
    },
    hasBatches: async (userId) => (await rows.countBatches(db, userId)).count > 0,
    async stats(userId, at) {
      const today = at.toISOString().slice(0, 10);
      const [{ earned, balance, payedDay, held }, days, { operator, next }, terms, domains] =
        await Promise.all([
          ledger.earnings(db, userId, "investor"),
          ledger.earnedByDay(db, userId, "investor", secondsAfter(at, (1 - earningDays) * 24 * 3600)),
          rows.selectHeld(db, userId),
          rows.selectTerms(db, userId),
          registered(db),
        ]);
      return {
        total: showUsd(earned),
        today: showUsd(days.find(({ day }) => day === today)?.credit ?? (0n as typeof earned)),
        due: showUsd(balance),
        paidDay: payedDay,
        held: showUsd(held),
        heldForOperator: showUsd(operator as typeof held),
        heldNext: next,
        sharePpm: terms?.sharePpm ?? usualSharePpm,
        domains: [...domains.keys()].toSorted(),
        days: days.filter(({ credit }) => credit !== 0n),
      };
    },
    check: (signal) => check(checking, signal),
    recheck: (at) => recheck(checking, at),
    close: () => checker.close(),
  };
}

function whenSlow(fault: unknown): "too slow" {
  if (fault instanceof TooSlow) return "too slow";
  throw fault;
}

/** Waits for the same file that is under way and discards this one: an unread connection would be cut. */
async function follow({ outcome }: { outcome: Promise<Uploaded> }, { file }: Upload): Promise<Uploaded> {
  passBy(file).catch(() => undefined);
  // If the other one broke off, the client sends it again.
  return outcome.catch(() => "busy" as const);
}

async function passBy(file: AsyncIterable<Uint8Array>): Promise<void> {
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.length;
    if (bytes > uploadBytesMax) return;
  }
}

export async function notSites(
  siteOf: catalog.Catalog["siteOf"],
  names: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(names.map(async (name) => ({ name, site: await siteOf(name) })));
  return found.flatMap(({ name, site }) => ("refused" in site ? [name] : []));
}
