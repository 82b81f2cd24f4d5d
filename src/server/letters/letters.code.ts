import { candidatesOf, type Candidate } from "./letters.numbers.ts";
import { codeWords, numberWords, otherCodeWords } from "./letters.words.ts";

const textLengthMax = 100_000;
const lineLengthMax = 2_000;
const wordsPerLineMax = 40;
const scoreMin = 7;

interface Word {
  start: number;
  end: number;
}

/** A line, with the words for "code" in it; these are looked for only where something near may be a code. */
class Line {
  readonly text: string;
  #words: Word[] | undefined;
  #isOther: boolean | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get words(): Word[] {
    return (this.#words ??= wordsOf(this.text.toLowerCase()));
  }

  get isOther(): boolean {
    return (this.#isOther ??= includesSome(this.text.toLowerCase(), otherCodeWords));
  }
}

/**
 * The verification code of a letter, as it is typed: without the spaces and dashes that make long ones readable.
 * Undefined when nothing looks enough like one. Takes any text, in time linear to its length.
 * A code is a number (or letters and digits) near a word for "code"; years, prices, phone numbers and the like are none.
 */
export function findCode(subject: string, text: string): string | undefined {
  const title = new Line(toPlainDigits(subject.slice(0, lineLengthMax)).trim());
  const body = joinSingles(toPlainDigits(text.slice(0, textLengthMax)).split("\n").flatMap(cut));
  const lines = [title, ...body.map((line) => new Line(line))];
  const inTitle = new Set(candidatesOf(title.text).map(({ value }) => value));
  let best: { value: string; score: number } | undefined;
  for (const [index, line] of lines.entries()) {
    for (const candidate of candidatesOf(line.text)) {
      const near = nearness(lines, index, candidate);
      if (near === 0) continue;
      const isRepeated = index > 0 && inTitle.has(candidate.value);
      const score = near + looks(line, candidate, near) + (isRepeated ? 3 : 0);
      if (score >= scoreMin && score > (best?.score ?? 0)) best = { value: candidate.value, score };
    }
  }
  return best?.value;
}

// Cells of a table stand in one line with tabs between, as a person sees them; long lines are cut so that "near" stays near.
function cut(line: string): string[] {
  const plain = line.trim();
  if (plain.length <= lineLengthMax) return plain === "" ? [] : [plain];
  const parts: string[] = [];
  for (let at = 0; at < plain.length; at += lineLengthMax) parts.push(plain.slice(at, at + lineLengthMax));
  return parts;
}

/** Lines of one character each, as boxes under one another are read, become one line. */
function joinSingles(lines: string[]): string[] {
  const joined: string[] = [];
  let isSingle = false;
  for (const line of lines) {
    const wasSingle = isSingle;
    isSingle = line.length === 1;
    if (isSingle && wasSingle) joined.push(`${joined.pop() ?? ""} ${line}`);
    else joined.push(line);
  }
  return joined;
}

const zeros = [0x0660, 0x06f0, 0x0966, 0xff10]; // Arabic-Indic, its Persian form, Devanagari, full width.
// Soft hyphens and characters without width, which senders put between digits against programs like this one.
const invisible = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\u034f/g;
const foreignDigit = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g;

function toPlainDigits(text: string): string {
  return text.replaceAll(invisible, "").replaceAll(foreignDigit, (digit) => {
    const point = digit.charCodeAt(0);
    const zero = zeros.find((first) => point >= first && point <= first + 9) ?? point;
    return String(point - zero);
  });
}

const wordsOf = (lower: string) => codeWords.flatMap((word) => occurrences(lower, word));
const includesSome = (lower: string, words: string[]) => words.some((word) => lower.includes(word));

function occurrences(lower: string, word: string): Word[] {
  const found: Word[] = [];
  let at = lower.indexOf(word);
  while (at >= 0 && found.length < wordsPerLineMax) {
    // "pin" is a word and not a part of "shopping"; "код" is no part of "кодекс".
    if (!isPartOfWord(lower, at, word.length)) found.push({ start: at, end: at + word.length });
    at = lower.indexOf(word, at + word.length);
  }
  return found;
}

// Words may be put together at the front (passcode, Bestätigungscode), but short ones stand alone.
function isPartOfWord(lower: string, start: number, length: number): boolean {
  const before = lower.charAt(start - 1);
  const behind = lower.charAt(start + length);
  if (length <= 3 && /[a-zа-яё]/.test(before)) return true;
  return length <= 4 && /[a-zа-яё]/.test(behind) && behind !== "s";
}

/** How near a word for "code" is; 0 when there is none. */
function nearness(lines: Line[], index: number, candidate: Candidate): number {
  const line = lines[index];
  if (!line || line.isOther) return 0;
  let best = 0;
  for (const word of line.words) {
    if (word.end <= candidate.start) best = Math.max(best, before(candidate.start - word.end));
    else if (word.start >= candidate.end) best = Math.max(best, behind(word.start - candidate.end));
  }
  for (let distance = 1; distance <= 4; distance++) {
    const above = lines[index - distance];
    // The subject is above everything; it counts below.
    if (above && index - distance > 0 && above.words.length > 0 && !above.isOther)
      best = Math.max(best, 6 - distance + (/[:：]$/.test(above.text) ? 2 : 0));
    const below = lines[index + distance];
    if (distance <= 2 && below && below.words.length > 0 && !below.isOther)
      best = Math.max(best, 4 - distance);
  }
  if (index > 0 && (lines[0]?.words.length ?? 0) > 0) best = Math.max(best + 1, 2);
  return best;
}

const before = (distance: number) => (distance <= 4 ? 9 : distance <= 40 ? 7 : distance <= 120 ? 4 : 0);
const behind = (distance: number) => (distance <= 40 ? 7 : distance <= 100 ? 4 : 0);

/** How much a candidate looks like a code by itself and by what stands around it. */
function looks(line: Line, candidate: Candidate, near: number): number {
  const { value, start, end } = candidate;
  const isAlone = line.text.slice(0, start).trim() === "" && /^[.。!]?$/.test(line.text.slice(end).trim());
  let score = isAlone ? 4 : 0;
  if (/^[0-9]+$/.test(value)) {
    if (value.length === 6) score += 2;
    if (/^(19|20)[0-9]{2}$/.test(value)) score -= isAlone || near >= 9 ? 2 : 4;
  } else if (value !== value.toUpperCase()) score -= 3;
  // "Order 48213": the word must be right before, else it is about something else.
  const lead = line.text.slice(Math.max(0, start - 24), start).toLowerCase();
  if (numberWords.some((word) => lead.includes(word)) && !codeWords.some((word) => lead.includes(word)))
    score -= 8;
  if (/©|\(c\)|copyright/i.test(line.text)) score -= 8;
  return score;
}
