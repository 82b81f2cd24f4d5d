// Fetches one letter and keeps it, once.
import { createHash } from "node:crypto";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import type { Db, Tx } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import type { Incoming } from "../letters/letters.ts";
import { recipientsIn } from "../mime/mime.ts";
import { addressed } from "./imap.addressed.ts";
import { type Patience, sizeMaxBytes, unlessRefused } from "./imap.client.ts";
import type { Gate } from "./imap.gate.ts";
import { folderMark, letterMark, noteMarks, sellOne } from "./imap.same.ts";
import { addSeen, type Box } from "./imap.sql.ts";

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

export interface Found {
  readonly folder: string;
  readonly uidValidity: bigint;
  readonly uid: number;
  /** Undefined: the server did not tell. */
  readonly size: number | undefined;
  readonly cameAt: Date;
  /** What the server says of it. */
  readonly internal: Date | undefined;
}

/** Smaller letters need no gate: at most one per connection is in memory. */
const smallBytes = 256 * 1024;
/** An answer without the letter is no answer: it is asked again at once, and later by the next look. */
const askedAtOnce = 2;

/** Fetches a letter and keeps it, unless it was kept before, is too large, or is meant for another mailbox. Answers false when the server does not give it, or it is gone. */
export async function take(
  client: ImapFlow,
  letter: Found,
  box: Pick<Box, "mailboxId" | "hostId" | "login">,
  { db, gate, keepWith, log, fetchMs }: Taking,
): Promise<Buffer | false> {
  const { folder, uidValidity, uid, size, cameAt } = letter;
  const { mailboxId } = box;
  const largest = size ?? Infinity;
  const fetchAndKeep = async (): Promise<Buffer | false> => {
    const raw = await inTime(client, fetchMs, () => readSource(client, uid, largest > sizeMaxBytes));
    if (raw === undefined) return false;
    if (raw.length > sizeMaxBytes) {
      log.info({ mailbox: String(mailboxId), bytes: size }, "a letter is too large to be fetched");
      return raw;
    }
    const digest = createHash("sha256").update(raw).digest();
    let same: Awaited<ReturnType<typeof noteMarks>> = [];
    await keepWith(incoming(raw, mailboxId, cameAt), async (tx) => {
      if (!(await addSeen(tx, { mailboxId, digest, folder, uidValidity, uid }))) return false;
      same = await noteMarks(tx, box, [...folderMark(client, box.hostId), ...letterMark(raw, letter)]);
      const { isMeant } = await addressed(tx, recipientsIn(raw), box);
      if (!isMeant) log.info({ mailbox: String(mailboxId) }, "a letter is meant for another mailbox");
      return isMeant;
    });
    await sellOne({ db, log }, same);
    return raw;
  };
  return largest > smallBytes ? gate.pass(fetchAndKeep) : fetchAndKeep();
}

/** The bytes of a letter; of one that is said to be too large, as many as show that it is. Undefined when the server gives none. */
async function readSource(client: ImapFlow, uid: number, isLarge: boolean): Promise<Buffer | undefined> {
  // BODY.PEEK: it stays unread.
  const source = isLarge ? { start: 0, maxLength: sizeMaxBytes + 1 } : true;
  for (let asked = 0; asked < askedAtOnce; asked++) {
    const rows = await unlessRefused(client, () =>
      client.fetchAll(String(uid), { uid: true, source }, { uid: true }),
    );
    const raw = sourceOf(rows ?? [], uid);
    if (raw !== undefined) return raw;
  }
  return undefined;
}

/** The source among the rows of an answer, which may be of other letters too, or be split; one row may leave the UID out. */
function sourceOf(rows: readonly FetchMessageObject[], uid: number): Buffer | undefined {
  const numbers = rows.filter((row) => row.uid === uid).map(({ seq }) => seq);
  const isOwn = (row: FetchMessageObject) =>
    row.uid === uid ||
    ((row.uid as number | undefined) === undefined && (numbers.length === 0 || numbers.includes(row.seq)));
  return rows.filter(isOwn).find(({ source }) => source !== undefined && source.length > 0)?.source;
}

/** Leaves a server that drips bytes: other large letters wait behind it. */
export async function inTime<Answer>(
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

/** When a letter says that it was written; undefined when it does not, or nobody can read it. */
export function writtenAt(head: Buffer | undefined): Date | undefined {
  const text = head?.toString("latin1", 0, headLengthMax).split(/\r?\n\r?\n/)[0] ?? "";
  const [, date = ""] = /^date:[ \t]*(.+)$/im.exec(text) ?? [];
  const at = new Date(date.replace(/\(.*\)/, ""));
  return Number.isNaN(at.getTime()) ? undefined : at;
}
