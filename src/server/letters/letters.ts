// Letters: from the wire to the order that waits for them. A letter is durable before its sender is told 250, and judged
// (parsed, matched, given to orders) at once after it. Between the two it is a row without judged_at: whoever sets that also
// gives the letter away, in one transaction, so nothing that was acknowledged is lost and nothing is given twice.
import { setImmediate as turn } from "node:timers/promises";
import { secondsAfter } from "../kit/clock.ts";
import { attempt, wasUndone, type Db, type Sql, type Tx } from "../kit/db.ts";
import { Lane, LaneFull } from "../kit/lane.ts";
import type { Log } from "../kit/log.ts";
import { cleanHtml, cleanText, page, type CleanOptions } from "./letters.clean.ts";
import { findCode } from "./letters.code.ts";
import { findLink } from "./letters.link.ts";
import { fit, type Missed, valueOf, type WaitingOrder } from "./letters.match.ts";
import { missesOf, type Look } from "./letters.misses.ts";
import { parseLetter, type Parsed } from "./letters.parse.ts";
import type { Incoming } from "./letters.smtp.ts";
import {
  deleteNotGiven,
  lockJudged,
  lockUnjudged,
  saveMisses,
  saveVerdicts,
  storeLetters,
  takeUnjudged,
  type Unjudged,
  type Verdict,
} from "./letters.sql.ts";

export { checkPattern, type WaitingOrder } from "./letters.match.ts";
export {
  openReception,
  type Incoming,
  type Reception,
  type ReceptionLimits,
  type ReceptionOptions,
} from "./letters.smtp.ts";

/** A letter that is for an order. */
export interface Delivery {
  readonly letterId: bigint;
  readonly orderId: bigint;
  /** What the order's pattern found. */
  readonly value?: string | undefined;
}

/** What letters ask of rooms that come after them; the wiring hands it in. */
export interface LettersOptions {
  /** Living orders of these mailboxes (`orders.waiting`). */
  waiting(sql: Sql, mailboxIds: bigint[]): Promise<readonly WaitingOrder[]>;
  /** Gives letters to orders and settles them (`orders.deliver`), in the transaction that says that they are judged. */
  deliver(tx: Tx, deliveries: Delivery[]): Promise<readonly { readonly letterId: bigint }[]>;
  /** Registrable domains whose letters are for a site (`catalog.sendersOf`); undefined takes any sender. */
  sendersOf(siteId: number, site: string): Promise<ReadonlySet<string> | undefined>;
  log: Log;
}

export interface Letters {
  /** Makes a letter durable, then judges it without being waited for. Throws LaneFull when too many wait. */
  keep(letter: Incoming): Promise<void>;
  /** Judges what is durable and arrived before `until` (whose process died, or had too much to do); answers how many. */
  judgeBacklog(until: Date, signal?: AbortSignal): Promise<number>;
  /** Forgets letters that no order got within a day; answers how many. */
  forgetNotGiven(now: Date): Promise<number>;
  /** Resolves when every letter that was kept here is judged. */
  drain(): Promise<void>;
}

/** How old an unjudged letter is when it is taken for left behind: judging takes milliseconds, a rush some seconds. */
export const backlogSeconds = 10;

const statementBytesMax = 4 * 1024 * 1024;
const unjudgedBytesMax = 64 * 1024 * 1024;
const backlogSize = 10;
const forgetSize = 1_000;
const notGivenSeconds = 24 * 3600;
/** Who floods a mailbox fills no table: of each order so many misses by sender are noted, and as many of the others. */
const missesMax = 100;

/** Opens the letters of a database. */
export function openLetters(db: Db, options: LettersOptions): Letters {
  const { log } = options;
  const storing = new Lane<Incoming, Unjudged>((letters) => store(db, letters), {
    lanes: 2,
    cap: 64,
    waiting: 2_000,
    mayRepeat: wasUndone,
  });
  const judging = new Lane<Unjudged, undefined>(
    async (letters) => {
      await judge(db, options, letters);
      return letters.map(() => undefined);
    },
    { lanes: 2, cap: 32, waiting: 10_000 },
  );
  let bytes = 0;

  const judgeSoon = async (letter: Unjudged): Promise<void> => {
    // What does not fit into memory is taken up by judgeBacklog: a rush costs delay, never letters.
    if (bytes + letter.raw.length > unjudgedBytesMax) return;
    bytes += letter.raw.length;
    try {
      await judging.submit(letter);
    } catch (fault) {
      // The letter is durable; judgeBacklog tries again.
      if (!(fault instanceof LaneFull))
        log.error({ err: fault, letter: String(letter.id) }, "a letter was not judged");
    } finally {
      bytes -= letter.raw.length;
    }
  };

  return {
    keep: async (letter) => {
      const stored = await storing.submit(letter);
      void judgeSoon(stored);
    },
    judgeBacklog: (until, signal) => judgeBacklog(db, options, until, signal),
    forgetNotGiven: (now) => forgetNotGiven(db, now),
    drain: async () => {
      await storing.drain();
      await judging.drain();
    },
  };
}

// One statement for what fits into one; more only when large letters meet, and then all of them or none.
async function store(db: Db, letters: Incoming[]): Promise<Unjudged[]> {
  const [first = [], ...rest] = bundles(letters);
  const stored =
    rest.length === 0
      ? await storeLetters(db, first)
      : await attempt(db, async (tx) => {
          const all = await storeLetters(tx, first);
          for (const bundle of rest) all.push(...(await storeLetters(tx, bundle)));
          return all;
        });
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
    if (found.length === 0 || bytes + letter.raw.length > statementBytesMax) {
      found.push([]);
      bytes = 0;
    }
    found.at(-1)?.push(letter);
    bytes += letter.raw.length;
  }
  return found;
}

interface Opened extends Unjudged {
  readonly parsed: Parsed;
  readonly code: string | undefined;
  readonly link: string | undefined;
}

async function judge(db: Db, options: LettersOptions, letters: readonly Unjudged[]): Promise<void> {
  const opened = await openAll(letters);
  const looks = await match(db, options, opened);
  await attempt(db, (tx) => conclude(tx, options, opened, looks));
}

async function openAll(letters: readonly Unjudged[]): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (const letter of letters) {
    opened.push({ ...letter, ...(await openLetter(letter.raw)) });
    // Who is connected is heard between two letters.
    await turn();
  }
  return opened;
}

async function openLetter(raw: Uint8Array): Promise<Omit<Opened, keyof Unjudged>> {
  const parsed = await parseLetter(raw);
  const code = findCode(parsed.subject, parsed.text) ?? findCode(parsed.subject, parsed.plain);
  return { parsed, code, link: findLink(parsed.links) };
}

async function match(sql: Sql, options: LettersOptions, letters: readonly Opened[]): Promise<Look[]> {
  const mailboxIds = [...new Set(letters.flatMap((letter) => letter.mailboxIds))];
  const orders = await options.waiting(sql, mailboxIds);
  const looks: Look[] = [];
  for (const order of orders) {
    const candidates = letters.filter((letter) => letter.mailboxIds.includes(order.mailboxId));
    const senders = await options.sendersOf(order.siteId, order.site);
    for (const letter of candidates) {
      const found = fit({ ...letter.parsed, arrivedAt: letter.arrivedAt }, order, senders);
      const isOfSite = senders !== undefined && (!("missed" in found) || isAfterSender(found.missed));
      looks.push({ letterId: letter.id, order, found, isOfSite });
    }
  }
  return looks;
}

/** What is only looked at in a letter from the site. */
const isAfterSender = (missed: Missed) => missed === "subject" || missed === "regex";

async function conclude(
  tx: Tx,
  { deliver }: LettersOptions,
  letters: readonly Opened[],
  looks: readonly Look[],
): Promise<void> {
  const locked = await lockUnjudged(
    tx,
    letters.map(({ id }) => id),
  );
  const mine = new Set(locked.map(({ id }) => id));
  const seen = looks.filter(({ letterId }) => mine.has(letterId));
  const fitting = seen.flatMap(({ letterId, order: { orderId }, found }) =>
    "value" in found ? [{ letterId, orderId, value: found.value }] : [],
  );
  const delivered = fitting.length === 0 ? [] : await deliver(tx, fitting);
  const given = new Set(delivered.map(({ letterId }) => letterId));
  const verdicts: Verdict[] = letters
    .filter(({ id }) => mine.has(id))
    .map(({ id, parsed, code, link }) => ({ id, parsed, code, link, isGiven: given.has(id) }));
  if (verdicts.length > 0) await saveVerdicts(tx, verdicts);
  const misses = missesOf(seen);
  if (misses.length > 0) await saveMisses(tx, misses, missesMax);
}

/**
 * Makes a kept letter ready to be given to an order that it was not judged to fit, in the transaction that gives it: what is
 * kept only of given letters is read again from the raw one. Answers what the order's pattern finds in it, or undefined
 * when the letter is not there any more. The letter is locked until the transaction ends.
 */
export async function prepare(
  tx: Tx,
  letterId: bigint,
  pattern: string | null,
): Promise<{ value: string | undefined } | undefined> {
  const letter = await lockJudged(tx, letterId);
  if (!letter) return undefined;
  const opened = await openLetter(letter.raw);
  await saveVerdicts(tx, [{ id: letterId, ...opened, isGiven: true }]);
  return { value: pattern === null ? undefined : valueOf(pattern, opened.parsed) };
}

async function judgeBacklog(
  db: Db,
  options: LettersOptions,
  until: Date,
  signal?: AbortSignal,
): Promise<number> {
  const failed: bigint[] = [];
  let judged = 0;
  let size = backlogSize;
  while (!signal?.aborted) {
    let taken: Unjudged[] = [];
    try {
      await attempt(db, async (tx) => {
        taken = await takeUnjudged(tx, until, failed, size);
        const opened = await openAll(taken);
        await conclude(tx, options, opened, await match(tx, options, opened));
      });
    } catch (fault) {
      // One letter that cannot be judged must not keep the others waiting: one by one, and it is left for the next turn.
      if (taken.length === 0) throw fault;
      if (size === 1) failed.push(...taken.map(({ id }) => id));
      if (size === 1)
        options.log.error(
          { err: fault, letters: taken.map(({ id }) => String(id)) },
          "a letter was not judged",
        );
      size = 1;
      continue;
    }
    if (taken.length === 0) break;
    judged += taken.length;
  }
  return judged;
}

async function forgetNotGiven(db: Db, now: Date): Promise<number> {
  let forgotten = 0;
  for (;;) {
    const deleted = await deleteNotGiven(db, secondsAfter(now, -notGivenSeconds), forgetSize);
    forgotten += deleted;
    if (deleted < forgetSize) return forgotten;
  }
}

/** A letter as it is shown: its HTML, or its text where it has none. */
export interface Shown {
  /** A letter with an id is remembered once it is cleaned: lists are polled every few seconds, and letters never change. */
  readonly letterId?: bigint;
  readonly html: string | null;
  readonly text: string | null;
}

const cleaned = new Map<string, { source: string; shown: string }>();
const cleanedMax = 500;
const cleanedLengthMax = 100_000;

/** What `message` is on the wire: cleaned HTML, or the plain text escaped and preformatted (api.md). */
export function showMessage(letter: Shown, options: CleanOptions = { remoteImages: false }): string {
  const source = letter.html ?? letter.text ?? "";
  const name = `${letter.letterId} ${options.remoteImages}`;
  const known = letter.letterId === undefined ? undefined : cleaned.get(name);
  // Compared too, so that no mistake with ids could ever show one buyer the letter of another.
  if (known?.source === source) return known.shown;
  const shown = letter.html === null ? cleanText(source) : cleanHtml(source, options);
  if (letter.letterId === undefined || source.length > cleanedLengthMax) return shown;
  const [oldest] = cleaned.keys();
  if (cleaned.size >= cleanedMax && oldest !== undefined) cleaned.delete(oldest);
  cleaned.set(name, { source, shown });
  return shown;
}

/** What `preview=1` answers: a document beginning with exactly `<!DOCTYPE html>`. */
export function showDocument(letter: Shown, options: CleanOptions = { remoteImages: false }): string {
  return page(showMessage(letter, options), options);
}
