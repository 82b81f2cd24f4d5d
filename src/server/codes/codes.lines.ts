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
  const title = toPlainSigns(subject.slice(0, lineLengthMax)).trim();
  const body = joinPieces(toPlainSigns(text.slice(0, textLengthMax)).split("\n").flatMap(cut));
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

/** Joins lines that are pieces of one code: boxes that were read under one another, and halves. */
function joinPieces(lines: string[]): string[] {
  const joined: string[] = [];
  for (const [index, line] of lines.entries()) {
    const joint = index === 0 ? undefined : jointOf(lines, index);
    if (joint === undefined) joined.push(line);
    else joined.push((joined.pop() ?? "") + joint + line);
  }
  return joined;
}

const isSign = (point: number) => (point >= 0x30 && point <= 0x39) || (point >= 0x41 && point <= 0x5a);
const pieces = /(?:^|[\s:：])([A-Z0-9]{2,5})(-?)\n([A-Z0-9]{2,5})(?![\p{L}\p{N}.,:/-])/u;
const half =
  /^(?:[0-9](?:\s[0-9]){1,3}|(?!19|20)[0-9]{4}|(?=.*[0-9])(?=.*[A-Z])[A-Z0-9]{4}|(?=.*[0-9])[A-Z0-9]{3})$/;

/** What joins a line to the one above it, as in "4", "8"; "482", "915"; "4 8 2", "9 1 5"; "A7K-", "9Q2". */
function jointOf(lines: readonly string[], index: number): string | undefined {
  const [above = "", line = ""] = [lines[index - 1], lines[index]];
  if (line.length === 1 && above.length === 1) return "\t";
  const end = above.charCodeAt(above.length - 1);
  if (!isSign(line.charCodeAt(0)) || !(isSign(end) || end === 0x2d)) return undefined;
  // Three and more under one another are a list.
  if (half.test(line) && half.test(above))
    return line.length === above.length &&
      !half.test(lines[index - 2] ?? "") &&
      !half.test(lines[index + 1] ?? "")
      ? " "
      : undefined;
  const [, first = "", dash, second = ""] = pieces.exec(`${above.slice(-8)}\n${line.slice(0, 8)}`) ?? [];
  if (first.length !== second.length || !/[0-9]/.test(first + second)) return undefined;
  return dash === "-" ? "" : /^[0-9]{3}$/.test(first) && /^[0-9]{3}$/.test(second) ? " " : undefined;
}

// Soft hyphens, zero-width characters, variants of signs: senders put them between digits against programs like this one.
const ignorable =
  "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0";
const invisible = new RegExp(`[${ignorable}]|\udb40[\udc00-\udfff]`, "g");
const blanks = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
/** The zeros of the scripts that have digits of their own; nine more digits follow each (Unicode, category Nd). */
const zeros =
  "\u0660\u06f0\u07c0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0de6\u0e50\u0ed0\u0f20\u1040\u1090\u17e0\u1810\u1946\u19d0\u1a80\u1a90\u1b50\u1bb0\u1c40\u1c50\ua620\ua8d0\ua900\ua9d0\ua9f0\uaa50\uabf0";
const digitOf = new Map(
  Array.from(zeros).flatMap((zero) =>
    Array.from(
      "0123456789",
      (digit, value) => [String.fromCharCode(zero.charCodeAt(0) + value), digit] as const,
    ),
  ),
);
// Also letters and digits of full width and of mathematics.
const foreign = new RegExp(`[${[...digitOf.keys()].join("")}０-９Ａ-Ｚａ-ｚ]|\ud835[\udc00-\udfff]`, "g");
const mayBeForeign = /[\u0660-\u1fff\ua620-\uabff\uff10-\uff5a\ud835]/;
// Digits on keys and in circles; one alone numbers what stands behind it.
const mayBeFramed = /[\u20e3\u2460-\u24ea]/;
const framed = /(?:[0-9]\u20e3|[⓪①-⑨])(?:\s?(?:[0-9]\u20e3|[⓪①-⑨])){3,}/g;
// Each pass over a text costs: most texts have nothing beyond letters with accents and quotes.
const strange =
  "\u00a0\u00ad\u034f\u061c\u0660-\u200f\u2028-\u206f\u20e3\u2460-\u24ea\u3000\u3164\ua620-\uabff\ud835\udb40\ufe00-\uffff";
const isStrange = new RegExp(`[${strange}]`);

// Digits between marks that turn them round are read from their end; a mark that none closes came with a name.
const turned = /\u202e([\x20-\x7e]{1,40})\u202c/g;

export const visibleOf = (text: string): string => text.replaceAll(invisible, "");

function toPlainSigns(text: string): string {
  if (!isStrange.test(text)) return text;
  const read = text.includes("\u202e")
    ? text.replaceAll(turned, (_all, run: string) => run.split("").toReversed().join(""))
    : text;
  let plain = visibleOf(read).replaceAll(blanks, " ");
  if (mayBeForeign.test(plain))
    plain = plain.replaceAll(foreign, (sign) => digitOf.get(sign) ?? sign.normalize("NFKC"));
  if (mayBeFramed.test(plain))
    plain = plain.replaceAll(framed, (row) =>
      row
        .normalize("NFKC")
        .replaceAll(/[^0-9]/g, "")
        .split("")
        .join(" "),
    );
  return plain;
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
