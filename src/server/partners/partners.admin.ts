import { randomUUID } from "node:crypto";
import type * as z from "zod/mini";
import type { HeldEarnings } from "../../contract/office/partners.ts";
import * as journal from "../journal/journal.ts";
import { unixSeconds } from "../platform/clock.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { showUsd, type Usd, usdFromUnits } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import type { Shown } from "./partners.shown.ts";
import * as rows from "./partners.sql.ts";

/** By referred people, or by programs that order with the Soft ID. */
export type Way = "referrals" | "soft";

export interface Listed<Row> {
  readonly rows: Row[];
  readonly pages: number;
}

export interface PartnerRow extends Shown {
  readonly userId: bigint;
  readonly email: string;
  readonly blocked: boolean;
}

/** A buyer who seems to be the partner: why, since when, and the held sums. */
export type HeldRow = Omit<rows.AccountLink, "referrals" | "soft"> & { referrals: Usd; soft: Usd };

export interface Payout {
  readonly userId: bigint;
  readonly way: Way | "investor";
  readonly amount: Usd;
  readonly note?: string | undefined;
  /** Repeated under the same key it is recorded once. */
  readonly key?: string | undefined;
  readonly by: string;
}

/** `moved` is "repeat" when it was recorded before under the same key. */
export interface Paid {
  readonly left: Usd;
  readonly moved: ledger.Moved;
}

export interface Decision {
  readonly userId: bigint;
  readonly partnerId: bigint;
  /** "released": held money goes to the partner. "refused": to the shop. Later earnings follow the decision. */
  readonly state: "released" | "refused";
  readonly reason?: string | undefined;
  readonly by: string;
}

const listSize = 20;

/** The largest sums due first. */
export async function listPartners(
  db: Db,
  page: number,
  shown: (userId: bigint) => Promise<Shown>,
): Promise<Listed<PartnerRow>> {
  const [found, { count }] = await Promise.all([
    rows.selectPartners(db, (page - 1) * listSize, listSize),
    rows.countPartners(db),
  ]);
  const list = found.map(async (row) => ({ ...row, ...(await shown(row.userId)) }));
  return { rows: await Promise.all(list), pages: Math.ceil(count / listSize) };
}

export async function listHeld(db: Db, page: number): Promise<Listed<HeldRow>> {
  const [found, { count }] = await Promise.all([
    rows.selectHeld(db, (page - 1) * listSize, listSize),
    rows.countHeld(db),
  ]);
  return { rows: found.map(heldOf), pages: Math.ceil(count / listSize) };
}

const heldOf = (link: rows.AccountLink): HeldRow => ({
  ...link,
  referrals: usdFromUnits(link.referrals),
  soft: usdFromUnits(link.soft),
});

/** Records a payout made outside of the shop, never more than is due. Answers what is left. */
export function payOut(db: Db, payout: Payout): Promise<Paid | "no partner" | "more than due" | "key used"> {
  const { userId, way, amount, note, key, by } = payout;
  return attempt(db, async (tx) => {
    const idempotencyKey = `operator:${key ?? randomUUID()}`;
    const reason = note === undefined ? {} : { reason: note };
    if (!(await rows.selectPerson(tx, userId))) return "no partner";
    const before = await ledger.balance(tx, userId, way);
    const moved = await ledger.payOut(tx, { userId, book: way, amount, idempotencyKey, ...reason });
    if (moved === "no balance") return "more than due";
    if (moved === "key used") return moved;
    const left = await ledger.balance(tx, userId, way);
    if (moved === "ok")
      await journal.note(tx, {
        by,
        did: "partners payout",
        about: `user ${userId}`,
        before: { [way]: showUsd(before) },
        after: { [way]: showUsd(left), paid: showUsd(amount) },
        reason: note,
      });
    return { left, moved };
  });
}

/** Decides for good whether a buyer and a partner are one person. */
export function decide(db: Db, decision: Decision, at: Date): Promise<HeldRow | "nothing held"> {
  const { userId, partnerId, state, reason, by } = decision;
  return attempt(db, async (tx) => {
    const link = await rows.lockHeld(tx, userId, partnerId);
    if (!link) return "nothing held";
    const held = heldOf(link);
    await endHold(tx, held, "referrals", held.referralsCount, state);
    await endHold(tx, held, "soft", held.softCount, state);
    await rows.setDecided(tx, held, state, at);
    await journal.note(tx, {
      by,
      did: state === "released" ? "partners release" : "partners refuse",
      about: `user ${partnerId}`,
      before: { buyer: `user ${userId}`, reasons: held.reasons },
      after: { state, referrals: showUsd(held.referrals), soft: showUsd(held.soft) },
      reason,
    });
    return held;
  });
}

async function endHold(tx: Tx, held: HeldRow, way: Way, count: number, state: Decision["state"]) {
  const { userId, partnerId } = held;
  const amount = held[way];
  if (amount === 0n) return;
  const moved = await ledger.endHold(tx, {
    userId: partnerId,
    book: way,
    amount,
    count,
    to: state === "released" ? "partner" : "shop",
    // A tie of a blocked partner is held again after a release.
    idempotencyKey: `tie ${userId} ${partnerId} ${way} ${held.foundAt.getTime()}`,
  });
  if (moved !== "ok") throw new Error(`user ${partnerId} has not what is held of user ${userId}: ${moved}`);
}

/** Held earnings as a call answers them. */
export function heldOnWire(held: HeldRow): z.output<typeof HeldEarnings> {
  return {
    partner: { id: String(held.partnerId), email: held.partnerEmail },
    buyer: { id: String(held.userId), email: held.email },
    reasons: held.reasons,
    since: unixSeconds(held.foundAt),
    referrals: showUsd(held.referrals),
    referrals_count: held.referralsCount,
    soft: showUsd(held.soft),
    soft_count: held.softCount,
  };
}
