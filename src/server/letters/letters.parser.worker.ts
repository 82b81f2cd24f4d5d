// What the threads of letters.parsers.ts run.
import { setPriority } from "node:os";
import { openLetter, type ParsedLetter } from "./letters.parse.ts";
import type { Bundle } from "./letters.parser-pool.ts";
import { letGo } from "./letters.raw.ts";

const niceness = 5;

// Reception and the database come first where processors are few. On Linux this is said of a thread, elsewhere of the process.
if (process.platform === "linux") setPriority(niceness);

/** Opens the letters of one message, one after another, and says in `progress` which is in work, counted from one. */
export default function openBundle({ bytes, ends, progress }: Bundle): ParsedLetter[] {
  const opened: ParsedLetter[] = [];
  for (const [index, end] of ends.entries()) {
    Atomics.store(progress, 0, index + 1);
    opened.push(openLetter(bytes.subarray(ends[index - 1] ?? 0, end)));
  }
  letGo(bytes);
  return opened;
}
