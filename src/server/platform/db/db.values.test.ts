import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { connect } from "./db.ts";

const { db, url } = await createDatabase();

// PostgreSQL keeps no zero in a text.
const text = fc.string({ unit: "binary" }).map((made) => made.replaceAll("\0", "").toWellFormed());
const odd = fc.constantFrom(
  "",
  "NULL",
  "null",
  '"',
  "\\",
  "{",
  "}",
  ",",
  "a b",
  "\n",
  '\\"',
  "{}",
  "é",
  "😀",
);

test("texts, bytes and numbers come back as they were sent, alone and in arrays", async () => {
  const word = fc.option(fc.oneof(text, odd));
  const bytes = fc.option(fc.uint8Array());
  const number = fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
  const sent = fc.record({
    word,
    words: fc.array(word),
    bytes,
    pieces: fc.array(bytes),
    number,
    numbers: fc.array(number),
  });
  await fc.assert(
    fc.asyncProperty(sent, async (given) => {
      const [row] = await db`
        select ${given.word}::text as word, ${given.words}::text[] as words, ${given.bytes}::bytea as bytes,
               ${given.pieces}::bytea[] as pieces, ${given.number}::bigint as number, ${given.numbers}::bigint[] as numbers`;
      const buffer = (some: Uint8Array | null) => some && Buffer.from(some);
      expect(row).toEqual({ ...given, bytes: buffer(given.bytes), pieces: given.pieces.map(buffer) });
    }),
    { numRuns: 60 },
  );
});

test("times, flags, documents and nested arrays are read as what they are", async () => {
  const at = new Date("2026-01-02T03:04:05.678Z");
  const told = { list: [1, "two", null], deep: { ok: true } };
  const [row] = await db`
    select ${at} as at, ${[at, null]}::timestamptz[] as times, '2026-01-02'::date as day, ${true} as yes, ${[true, false]}::bool[] as flags,
           ${told}::jsonb as told, array[${told}::jsonb] as documents, ${[
             [1, 2],
             [3, 4],
           ]}::integer[] as square,
           '{{"a b",NULL},{"}","\\""}}'::text[] as words, '[2:3]={7,8}'::integer[] as bounds, 1.50::numeric as exact,
           1.5::float8 as inexact, ${7} + 1 as sum, ${5n} as big, '{}'::text[] as none, array['pending']::order_status[]::text[] as states`;
  expect(row).toEqual({
    at,
    times: [at, null],
    day: new Date("2026-01-02"),
    yes: true,
    flags: [true, false],
    told,
    documents: [told],
    square: [
      [1, 2],
      [3, 4],
    ],
    words: [
      ["a b", null],
      ["}", '"'],
    ],
    bounds: [7, 8],
    exact: "1.50",
    inexact: 1.5,
    sum: 8,
    big: 5n,
    none: [],
    states: ["pending"],
  });
});

test("undefined is refused, alone and in an array, and nothing of the statement is said", async () => {
  const one = connect(url, { max: 1 });
  onTestFinished(() => one.end());
  const missing = undefined as unknown as null;
  await expect(one`select ${missing}::text`).rejects.toMatchObject({ code: "UNDEFINED_VALUE" });
  await expect(one`select ${["a", missing]}::text[]`).rejects.toMatchObject({ code: "UNDEFINED_VALUE" });
  expect(await one`select 1 as still`).toEqual([{ still: 1 }]);
});

test("parts, names and texts make one statement, and each value stays apart from it", async () => {
  const name = 'odd "name';
  await db`create table ${db(name)} (id bigint, word text)`;
  const where = (word: string) => db`word = ${word} and ${db`id > ${0n}`}`;
  for (const word of ["it's", "$1", "x"])
    await db`insert into ${db(name)} values (${BigInt(word.length)}, ${word})`;
  for (const word of ["it's", "$1", "x"]) {
    const found =
      await db`select id, ${db.unsafe("word")} from ${db(name)} t where ${where(word)} and ${word} <> ''`;
    expect(found).toEqual([{ id: BigInt(word.length), word }]);
  }
  expect((await db`delete from ${db(name)} where id > ${0n}`).count).toBe(3);
});
