// Ids as they are told: a keyed permutation of the database's numbers, so that nobody reads from two ids how much lies between them.
import { createCipheriv, createHash } from "node:crypto";
import { z } from "zod/mini";
import { all, type Db, one } from "./db/db.ts";

export interface Ids {
  /** An id of the database as clients, partners and the office see it. */
  show(id: bigint | string): string;
  /** The id of the database that was told so. */
  read(shown: bigint): bigint;
}

/** Every id is told as it is. */
export const plainIds: Ids = { show: String, read: (shown) => shown };

const span = 10_000_000_000;
const isPermuted = /^[3-9]\d{10}$/;

/** Of what the first digit of eleven names: ids up to here are told as they are. */
type Marks = ReadonlyMap<number, number>;

/** Ids of eleven digits keep their first one, which tells their kind, and their number among those above the mark is permuted. */
export function permuted(key: string, marks: Marks): Ids {
  const { forward, back } = permutation(createHash("sha256").update(key).digest());
  const through = (id: string, step: (value: number) => number): string => {
    const first = Number(id.slice(0, 1));
    const mark = marks.get(first);
    const number = Number(id);
    if (mark === undefined || number <= mark) return id;
    const size = (first + 1) * span - 1 - mark;
    let place = number - mark - 1;
    // The permutation is of a larger set: what falls outside goes through it again, and so each number keeps one partner.
    do place = step(place);
    while (place >= size);
    return String(mark + 1 + place);
  };
  return {
    show: (id) => (isPermuted.test(String(id)) ? through(String(id), forward) : String(id)),
    read: (shown) => (isPermuted.test(String(shown)) ? BigInt(through(String(shown), back)) : shown),
  };
}

const rounds = 8;
const halfBits = 17;
const half = 2 ** halfBits;

/** A Feistel network over 34 bits, whose round functions are tables of AES-256 in counter mode: an id costs two microseconds. */
function permutation(key: Buffer) {
  const stream = createCipheriv("aes-256-ctr", key, Buffer.alloc(16)).update(Buffer.alloc(rounds * half * 4));
  const table = new Uint32Array(stream.buffer, stream.byteOffset, rounds * half);
  const mixed = (round: number, value: number) => (table[round * half + value] ?? 0) % half;
  return {
    forward: (value: number) => {
      let left = Math.floor(value / half);
      let right = value % half;
      for (let round = 0; round < rounds; round++) {
        const next = left ^ mixed(round, right);
        left = right;
        right = next;
      }
      return left * half + right;
    },
    back: (value: number) => {
      let left = Math.floor(value / half);
      let right = value % half;
      for (let round = rounds - 1; round >= 0; round--) {
        const before = right ^ mixed(round, left);
        right = left;
        left = before;
      }
      return left * half + right;
    },
  };
}

const opened = new WeakMap<Db, Ids>();

/** Of a shop's database. Before `openIds`: as they are. */
export const idsOf = (db: Db): Ids => opened.get(db) ?? plainIds;

/** Reads the key and the marks, which never change. */
export async function openIds(db: Db): Promise<void> {
  const { key } = await one(z.object({ key: z.string() }), db`select key::text from told_ids_key`);
  const marks = await all(
    z.object({ lead: z.int(), mark: z.bigint() }),
    db`select lead, plain_to as mark from told_ids`,
  );
  opened.set(db, permuted(key, new Map(marks.map(({ lead, mark }) => [lead, Number(mark)]))));
}

/**
 * Lets the ids of a shop that was upgraded begin above the mark, a day later: until then the release before may run beside, which
 * tells every id as it is. A sequence that is near its mark reaches it by itself.
 */
export const passMarks = (db: Db) =>
  db`select setval(sequence, plain_to) from told_ids
     where since < now() - interval '1 day' and pg_sequence_last_value(sequence::regclass) < plain_to - 50000`;
