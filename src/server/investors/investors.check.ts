// Checks a batch before it is on sale: opens a sample of its mailboxes and decides about all.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sampleSize } from "../../contract/limits.ts";
import * as inventory from "../inventory/inventory.ts";
import * as journal from "../journal/journal.ts";
import { secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { type Imap, type Looked, withholdRefused } from "../imap/imap.ts";
import * as rows from "./investors.sql.ts";

/** Opens mailboxes, and takes out of sale those that their server refuses. */
export type Mailboxes = Pick<Imap, "check" | "refuse">;

export interface CheckTimes {
  /** After the first time that a server did not answer; doubled each time. */
  readonly downSeconds: number;
  /** The period in which each mailbox on sale is opened again once. */
  readonly recheckSeconds: number;
}

export const usualTimes: CheckTimes = { downSeconds: 60, recheckSeconds: 30 * 24 * 3600 };

/** 80 % of the sample must open, each a box of its own. */
const failuresMax = Math.floor(sampleSize * 0.2);
/** After so many tries without an answer for one mailbox the batch goes to review. */
const triesMax = 6;
const atOnce = 4;
const laterSeconds = 1;
/** Between two mailboxes of one batch on sale. */
const recheckPauseSeconds = 10;
/** A limit is over by then. */
const secondLookSeconds = 3600;

export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

export const wait: Pause = (milliseconds, signal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined);

interface Parts {
  readonly db: Db;
  readonly mailboxes: Mailboxes;
  readonly times: CheckTimes;
  readonly clock: () => Date;
  readonly pause: Pause;
}

/** Checks due mailboxes, one of each batch at a time, so that a refused batch sends no more log-ins. */
export async function check(parts: Parts, signal: AbortSignal): Promise<void> {
  const { db, clock, pause } = parts;
  const running = new Map<number, Promise<void>>();
  try {
    for (;;) {
      for (const { batchId } of await rows.selectStored(db)) await draw(db, batchId, clock());
      const free = signal.aborted ? 0 : atOnce - running.size;
      const before = [...running.keys()];
      for (const due of await rows.selectDue(db, clock(), free, before))
        running.set(
          due.batchId,
          tryOne(parts, due)
            .then(() => pause(due.pauseMs, signal))
            .then(() => undefined)
            .finally(() => running.delete(due.batchId)),
        );
      // One that ended meanwhile was not asked for, and may have more that is due.
      if (before.some((batchId) => !running.has(batchId))) continue;
      if (running.size === 0) return;
      await Promise.race(running.values());
    }
  } finally {
    // After a fault the others still end before the job does.
    await Promise.allSettled(running.values());
  }
}

async function tryOne({ db, mailboxes, times, clock }: Parts, due: rows.Due): Promise<void> {
  const looked = await mailboxes.check(due.mailboxId, due.createdAt);
  await attempt(db, (tx) => note(tx, due, looked, { at: clock(), times }));
}

/** Draws the sample; a batch of own domains alone has none. */
async function draw(db: Db, batchId: number, at: Date): Promise<void> {
  await attempt(db, async (tx) => {
    if ((await rows.lockState(tx, batchId))?.state !== "stored") return;
    const hosted = (await rows.selectRuns(tx, batchId)).filter(({ isHosted }) => isHosted);
    await rows.insertSample(tx, batchId, pick(hosted, sampleSize));
    await rows.setState(tx, batchId, { state: "sampling", at });
    if (hosted.length === 0) await decide(tx, batchId, at);
  });
}

/** Picks so many different mailboxes of the runs, uniformly; all when there are fewer. */
export function pick(runs: readonly { firstId: bigint; lastId: bigint }[], count: number): bigint[] {
  const total = runs.reduce((sum, { firstId, lastId }) => sum + Number(lastId - firstId) + 1, 0);
  const places = new Set<number>();
  while (places.size < Math.min(count, total)) places.add(randomInt(total));
  return [...places].map((place) => {
    let left = place;
    for (const { firstId, lastId } of runs) {
      const size = Number(lastId - firstId) + 1;
      if (left < size) return firstId + BigInt(left);
      left -= size;
    }
    throw new Error("a place beyond all runs");
  });
}

async function note(
  tx: Tx,
  due: rows.Due,
  { seen, answer }: Looked,
  { at, times }: { at: Date; times: CheckTimes },
): Promise<void> {
  const { batchId, tries } = due;
  // The operator may have decided meanwhile.
  if ((await rows.lockState(tx, batchId))?.state !== "sampling") return;
  if (answer !== undefined) await rows.setAnswer(tx, batchId, answer);
  if (seen === "later") return void (await rows.setLater(tx, due, tries, secondsAfter(at, laterSeconds)));
  if (seen === "down" && tries + 1 >= triesMax)
    return void (await rows.setState(tx, batchId, { state: "review", reason: "unreachable", at }));
  if (seen === "down")
    return void (await rows.setLater(tx, due, tries + 1, secondsAfter(at, times.downSeconds * 2 ** tries)));
  await rows.setTried(tx, due, seen !== "refused");
  return seen === "personal" ? refuse(tx, batchId, "personal", at) : decide(tx, batchId, at);
}

async function decide(tx: Tx, batchId: number, at: Date): Promise<void> {
  const { size, opened, refused, isLimit } = await rows.selectProgress(tx, batchId);
  if (refused > Math.min(failuresMax, Math.floor(size * 0.2))) {
    if (!isLimit) return refuse(tx, batchId, "unopened", at);
    return rows.setSecondLook(tx, batchId, secondsAfter(at, secondLookSeconds));
  }
  if (opened + refused < size) return;
  const runs = await rows.selectRuns(tx, batchId);
  // A mailbox of an own domain cannot be checked: it has no server but ours.
  if (runs.some(({ isHosted }) => !isHosted))
    return void (await rows.setState(tx, batchId, { state: "review", reason: "own_domain", at }));
  const batch = await rows.lockState(tx, batchId);
  if (batch) await sell(tx, { batchId, userId: batch.userId }, at);
}

/** Puts a batch on sale that passed its check, without what was refused; off sale at once where its owner may not sell meanwhile. */
export async function sell(
  tx: Tx,
  { batchId, userId }: Pick<rows.Batch, "batchId" | "userId">,
  at: Date,
): Promise<void> {
  const { maySell } = await rows.lockOwner(tx, userId);
  const refused = await rows.selectRefused(tx, batchId);
  await rows.endSample(tx, batchId);
  await putOnSale(tx, batchId);
  await withholdRefused(
    tx,
    refused.map(({ mailboxId }) => mailboxId),
    "refused at the check of its batch",
  );
  if (!maySell) await rows.callSetWithdrawn(tx, batchId, "owner");
  await rows.setState(tx, batchId, { state: "active", at });
}

/** Puts a batch on sale without the mailboxes that open the box of another one. */
async function putOnSale(tx: Tx, batchId: number): Promise<void> {
  await inventory.putOnSale(tx, batchId);
  const same = await rows.selectSame(tx, batchId);
  if (same.length > 0)
    await inventory.withhold(
      tx,
      same.map(({ mailboxId }) => mailboxId),
    );
}

/** Refuses a batch for good, wipes its passwords and bars the account until the operator has looked. */
async function refuse(tx: Tx, batchId: number, reason: "unopened" | "personal", at: Date): Promise<void> {
  const batch = await rows.selectBatch(tx, batchId);
  await end(tx, batchId, reason, at);
  if (!batch) return;
  await rows.insertFlag(tx, batch.userId, batchId, at);
  await journal.note(tx, {
    by: "check of batches",
    did: "batches refuse",
    about: `batch ${batchId}`,
    before: { state: batch.state },
    after: { state: "refused", reason, flagged: `user ${batch.userId}` },
  });
}

export async function end(tx: Tx, batchId: number, reason: rows.Reason, at: Date): Promise<void> {
  await rows.endSample(tx, batchId);
  await inventory.wipe(tx, batchId);
  await rows.setState(tx, batchId, { state: "refused", reason, at });
}

/** Opens mailboxes on sale again, slowly, one of a batch at a time; one that is refused leaves the sale. */
export async function recheck(parts: Omit<Parts, "clock" | "pause">, at: Date): Promise<void> {
  const { db, mailboxes, times } = parts;
  for (const { batchId, mailboxId, count } of await rows.selectRechecks(db, at, atOnce)) {
    const pause = Math.max(recheckPauseSeconds, times.recheckSeconds / count);
    if (mailboxId === null) {
      await rows.setRechecked(db, batchId, 0n, secondsAfter(at, Math.max(pause, times.recheckSeconds / 100)));
      continue;
    }
    const { seen } = await mailboxes.check(mailboxId);
    if (seen === "refused" && (await letsOthersIn(db, mailboxes, batchId, mailboxId)))
      await mailboxes.refuse(mailboxId);
    if (seen !== "later") await rows.setRechecked(db, batchId, mailboxId, secondsAfter(at, pause));
  }
}

/** Whether another mailbox of the batch opens: a server that refuses all says nothing about one. */
async function letsOthersIn(
  db: Db,
  mailboxes: Mailboxes,
  batchId: number,
  mailboxId: bigint,
): Promise<boolean> {
  const other = await rows.selectOther(db, batchId, mailboxId);
  return other === undefined || (await mailboxes.check(other.mailboxId)).seen === "opened";
}
