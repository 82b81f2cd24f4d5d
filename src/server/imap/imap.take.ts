import { createHash } from "node:crypto";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { secondsAfter } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import type { Incoming } from "../letters/letters.ts";
import { expectOpen, type Patience, sizeMaxBytes } from "./imap.client.ts";
import type { Gate } from "./imap.gate.ts";
import { addSeen, type Mark, saveClock, saveMark } from "./imap.sql.ts";

export interface Taking {
  readonly db: Db;
  readonly log: Log;
  /** Stores a letter in the transaction of `also`, unless that answers false (`letters.keepWith`). */
  readonly keepWith: (letter: Incoming, also: (tx: Tx) => Promise<boolean>) => Promise<boolean>;
  /** The clock of the database, which stamps orders. */
  readonly clock: () => Date;
  readonly gate: Gate;
  readonly fetchMs: Patience["fetchMs"];
}

export interface Wanted {
  readonly mailboxId: bigint;
  readonly hostId: number;
  /** When its oldest living order was placed: older letters are not taken. */
  since: Date;
  /** By how much the host's clock is ahead. */
  clockMs: number;
}

/** The read position of a folder: later letters have higher UIDs and came after `checkedAt`. */
export interface Place {
  readonly uidValidity: bigint;
  readonly lastUid: number;
  readonly checkedAt: Date;
}

/** INTERNALDATE has whole seconds (RFC 9051 §2.3.3), cut and not rounded. */
const resolutionMs = 1_000;
/** A smaller clock difference is ignored; a letter off by more than the maximum was moved here, not sent. */
const clockSlackMs = 2_000;
const clockOffMaxMs = 15 * 60 * 1_000;
/** So that a flood of letters does not occupy a connection that others wait for. */
const atOnceMax = 50;
/** SEARCH SINCE takes a day, in the time zone of the server. */
const searchSlackSeconds = 36 * 3600;
const rangeMax = 500;
/** Smaller letters need no gate: at most one per connection is in memory. */
const smallBytes = 256 * 1024;

interface Found {
  readonly uid: number;
  readonly size: number;
  readonly cameAt: Date;
}

/** Takes new letters of the open folder; answers the new read position, saved in the letters' transaction, and whether there is more. */
export async function takeNew(
  client: ImapFlow,
  wanted: Wanted,
  before: Place | undefined,
  taking: Taking,
): Promise<{ place: Place; isSaved: boolean; hasMore: boolean }> {
  if (!client.mailbox) throw new Error("no folder is open");
  const { path: folder, uidValidity, uidNext } = client.mailbox;
  const checkedAt = taking.clock();
  // Another UIDVALIDITY makes all UIDs new: digests find the letters taken before.
  const known = before?.uidValidity === uidValidity ? before : undefined;
  const lastUid = known?.lastUid ?? 0;
  // After a check since the order was placed, every later UID is new. Before, lists only letters of these days: a mailbox may hold years.
  const isRecent = known !== undefined && known.checkedAt >= wanted.since;
  const heads = await inTime(client, taking.fetchMs, () =>
    isRecent ? listLater(client, lastUid) : listDays(client, lastUid, wanted.since),
  );
  expectOpen(client, folder);
  const found = await readHeads(heads, lastUid, known?.checkedAt, wanted, taking);
  // A letter not taken yet may have been there before this check.
  const stillFrom = known?.checkedAt ?? new Date(0);
  for (const letter of found.slice(0, atOnceMax)) {
    const mark = { folder, uidValidity, lastUid: letter.uid, checkedAt: stillFrom };
    if (letter.cameAt >= wanted.since) await take(client, mark, letter, wanted, taking);
  }
  const hasMore = found.length > atOnceMax;
  const readUid = (hasMore ? found[atOnceMax - 1] : found.at(-1))?.uid ?? lastUid;
  const place = {
    uidValidity,
    lastUid: isRecent || hasMore ? readUid : Math.max(readUid, (Number(uidNext) || 1) - 1),
    checkedAt: hasMore ? stillFrom : checkedAt,
  };
  const isSaved = !known || place.lastUid !== lastUid;
  if (isSaved) await saveMark(taking.db, { mailboxId: wanted.mailboxId, folder, ...place });
  return { place, isSaved, hasMore };
}

const headQuery = { uid: true, internalDate: true, size: true };

async function listLater(client: ImapFlow, lastUid: number): Promise<FetchMessageObject[]> {
  if (!client.mailbox || client.mailbox.exists === 0) return [];
  return client.fetchAll(`${lastUid + 1}:*`, headQuery, { uid: true });
}

async function listDays(client: ImapFlow, lastUid: number, since: Date): Promise<FetchMessageObject[]> {
  if (!client.mailbox || client.mailbox.exists === 0) return [];
  const days = { uid: `${lastUid + 1}:*`, since: secondsAfter(since, -searchSlackSeconds) };
  const uids = (await client.search(days, { uid: true })) || [];
  const heads: FetchMessageObject[] = [];
  for (let start = 0; start < uids.length; start += rangeMax)
    heads.push(...(await client.fetchAll(uids.slice(start, start + rangeMax), headQuery, { uid: true })));
  return heads;
}

async function readHeads(
  heads: readonly FetchMessageObject[],
  lastUid: number,
  from: Date | undefined,
  wanted: Wanted,
  taking: Taking,
): Promise<Found[]> {
  const until = taking.clock();
  // "n:*" always names the last letter, also when its UID is below n (RFC 9051 §6.4.9).
  const later = heads.filter(({ uid }) => uid > lastUid).toSorted((a, b) => a.uid - b.uid);
  const found: Found[] = [];
  for (const { uid, size = 0, internalDate } of later) {
    // An invalid date counts as now.
    const dated = new Date(internalDate ?? until).getTime() || until.getTime();
    const clockMs = clockOf(dated, wanted.clockMs, from, until);
    if (clockMs !== wanted.clockMs) {
      wanted.clockMs = clockMs;
      await saveClock(taking.db, wanted.hostId, clockMs);
    }
    const latest = Math.min(dated + resolutionMs - clockMs, until.getTime());
    // A server may list a letter late: a check proves nothing about the last seconds before it.
    const earliest = from === undefined ? 0 : from.getTime() - clockSlackMs;
    found.push({ uid, size, cameAt: new Date(Math.max(latest, earliest)) });
  }
  return found;
}

/** The host's clock offset, by a letter that came between two checks; a date that no offset explains is of a letter moved here. */
export function clockOf(dated: number, clockMs: number, from: Date | undefined, until: Date): number {
  const tooLate = dated - clockMs > until.getTime() + clockSlackMs;
  const tooEarly = from !== undefined && dated + resolutionMs - clockMs < from.getTime() - clockSlackMs;
  if (!tooLate && !tooEarly) return clockMs;
  const seen = tooLate ? dated - until.getTime() : dated + resolutionMs - (from?.getTime() ?? 0);
  return Math.abs(seen) > clockOffMaxMs ? clockMs : seen;
}

async function take(
  client: ImapFlow,
  mark: Omit<Mark, "mailboxId">,
  letter: Found,
  { mailboxId }: Wanted,
  { gate, keepWith, log, fetchMs }: Taking,
): Promise<void> {
  if (letter.size > sizeMaxBytes) {
    log.info({ mailbox: String(mailboxId), bytes: letter.size }, "a letter is too large to be fetched");
    return;
  }
  const fetchAndKeep = async () => {
    // BODY.PEEK: it stays unread.
    const message = await inTime(client, fetchMs, () =>
      client.fetchOne(String(letter.uid), { source: true }, { uid: true }),
    );
    const raw = message === false ? undefined : message?.source;
    if (!raw || raw.length === 0) {
      expectOpen(client, mark.folder);
      // Deleted before it was fetched.
      return;
    }
    const digest = createHash("sha256").update(raw).digest();
    await keepWith(incoming(raw, mailboxId, letter.cameAt), async (tx) => {
      const isNew = await addSeen(tx, mailboxId, digest);
      await saveMark(tx, { mailboxId, ...mark });
      return isNew;
    });
  };
  await (letter.size > smallBytes ? gate.pass(fetchAndKeep) : fetchAndKeep());
}

/** Leaves a server that drips bytes: other large letters wait behind it. */
async function inTime<Answer>(
  client: ImapFlow,
  milliseconds: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const timer = setTimeout(() => client.close(), milliseconds);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

const headLengthMax = 4_096;

function incoming(raw: Buffer, mailboxId: bigint, arrivedAt: Date): Incoming {
  const [, mailFrom = ""] =
    /^return-path:\s*<([^<>\s\0]*)>/im.exec(raw.toString("latin1", 0, headLengthMax)) ?? [];
  return {
    raw,
    mailFrom,
    mailboxIds: [mailboxId],
    isToPostmaster: false,
    remote: undefined,
    helo: "",
    arrivedAt,
  };
}
