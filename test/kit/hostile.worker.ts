// The shop's parser, with hostile letters that block or kill the thread.
import { openLetter, type ParsedLetter } from "../../src/server/letters/parsing/parsing.letter.ts";
import type { Bundle } from "../../src/server/letters/parsing/parsing.ts";

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

export default function openBundle({ bytes, ends, progress }: Bundle): ParsedLetter[] {
  return ends.map((end, index) => {
    Atomics.store(progress, 0, index + 1);
    const opened = openLetter(bytes.subarray(ends[index - 1] ?? 0, end));
    hostile[opened.parsed.subject]?.();
    return opened;
  });
}
