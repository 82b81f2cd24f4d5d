// The transaction that sets judged_at also delivers, and stores a letter that is not stored yet: however many processes match, each letter
// is delivered once.
import { Counts } from "../../platform/counts.ts";
import { attempt, type Db, type Tx } from "../../platform/db/db.ts";
import {
  limitLockWaits,
  lockUnmatched,
  oldestUnmatched,
  saveBodies,
  saveMismatches,
  saveNotGiven,
  saveVerdicts,
  storeLetters,
  type Unmatched,
} from "../letters.sql.ts";
import type { Read } from "../parsing/parsing.letter.ts";
import { saveUnclaimed } from "../unclaimed/unclaimed.sql.ts";
import { unclaimedOf } from "../unclaimed/unclaimed.ts";
import { withHabits } from "./matching.choices.ts";
import { mismatchesOf, type MatchResult } from "./matching.mismatches.ts";
import { match, matchLetters, read, type LettersOptions, type MatchedLetter } from "./matching.ts";

/** A flood at a mailbox fills no table: of each order so many mismatches by sender are noted, and as many others. */
const mismatchesMax = 100;

/** What became of letters, once they were matched. */
export const letterCounts = new Counts(["delivered", "unclaimed", "postmaster"]);
/** How sure the codes are that were found in delivered letters. */
export const codeCounts = new Counts(["sure", "likely", "unsure", "none"]);

const backlogSize = 64;
const backlogBytes = 4 * 1024 * 1024;
const matchAndDeliver = async (db: Db, options: LettersOptions, letters: readonly Read[]): Promise<number> =>
  deliverMatches(db, options, await matchLetters(db, options, letters));

export async function deliverMatches(
  db: Db,
  options: LettersOptions,
  matched: readonly MatchedLetter[],
): Promise<number> {
  const letters = matched.map(({ letter }) => letter);
  const results = matched.flatMap((each) => each.results);
  const concluded = await attempt(db, (tx) => conclude(tx, options, letters, results));
  options.authenticate?.();
  for (const { isGiven, mailboxIds, code } of concluded) {
    letterCounts.add(isGiven ? "delivered" : mailboxIds.length > 0 ? "unclaimed" : "postmaster");
    if (isGiven) codeCounts.add(code.confidence ?? "none");
  }
  return concluded.length;
}

/** Answers the letters that this process has matched, and whether orders have them. */
async function conclude(
  tx: Tx,
  options: LettersOptions,
  letters: readonly Read[],
  results: readonly MatchResult[],
): Promise<(Read & { isGiven: boolean })[]> {
  const isToAuthenticate = options.authenticate !== undefined;
  const mine = await lockStored(tx, letters);
  const seen = await lookAgain(tx, options, mine, results);
  const given = await storeAndGive(tx, options, mine, seen);
  const verdicts = await withHabits(
    tx,
    mine.map((letter) => ({ ...letter, isGiven: given.has(letter.id) })),
    seen,
  );
  const stored = verdicts.filter((letter) => !isFresh(letter));
  // Independent statements: one round trip.
  await Promise.all([
    saveBodies(tx, verdicts.filter(isFresh)),
    stored.length > 0 && saveVerdicts(tx, stored, { isToAuthenticate }),
    saveLacking(tx, verdicts, seen),
  ]);
  return verdicts;
}

/** Whether a letter is stored by the transaction that delivers it. */
const isFresh = ({ incoming }: Pick<Unmatched, "incoming">) => incoming !== undefined;

/** Leaves out letters that another process has matched meanwhile. */
async function lockStored(tx: Tx, letters: readonly Read[]): Promise<Read[]> {
  const stored = letters.filter((letter) => !isFresh(letter)).map(({ id }) => id);
  const locked = stored.length === 0 ? [] : await lockUnmatched(tx, stored);
  const isLocked = new Set(locked.map(({ id }) => id));
  return letters.filter((letter) => isFresh(letter) || isLocked.has(letter.id));
}

/**
 * That a letter is for no order is said by the transaction that has looked: the connection before may have led to a server that a newer
 * one has replaced.
 */
async function lookAgain(
  tx: Tx,
  options: LettersOptions,
  letters: readonly Read[],
  results: readonly MatchResult[],
): Promise<MatchResult[]> {
  const fitting = fittingOf(results);
  const others = letters.filter(({ id }) => !fitting.has(id));
  const again = others.length === 0 ? [] : await match(tx, options, others);
  const mine = new Set(letters.map(({ id }) => id));
  return [...results.filter(({ letterId }) => mine.has(letterId) && fitting.has(letterId)), ...again];
}

const fittingOf = (results: readonly MatchResult[]) =>
  new Set(results.flatMap(({ letterId, found }) => ("value" in found ? [letterId] : [])));

/** A sender waits no longer for an order that is locked: his letter is stored, and delivered later. */
const lockMs = 250;

/** Stores the fresh letters, and delivers all. Answers which were delivered. */
async function storeAndGive(
  tx: Tx,
  options: LettersOptions,
  letters: readonly Read[],
  results: readonly MatchResult[],
): Promise<ReadonlySet<bigint>> {
  const fitting = fittingOf(results);
  const fresh = letters.flatMap((letter) =>
    letter.incoming ? [{ ...letter, incoming: letter.incoming, isGiven: fitting.has(letter.id) }] : [],
  );
  const incoming = fresh.map((letter) => ({ ...letter.incoming, arrivedAt: letter.arrivedAt }));
  const isToAuthenticate = options.authenticate !== undefined;
  // Sent together, in the order of these calls.
  const hasty = fresh.length > 0 && limitLockWaits(tx, lockMs);
  const storing = fresh.length > 0 && storeLetters(tx, incoming, { letters: fresh, isToAuthenticate });
  const [given] = await Promise.all([give(tx, options, results), hasty, storing]);
  const closed = fresh.filter(({ id, isGiven }) => isGiven && !given.has(id)).map(({ id }) => id);
  if (closed.length > 0) await saveNotGiven(tx, closed);
  return given;
}

/** Delivers letters to the orders that they fit; answers which were delivered. */
export async function give(
  tx: Tx,
  { deliver }: LettersOptions,
  results: readonly MatchResult[],
): Promise<ReadonlySet<bigint>> {
  const fitting = results.flatMap(({ letterId, order: { orderId }, found }) =>
    "value" in found ? [{ letterId, orderId, value: found.value }] : [],
  );
  const delivered = fitting.length === 0 ? [] : await deliver(tx, fitting);
  return new Set(delivered.map(({ letterId }) => letterId));
}

export async function saveLacking(
  tx: Tx,
  letters: Parameters<typeof unclaimedOf>[0],
  results: readonly MatchResult[],
): Promise<void> {
  const mismatches = mismatchesOf(results);
  const unclaimed = unclaimedOf(letters, results);
  await Promise.all([
    mismatches.length > 0 && saveMismatches(tx, mismatches, mismatchesMax),
    unclaimed.length > 0 && saveUnclaimed(tx, unclaimed),
  ]);
}

/** Matches durable letters from before `until`, the oldest first; answers how many. */
export async function matchBacklog(
  db: Db,
  options: LettersOptions,
  until: Date,
  signal?: AbortSignal,
): Promise<number> {
  const failed: bigint[] = [];
  let matched = 0;
  let size = backlogSize;
  while (!signal?.aborted) {
    let taken: Unmatched[] = [];
    try {
      taken = await oldestUnmatched(db, until, failed, { size, bytes: backlogBytes });
      if (taken.length === 0) break;
      matched += await matchAndDeliver(db, options, await read(options, taken));
      size = Math.min(2 * size, backlogSize);
    } catch (fault) {
      // One letter that fails must not stop the others: one by one, and the failed one waits for the next run.
      if (taken.length === 0) throw fault;
      if (size === 1) failed.push(...taken.map(({ id }) => id));
      if (size === 1)
        options.log.error(
          { err: fault, letters: taken.map(({ id }) => String(id)) },
          "a letter was not matched",
        );
      size = 1;
    }
  }
  return matched;
}
