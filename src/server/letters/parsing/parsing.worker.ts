// Runs in the threads of parsing.ts.
import { setPriority } from "node:os";
import { openLetter, type ParsedLetter } from "./parsing.letter.ts";
import type { Bundle } from "./parsing.ts";
import { letGo } from "../letters.raw.ts";

const niceness = 5;

// Reception and the database have priority. Linux sets it per thread, other systems per process.
if (process.platform === "linux") setPriority(niceness);

/** Parses the letters of one message; writes into `progress` which is in work, counted from one. */
export default function openBundle({ bytes, ends, progress }: Bundle): ParsedLetter[] {
  const opened: ParsedLetter[] = [];
  for (const [index, end] of ends.entries()) {
    Atomics.store(progress, 0, index + 1);
    opened.push(openLetter(bytes.subarray(ends[index - 1] ?? 0, end)));
  }
  letGo(bytes);
  return opened;
}
