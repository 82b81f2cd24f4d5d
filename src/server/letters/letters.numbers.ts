import { moneyWords, unitWords } from "./letters.words.ts";

/** Something on a line that may be a code: its value as it is typed, and where it stands. */
export interface Candidate {
  value: string;
  start: number;
  end: number;
}

const digitsMin = 4;
const digitsMax = 8;
const mixedMin = 5;
const mixedMax = 10;
const candidatesPerLineMax = 100;

interface Run {
  text: string;
  start: number;
  end: number;
}

/** Everything on a line that could be a code by its form. Takes time linear to the line's length. */
export function candidatesOf(line: string): Candidate[] {
  const runs = runsOf(line);
  const candidates: Candidate[] = [];
  for (let index = 0; index < runs.length && candidates.length < candidatesPerLineMax;) {
    const group = groupAt(line, runs, index);
    const value = valueOf(group);
    const first = group[0];
    const last = group.at(-1);
    if (first && last && value !== undefined && !isSomethingElse(line, first.start, last.end, value))
      candidates.push({ value, start: first.start, end: last.end });
    index += group.length;
  }
  return candidates;
}

/** Runs of Latin letters and digits that hold a digit, or are a part of a code that was cut in pieces. */
function runsOf(line: string): Run[] {
  if (!/[0-9]/.test(line)) return [];
  const runs: Run[] = [];
  for (const match of line.matchAll(/[A-Za-z0-9]+/g))
    runs.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  return runs;
}

const isNumber = (text: string) => /^[0-9]+$/.test(text);
const isCapitals = (text: string) => /^[A-Z0-9]+$/.test(text);

/** The runs from `index` on that one code was written as: "123 456", "12-34-56", "1 2 3 4 5 6", "A7K-92Q", "G-123456". */
function groupAt(line: string, runs: Run[], index: number): Run[] {
  const first = runs[index];
  if (!first) return [];
  const group = [first];
  const joint = jointAfter(line, runs, index);
  if (joint === undefined) return group;
  const isPrefix = joint === "-" && /^[A-Z]{1,3}$/.test(first.text) && isNumber(runs[index + 1]?.text ?? "");
  for (let next = index + 1; next < runs.length; next++) {
    const run = runs[next];
    if (!run || jointAfter(line, runs, next - 1) !== joint) break;
    if (!isPrefix && !isOneForm(first.text, run.text, joint)) break;
    group.push(run);
  }
  return group;
}

/** Pieces of one code are equally long; letters and digits are mixed only where a dash or single boxes show that they belong together. */
function isOneForm(first: string, next: string, joint: string): boolean {
  if (next.length !== first.length) return false;
  if (isNumber(next) && isNumber(first)) return true;
  return (joint === "-" || first.length === 1) && isCapitals(next) && isCapitals(first);
}

/** What joins a run to the next one: a dash, or white space (wider only between single characters). */
function jointAfter(line: string, runs: Run[], index: number): string | undefined {
  const [left, right] = [runs[index], runs[index + 1]];
  if (!left || !right || right.start - left.end > 8) return undefined;
  const between = line.slice(left.end, right.start);
  if (/^[-–‑—]$/.test(between) || /^ [-–‑] $/.test(between)) return "-";
  if (left.text.length === 1 && right.text.length === 1 && /^\s+$/.test(between)) return " ";
  return between === " " || between === "\u00a0" ? " " : undefined;
}

/** What is typed for a group of runs; undefined when it has not the form of a code. */
function valueOf(group: Run[]): string | undefined {
  const texts = group.map(({ text }) => text);
  const whole = texts.join("");
  const [first = "", second = ""] = texts;
  if (texts.length === 2 && /^[A-Z]{1,3}$/.test(first) && isNumber(second))
    return second.length >= 5 && second.length <= digitsMax ? second : undefined;
  if (isNumber(whole)) {
    if (whole.length < digitsMin || whole.length > digitsMax) return undefined;
    // "1 2 3 4" are pages or steps.
    return texts.length > 1 && first.length === 1 && "12345".startsWith(whole) ? undefined : whole;
  }
  if (!isMixed(whole)) return undefined;
  if (texts.length === 1 || first.length === 1) return whole;
  return isCapitals(whole) ? texts.join("-") : undefined;
}

/** Letters and digits in turn, as no word and no name of a thing ("iPhone15", "Windows11") is written. */
function isMixed(text: string): boolean {
  if (text.length < mixedMin || text.length > mixedMax || !/[0-9]/.test(text) || !/[A-Za-z]/.test(text))
    return false;
  if (/^[A-Z]?[a-z]{2,}[A-Za-z]*[0-9]+$/.test(text)) return false;
  // 3rd, 1080p, 256GB, 0x41af
  return !/^[0-9]+(?:st|nd|rd|th|p|px|kb|mb|gb|tb|am|pm|h|x)$/i.test(text) && !/^0x/i.test(text);
}

/** Whether what stands around says that it is a part of something else: an address, a date, a price, a phone number. */
function isSomethingElse(line: string, start: number, end: number, value: string): boolean {
  const before = line.slice(Math.max(0, start - 12), start);
  const behind = line.slice(end, end + 16);
  if (/[#@/\\=&_%+~$€£¥₽₹￥*^]$/.test(before) || /^[@/\\=&_%$€£¥₽₹°*^]/.test(behind)) return true;
  if (/[\p{Script=Cyrillic}\p{Script=Latin}\p{Script=Greek}]$/u.test(before)) return true;
  if (/^[\p{Script=Cyrillic}\p{Script=Latin}\p{Script=Greek}]/u.test(behind)) return true;
  // 14:30, 1,200.50, 2025-03-14, 192.168.0.1, mail1.example
  if (/[0-9][-–.,:/ \u00a0]$/.test(before) || /^[-–.,:/ \u00a0][0-9]/.test(behind)) return true;
  if (/[A-Za-z0-9][-.]$/.test(before) || /^[-.][A-Za-z0-9]/.test(behind)) return true;
  if (/[0-9]\)\s?$/.test(before)) return true;
  return isMeasure(before, behind, value);
}

function isMeasure(before: string, behind: string, value: string): boolean {
  if (!isNumber(value)) return false;
  const lead = before.trimEnd().toLowerCase();
  if (
    moneyWords.some(
      (word) => lead.endsWith(word) && !/[a-zа-я]/.test(lead.charAt(lead.length - word.length - 1)),
    )
  )
    return true;
  const rest = behind.trimStart().toLowerCase();
  return unitWords.some((word) => rest.startsWith(word)) || /^[€$£₽₹]/.test(rest);
}
