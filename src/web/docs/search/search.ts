import type { DocsKey, PublicKey, Translator } from "../../../i18n/t.ts";
import { type DocsPage, docsPages } from "../../paths.ts";
import { again, calls, type DocumentedRefusal } from "../calls.ts";
import type { Guides } from "../guides/parse.ts";
import { callName, callText, errorId, meaningText } from "../texts.ts";

export interface Hit {
  readonly kind: "call" | "guide" | "error" | "parameter";
  readonly title: string;
  /** Its name on the wire. */
  readonly wire?: string;
  readonly text: string;
  readonly page: DocsPage;
  readonly id: string;
}

const hitsMax = 12;

/** All that can be found: calls, guides, errors, and parameters once for each call that takes them. */
export function searchIndex(t: Translator<DocsKey | PublicKey>, guides: Guides): Hit[] {
  const refusals = Object.keys(again) as DocumentedRefusal[];
  return [
    ...calls.map(({ name, path, page, id }): Hit => {
      return { kind: "call", title: t(callName(name)), wire: path, text: t(callText(name)), page, id };
    }),
    ...docsPages.map((page): Hit => {
      const { title, about, sections } = guides[page];
      return { kind: "guide", title, text: about, page, id: sections[0]?.id ?? "" };
    }),
    ...docsPages.flatMap((page) =>
      guides[page].sections.map(({ id, title }): Hit => {
        return { kind: "guide", title, text: guides[page].title, page, id };
      }),
    ),
    ...refusals.map((value): Hit => {
      const text = meaningText(t, value);
      return { kind: "error", title: value, text, page: "errors", id: errorId(value) };
    }),
    ...calls.flatMap(({ name, ask, page, id }) =>
      Object.entries(ask).map(([parameter, { text }]): Hit => {
        return { kind: "parameter", title: parameter, wire: t(callName(name)), text: t(text), page, id };
      }),
    ),
  ];
}

const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{Mn}|`/gu, "")
    .toLowerCase();

/** What has every word of the text, the best first: a name that is the text, that begins with it, that has it. */
export function search(index: readonly Hit[], text: string): Hit[] {
  const wanted = plain(text).trim();
  const words = wanted.split(/\s+/);
  if (wanted === "") return [];
  const ranked = index.flatMap((hit) => {
    const title = plain(hit.title);
    const wire = plain(hit.wire ?? "");
    const all = `${title} ${wire} ${plain(hit.text)}`;
    if (!words.every((word) => all.includes(word))) return [];
    const names = [title, ...(hit.kind === "parameter" ? [] : [wire, hit.id])];
    if (names.includes(wanted)) return [{ hit, rank: 0 }];
    if (names.some((name) => name.startsWith(wanted))) return [{ hit, rank: 1 }];
    return [{ hit, rank: names.some((name) => name.includes(wanted)) ? 2 : 3 }];
  });
  // A sort keeps the order of equals: calls, guides, errors, parameters.
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, hitsMax)
    .map(({ hit }) => hit);
}
