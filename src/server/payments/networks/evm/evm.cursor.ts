// How far a chain was read: heights with hashes, so that a reorganisation is found after any outage.
import { z } from "zod/mini";

const Height = z.pipe(
  z.string(),
  z.transform((text: string) => BigInt(text)),
);
const Mark = z.object({ height: Height, hash: z.string() });
export type Mark = z.infer<typeof Mark>;

export const markOf = ({ number, hash }: { number: bigint; hash: string }): Mark => ({
  height: number,
  hash,
});

const Rise = z.object({ ...Mark.shape, at: z.number(), address: z.string(), amount: Height });
/** Coins sent by a contract have no transaction of their own, and may move to another block: they wait until theirs is final. */
export type Rise = z.infer<typeof Rise>;

const Unread = z.object({ ...Mark.shape, txid: z.string(), moves: z.number() });
/** A transaction that pays so many times to our addresses and that no node could tell: it waits alone, and is asked for again. */
export type Unread = z.infer<typeof Unread>;

const Cursor = z.object({
  read: z.array(Mark),
  compared: Mark,
  waiting: z.array(Rise),
  unread: z._default(z.array(Unread), []),
});
export type Cursor = z.infer<typeof Cursor>;

const marksMax = 64;

export const readCursor = (text: string): Cursor => Cursor.parse(JSON.parse(text));

export const writeCursor = (cursor: Cursor): string =>
  JSON.stringify(cursor, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));

export function lastOf({ read }: Cursor): Mark {
  const last = read.at(-1);
  if (!last) throw new Error("a cursor names no block");
  return last;
}

export function marked(read: readonly Mark[], { height, hash }: Mark): Mark[] {
  return read.at(-1)?.height === height ? [...read] : [...read, { height, hash }].slice(-marksMax);
}
