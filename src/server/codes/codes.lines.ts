import { lowerOf, mayNameCode, namesOf, type Kind, type Name } from "./codes.names.ts";
import { candidatesOf, type Candidate } from "./codes.numbers.ts";

const textLengthMax = 100_000;
const lineLengthMax = 2_000;
/** From so many codes of one form on they are a list, and not one code repeated or replaced. */
const listMin = 3;

export class Line {
  readonly text: string;
  #names: readonly Name[] | undefined;
  #candidates: readonly Candidate[] | undefined;
  #lower: string | undefined;
  #mayNameCode: boolean | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get names(): readonly Name[] {
    return (this.#names ??= namesOf(this.lower));
  }

  get lower(): string {
    return (this.#lower ??= lowerOf(this.text));
  }

  get candidates(): readonly Candidate[] {
    return (this.#candidates ??= candidatesOf(this.text));
  }

  /** Whether it has a word for "code"; a weak one counts only right before a code. */
  namesCode(kind: "code" | "weak" = "code"): boolean {
    this.#mayNameCode ??= mayNameCode(this.lower);
    return this.#mayNameCode && this.has(kind);
  }

  has(kind: Kind): boolean {
    for (const name of this.names) if (name.kind === kind) return true;
    return false;
  }
}

export function linesOf(subject: string, text: string): Line[] {
  const title = toPlainDigits(subject.slice(0, lineLengthMax)).trim();
  const body = joinSingles(toPlainDigits(text.slice(0, textLengthMax)).split("\n").flatMap(cut));
  return [title, ...body].map((line) => new Line(line));
}

// Cells of a table are one line with tabs; long lines are cut so that "near" stays near.
function cut(line: string): string[] {
  const plain = line.trim();
  if (plain.length <= lineLengthMax) return plain === "" ? [] : [plain];
  const parts: string[] = [];
  for (let at = 0; at < plain.length; at += lineLengthMax) parts.push(plain.slice(at, at + lineLengthMax));
  return parts;
}

/** Joins lines of one character each: boxes that were read under one another. */
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
// Soft hyphens and zero-width characters: senders put them between digits against programs like this one.
const invisible = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\u034f/g;
const foreignDigit = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g;

export const visibleOf = (text: string): string => text.replaceAll(invisible, "");

function toPlainDigits(text: string): string {
  return visibleOf(text).replaceAll(foreignDigit, (digit) => {
    const point = digit.charCodeAt(0);
    const zero = zeros.find((first) => point >= first && point <= first + 9) ?? point;
    return String(point - zero);
  });
}

/** Where an older letter begins that is quoted below a newer one; the number of lines when none is. */
export function quoteOf(lines: readonly Line[]): number {
  const found = lines.findIndex((line, index) => index > 0 && beginsQuote(line));
  return found < 0 ? lines.length : found;
}

function beginsQuote(line: Line): boolean {
  const { text } = line;
  if (text.startsWith(">")) return true;
  if (text.startsWith("---")) return text.endsWith("---") && line.has("wrote");
  return (text.endsWith(":") || text.endsWith("：")) && /[0-9]/.test(text) && line.has("wrote");
}

/** Codes in a list of many, as backup codes: none of them is *the* code. */
export function listedOf(lines: readonly Line[], from: number, to: number): ReadonlySet<string> {
  const listed = new Set<string>();
  let run = new Set<string>();
  const end = () => {
    if (run.size >= listMin) for (const value of run) listed.add(value);
    run = new Set();
  };
  for (let index = Math.max(1, from); index < to; index++) {
    const line = lines[index];
    if (!line || !isOnlyCodes(line)) {
      end();
      continue;
    }
    const values = line.candidates.map(({ value }) => value);
    const [first] = run;
    if (first !== undefined && values.some((value) => value.length !== first.length)) end();
    for (const value of values) run.add(value);
  }
  end();
  return listed;
}

function isOnlyCodes(line: Line): boolean {
  if (/[a-z]{4}/.test(line.text) || line.candidates.length === 0) return false;
  let rest = "";
  let at = 0;
  for (const { start, end } of line.candidates) {
    rest += line.text.slice(at, start);
    at = end;
  }
  return /^(?:\s|[0-9]{1,2}[.)]|[•*·,;☐□-])*$/u.test(rest + line.text.slice(at));
}
