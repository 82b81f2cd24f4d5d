// Opens letters as the shop does, but some do to the thread what hostile ones might.
import { openLetter, type ParsedLetter } from "../../src/server/letters/letters.parse.ts";
import type { Bundle } from "../../src/server/letters/letters.parser-pool.ts";

const hostile: Record<string, () => unknown> = {
  hang: () => {
    for (;;);
  },
  swell: () => {
    const hoard: string[][] = [];
    for (;;) hoard.push(Array.from({ length: 10_000 }, (_, index) => `${hoard.length}.${index}`));
  },
  exit: () => process.exit(1),
  throw: () => {
    throw new Error("a word of the letter");
  },
};

/** Opens the letters of one message; the subject says which of them is hostile, and how. */
export default function openBundle({ bytes, ends, progress }: Bundle): ParsedLetter[] {
  return ends.map((end, index) => {
    Atomics.store(progress, 0, index + 1);
    const opened = openLetter(bytes.subarray(ends[index - 1] ?? 0, end));
    hostile[opened.parsed.subject]?.();
    return opened;
  });
}
