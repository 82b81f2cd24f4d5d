import type { DocsKey } from "../../../i18n/t.ts";
import { calls, type DocumentedCall } from "../calls.ts";

/** What a program can use since a day, beside calls (callTable.ts has their days). */
const more: Readonly<Record<string, readonly DocsKey[]>> = {
  "2026-11-28": ["docs.changes.refund"],
  "2026-11-25": ["docs.changes.docs", "docs.changes.codes", "docs.changes.testing"],
  "2026-11-23": ["docs.changes.keepPrograms"],
  "2026-11-22": ["docs.changes.client"],
  "2026-11-21": ["docs.changes.first"],
};

interface Change {
  /** In UTC, as in the history of the code. */
  readonly day: string;
  readonly added: readonly DocumentedCall[];
  readonly more: readonly DocsKey[];
}

/** The newest day first. */
export const changes: readonly Change[] = [
  ...new Set([...Object.keys(more), ...calls.map(({ since }) => since)]),
]
  .toSorted()
  .toReversed()
  .map((day) => ({ day, added: calls.filter(({ since }) => since === day), more: more[day] ?? [] }));
