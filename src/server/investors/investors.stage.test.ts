import fc from "fast-check";
import { expect, test } from "vitest";
import { TooLong } from "../platform/http/upload.ts";
import { piecesOf } from "./investors.stage.ts";

async function* chunksOf(file: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < file.length; turn++) {
    const size = sizes[turn % sizes.length] ?? file.length;
    yield file.subarray(at, at + size);
    at += size;
  }
}

/** Copies each piece: the next overwrites it. */
async function cut(
  file: Uint8Array,
  sizes: readonly number[],
): Promise<{ pieces: string[]; dropped: number }> {
  const pieces: string[] = [];
  let dropped = 0;
  for await (const piece of piecesOf(chunksOf(file, sizes), 10_000_000, () => dropped++))
    pieces.push(Buffer.from(piece).toString("latin1"));
  return { pieces, dropped };
}

const lineOf = (length: number) => "x".repeat(length);
const sizes = fc.array(fc.integer({ min: 1, max: 300_000 }), { minLength: 1, maxLength: 5 });

test("pieces are the file, cut between lines", async () => {
  const ends = fc.constantFrom("\n", "\r", "\r\n");
  const lines = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), ends), { maxLength: 150 });
  await fc.assert(
    fc.asyncProperty(lines, sizes, async (given, chunks) => {
      const file = given.map(([length, end]) => lineOf(length) + end).join("");
      const { pieces, dropped } = await cut(Buffer.from(file), chunks);
      expect(dropped).toBe(0);
      expect(pieces.join("") === file).toBe(true);
      for (const piece of pieces.slice(0, -1)) expect(piece.at(-1)).toMatch(/[\r\n]/);
    }),
    { numRuns: 30 },
  );
});

test("a line without end is counted once, kept nowhere, and costs its neighbours nothing", async () => {
  const long = fc.integer({ min: 1_300_000, max: 2_000_000 });
  await fc.assert(
    fc.asyncProperty(long, fc.boolean(), sizes, async (length, isLast, chunks) => {
      const file = `before\n${lineOf(length)}${isLast ? "" : "\nafter\nlast"}`;
      const { pieces, dropped } = await cut(Buffer.from(file), chunks);
      expect(dropped).toBe(1);
      expect(pieces.join("").replaceAll(/x+/g, "")).toBe(isLast ? "before\n" : "before\nafter\nlast");
      expect(pieces.join("").length).toBeLessThan(length);
    }),
    { numRuns: 20 },
  );
});

test("a file that is too long is read no further", async () => {
  const pieces = piecesOf(chunksOf(Buffer.alloc(2_000, "a"), [500]), 1_999, () => undefined);
  await expect(pieces.next()).rejects.toThrow(TooLong);
});
