import { calls, type DocumentedCall } from "../calls.ts";
import type { Item } from "./parse.ts";

interface Change {
  /** In UTC, as in the history of the code. */
  readonly day: string;
  readonly added: readonly DocumentedCall[];
  readonly more: readonly string[];
}

/** What a program can use since a day, the newest first: calls (callTable.ts has their days), and what the changelog says. */
export const changesOf = (items: readonly Item[]): readonly Change[] =>
  [...new Set([...items.map(({ name }) => name), ...calls.map(({ since }) => since)])]
    .toSorted()
    .toReversed()
    .map((day) => ({
      day,
      added: calls.filter(({ since }) => since === day),
      more: items.filter(({ name }) => name === day).map(({ text }) => text),
    }));
