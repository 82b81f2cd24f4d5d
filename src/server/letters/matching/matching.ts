// Reads letters and finds the orders that they fit.
import type { Db, Sql, Tx } from "../../platform/db/db.ts";
import type { Log } from "../../platform/log.ts";
import { fit, isAnothers, type Missed, valueOf, type WaitingOrder } from "./matching.match.ts";
import type { MatchResult } from "./matching.mismatches.ts";
import type { ParsedLetter, Read } from "../parsing/parsing.letter.ts";
import { openAll } from "../parsing/parsing.ts";
import { lockMatched, reserveLetters, saveVerdicts, type Unmatched } from "../letters.sql.ts";
import type { Incoming } from "../letters.incoming.ts";
import { deleteUnclaimed } from "../unclaimed/unclaimed.sql.ts";

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

export interface MatchedLetter {
  readonly letter: Read;
  readonly results: readonly MatchResult[];
}

export async function matchLetters(
  db: Db,
  options: LettersOptions,
  letters: readonly (Read | Arrived)[],
): Promise<MatchedLetter[]> {
  const known = await withIds(db, letters);
  const results = Map.groupBy(await match(db, options, known), ({ letterId }) => letterId);
  return known.map((letter) => ({ letter, results: results.get(letter.id) ?? [] }));
}

/** A parsed letter that is not stored yet. */
export type Arrived = ParsedLetter & { readonly incoming: Incoming };

async function withIds(db: Db, letters: readonly (Read | Arrived)[]): Promise<Read[]> {
  const count = letters.filter((letter) => !("id" in letter)).length;
  if (count === 0) return letters.filter((letter) => "id" in letter);
  const askedAt = performance.now();
  const { ids, now } = await reserveLetters(db, count);
  return letters.map((letter) => {
    if ("id" in letter) return letter;
    const { raw, mailboxIds, receivedAt = askedAt, arrivedAt } = letter.incoming;
    const came = arrivedAt ?? new Date(now.getTime() - Math.max(0, askedAt - receivedAt));
    return { ...letter, id: ids.shift()!, arrivedAt: came, raw, mailboxIds };
  });
}

/** The buyers whose orders get a letter: transactions that deliver to the same buyer wait for each other. */
export const buyersOf = ({ results }: MatchedLetter): bigint[] =>
  results.flatMap(({ order, found }) => ("value" in found ? [order.userId] : []));

export async function parse(
  { log }: LettersOptions,
  letters: readonly { readonly raw: Uint8Array; readonly id?: bigint }[],
): Promise<ParsedLetter[]> {
  const opened = await openAll(letters.map(({ raw }) => raw));
  return letters.map(({ id, raw }, index) => {
    const found = opened[index];
    if (!found) throw new Error("every letter is opened");
    if (found.failed !== undefined)
      log.warn(
        { letter: id && String(id), bytes: raw.length, reason: found.failed },
        "a letter is kept as text",
      );
    return found;
  });
}

export const read = async <Letter extends Unmatched>(
  options: LettersOptions,
  letters: readonly Letter[],
): Promise<(Letter & ParsedLetter)[]> => {
  const parsed = await parse(options, letters);
  return letters.map((letter, index) => ({ ...letter, ...parsed[index]! }));
};

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
