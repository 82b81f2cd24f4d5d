import * as journal from "../journal/journal.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { end, sell } from "./investors.check.ts";
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

/** The batch that has this address, on sale or not. */
export async function batchOf(db: Db, address: string): Promise<rows.Batch | undefined> {
  const found = await rows.selectBatchOf(db, address.trim().toLowerCase());
  return found && rows.selectBatch(db, found.batchId);
}

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
    if (state === "active") await sell(tx, { batchId, userId: batch.userId }, at);
    else {
      await rows.endSample(tx, batchId);
      await rows.setState(tx, batchId, { state, at });
    }
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

const undecided = new Set<rows.State>(["stored", "sampling", "review"]);

/** Refuses a batch that was never on sale and wipes its passwords for good. */
export function refuseBatch(
  db: Db,
  batchId: number,
  { by, reason, at }: Decided,
): Promise<{ state: "refused" } | "no batch" | "batch decided"> {
  return attempt(db, async (tx) => {
    const batch = await rows.lockState(tx, batchId);
    if (!batch) return "no batch";
    if (!undecided.has(batch.state)) return "batch decided";
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

/** Takes a batch off sale: open orders get their letters, and what they earn waits for the operator. */
export function withdraw(
  db: Db,
  batchId: number,
  { by, reason }: Decided,
): Promise<{ state: "withdrawn" } | "no batch" | "not on sale"> {
  return attempt(db, async (tx) => {
    const batch = await rows.lockState(tx, batchId);
    if (!batch) return "no batch";
    // One that is off sale with its owner stays so when he sells again.
    if (batch.state !== "active" && batch.state !== "withdrawn") return "not on sale";
    await rows.callSetWithdrawn(tx, batchId, "operator");
    await journal.note(tx, {
      by,
      did: "batches withdraw",
      about: `batch ${batchId}`,
      before: { state: batch.state },
      after: { state: "withdrawn" },
      reason,
    });
    return { state: "withdrawn" as const };
  });
}

/** Puts a batch back on sale: what was sold stays sold, and what died meanwhile stays dead. */
export function restoreBatch(
  db: Db,
  batchId: number,
  { by, reason }: Decided,
): Promise<{ state: "active" } | "no batch" | "not off sale" | "owner may not sell"> {
  return attempt(db, async (tx) => {
    const batch = await rows.lockState(tx, batchId);
    if (!batch) return "no batch";
    if (batch.state !== "withdrawn") return "not off sale";
    if (!(await rows.lockOwner(tx, batch.userId)).maySell) return "owner may not sell";
    await rows.callSetWithdrawn(tx, batchId, undefined);
    await journal.note(tx, {
      by,
      did: "batches restore",
      about: `batch ${batchId}`,
      before: { state: batch.state },
      after: { state: "active" },
      reason,
    });
    return { state: "active" as const };
  });
}

/** Addresses that were freed and refused again rest so long after the refusal. */
export const restDays = 30;

/**
 * Frees the addresses of a refused batch of which no mailbox opened, so that anyone can bring each once more.
 * `restsUntil`: one of them was freed before.
 */
export function free(
  db: Db,
  batchId: number,
  { by, reason, at }: Decided,
): Promise<
  { state: "freed"; freed: number } | { restsUntil: Date } | "no batch" | "not refused" | "mailboxes opened"
> {
  return attempt(db, async (tx) => {
    const batch = await rows.lockState(tx, batchId);
    if (!batch) return "no batch";
    if (batch.state !== "refused" || batch.decidedAt === null) return "not refused";
    // Unknown of batches of before the counts.
    if (batch.opened !== 0) return "mailboxes opened";
    const restsUntil = secondsAfter(batch.decidedAt, restDays * 24 * 3600);
    const { freed } = await rows.callFree(tx, batchId, restsUntil <= at, at);
    if (freed === null) return { restsUntil };
    await rows.setFreed(tx, batchId, at);
    await journal.note(tx, {
      by,
      did: "batches free",
      about: `batch ${batchId}`,
      before: { state: batch.state, reason: batch.reason },
      after: { state: "freed", addresses: freed },
      reason,
    });
    return { state: "freed" as const, freed };
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
