// Shares of unproved letters are held until a proof, a usual result after three days, or the operator releases them (docs/decisions/046).
import { randomInt } from "node:crypto";
import { secondsAfter } from "../../platform/clock.ts";
import { attempt, type Db, type Tx } from "../../platform/db/db.ts";
import type { Usd } from "../../platform/money.ts";
import * as ledger from "../../ledger/ledger.ts";
import * as rows from "./shares.sql.ts";
import type { OrderOf } from "../timeline/timeline.sql.ts";
import { selectLife } from "../timeline/timeline.sql.ts";

const day = 24 * 3600;
const compareDays = 30;
/** Until then a buyer can say that a letter is not from its site; who decides later has another reason. */
const complaintDays = 3;
const settleSize = 500;
const shards = 16;

/** Counts the proof of a letter to the shop's own mailboxes, in the transaction that saves it. */
export const countProof = (tx: Tx, letterId: bigint) => rows.insertProof(tx, letterId, randomInt(shards));

export async function releaseProved(db: Db, letterId: bigint): Promise<void> {
  const held = idsOf(await rows.selectHeldOf(db, letterId));
  if (held.length === 0) return;
  await db.begin(async (tx) => void (await endProved(tx as Tx, held)));
}

async function endProved(tx: Tx, orderIds: readonly bigint[]): Promise<bigint[]> {
  const proved = idsOf(await rows.selectProved(tx, orderIds));
  if (proved.length === 0) return [];
  const ended = idsOf(await rows.callEndShares(tx, proved, "released", randomInt(shards)));
  await rows.setProved(tx, ended);
  return proved;
}

const idsOf = (found: readonly { orderId: bigint }[]) => found.map(({ orderId }) => orderId);

interface Counted {
  readonly letters: number;
  readonly proved: number;
}

/** Fewer letters are no evidence. */
const ownLettersMin = 50;
const batchLettersMin = 20;
/** One complaint per 20 letters is allowed. */
const complaintsPart = 20;

/** Whether letters are proved as often as at the shop's own mailboxes. Undecided with few letters, or a site that signs less than half. */
export function isUsual(own: Counted, batch: Counted & { readonly complaints: number }): boolean {
  if (own.letters < ownLettersMin || own.proved * 2 < own.letters) return false;
  if (batch.letters < batchLettersMin || batch.complaints * complaintsPart > batch.letters) return false;
  return batch.proved * own.letters >= own.proved * batch.letters;
}

/** Decides due shares by proof or by comparison and leaves the rest to the operator, each once across processes. */
export async function settleShares(db: Db, at: Date, signal?: AbortSignal): Promise<void> {
  const since = secondsAfter(at, -compareDays * day);
  await rows.deleteOldProof(db, since);
  while (!signal?.aborted) {
    const pair = await rows.selectDuePair(db, at);
    if (!pair) return;
    await db.begin(async (tx) => settlePair(tx as Tx, pair, { at, since }));
  }
}

async function settlePair(tx: Tx, pair: rows.Pair, { at, since }: { at: Date; since: Date }) {
  const due = idsOf(await rows.lockDue(tx, pair, at, settleSize));
  if (await rows.isWithdrawn(tx, pair.batchId)) return void (await rows.setForOperator(tx, due));
  const proved = new Set(await endProved(tx, due));
  const rest = due.filter((orderId) => !proved.has(orderId));
  if (rest.length === 0) return;
  if (await rows.isRefused(tx, pair)) {
    await rows.callEndShares(tx, rest, "refused", randomInt(shards));
    return;
  }
  const own = await rows.selectSiteProof(tx, pair.siteId, since);
  const batch = await rows.selectBatchProof(tx, pair, since, secondsAfter(at, -3600));
  if (isUsual(own, batch)) await rows.callEndShares(tx, rest, "released", randomInt(shards));
  else await rows.setForOperator(tx, rest);
}

/** A buyer who complains more often gets no refund until the operator has looked. */
const complaintsFree = 3;
const complaintsOfReceived = 10;
const ordersLookedAt = 1000;

export interface Complaint {
  readonly outcome: "refunded" | "under review";
  readonly balance: Usd;
}

export type ComplaintRefused =
  | "no activation"
  | "activation canceled"
  | "wait message"
  | "not complainable"
  | "letter proved"
  | "letter not checked"
  | "already complained"
  | "token limit";

/** Refunds at once, or after review when the buyer complained about more than three and a tenth of the last month's orders. */
export function complain(
  db: Db,
  order: OrderOf & { readonly siteIds?: ReadonlySet<number> | undefined },
  at: Date,
): Promise<Complaint | ComplaintRefused> {
  const { orderId, userId, siteIds } = order;
  return attempt(db, async (tx) => {
    await rows.lockBuyer(tx, userId);
    const life = await selectLife(tx, order);
    if (!life) return "no activation";
    if (life.status === "pending") return "wait message";
    if (life.status !== "received") return "activation canceled";
    const share = await rows.lockShare(tx, orderId);
    if (share && siteIds && !siteIds.has(share.siteId)) return "token limit";
    if (share?.complaint) return "already complained";
    if (share?.proved) return "letter proved";
    if (share?.state !== "held" || at > secondsAfter(share.earnedAt, complaintDays * day))
      return "not complainable";
    if ((await rows.selectProved(tx, [orderId])).length > 0) return "letter proved";
    if (await rows.isBeingProved(tx, orderId)) return "letter not checked";
    const since = secondsAfter(at, -compareDays * day);
    const { complaints, received } = await rows.countComplaints(tx, userId, since, ordersLookedAt);
    const isFree = complaints < complaintsFree || complaints * complaintsOfReceived < received;
    if (isFree) await rows.callEndShares(tx, [orderId], "refunded", randomInt(shards));
    else {
      await rows.setUnderReview(tx, orderId, at);
      await rows.touchBuyer(tx, userId);
    }
    const balance = await ledger.balance(tx, userId);
    return { outcome: isFree ? ("refunded" as const) : ("under review" as const), balance };
  });
}
