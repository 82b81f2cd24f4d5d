// Letters: from the moment they are here to the order that waits for them. A letter is durable before its sender is told 250, and matched
// (parsed, matched, given to orders) at once after it. Between the two it is a row without judged_at: whoever sets that also
// gives the letter away, in one transaction, so nothing that was acknowledged is lost and nothing is given twice.
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt, wasUndone, type Db, type Tx } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import { Arriving } from "./letters.arriving.ts";
import { Authentication, type AuthenticationOptions, type Tally } from "./authentication/authentication.ts";
import type { LettersOptions } from "./letters.matching.ts";
import type { Incoming } from "./letters.incoming.ts";
import { MatchQueue } from "./letters.match-queue.ts";
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
import { warmUp } from "./letters.warm.ts";

export { arrivalGraceSeconds } from "./letters.arriving.ts";
export { Late } from "./letters.match-queue.ts";
export { prepare, type Delivery, type LettersOptions } from "./letters.matching.ts";
export { checkPattern, type WaitingOrder } from "./letters.match.ts";
export type { Incoming } from "./letters.incoming.ts";
export {
  inspect,
  listForPostmaster,
  type InspectedLetter,
  type PostmasterLetter,
} from "./letters.inspect.ts";
export { StoredHtml } from "./letters.raw.ts";
export { hideCodes, listUnclaimed, type UnclaimedGroup } from "./unclaimed/unclaimed.ts";
export { showDocument, showLetter, type Pictures } from "./letters.shown.ts";

export interface Letters {
  /**
   * Makes a letter durable, then matches it without being waited for. Waits first while this process is far behind with matching, but
   * no longer than `until` says. The bytes of a long one are let go when it is matched: they are the letter's from here on.
   * Throws BatcherFull when too many wait, and Late when `until` was first.
   */
  keep(letter: Incoming, until?: () => AbortSignal): Promise<void>;
  /**
   * A letter for these mailboxes is here whole: while it waits to be kept their orders do not expire. Call what is answered when
   * it is kept, or given up.
   */
  arriving(mailboxIds: readonly bigint[]): () => void;
  /**
   * The same in a transaction with something else. When that answers false, it is kept without the letter.
   * Answers whether the letter was kept.
   */
  keepWith(letter: Incoming, also: (tx: Tx) => Promise<boolean>): Promise<boolean>;
  /** Matches what is durable and arrived before `until` (whose process died, or had too much to do); answers how many. */
  matchBacklog(until: Date, signal?: AbortSignal): Promise<number>;
  /**
   * Gives letters that were turned away in the last 24 hours and whose domain their site takes by now: of one site right after a
   * domain was added to it, or (for a job) what is left of all.
   */
  deliverUnclaimed(ask?: { siteId?: number; signal?: AbortSignal }): Promise<DeliveredUnclaimed>;
  /** Finds out what letters of the last day prove of their sender that nobody has looked at; nothing without name servers. */
  authenticateDue(): Promise<void>;
  /** How often each result was found here. */
  readonly authenticated: Tally;
  /** Forgets letters that no order got within a day; answers how many. */
  forgetNotGiven(now: Date, signal?: AbortSignal): Promise<number>;
  /** Sees to it that letters of the next days have their place. Storing does it too, when it has to. */
  makePartitions(): Promise<number>;
  /** The same, and forgets the bodies of letters that are too old, and what is kept as long as they are. */
  forgetOld(signal?: AbortSignal): Promise<void>;
  /** Does beforehand what the first letter would wait for. */
  warmUp(): Promise<void>;
  /** Resolves when every letter that was kept here is matched. */
  drain(): Promise<void>;
  /** Matches what is in memory and ends the threads that open letters. What came too fast is left to the next process. */
  close(): Promise<void>;
}

/** How old an unjudged letter is when it is taken for left behind: matching takes milliseconds, a rush some seconds. */
export const backlogSeconds = 10;

const statementBytesMax = 4 * 1024 * 1024;

/** Opens the letters of a database. `keepDays`: for how many days bodies are kept at least. */
export function openLetters(
  db: Db,
  {
    keepDays = keepDaysDefault,
    authentication,
    ...judged
  }: LettersOptions & { keepDays?: number; authentication?: AuthenticationOptions | undefined },
): Letters {
  const authenticating = authentication && new Authentication(db, judged, authentication);
  const options = { ...judged, authenticate: authenticating && (() => authenticating.ring()) };
  const placed = <Answer>(letters: readonly Incoming[], work: () => Promise<Answer>) =>
    withPartitions(db, keepDays, letters.map(cameAt), work);
  const storing = new Batcher<Incoming, Unmatched>((letters) => placed(letters, () => store(db, letters)), {
    concurrency: 2,
    batchMax: 64,
    queueMax: 2_000,
    mayRepeat: wasUndone,
  });
  const queue = new MatchQueue(db, options);
  const arriving = new Arriving(db, options.log);

  return {
    keep: (letter, until) => queue.take(letter, () => storing.submit(letter), until),
    arriving: (mailboxIds) => arriving.begin(mailboxIds),
    keepWith: async (letter, also) => {
      const [stored] = await placed([letter], () =>
        attempt(db, async (tx) =>
          (await also(tx)) ? withIds([letter], await storeAll(tx, [[letter]])) : [],
        ),
      );
      if (stored) queue.soon(stored);
      return stored !== undefined;
    },
    matchBacklog: (until, signal) => queue.backlog(until, signal),
    deliverUnclaimed: (ask) => deliverUnclaimed(db, options, ask),
    authenticateDue: async () => authenticating?.due(),
    authenticated: authenticating?.tally ?? new Map(),
    forgetNotGiven: (now, signal) => forgetNotGiven(db, now, signal),
    makePartitions: () => makePartitions(db, keepDays),
    forgetOld: (signal) => forgetOld(db, keepDays, { log: options.log, signal }),
    warmUp,
    drain: async () => {
      await storing.drain();
      await arriving.drain();
      await queue.drain();
    },
    close: async () => {
      await storing.drain();
      await arriving.drain();
      await queue.close();
      await authenticating?.close();
    },
  };
}

const cameAt = ({ arrivedAt, receivedAt }: Incoming): Date | undefined =>
  receivedAt === undefined ? arrivedAt : secondsAfter(now(), -waitedMs(receivedAt) / 1000);

// One statement for what fits into one; more only when large letters meet or one is long, and then all of them or none.
async function store(db: Db, letters: Incoming[]): Promise<Unmatched[]> {
  const bundled = bundles(letters);
  const isOne = bundled.length === 1 && !isLong(letters[0]!);
  return withIds(
    letters,
    await (isOne ? storeLetters(db, letters) : attempt(db, (tx) => storeAll(tx, bundled))),
  );
}

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
      // A long one stands alone.
      bytes = isLong(letter) ? statementBytesMax : letter.raw.length;
    }
  }
  return found;
}
