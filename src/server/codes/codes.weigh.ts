// What speaks for a candidate as the code, and what against it: points that are added up.
import type { Line } from "./codes.lines.ts";
import type { Candidate } from "./codes.numbers.ts";

/** In lines from a word for "code". */
export const reachAbove = 4;
export const reachBelow = 2;

/** Whether nothing else is in the line, or only what is said of it behind a dash: "482913 — do not share it". */
export function isAlone(line: Line, { start, end }: Candidate): boolean {
  const { text } = line;
  if (/[\p{L}\p{N}]/u.test(text.slice(0, start))) return false;
  const behind = text.slice(end);
  return (
    !/[\p{L}\p{N}]/u.test(behind) ||
    (/^\s+[-–—]\s+\p{L}/u.test(behind) && line.names.every(({ kind }) => kind === "code" || kind === "wrote"))
  );
}

/** How near a word for "code" is; 0 without one, or in a sentence about an offer. */
export function nearness(lines: readonly Line[], index: number, candidate: Candidate): number {
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

export function isOffered({ text, names }: Line, { start, end }: Candidate): boolean {
  return names.some(
    (name) =>
      name.kind === "offer" &&
      (name.end <= start
        ? !hasEnd(text.slice(name.end, start))
        : name.start >= end && !hasEnd(text.slice(end, name.start))),
  );
}

const hasEnd = (between: string) => /[.!?]\s|[。！？।]/.test(between);

/** What the form and the place of a candidate add or take. */
export function looks(lines: readonly Line[], index: number, candidate: Candidate, near: number): number {
  const { value, start, end } = candidate;
  const line = lines[index];
  if (!line) return 0;
  const alone = isAlone(line, candidate);
  const written = line.text.slice(start, end);
  let score = (alone ? 4 : 0) + (written.includes("\t") ? 0 : formOf(value, alone || near >= 9));
  // "482,915" is an amount, "A7K 9Q2" a postal code, where no name is near.
  if (/[.,，．،٫٬]/.test(written)) score -= start === 0 ? 2 : 3;
  else if (near < 7 && / /.test(written) && /[A-Z]/.test(value)) score -= 5;
  if (isAside(line, candidate)) score -= 6;
  // "Order 48213": the word right before names the number; on the line above where there is none before.
  const above = lines[index - 1];
  if (isCounted(line, start)) score -= 8;
  else if (alone && index > 1 && above && isCounted(above, above.text.length)) score -= 8;
  if (isOld(line, candidate)) score -= 6;
  if (/©|\(c\)|copyright/i.test(line.text)) score -= 8;
  return score;
}

/** "Your code (XX4471) is 925508": in brackets beside another one. */
function isAside({ text, candidates }: Line, { value, start, end }: Candidate): boolean {
  return (
    /[([（【]$/.test(text.slice(0, start)) &&
    /^[)\]）】]/.test(text.slice(end)) &&
    candidates.some((other) => other.value !== value && other.start !== start)
  );
}

/** Scores the form alone: six digits are often a code; a year, a date and what is as long as a phone seldom. */
function formOf(value: string, isShown: boolean): number {
  if (/^[0-9]+$/.test(value)) {
    if (value.length === 6) return 2;
    const isDay = /^(?:19|20)[0-9]{2}(?:(?:0[1-9]|1[0-2])(?:[0-2][0-9]|3[01]))?$/.test(value);
    return isDay || value.length > 8 ? (isShown ? -2 : -4) : 0;
  }
  if (!/[0-9]/.test(value)) return value.includes("-") ? -2 : /[AEIOUY]/.test(value) ? -3 : 0;
  // "SAVE2025", "ISO27001"
  if (/^[A-Z]{3,}[0-9]{2,}$/.test(value)) return -4;
  return value === value.toUpperCase() || value.includes("-") ? 0 : -3;
}

/** Whether a word for a counted thing ("order", "phone") is right before a place, with no other number between. */
export function isCounted({ text, names }: Line, at: number): boolean {
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
