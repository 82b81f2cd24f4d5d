import * as journal from "../journal/journal.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { end, putOnSale } from "./investors.check.ts";
import * as rows from "./investors.sql.ts";
import { usualSharePpm } from "./investors.upload.ts";

export interface Decided {
  readonly by: string;
  readonly reason: string | undefined;
  readonly at: Date;
}

const listed = 100;

/** The newest hundred batches in these states, the oldest first. */
export const listBatches = (db: Db, states: readonly rows.State[]): Promise<rows.Batch[]> =>
  rows.selectAll(db, states, listed);

export async function showBatch(
  db: Db,
  batchId: number,
): Promise<(rows.Batch & { flagged: boolean }) | undefined> {
  const batch = await rows.selectBatch(db, batchId);
  return batch && { ...batch, flagged: (await rows.selectFlags(db, batch.userId)).length > 0 };
}

/** The newest hundred mailboxes that open the box of another one, of one batch or of all. */
export const listSame = (db: Db, batchId?: number): Promise<rows.Same[]> =>
  rows.selectSameBoxes(db, batchId ?? null, listed);

/** Approves a batch under review. One whose server did not answer is checked again: nothing is sold unchecked. */
export function approve(
  db: Db,
  batchId: number,
  { by, reason, at }: Decided,
): Promise<rows.State | "no batch" | "not under review"> {
  return attempt(db, async (tx): Promise<{ state: rows.State } | "no batch" | "not under review"> => {
    const batch = await rows.lockState(tx, batchId);
    if (!batch) return "no batch";
    if (batch.state !== "review") return "not under review";
    const state = batch.reason === "own_domain" ? "active" : "stored";
    if (state === "active") await putOnSale(tx, batchId);
    else await rows.deleteSample(tx, batchId);
    await rows.setState(tx, batchId, { state, at });
    await journal.note(tx, {
      by,
      did: "batches approve",
      about: `batch ${batchId}`,
      before: { state: batch.state, reason: batch.reason },
      after: { state },
      reason,
    });
    return { state };
  }).then((done) => (typeof done === "string" ? done : done.state));
}

/** Refuses a batch that is not on sale and wipes its passwords for good. */
export function refuseBatch(
  db: Db,
  batchId: number,
  { by, reason, at }: Decided,
): Promise<{ state: "refused" } | "no batch" | "batch decided"> {
  return attempt(db, async (tx) => {
    const batch = await rows.lockState(tx, batchId);
    if (!batch) return "no batch";
    if (batch.state === "active" || batch.state === "refused") return "batch decided";
    await end(tx, batchId, "operator", at);
    await journal.note(tx, {
      by,
      did: "batches refuse",
      about: `batch ${batchId}`,
      before: { state: batch.state, reason: batch.reason },
      after: { state: "refused" },
      reason,
    });
    return { state: "refused" as const };
  });
}

/** Lets an account with refused batches upload again. Answers for how many batches. */
export function clearFlags(db: Db, userId: bigint, { by, reason, at }: Decided): Promise<number> {
  return attempt(db, async (tx) => {
    const seen = await rows.clearFlags(tx, userId, at);
    if (seen.length > 0)
      await journal.note(tx, {
        by,
        did: "batches seen",
        about: `user ${userId}`,
        after: { batches: seen.map(({ batchId }) => batchId) },
        reason,
      });
    return seen.length;
  });
}

/** Sets an investor's part of each price, in millionths, for later batches; answers the old one. */
export function setShare(db: Db, userId: bigint, sharePpm: number, by: string): Promise<number> {
  return attempt(db, async (tx) => {
    const before = (await rows.selectTerms(tx, userId))?.sharePpm ?? usualSharePpm;
    await rows.upsertTerms(tx, userId, sharePpm);
    await journal.note(tx, {
      by,
      did: "users share",
      about: `user ${userId}`,
      before: { sharePpm: before },
      after: { sharePpm },
    });
    return before;
  });
}
