// How far a chain was read: blocks by height and hash, so that a change of the chain is found however long we were away.
import { z } from "zod/mini";

const Height = z.pipe(
  z.string(),
  z.transform((text: string) => BigInt(text)),
);
const Mark = z.object({ height: Height, hash: z.string() });
/** A block that was read up to. */
export type Mark = z.infer<typeof Mark>;

/** A block of the node's as a mark. */
export const markOf = ({ number, hash }: { number: bigint; hash: string }): Mark => ({
  height: number,
  hash,
});

const Rise = z.object({ ...Mark.shape, at: z.number(), address: z.string(), amount: Height });
/**
 * Coins that came by no transaction of their own: a contract sent them. Only the block says so, and the same transaction may
 * stand in another block after a change of the chain; so they wait here until their block is deep enough to stay.
 */
export type Rise = z.infer<typeof Rise>;

const Cursor = z.object({
  /** The ends of the last readings, the newest last; never empty. */
  read: z.array(Mark),
  /** Up to where balances were compared. */
  compared: Mark,
  waiting: z.array(Rise),
});
export type Cursor = z.infer<typeof Cursor>;

const marksMax = 64;

/** Reads a cursor as `writeCursor` wrote it. */
export const readCursor = (text: string): Cursor => Cursor.parse(JSON.parse(text));

/** The cursor as text, for the database. */
export const writeCursor = (cursor: Cursor): string =>
  JSON.stringify(cursor, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));

/** The newest block that was read. */
export function lastOf({ read }: Cursor): Mark {
  const last = read.at(-1);
  if (!last) throw new Error("a cursor names no block");
  return last;
}

/** The marks with one more, if it is one. */
export function marked(read: readonly Mark[], { height, hash }: Mark): Mark[] {
  return read.at(-1)?.height === height ? [...read] : [...read, { height, hash }].slice(-marksMax);
}
