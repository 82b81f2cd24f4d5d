import { moneyWords, unitWords } from "./codes.words.ts";

export interface Candidate {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const digitsMin = 4;
const digitsMax = 8;
/** Alone or right behind its name; phones and orders are as long. */
const wholeDigitsMax = 9;
const mixedMin = 5;
const mixedMax = 10;
const candidatesPerLineMax = 100;

interface Run {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Everything in a line with the form of a code, in linear time. */
export function candidatesOf(line: string): Candidate[] {
  const runs = runsOf(line);
  const candidates: Candidate[] = [];
  for (let index = 0; index < runs.length && candidates.length < candidatesPerLineMax;) {
    if (isWord(runs[index]?.text ?? "") && !isPieceOfCode(line, runs, index)) {
      index++;
      continue;
    }
    const group = groupAt(line, runs, index);
    const first = group[0];
    const last = group.at(-1);
    const value = valueOf(line, group);
    if (first && last && value !== undefined && !isSomethingElse(line, first.start, last.end, value))
      candidates.push({ value, start: first.start, end: last.end });
    index += group.length;
  }
  return candidates;
}

// Each part begins with a sign that is rare, because most lines have no code.
const mayHoldCode = /[0-9]|-[A-Z]{3}|-(?<=[A-Z]{3}-)[a-z]{3}|^[A-Z]{5,10}$|\b[A-Z]\s[A-Z]\s[A-Z]\s/;

function runsOf(line: string): Run[] {
  if (!mayHoldCode.test(line)) return [];
  const runs: Run[] = [];
  for (const match of line.matchAll(/[A-Za-z0-9]+/g))
    runs.push({ text: match[0], start: match.index, end: match.index + match[0].length });
  return runs;
}

const isNumber = (text: string) => /^[0-9]+$/.test(text);
const isCapitals = (text: string) => /^[A-Z0-9]+$/.test(text);
const isWord = (text: string) => /^[A-Z]?[a-z]+$/.test(text);
/** "7f3k", "D3F": beside it also a small letter is no word. */
const isMixedPiece = (text: string) => /^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9]{3,5}$/.test(text);

/** Whether small letters begin a code: "abc-D3F", "abc-DEF", or the first of its boxes. */
function isPieceOfCode(line: string, runs: readonly Run[], index: number): boolean {
  const [text = "", next = ""] = [runs[index]?.text, runs[index + 1]?.text];
  if (text.length !== next.length || text.length === 2) return false;
  const sign = line.charAt(runs[index]?.end ?? 0);
  if (sign !== box && !dash.test(sign)) return false;
  const joint = jointAfter(line, runs, index);
  return joint !== undefined && isOneForm(text, next, joint);
}

/** The runs from `index` on that are one code: "123 456", "12-34-56", "1 2 3 4 5 6", "A7K-92Q", "G-123456". */
function groupAt(line: string, runs: readonly Run[], index: number): Run[] {
  const first = runs[index];
  if (!first) return [];
  const group = [first];
  const joint = jointAfter(line, runs, index);
  if (joint === undefined) return group;
  const isPrefix = joint === "-" && /^[A-Z]{1,3}$/.test(first.text) && isNumber(runs[index + 1]?.text ?? "");
  let areNumbers = isNumber(first.text);
  for (let next = index + 1; next < runs.length; next++) {
    const run = runs[next];
    if (!run || jointAfter(line, runs, next - 1) !== joint) break;
    areNumbers &&= isNumber(run.text);
    if (!isPrefix && !areNumbers && !isOneForm(first.text, run.text, joint)) break;
    if (!isPrefix && run.text.length !== first.text.length) break;
    group.push(run);
  }
  return group;
}

/** Pieces of one code are equally long; letters and digits mix only with dashes, in single boxes, or where each piece has both. */
function isOneForm(first: string, text: string, joint: string): boolean {
  if (joint === box) return true;
  if (joint === "-" && isPieceBeside(first, text)) return true;
  if (joint === " " && isCapitals(text) && isMixedPiece(text) && isMixedPiece(first))
    return isCapitals(first);
  return (joint === "-" || first.length === 1) && isCapitals(text) && isCapitals(first);
}

/** "a7k-9Q2", "abc-D3F", "abc-DEF" */
function isPieceBeside(first: string, text: string): boolean {
  if (isMixedPiece(first) && isMixedPiece(text)) return true;
  if (isMixedPiece(first) || isMixedPiece(text))
    return /^[A-Za-z]{3,5}$/.test(isMixedPiece(first) ? text : first);
  return /^[a-z]{3,5}-[A-Z]{3,5}$|^[A-Z]{3,5}-[a-z]{3,5}$/.test(`${first}-${text}`);
}

const box = "\t";
const dashes = "-‐‑‒–—−－";
const dash = new RegExp(`[${dashes}]`);
const dashBetween = new RegExp(`^\\s?[${dashes}]\\s?$`);
const betweenBoxes = new RegExp(`^\\s+(?:[${dashes}]\\s+)?$`);

/** A dash, white space (wider, or with a dash in it, only between single characters), or what stands between threes of digits. */
function jointAfter(line: string, runs: readonly Run[], index: number): string | undefined {
  const [left, right] = [runs[index], runs[index + 1]];
  if (!left || !right || right.start - left.end > 8) return undefined;
  const between = line.slice(left.end, right.start);
  if (between === " " || between === "  ") return " ";
  if (left.text.length === 1 && right.text.length === 1 && betweenBoxes.test(between))
    return between.includes(box) ? box : " ";
  if (dashBetween.test(between)) return "-";
  const areShort = left.text.length <= 3 && right.text.length <= 3;
  if (between === box && areShort) return " ";
  if (/^[·•・]$/.test(between)) return between;
  return areShort && thousands.test(between) ? between : undefined;
}

const thousands = /^[.,，．،٫٬]$/;

function valueOf(line: string, group: readonly Run[]): string | undefined {
  const texts = group.map(({ text }) => text);
  const whole = texts.join("");
  const [first = "", second = ""] = texts;
  // "G-482913": the letters are printed beside the input field.
  if (texts.length === 2 && /^[A-Z]{1,3}$/.test(first) && isNumber(second))
    return second.length >= 5 && second.length <= digitsMax ? second : undefined;
  if (isNumber(whole)) {
    if (texts.length > 1 && thousands.test(line.slice(group[0]?.end, group[1]?.start)))
      return texts.length === 2 && first.length === 3 ? whole : undefined;
    const isDate = texts.length === 3 && first.length === 2 && isParted(line, group, 1) && dates.test(whole);
    return isCodeOfDigits(texts, whole) && !isDate ? whole : undefined;
  }
  const isDashed = texts.length > 1 && isParted(line, group, 1);
  if (isDashed && texts.length < 4 && first.length > 2 && !isCapitals(whole) && isPieceBeside(first, second))
    return texts.join("-");
  if (!isMixed(whole) && !isLettersAlone(line, texts, whole)) return undefined;
  if (texts.length === 1) return whole;
  if (first.length === 1) return joinBoxes(line, group);
  return isCapitals(whole) ? texts.join(isDashed ? "-" : "") : undefined;
}

function isCodeOfDigits(texts: readonly string[], whole: string): boolean {
  const lengthMax = texts.length === 1 ? wholeDigitsMax : digitsMax;
  if (whole.length < digitsMin || whole.length > lengthMax) return false;
  const [first = ""] = texts;
  if (texts.length === 1) return true;
  // "1 2 3 4" are pages or steps, "10-18" are hours, "2003-2025" are years.
  if (first.length === 1) return !"12345".startsWith(whole);
  return !(texts.length === 2 && first.length === 2) && !texts.every(isYear);
}

// "14-03-25", "03-14-25", "25-03-14"
const day = "(?:0[1-9]|[12][0-9]|3[01])";
const month = "(?:0[1-9]|1[0-2])";
const dates = new RegExp(`^(?:${day}${month}[2-3][0-9]|${month}${day}[2-3][0-9]|[2-3][0-9]${month}${day})$`);

const isYear = (text: string) => /^(19|20)[0-9]{2}$/.test(text);

function joinBoxes(line: string, group: readonly Run[]): string {
  const pieces = [""];
  for (const [index, { text }] of group.entries()) {
    if (index > 0 && isParted(line, group, index)) pieces.push(text);
    else pieces.push((pieces.pop() ?? "") + text);
  }
  return pieces.join(pieces.length === group.length ? "" : "-");
}

const isParted = (line: string, group: readonly Run[], index: number) =>
  dash.test(line.slice(group[index - 1]?.end, group[index]?.start));

/** Letters and digits in turn, unlike words and product names ("iPhone15", "Windows11"). */
function isMixed(text: string): boolean {
  if (text.length < mixedMin || text.length > mixedMax || !/[0-9]/.test(text) || !/[A-Za-z]/.test(text))
    return false;
  if (/^[A-Z]?[a-z]{2,}[A-Za-z]*[0-9]+$/.test(text)) return false;
  // 3rd, 1080p, 256GB, 0x41af
  return !/^[0-9]+(?:st|nd|rd|th|p|px|kb|mb|gb|tb|am|pm|h|x|utc)$/i.test(text) && !/^0x/i.test(text);
}

/** Capitals without digits are a code only in pieces ("HTRB-KQWZ", boxes), or as a whole line. */
function isLettersAlone(line: string, texts: readonly string[], whole: string): boolean {
  if (!/^[A-Z]+$/.test(whole) || whole.length < mixedMin || whole.length > mixedMax) return false;
  if (texts.length === 1) return line.trim() === whole;
  return (texts[0]?.length ?? 0) !== 2;
}

function isSomethingElse(line: string, start: number, end: number, value: string): boolean {
  const before = line.slice(Math.max(0, start - 12), start);
  const behind = line.slice(end, end + 16);
  if (/[#@/\\=&_%+~$€£¥₽₹￥*^]$/.test(before) || /^[@/\\=&_%$€£¥₽₹°*^]/.test(behind)) return true;
  if (/[\p{Script=Cyrillic}\p{Script=Latin}\p{Script=Greek}]$/u.test(before)) return true;
  if (/^[\p{Script=Cyrillic}\p{Script=Latin}\p{Script=Greek}]/u.test(behind)) return true;
  // 14:30, 1,200.50, 2025-03-14, 192.168.0.1, mail1.example
  if (/[0-9][-–.,:/ ٬٫]$/.test(before) || /^[-–.,:/ ٬٫][0-9]/.test(behind)) return true;
  if (/[A-Za-z0-9][-.]$/.test(before) || /^[-.][A-Za-z0-9]/.test(behind)) return true;
  // 2001:db8::1
  if (/(?::|\b[0-9a-f]{1,4}):$/i.test(before) || /^::?[0-9a-f]{1,4}(?![a-z])/i.test(behind)) return true;
  if (/(?:^|\()[+0-9 -]*[0-9]\)\s?$/.test(before)) return true;
  return isMeasure(before, behind, value) || isPostCode(before, behind, value);
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

/** "Denver, CO 80202" */
const isPostCode = (before: string, behind: string, value: string) =>
  value.length === 5 && /,\s[A-Z]{2}\s$/.test(before) && /^(?:$|[\s,.·])/.test(behind);
