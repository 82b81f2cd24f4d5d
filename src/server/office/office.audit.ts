import type { Invariant } from "../../contract/office/audit.ts";
import { now, secondsAfter, startOfDay } from "../platform/clock.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { inPool } from "../platform/db/pools.ts";
import * as journal from "../journal/journal.ts";
import { audit, closeBooks, reopen, type Scope, selectClosing } from "../orders/orders.ts";
import type { Payments } from "../payments/payments.ts";
import * as withdrawals from "../withdrawals/withdrawals.ts";
import { putOutcome } from "./office.audit.sql.ts";

export interface Books {
  readonly db: Db;
  readonly payments: Pick<Payments, "audit">;
}

interface Bound {
  readonly seconds: number;
}

/**
 * Checks every invariant of the shop and saves how many are broken; of scope "open" those that can be checked without what nightly
 * closes have summed up. "too long": not done within so many seconds.
 */
export async function auditShop(books: Books, asked?: { scope: Scope }): Promise<Invariant[]>;
export async function auditShop(books: Books, bound: Bound): Promise<Invariant[] | "too long">;
export async function auditShop(
  { db, payments }: Books,
  { seconds, scope = "all" }: Partial<Bound> & { scope?: Scope } = {},
): Promise<Invariant[] | "too long"> {
  const at = now();
  const closing = scope === "open" ? await selectClosing(db) : undefined;
  const found = await (seconds === undefined ? audit(db, { scope }) : audit(db, { seconds, scope }));
  if (found === "too long") return found;
  const invariants = [...found, ...(await payments.audit(closing)), ...(await withdrawals.audit(db))];
  await putOutcome(db, { broken: brokenIn(invariants).length, at, isAll: closing === undefined });
  return invariants;
}

/** Those that do not hold. */
export const brokenIn = (invariants: readonly Invariant[]): Invariant[] =>
  invariants.filter(({ bad }) => bad.length > 0);

/** Longer ago than any transaction runs. */
const settledSeconds = 60 * 60;

/** The nightly audit of what is open. What came before today is closed, unless something is wrong with it: then it throws, naming that. */
export async function closeDay({ db, payments }: Books, at: Date): Promise<void> {
  const closing = await selectClosing(db);
  const before = new Date(Math.min(startOfDay(at).getTime(), secondsAfter(at, -settledSeconds).getTime()));
  const found = await closeBooks(db, { before, at });
  const ofMoney = await inPool("reports", async () => [
    ...(await payments.audit(closing)),
    ...(await withdrawals.audit(db)),
  ]);
  const broken = brokenIn([...found, ...ofMoney]);
  await putOutcome(db, { broken: broken.length, at, isAll: closing === undefined });
  if (broken.length > 0)
    throw new Error(
      `the audit found what does not hold: ${broken.map(({ name, bad }) => `${name} (${bad.join(", ")})`).join("; ")}`,
    );
}

/** Has the next close sum up everything anew, after closed rows were changed on purpose. */
export const reopenBooks = (db: Db, by: string): Promise<void> =>
  attempt(db, async (tx) => {
    await reopen(tx);
    await journal.note(tx, { by, did: "audit reopen", about: "closed days" });
  });
