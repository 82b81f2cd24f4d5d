// The operator's decisions about held shares and complaints, all in the journal.
import { randomInt } from "node:crypto";
import * as journal from "../../journal/journal.ts";
import { attempt, type Db, type Sql } from "../../platform/db/db.ts";
import { showUsd, type Usd } from "../../platform/money.ts";
import * as rows from "./shares.sql.ts";

interface Decided {
  readonly by: string;
  readonly reason?: string | undefined;
  readonly at: Date;
}

export interface SharesDecision extends Decided {
  readonly batchId: number;
  readonly site: string;
  readonly state: "released" | "refused";
}

export interface SharesDecided {
  readonly count: number;
  readonly amount: Usd;
  readonly complaints: number;
}

const decideSize = 2000;
const shards = 16;

/** "released": to the investor; complaints are rejected. "refused": to the shop; complaints are refunded, later unproved shares are the shop's. */
export async function decideShares(
  db: Db,
  decision: SharesDecision,
): Promise<SharesDecided | "site" | "nothing held"> {
  const { batchId, site, state, by, reason, at } = decision;
  const found = await rows.selectSite(db, site.toLowerCase());
  if (!found) return "site";
  const pair = { batchId, siteId: found.siteId };
  let done: SharesDecided | undefined;
  // Several transactions, so that orders wait less. After a crash the operator decides again.
  for (let isFirst = true; ; isFirst = false) {
    const part = await attempt(db, async (tx) => {
      const held = await rows.lockHeld(tx, pair, decideSize);
      const wasRefused = await rows.isRefused(tx, pair);
      if (held.length === 0 && !(isFirst && wasRefused && state === "released")) return "nothing held";
      if (state === "refused") await rows.putRefusal(tx, pair, at);
      else await rows.deleteRefusal(tx, pair);
      const ids = (isComplained: boolean) =>
        held.filter((row) => row.isComplained === isComplained).map(({ orderId }) => orderId);
      const complained = ids(true);
      await rows.callEndShares(
        tx,
        state === "released" ? [...ids(false), ...complained] : ids(false),
        state,
        randomInt(shards),
      );
      if (state === "refused") await rows.callEndShares(tx, complained, "refunded", randomInt(shards));
      const ended = {
        count: held.length,
        amount: held.reduce((sum, { amount }) => sum + amount, 0n) as Usd,
        complaints: complained.length,
      };
      await journal.note(tx, {
        by,
        did: state === "released" ? "shares release" : "shares refuse",
        about: `batch ${batchId}`,
        before: { site, refused: wasRefused },
        after: { site, state, ...ended, amount: showUsd(ended.amount) },
        reason,
      });
      return ended;
    });
    if (part === "nothing held") return done ?? part;
    done = {
      count: (done?.count ?? 0) + part.count,
      amount: ((done?.amount ?? 0n) + part.amount) as Usd,
      complaints: (done?.complaints ?? 0) + part.complaints,
    };
    if (part.count < decideSize) return done;
  }
}

const ppmOfPercent = 10_000;

/** How much of a price the shares of investor and partners may be together, in percent; the investor's is cut to it. */
export async function shareLimit(sql: Sql): Promise<number> {
  return (await rows.selectShareLimit(sql)).ppm / ppmOfPercent;
}

/** Sets it for letters that come from now on. Answers the limit before. */
export function setShareLimit(db: Db, percent: number, by: string): Promise<number> {
  return attempt(db, async (tx) => {
    const before = await shareLimit(tx);
    await rows.setShareLimit(tx, Math.round(percent * ppmOfPercent));
    await journal.note(tx, {
      by,
      did: "shares limit",
      about: "shop",
      before: { percent: before },
      after: { percent },
    });
    return before;
  });
}

export interface ComplaintDecision extends Decided {
  readonly orderId: bigint;
  readonly state: "refunded" | "rejected";
}

/** Decides a complaint under review: refunds the price, or holds the share as before. */
export function decideComplaint(
  db: Db,
  { orderId, state, by, reason }: ComplaintDecision,
): Promise<{ price: Usd; buyerId: bigint } | "no complaint"> {
  return attempt(db, async (tx) => {
    const share = await rows.lockShare(tx, orderId);
    if (share?.complaint !== "review" || share.state !== "held") return "no complaint";
    if (state === "refunded") await rows.callEndShares(tx, [orderId], "refunded", randomInt(shards));
    else {
      await rows.setRejected(tx, orderId);
      await rows.touchBuyer(tx, share.buyerId);
    }
    const price = share.price as Usd;
    await journal.note(tx, {
      by,
      did: state === "refunded" ? "complaints refund" : "complaints refuse",
      about: `order ${orderId}`,
      before: { buyer: `user ${share.buyerId}`, batch: share.batchId },
      after: { state, price: showUsd(price) },
      reason,
    });
    return { price, buyerId: share.buyerId };
  });
}
