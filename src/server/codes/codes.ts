import { Asked } from "./codes.asked.ts";
import { linesOf, listedOf, quoteOf, type Line } from "./codes.lines.ts";
import type { Candidate } from "./codes.numbers.ts";

export { visibleOf } from "./codes.lines.ts";
export { findLink } from "./codes.link.ts";

const scoreMin = 7;
/** In lines from a word for "code". */
const reachAbove = 4;
const reachBelow = 2;
const shortLineMax = 30;
/** With being alone in its line just enough. */
const foreignNear = 3;

export interface Readable {
  readonly subject: string;
  readonly text: string;
  readonly plain: string;
  /** Shown beside the subject, or in place of pictures. */
  readonly unseen: string;
}

/** The verification code of a letter: of the visible text, else of the plain part, else of the unseen text. */
export function codeOf({ subject, text, plain, unseen }: Readable): string | undefined {
  const found = findCode(subject, text);
  if (found !== undefined) return found;
  const fromPlain = plain === text || plain === "" ? undefined : findCode(subject, plain);
  return fromPlain ?? (unseen === "" ? undefined : findCode(subject, unseen));
}

/** The verification code as it is typed, without separators and prefix ("G-482913"); undefined when nothing looks like one. Linear time. */
export function findCode(subject: string, text: string): string | undefined {
  const lines = linesOf(subject, text);
  const quoted = quoteOf(lines);
  for (const [from, to] of [
    [0, quoted],
    [quoted, lines.length],
  ] as const) {
    const found = bestOf(lines, from, to, placesOf(lines, from, to), nearness) ?? askedOf(lines, from, to);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How near a candidate is to what makes it a code; 0: nothing does. */
type Nearness = (lines: readonly Line[], index: number, candidate: Candidate) => number;

function bestOf(
  lines: readonly Line[],
  from: number,
  to: number,
  places: readonly number[],
  near: Nearness,
): string | undefined {
  if (places.length === 0) return undefined;
  const inTitle = new Set(lines[0]?.candidates.map(({ value }) => value));
  let listed: ReadonlySet<string> | undefined;
  let best: { value: string; score: number } | undefined;
  for (const index of places) {
    const line = lines[index];
    for (const candidate of line?.candidates ?? []) {
      if (!line) continue;
      const nearby = near(lines, index, candidate);
      if (nearby === 0) continue;
      const isRepeated = index > 0 && inTitle.has(candidate.value);
      const score = nearby + looks(lines, index, candidate, nearby) + (isRepeated ? 3 : 0);
      if (score < scoreMin || score <= (best?.score ?? 0)) continue;
      listed ??= listedOf(lines, from, to);
      if (!listed.has(candidate.value)) best = { value: candidate.value, score };
    }
  }
  return best?.value;
}

/** Without a word for "code": a number that the reader is told to use, or that stands alone where something is to be confirmed. */
function askedOf(lines: readonly Line[], from: number, to: number): string | undefined {
  const asked = new Asked(lines);
  let isForeign: boolean | undefined;
  const near: Nearness = (_lines, index, candidate) => {
    const line = lines[index];
    if (!line || index === 0 || isOffered(line, candidate)) return 0;
    const alone = isAlone(line, candidate);
    const evidence = /^[0-9]{4,8}$/.test(candidate.value) ? asked.evidence(index, candidate, alone) : 0;
    if (evidence > 0 || !alone) return evidence;
    isForeign ??= asked.knowsNoWord() && isOnlyNumber(lines, candidate.value);
    return isForeign ? foreignNear : 0;
  };
  const places = [];
  for (let index = Math.max(1, from); index < to; index++)
    if ((lines[index]?.candidates.length ?? 0) > 0) places.push(index);
  return bestOf(lines, from, to, places, near);
}

/** In a language that is not known here: the one number of the letter, alone in its line. */
const isOnlyNumber = (lines: readonly Line[], value: string): boolean =>
  lines.every((line, index) => index === 0 || line.candidates.every((other) => other.value === value));

const isAlone = ({ text }: Line, { start, end }: Candidate): boolean =>
  !/[\p{L}\p{N}]/u.test(text.slice(0, start)) && /^[^\p{L}\p{N}]*$/u.test(text.slice(end));

/** The lines near a word for "code"; when the subject has one, also those with little else than a number, or the number of the subject. */
function placesOf(lines: readonly Line[], from: number, to: number): number[] {
  const isAsked = lines[0]?.namesCode() ?? false;
  const told = isAsked ? (lines[0]?.candidates ?? []) : [];
  const isPlace = new Uint8Array(lines.length);
  for (let index = from; index < to; index++) {
    const line = lines[index];
    if (!line) continue;
    if (line.namesCode())
      isPlace.fill(
        1,
        index === 0 ? 0 : Math.max(from, index - reachBelow),
        index === 0 ? 1 : index + reachAbove + 1,
      );
    else if (
      line.namesCode("weak") ||
      (isAsked && line.text.length <= shortLineMax) ||
      told.some(({ value }) => line.text.includes(value))
    )
      isPlace[index] = 1;
  }
  return Array.from(isPlace.keys()).filter((index) => index >= from && index < to && isPlace[index] === 1);
}

/** 0 without a word for "code" near, or in a sentence about an offer. */
function nearness(lines: readonly Line[], index: number, candidate: Candidate): number {
  const line = lines[index];
  if (!line || isOffered(line, candidate)) return 0;
  let best = nearnessOnLine(line, candidate);
  // A number inside other words belongs to them.
  const isInside = /[\p{L}\p{N}]/u.test(line.text.slice(0, candidate.start)) ? 3 : 0;
  for (let distance = 1; distance <= reachAbove; distance++) {
    const above = lines[index - distance];
    // The subject is above every line; it counts below.
    if (above && index - distance > 0 && above.namesCode() && !above.has("offer"))
      best = Math.max(
        best,
        6 - distance - isInside + (above.text.endsWith(":") || above.text.endsWith("：") ? 2 : 0),
      );
    const below = lines[index + distance];
    if (distance <= reachBelow && below && below.namesCode() && !below.has("offer"))
      best = Math.max(best, 4 - distance - isInside);
  }
  if (index > 0 && lines[0]?.namesCode()) best = Math.max(best + 1, 2);
  return best;
}

function nearnessOnLine({ text, names }: Line, { start, end }: Candidate): number {
  let best = 0;
  for (const name of names) {
    if (name.kind === "code") {
      if (name.end <= start) best = Math.max(best, before(start - name.end));
      else if (name.start >= end && isAbout(text.slice(end, name.start), text.slice(name.end, name.end + 2)))
        best = Math.max(best, behind(name.start - end));
    }
    const isRightBefore = name.end <= start && start - name.end <= 40;
    if (name.kind === "weak" && isRightBefore && /[:：=]\s*$/.test(text.slice(name.end, start)))
      best = Math.max(best, 7);
  }
  return best;
}

const before = (distance: number) => (distance <= 4 ? 9 : distance <= 40 ? 7 : distance <= 120 ? 4 : 0);
const behind = (distance: number) => (distance <= 40 ? 7 : distance <= 100 ? 4 : 0);

/** Whether a word behind a number is about it: in the same sentence, and not a label of what follows. */
const isAbout = (between: string, after: string) =>
  !/[.!?]\s|[。！？।]/.test(between) && !/^\s?[:：]/.test(after);

function isOffered({ text, names }: Line, { start, end }: Candidate): boolean {
  return names.some(
    (name) =>
      name.kind === "offer" &&
      (name.end <= start
        ? !hasEnd(text.slice(name.end, start))
        : name.start >= end && !hasEnd(text.slice(end, name.start))),
  );
}

const hasEnd = (between: string) => /[.!?]\s|[。！？।]/.test(between);

function looks(lines: readonly Line[], index: number, candidate: Candidate, near: number): number {
  const { value, start } = candidate;
  const line = lines[index];
  if (!line) return 0;
  const alone = isAlone(line, candidate);
  let score = (alone ? 4 : 0) + formOf(value, alone || near >= 9);
  // "Order 48213": the word right before names the number; on the line above where there is none before.
  const above = lines[index - 1];
  if (isCounted(line, start)) score -= 8;
  else if (alone && index > 1 && above && isCounted(above, above.text.length)) score -= 8;
  if (isOld(line, candidate)) score -= 6;
  if (/©|\(c\)|copyright/i.test(line.text)) score -= 8;
  return score;
}

/** Scores the form alone: six digits are often a code, a year or a date seldom. */
function formOf(value: string, isShown: boolean): number {
  if (/^[0-9]+$/.test(value)) {
    if (value.length === 6) return 2;
    if (/^(19|20)[0-9]{2}$/.test(value)) return isShown ? -2 : -4;
    return /^(19|20)[0-9]{2}(0[1-9]|1[0-2])([0-2][0-9]|3[01])$/.test(value) ? -4 : 0;
  }
  if (!/[0-9]/.test(value)) return value.includes("-") ? -2 : -3;
  // "SAVE2025", "ISO27001"
  if (/^[A-Z]{3,}[0-9]{2,}$/.test(value)) return -4;
  return value === value.toUpperCase() || value.includes("-") ? 0 : -3;
}

/** Whether a word for a counted thing ("order", "phone") is right before a place, with no other number between. */
function isCounted({ text, names }: Line, at: number): boolean {
  const last = names.findLastIndex(
    ({ kind, end }) => end <= at && (kind === "code" || kind === "number" || kind === "other"),
  );
  const name = names[last];
  if (!name || name.kind === "code") return false;
  const between = text.slice(name.end, at);
  if (between.length > 16 || /[0-9]/.test(between)) return false;
  if (!/[:：–—]|\b(?:is|es)\b/.test(between)) return true;
  // "The code for your order: 7302" is no order number.
  const ahead = names[last - 1];
  return !(ahead?.kind === "code" && !/[0-9]|[.!?]\s|[。！？।]/.test(text.slice(ahead.end, name.start)));
}

function isOld({ text, names }: Line, { start, end }: Candidate): boolean {
  return names.some(
    (name) =>
      name.kind === "old" &&
      (name.end <= start
        ? !hasEnd(text.slice(name.end, start)) && start - name.end <= 40
        : name.start >= end && !hasEnd(text.slice(end, name.start)) && name.start - end <= 80),
  );
}
