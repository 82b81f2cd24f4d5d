// Finds logins that open one box, by what the server calls it and by its letters: the first one is sold, the others leave the sale.
import { createHash } from "node:crypto";
import type { ImapFlow } from "imapflow";
import * as inventory from "../inventory/inventory.ts";
import { recipientsIn } from "../mime/mime.ts";
import { attempt, type Db, type Sql } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import { addressed } from "./imap.addressed.ts";
import { dateOf } from "./imap.arrival.ts";
import { expectOpen } from "./imap.client.ts";
import { callNoteMarks, insertSame, type MarkRow, type Same } from "./imap.same.sql.ts";
import type { Box } from "./imap.sql.ts";

type Known = Pick<Box, "mailboxId" | "hostId" | "login">;

interface Mark extends Omit<MarkRow, "isPersonal"> {
  /** Whom its sender names; undefined for the folder itself, which has no second. */
  readonly to?: readonly string[];
}

const inbox = "INBOX";
/** So many of the newest letters are compared. */
const lettersMax = 50;
const headBytesMax = 64 * 1024;
/** Shorter may be a number that each account has, as "1" for every inbox. */
const idLengthMin = 8;

/** The marks of an inbox; reads and keeps nothing of a letter but a hash of its number, time, Message-ID and receivers. */
export async function inboxMarks(client: ImapFlow, hostId: number): Promise<Mark[]> {
  await client.mailboxOpen(inbox, { readOnly: true });
  if (!client.mailbox) return [];
  const { exists, uidValidity } = client.mailbox as { exists: number; uidValidity?: bigint };
  const marks = folderMark(client, hostId);
  if (exists === 0 || uidValidity === undefined) return marks;
  const headers = ["message-id", "to", "cc", "bcc"];
  const query = { uid: true, internalDate: true, headers } as const;
  const letters = await client.fetchAll(`${Math.max(1, exists - lettersMax + 1)}:*`, query);
  expectOpen(client, inbox);
  const found = letters.slice(-lettersMax).flatMap(({ uid, internalDate, headers: head }) => {
    const internal = dateOf(internalDate);
    return letterMark(head ?? Buffer.alloc(0), { folder: inbox, uidValidity, uid, internal });
  });
  return [...marks, ...found];
}

/** Of the open folder; none where its server does not tell (RFC 8474). */
export function folderMark(client: ImapFlow, hostId: number): Mark[] {
  if (!client.mailbox) return [];
  const { path, mailboxId, uidValidity } = client.mailbox as {
    path: string;
    mailboxId?: string;
    uidValidity?: bigint;
  };
  if (mailboxId === undefined || mailboxId.length < idLengthMin || uidValidity === undefined) return [];
  return [{ folder: path, uidValidity, uid: 0, mark: hashOf("folder", hostId, uidValidity, mailboxId) }];
}

interface Numbered {
  readonly folder: string;
  readonly uidValidity: bigint;
  readonly uid: number;
  readonly internal?: Date | undefined;
}

/** None of a letter without Message-ID, or without lasting numbers. */
export function letterMark(raw: Uint8Array, { folder, uidValidity, uid, internal }: Numbered): Mark[] {
  const text = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, headBytesMax));
  const [head = ""] = text.toString("latin1").split(/\r?\n\r?\n/, 1);
  const [, id] = /^message-id[ \t]*:\s*([^\s]+)/im.exec(head) ?? [];
  if (id === undefined || uidValidity === 0n) return [];
  const [to = []] = recipientsIn(Buffer.from(head, "latin1"));
  const mark = hashOf("letter", uidValidity, uid, internal?.getTime() ?? "", id, ...to.toSorted());
  return [{ folder, uidValidity, uid, mark, to }];
}

const hashOf = (...parts: readonly (string | number | bigint)[]) =>
  createHash("sha256").update(parts.join("\n")).digest();

/** Notes the marks of a mailbox; answers it and those that open the same box, the first one first, or nothing. */
export const noteMarks = async (sql: Sql, box: Known, marks: readonly Mark[]): Promise<Same[]> =>
  marks.length === 0 ? [] : callNoteMarks(sql, box.mailboxId, await withPersonal(sql, box, marks));

/** Of mailboxes that open one box the first stays on sale; open orders of the others live to their end. */
export async function sellOne({ db, log }: { db: Db; log: Log }, same: readonly Same[]): Promise<void> {
  const [first, ...others] = same.map(({ mailboxId }) => mailboxId);
  if (first === undefined) return;
  const onSale = same.slice(1).flatMap(({ mailboxId, isOnSale }) => (isOnSale ? [mailboxId] : []));
  const added = await attempt(db, async (tx) => {
    if (onSale.length > 0) await inventory.withhold(tx, onSale);
    return insertSame(tx, others, first);
  });
  for (const { mailboxId } of added)
    log.warn(
      { mailbox: String(mailboxId), first: String(first) },
      "a hosted mailbox opens the box of another one: it is out of sale",
    );
}

const withPersonal = (sql: Sql, box: Known, marks: readonly Mark[]): Promise<MarkRow[]> =>
  Promise.all(
    marks.map(async ({ to, ...mark }) => ({
      ...mark,
      isPersonal: to === undefined || (to.length === 1 && (await addressed(sql, [to], box)).isPersonal),
    })),
  );
