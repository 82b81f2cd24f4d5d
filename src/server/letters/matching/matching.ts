// The transaction that sets judged_at also delivers: however many processes match, each letter is delivered once.
import { attempt, type Db, type Sql, type Tx } from "../../platform/db/db.ts";
import type { Log } from "../../platform/log.ts";
import { fit, isAnothers, type Missed, valueOf, type WaitingOrder } from "./matching.match.ts";
import { mismatchesOf, type MatchResult } from "./matching.mismatches.ts";
import type { ParsedLetter, Read } from "../parsing/parsing.letter.ts";
import { openAll } from "../parsing/parsing.ts";
import {
  lockMatched,
  lockUnmatched,
  saveMismatches,
  saveVerdicts,
  oldestUnmatched,
  type Unmatched,
} from "../letters.sql.ts";
import { withHabits } from "./matching.choices.ts";
import { deleteUnclaimed, saveUnclaimed } from "../unclaimed/unclaimed.sql.ts";
import { unclaimedOf } from "../unclaimed/unclaimed.ts";

export interface Delivery {
  readonly letterId: bigint;
  readonly orderId: bigint;
  readonly value?: string | undefined;
}

/** Callbacks to services that start after this one. */
export interface LettersOptions {
  /** Living orders of these mailboxes (`orders.waiting`). */
  waiting(sql: Sql, mailboxIds: bigint[]): Promise<readonly WaitingOrder[]>;
  /** Delivers letters to orders and pays (`orders.deliver`), in the transaction that marks them matched. */
  deliver(tx: Tx, deliveries: Delivery[]): Promise<readonly { readonly letterId: bigint }[]>;
  /** Registrable domains whose letters are for a site (`catalog.sendersOf`); undefined takes any sender. */
  sendersOf(siteId: number, site: string): Promise<ReadonlySet<string> | undefined>;
  /** Domains of sites that are not served (`catalog.shunnedSenders`): an order for any sender gets nothing from them. */
  shunnedSenders?(): Promise<ReadonlySet<string>>;
  /** Queues matched letters for authentication; left out where no name servers may be asked. */
  authenticate?: (() => void) | undefined;
  log: Log;
}

const backlogSize = 64;
const backlogBytes = 4 * 1024 * 1024;
/** A flood at a mailbox fills no table: of each order so many mismatches by sender are noted, and as many others. */
const mismatchesMax = 100;

export interface MatchedLetter {
  readonly letter: Read;
  readonly results: readonly MatchResult[];
}

const matchAndDeliver = async (db: Db, options: LettersOptions, letters: readonly Read[]): Promise<number> =>
  deliverMatches(db, options, await matchLetters(db, options, letters));

export async function matchLetters(
  db: Db,
  options: LettersOptions,
  letters: readonly Read[],
): Promise<MatchedLetter[]> {
  const results = Map.groupBy(await match(db, options, letters), ({ letterId }) => letterId);
  return letters.map((letter) => ({ letter, results: results.get(letter.id) ?? [] }));
}

export async function deliverMatches(
  db: Db,
  options: LettersOptions,
  matched: readonly MatchedLetter[],
): Promise<number> {
  const letters = matched.map(({ letter }) => letter);
  const results = matched.flatMap((each) => each.results);
  const count = await attempt(db, (tx) => conclude(tx, options, letters, results));
  options.authenticate?.();
  return count;
}

/** The buyers whose orders get a letter: transactions that deliver to the same buyer wait for each other. */
export const buyersOf = ({ results }: MatchedLetter): bigint[] =>
  results.flatMap(({ order, found }) => ("value" in found ? [order.userId] : []));

export async function read<Letter extends Unmatched>(
  { log }: LettersOptions,
  letters: readonly Letter[],
): Promise<(Letter & ParsedLetter)[]> {
  const opened = await openAll(letters.map(({ raw }) => raw));
  return letters.map((letter, index) => {
    const found = opened[index];
    if (!found) throw new Error("every letter is opened");
    if (found.failed !== undefined)
      log.warn(
        { letter: String(letter.id), bytes: letter.raw.length, reason: found.failed },
        "a letter is kept as text",
      );
    return { ...letter, ...found };
  });
}

export async function match(
  sql: Sql,
  options: LettersOptions,
  letters: readonly Read[],
): Promise<MatchResult[]> {
  const mailboxIds = [...new Set(letters.flatMap((letter) => letter.mailboxIds))];
  const orders = await options.waiting(sql, mailboxIds);
  const results: MatchResult[] = [];
  for (const order of orders) {
    const candidates = letters.filter((letter) => letter.mailboxIds.includes(order.mailboxId));
    const senders = await options.sendersOf(order.siteId, order.site);
    const anothers = senders === undefined && (await notForAny(options, order));
    for (const letter of candidates) {
      const asked = { ...letter.parsed, arrivedAt: letter.arrivedAt };
      // As if there were no such order: its timeline shows nothing.
      if (anothers && isAnothers(asked, order, { orders, anothers })) continue;
      const found = fit(asked, order, senders);
      const isOfSite = senders !== undefined && (!("missed" in found) || isAfterSender(found.missed));
      results.push({ letterId: letter.id, order, found, isOfSite });
    }
  }
  return results;
}

/** Domains whose letters an order for any sender does not get: of other buyers' orders at its mailbox, and of sites not served. */
async function notForAny(
  { sendersOf, shunnedSenders }: LettersOptions,
  { othersSites = [] }: WaitingOrder,
): Promise<ReadonlySet<string>> {
  const sets = await Promise.all([
    ...othersSites.map(({ siteId, site }) => sendersOf(siteId, site)),
    shunnedSenders?.(),
  ]);
  return new Set(sets.flatMap((senders) => [...(senders ?? [])]));
}

const isAfterSender = (missed: Missed) => missed === "subject" || missed === "regex";

async function conclude(
  tx: Tx,
  options: LettersOptions,
  letters: readonly Read[],
  results: readonly MatchResult[],
): Promise<number> {
  const locked = await lockUnmatched(
    tx,
    letters.map(({ id }) => id),
  );
  const mine = new Set(locked.map(({ id }) => id));
  const fitting = new Set(results.flatMap(({ letterId, found }) => ("value" in found ? [letterId] : [])));
  const others = letters.filter(({ id }) => mine.has(id) && !fitting.has(id));
  // That a letter is for no order is said by the transaction that has looked: the connection before may have led to a server that a
  // newer one has replaced.
  const again = others.length === 0 ? [] : await match(tx, options, others);
  const seen = [...results.filter(({ letterId }) => mine.has(letterId) && fitting.has(letterId)), ...again];
  const given = await give(tx, options, seen);
  const verdicts = await withHabits(
    tx,
    letters.filter(({ id }) => mine.has(id)).map((letter) => ({ ...letter, isGiven: given.has(letter.id) })),
    seen,
  );
  const isToAuthenticate = options.authenticate !== undefined;
  // Independent statements: one round trip.
  await Promise.all([
    verdicts.length > 0 && saveVerdicts(tx, verdicts, { isToAuthenticate }),
    saveLacking(tx, verdicts, seen),
  ]);
  return verdicts.length;
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

/** Locks and parses a kept letter for an order that it did not match; answers what the pattern finds, undefined when the letter is gone. */
export async function prepare(
  tx: Tx,
  letterId: bigint,
  pattern: string | null,
): Promise<{ value: string | undefined } | undefined> {
  const letter = await lockMatched(tx, letterId);
  if (!letter) return undefined;
  const [opened] = await openAll([letter.raw]);
  if (!opened) throw new Error("every letter is opened");
  await saveVerdicts(tx, [{ id: letterId, ...opened, isGiven: true }]);
  await deleteUnclaimed(tx, [letterId]);
  return { value: pattern === null ? undefined : valueOf(pattern, opened.parsed) };
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
