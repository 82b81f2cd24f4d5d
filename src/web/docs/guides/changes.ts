import { calls, type DocumentedCall } from "../calls.ts";

interface Change {
  /** In UTC, as in the history of the code. */
  readonly day: string;
  readonly added: readonly DocumentedCall[];
  readonly more: readonly string[];
}

/** What a program can use since a day, the newest first: calls (callTable.ts has their days), and sentences that begin with theirs. */
export function changesOf(sentences: readonly string[]): readonly Change[] {
  const length = "2026-11-21".length;
  const dayOf = (sentence: string) => sentence.slice(0, length);
  return [...new Set([...sentences.map(dayOf), ...calls.map(({ since }) => since)])]
    .toSorted()
    .toReversed()
    .map((day) => ({
      day,
      added: calls.filter(({ since }) => since === day),
      more: sentences.filter((each) => dayOf(each) === day).map((each) => each.slice(length + 1).trim()),
    }));
}
