import fc from "fast-check";
import { expect, test } from "vitest";
import { encodedIn } from "../../../../test/kit/raw.ts";
import { inUtf8 } from "./upload.ts";

test("a file in UTF-16 is read as it was written, with or without a mark, however it is cut", async () => {
  const encodings = fc.constantFrom("utf-8", "utf-16le", "utf-16be");
  const password = fc.string({ unit: "grapheme", maxLength: 8 });
  const sizes = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      encodings,
      fc.boolean(),
      fc.array(password, { minLength: 1, maxLength: 400 }),
      sizes,
      async (encoding, hasMark, passwords, cuts) => {
        const text = passwords.map((each, at) => `mailbox${at}@mail.test:${each}\r\n`).join("");
        const file = encodedIn(encoding, `${hasMark ? "\ufeff" : ""}${text}`);
        async function* pieces() {
          for (let at = 0, turn = 0; at < file.length; turn++) {
            const size = cuts[turn % cuts.length] ?? 1;
            yield file.subarray(at, at + size);
            at += size;
          }
        }
        const read: Uint8Array[] = [];
        for await (const piece of inUtf8(pieces())) read.push(piece);
        expect(Buffer.concat(read).toString().replace("\ufeff", "")).toBe(text);
      },
    ),
    { numRuns: 60 },
  );
});
