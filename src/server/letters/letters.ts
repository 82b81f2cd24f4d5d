// A letter is durable before its sender is answered 250. judged_at is null until the transaction that also delivers it: nothing acknowledged
// is lost or delivered twice.
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt, wasUndone, type Db, type Tx } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import { Arriving } from "./letters.arriving.ts";
import { Authentication, type AuthenticationOptions, type Counts } from "./authentication/authentication.ts";
import type { LettersOptions } from "./matching/matching.ts";
import type { Incoming } from "./letters.incoming.ts";
import type { Placed } from "./matching/matching.pipeline.ts";
import { MatchQueue, type MatchQueueLimits } from "./matching/matching.queue.ts";
import {
  forgetNotGiven,
  forgetOld,
  keepDaysDefault,
  makePartitions,
  withPartitions,
} from "./letters.retention.ts";
import { isLong } from "./letters.raw.ts";
import { type Stored, storeLetters, storeLong, type Unmatched, waitedMs } from "./letters.sql.ts";
import { deliverUnclaimed, type DeliveredUnclaimed } from "./unclaimed/unclaimed.deliver.ts";
import { warmUp } from "./parsing/parsing.warm.ts";

export { forgetBodies, forgetChoices } from "./letters.forget.sql.ts";
export { arrivalGraceSeconds } from "./letters.arriving.ts";
export { Late } from "./matching/matching.admission.ts";
export { codeCounts, letterCounts } from "./matching/matching.deliver.ts";
export { prepare, type Delivery, type LettersOptions } from "./matching/matching.ts";
export { distributeLetters, showCluster, whyNot, type Worker } from "./letters.cluster.sql.ts";
export { saveChoice } from "./matching/matching.choices.sql.ts";
export { checkPattern, type WaitingOrder } from "./matching/matching.match.ts";
export type { Incoming } from "./letters.incoming.ts";
export {
  inspect,
  listForPostmaster,
  type InspectedLetter,
  type PostmasterLetter,
} from "./letters.inspect.ts";
export { StoredHtml } from "./letters.raw.ts";
export { openSource } from "./letters.source.ts";
export { hideCodes, listUnclaimed, type UnclaimedGroup } from "./unclaimed/unclaimed.ts";
export { showDocument, showLetter, type Pictures } from "./showing/showing.ts";

export interface Letters {
  /**
   * Makes a letter durable, and delivers it by the same commit or queues its matching; takes over the bytes of a long one. Throws
   * BatcherFull when too many wait, Late after `until`.
   */
  keep(letter: Incoming, until?: () => AbortSignal): Promise<void>;
  /** Notes a whole letter: the orders of these mailboxes do not expire while it waits. Call the answered function when it is kept or given up. */
  arriving(mailboxIds: readonly bigint[]): () => void;
  /** The same in one transaction with `also`; when that answers false, the letter is not kept. Answers whether it was. */
  keepWith(letter: Incoming, also: (tx: Tx) => Promise<boolean>): Promise<boolean>;
  /** Matches durable letters from before `until` that a process left behind; answers how many. */
  matchBacklog(until: Date, signal?: AbortSignal): Promise<number>;
  /** Delivers unclaimed letters of the last 24 hours whose domain their site takes by now: of one site, or (for a job) of all. */
  deliverUnclaimed(ask?: { siteId?: number; signal?: AbortSignal }): Promise<DeliveredUnclaimed>;
  /** Authenticates unauthenticated letters of the last day; does nothing without name servers. */
  authenticateDue(): Promise<void>;
  readonly authenticated: Counts;
  forgetNotGiven(now: Date, signal?: AbortSignal): Promise<number>;
  /** Creates partitions for the next days. Storing does it too when one is missing. */
  makePartitions(): Promise<number>;
  /** The same, and drops bodies that are too old, with all that is kept as long. */
  forgetOld(signal?: AbortSignal): Promise<void>;
  warmUp(): Promise<void>;
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Age at which an unmatched letter counts as left behind: matching takes milliseconds, a rush some seconds. */
export const backlogSeconds = 10;

const statementBytesMax = 4 * 1024 * 1024;

export interface Opening extends LettersOptions {
  /** The days that bodies are kept at least. */
  readonly keepDays?: number;
  readonly authentication?: AuthenticationOptions | undefined;
  readonly limits?: Partial<MatchQueueLimits>;
}

export function openLetters(db: Db, opening: Opening): Letters {
  const { keepDays = keepDaysDefault, authentication, limits, ...matching } = opening;
  const authenticating = authentication && new Authentication(db, matching, authentication);
  const options = { ...matching, authenticate: authenticating && (() => authenticating.ring()) };
  const placed: Placed = (arrivals, work) => withPartitions(db, keepDays, arrivals, work);
  const storing = new Batcher<Incoming, Unmatched>(
    (letters) => placed(letters.map(cameAt), () => store(db, letters)),
    {
      concurrency: 2,
      batchMax: 64,
      queueMax: 2_000,
      mayRepeat: wasUndone,
    },
  );
  const queue = new MatchQueue(db, options, limits, placed);
  const arriving = new Arriving(db, options.log);
  const keeping = new Set<Promise<boolean>>();
  const keepOne = async (letter: Incoming, also: (tx: Tx) => Promise<boolean>) => {
    const [row] = await placed([cameAt(letter)], () => storeWith(db, letter, also));
    if (row) queue.soon(row);
    return row !== undefined;
  };
  /** Others may see a letter in the database before this process hears that it is stored. */
  const stored = async () => {
    await Promise.allSettled(keeping);
    await storing.drain();
    await arriving.drain();
  };

  return {
    keep: (letter, until) => queue.take(letter, () => storing.submit(letter), until),
    arriving: (mailboxIds) => arriving.begin(mailboxIds),
    keepWith: (letter, also) => {
      const kept = keepOne(letter, also).finally(() => keeping.delete(kept));
      keeping.add(kept);
      return kept;
    },
    matchBacklog: (until, signal) => queue.backlog(until, signal),
    deliverUnclaimed: (ask) => deliverUnclaimed(db, options, ask),
    authenticateDue: async () => authenticating?.due(),
    authenticated: authenticating?.counts ?? new Map(),
    forgetNotGiven: (now, signal) => forgetNotGiven(db, now, signal),
    makePartitions: () => makePartitions(db, keepDays),
    forgetOld: (signal) => forgetOld(db, keepDays, { log: options.log, signal }),
    warmUp,
    drain: async () => {
      await stored();
      await queue.drain();
    },
    close: async () => {
      await stored();
      await queue.close();
      await authenticating?.close();
    },
  };
}

const cameAt = ({ arrivedAt, receivedAt }: Incoming): Date | undefined =>
  receivedAt === undefined ? arrivedAt : secondsAfter(now(), -waitedMs(receivedAt) / 1000);

// One statement if they fit into one, else several in one transaction.
async function store(db: Db, letters: Incoming[]): Promise<Unmatched[]> {
  const bundled = bundles(letters);
  const isOne = bundled.length === 1 && !isLong(letters[0]!);
  return withIds(
    letters,
    await (isOne ? storeLetters(db, letters) : attempt(db, (tx) => storeAll(tx, bundled))),
  );
}

const storeWith = (db: Db, letter: Incoming, also: (tx: Tx) => Promise<boolean>): Promise<Unmatched[]> =>
  attempt(db, async (tx) => ((await also(tx)) ? withIds([letter], await storeAll(tx, [[letter]])) : []));

async function storeAll(tx: Tx, bundled: Incoming[][]): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (const bundle of bundled) {
    const [first] = bundle;
    stored.push(...(await (first && isLong(first) ? storeLong(tx, first) : storeLetters(tx, bundle))));
  }
  return stored;
}

function withIds(letters: Incoming[], stored: Stored[]): Unmatched[] {
  return letters.map((letter, index) => {
    const row = stored[index];
    if (!row) throw new Error("a letter that was stored has an id");
    return { ...row, raw: letter.raw, mailboxIds: letter.mailboxIds };
  });
}

function bundles(letters: Incoming[]): Incoming[][] {
  const found: Incoming[][] = [];
  let bytes = 0;
  for (const letter of letters) {
    bytes += letter.raw.length;
    const last = found.at(-1);
    if (last && bytes <= statementBytesMax && !isLong(letter)) last.push(letter);
    else {
      found.push([letter]);
      bytes = isLong(letter) ? statementBytesMax : letter.raw.length;
    }
  }
  return found;
}
