import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pack, packedPieces, Raw, unpack } from "./letters.raw.ts";

test("any bytes are themselves again, also those that look packed", async () => {
  const magic = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 20_000, size: "max" }),
      fc.boolean(),
      fc.integer({ min: 1, max: 40 }),
      async (bytes, isLookalike, times) => {
        const raw = Buffer.concat([
          isLookalike ? magic : Buffer.of(),
          ...Array.from({ length: times }, () => bytes),
        ]);
        expect(unpack(await pack(raw)).equals(raw)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test("a long letter is itself again from its pieces, whatever its length", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 5_000, size: "max" }),
      fc.integer({ min: 0, max: 2_000_000 }),
      async (bytes, length) => {
        const raw = Buffer.alloc(length, bytes);
        const packed = await buffer(packedPieces(raw));
        expect(unpack(packed).equals(raw)).toBe(true);
      },
    ),
    { numRuns: 30 },
  );
});

test("what repeats itself is stored short, what does not is stored as it is", async () => {
  const letter = Buffer.from("<td style='padding:10px'>Your code</td>\r\n".repeat(1000));
  expect((await pack(letter)).length).toBeLessThan(letter.length / 10);
  const noise = Buffer.alloc(30_000);
  for (let at = 0, state = 1; at < noise.length; at++) {
    state = Math.imul(state, 1_103_515_245) + 12_345;
    noise[at] = state >>> 16;
  }
  expect(await pack(noise)).toBe(noise);
  const short = Buffer.from("a".repeat(1000));
  expect(await pack(short)).toBe(short);
  expect(Raw.parse(await pack(letter))).toEqual(letter);
});
