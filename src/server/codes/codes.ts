import { linesOf, listedOf, quoteOf, type Line } from "./codes.lines.ts";
import type { Candidate } from "./codes.numbers.ts";

export { visibleOf } from "./codes.lines.ts";
export { findLink } from "./codes.link.ts";

const scoreMin = 7;
/** How many lines below a word for "code" a code may stand, and how many above it. */
const reachAbove = 4;
const reachBelow = 2;
const shortLineMax = 30;

/** What of a letter may hold its code. */
export interface Readable {
  readonly subject: string;
  /** What a person reads. */
  readonly text: string;
  /** The plain part. */
  readonly plain: string;
  /** What is shown beside the subject, or in place of pictures. */
  readonly unseen: string;
}

/** The verification code of a letter: as a person reads it, else in its plain part, else in what is not seen at once. */
export function codeOf({ subject, text, plain, unseen }: Readable): string | undefined {
  const found = findCode(subject, text);
  if (found !== undefined) return found;
  const fromPlain = plain === text || plain === "" ? undefined : findCode(subject, plain);
  return fromPlain ?? (unseen === "" ? undefined : findCode(subject, unseen));
}

/**
 * The verification code in a text, as it is typed: without the spaces and dashes that make long numbers readable, and without
 * the letters before a number ("G-482913"), which are printed beside the field.
 * Undefined when nothing looks enough like one. Takes any text, in time linear to its length.
 * A code is a number (or letters and digits) near a word for "code"; years, prices, phone numbers and the like are none.
 */
export function findCode(subject: string, text: string): string | undefined {
  const lines = linesOf(subject, text);
  const quoted = quoteOf(lines);
  return bestOf(lines, 0, quoted) ?? bestOf(lines, quoted, lines.length);
}

function bestOf(lines: readonly Line[], from: number, to: number): string | undefined {
  const places = placesOf(lines, from, to);
  if (places.length === 0) return undefined;
  const inTitle = new Set(lines[0]?.candidates.map(({ value }) => value));
  let listed: ReadonlySet<string> | undefined;
  let best: { value: string; score: number } | undefined;
  for (const index of places) {
    const line = lines[index];
    for (const candidate of line?.candidates ?? []) {
      if (!line) continue;
      const near = nearness(lines, index, candidate);
      if (near === 0) continue;
      const isRepeated = index > 0 && inTitle.has(candidate.value);
      const score = near + looks(lines, index, candidate, near) + (isRepeated ? 3 : 0);
      if (score < scoreMin || score <= (best?.score ?? 0)) continue;
      listed ??= listedOf(lines, from, to);
      if (!listed.has(candidate.value)) best = { value: candidate.value, score };
    }
  }
  return best?.value;
}

/** The lines near a word for "code"; when the subject has one, also those that hold little else than a number, or its number. */
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

/** How near a word for "code" is; 0 when there is none, or when the sentence is about an offer. */
function nearness(lines: readonly Line[], index: number, candidate: Candidate): number {
  const line = lines[index];
  if (!line || isOffered(line, candidate)) return 0;
  let best = nearnessOnLine(line, candidate);
  // A number in the middle of other words belongs to those.
  const isInside = /[\p{L}\p{N}]/u.test(line.text.slice(0, candidate.start)) ? 3 : 0;
  for (let distance = 1; distance <= reachAbove; distance++) {
    const above = lines[index - distance];
    // The subject is above everything; it counts below.
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

/** Whether a word behind a number speaks of it: it is in the same sentence, and names nothing that comes after itself. */
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

/** How much a candidate looks like a code by itself and by what stands around it. */
function looks(lines: readonly Line[], index: number, candidate: Candidate, near: number): number {
  const { value, start, end } = candidate;
  const line = lines[index];
  if (!line) return 0;
  const isAlone =
    !/[\p{L}\p{N}]/u.test(line.text.slice(0, start)) && /^[^\p{L}\p{N}]*$/u.test(line.text.slice(end));
  let score = (isAlone ? 4 : 0) + formOf(value, isAlone || near >= 9);
  // "Order 48213": the word right before says what it is; on the line above where there is none before.
  const above = lines[index - 1];
  if (isCounted(line, start)) score -= 8;
  else if (isAlone && index > 1 && above && isCounted(above, above.text.length)) score -= 8;
  if (isOld(line, candidate)) score -= 6;
  if (/©|\(c\)|copyright/i.test(line.text)) score -= 8;
  return score;
}

/** What the form alone says: six digits are a code more often than not, a year or a date seldom. */
function formOf(value: string, isShown: boolean): number {
  if (/^[0-9]+$/.test(value)) {
    if (value.length === 6) return 2;
    if (/^(19|20)[0-9]{2}$/.test(value)) return isShown ? -2 : -4;
    return /^(19|20)[0-9]{2}(0[1-9]|1[0-2])([0-2][0-9]|3[01])$/.test(value) ? -4 : 0;
  }
  if (!/[0-9]/.test(value)) return value.includes("-") ? -2 : -3;
  // "SAVE2025", "ISO27001"
  if (/^[A-Z]{3,}[0-9]{2,}$/.test(value)) return -4;
  return value === value.toUpperCase() ? 0 : -3;
}

/** Whether what is counted by numbers ("order", "phone") is named right before a place, with no other number between. */
function isCounted({ text, names }: Line, at: number): boolean {
  const last = names.findLastIndex(
    ({ kind, end }) => end <= at && (kind === "code" || kind === "number" || kind === "other"),
  );
  const name = names[last];
  if (!name || name.kind === "code") return false;
  const between = text.slice(name.end, at);
  if (between.length > 16 || /[0-9]/.test(between)) return false;
  if (!/[:：–—]|\b(?:is|es)\b/.test(between)) return true;
  // "The code for your order: 7302" is no number of an order.
  const ahead = names[last - 1];
  return !(ahead?.kind === "code" && !/[0-9]|[.!?]\s|[。！？।]/.test(text.slice(ahead.end, name.start)));
}

/** Whether the sentence says that a code is an older one. */
function isOld({ text, names }: Line, { start, end }: Candidate): boolean {
  return names.some(
    (name) =>
      name.kind === "old" &&
      (name.end <= start
        ? !hasEnd(text.slice(name.end, start)) && start - name.end <= 40
        : name.start >= end && !hasEnd(text.slice(end, name.start)) && name.start - end <= 80),
  );
}
