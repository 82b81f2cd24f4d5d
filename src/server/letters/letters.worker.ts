// What the threads of letters.openers.ts run.
import { openLetter, type Opened } from "./letters.open.ts";
import type { Bundle } from "./letters.openers.ts";

/** Opens the letters of one message, one after another, and says in `progress` which is in work, counted from one. */
export default function openBundle({ bytes, ends, progress }: Bundle): Opened[] {
  const opened: Opened[] = [];
  for (const [index, end] of ends.entries()) {
    Atomics.store(progress, 0, index + 1);
    opened.push(openLetter(bytes.subarray(ends[index - 1] ?? 0, end)));
  }
  return opened;
}
