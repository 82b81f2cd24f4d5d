import { Lexicon } from "./codes.lexicon.ts";
import {
  codeWords,
  numberWords,
  offerWords,
  oldWords,
  otherCodeWords,
  weakCodeWords,
  wroteWords,
} from "./codes.words.ts";

const lexicon = new Lexicon({
  code: codeWords,
  weak: weakCodeWords,
  other: otherCodeWords,
  offer: offerWords,
  number: numberWords,
  old: oldWords,
  wrote: wroteWords,
});

export type Kind = "code" | "weak" | "other" | "offer" | "number" | "old" | "wrote";

export interface Name {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
}

const namesMax = 60;
const nothing: readonly Name[] = [];
const mayName = new RegExp([...codeWords, ...weakCodeWords].join("|"));

/** A cheap test that excludes most lines. */
export const mayNameCode = (lower: string): boolean => mayName.test(lower);

/** In lower case with each character in its place: only İ has a longer small form. */
export const lowerOf = (line: string): string =>
  (line.includes("\u0130") ? line.replaceAll("\u0130", "i") : line).toLowerCase();

/** The words of the lists in a lower-case line, in order. Of overlapping words only the longest counts: "zip code" is no "code". */
export function namesOf(lower: string): readonly Name[] {
  let names: Name[] | undefined;
  let covered = 0;
  lexicon.scan(lower, ({ word, kind }, start) => {
    if (!isWord(lower, start, word, kind)) return false;
    const end = start + word.length;
    if (end > covered && (names?.length ?? 0) < namesMax) {
      (names ??= []).push({ kind, start, end });
      covered = end;
    }
    return true;
  });
  return names ?? nothing;
}

function isWord(lower: string, start: number, word: string, kind: Kind): boolean {
  // Words may be compounds at the front (Bestätigungscode), but short ones stand alone: "pin" is no part of "shopping".
  const mayBeJoined = kind === "code" && word.length > 3;
  if (!mayBeJoined && isLetter(lower.charCodeAt(start)) && isLetter(lower.charCodeAt(start - 1)))
    return false;
  const behind = start + word.length;
  const isShortCode = kind === "code" && word.length <= 4;
  const isWhole = isLatin(lower.charCodeAt(behind - 1)) ? kind !== "code" || isShortCode : isShortCode;
  if (!isWhole || !isLetter(lower.charCodeAt(behind))) return true;
  return lower[behind] === "s" && !isLetter(lower.charCodeAt(behind + 1));
}

const isLatin = (point: number) => (point >= 0x61 && point <= 0x7a) || (point >= 0xdf && point <= 0x24f);
const isLetter = (point: number) => isLatin(point) || (point >= 0x430 && point <= 0x45f);
