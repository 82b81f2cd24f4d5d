// Reads header fields of a letter or a part, however folded, duplicated, broken or encoded.
import { isAscii } from "node:buffer";
import addressparser from "nodemailer/lib/addressparser";
import { beginsShifted, decodeText, hasStates } from "./mime.charset.ts";
import { decodeBody } from "./mime.transfer.ts";

/** One field of each name, unfolded, each character one byte. */
export type Fields = ReadonlyMap<string, string>;

const byteOrderMark = "\xef\xbb\xbf";
const valueLengthMax = 20_000;
const fieldPattern = /([!-9;-~]{1,100})[ \t]*:/y;
const knownPattern =
  /(?:content-|mime-|x-|list-|from|to|cc|subject|date|received|message-id|reply-to|return-path|sender|dkim-)[\w-]{0,60}[ \t]*:/iy;

const isAt = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/**
 * Answers where the body begins: after an empty line, or at a line that is no field, as some mailers forget the empty line. The first field
 * of a name counts, as for every reader; in a signed letter the last, which is the one that is signed (RFC 6376 §8.15).
 */
export function readFields(text: string, start: number, end: number): { fields: Fields; body: number } {
  const fields = new Map<string, string>();
  const last = new Map<string, string>();
  let current: { name: string; lines: string[] } | undefined;
  const keep = () => {
    if (!current) return;
    const named = fields.has(current.name) ? last : fields;
    named.set(current.name, current.lines.join("").slice(0, valueLengthMax).trim());
  };
  const found = () => {
    keep();
    if (fields.has("dkim-signature")) for (const [name, value] of last) fields.set(name, value);
    return fields;
  };
  let at = text.startsWith(byteOrderMark, start) ? start + byteOrderMark.length : start;
  while (at < end) {
    const line = lineAt(text, at, end);
    if (line.end === at) return { fields: found(), body: line.next };
    const field = isAt(fieldPattern, text, at);
    if (field && field.index + field[0].length <= line.end) {
      keep();
      const value = text.slice(at + field[0].length, Math.min(line.end, at + valueLengthMax));
      current = { name: (field[1] ?? "").toLowerCase(), lines: [value] };
    } else if (
      current &&
      (isSpace(text, at) ? !isBlankEnd(text, at, line, end) : isKnownAhead(text, line.next, end))
    ) {
      const folded = text.slice(at, Math.min(line.end, at + valueLengthMax));
      if (current.lines.length < 2_000) current.lines.push(isSpace(text, at) ? folded : ` ${folded}`);
    } else if (current ?? !isPreface(text, at)) {
      return { fields: found(), body: isSpace(text, at) && current ? line.next : at };
    }
    at = line.next;
  }
  return { fields: found(), body: end };
}

interface Line {
  end: number;
  next: number;
}

function lineAt(text: string, at: number, end: number): Line {
  const newline = text.indexOf("\n", at);
  if (newline < 0 || newline >= end) return { end, next: end };
  return { end: newline > at && text[newline - 1] === "\r" ? newline - 1 : newline, next: newline + 1 };
}

const isSpace = (text: string, at: number) => text[at] === " " || text[at] === "\t";

/** Whether a line of spaces alone is the empty line: no field follows. */
function isBlankEnd(text: string, at: number, line: Line, end: number): boolean {
  if (line.end - at > 200 || text.slice(at, line.end).trim() !== "") return false;
  return line.next < end && !isSpace(text, line.next) && !isAt(fieldPattern, text, line.next);
}

function isKnownAhead(text: string, from: number, end: number): boolean {
  let at = from;
  for (let lines = 0; lines < 3 && at < end; lines++) {
    if (isAt(knownPattern, text, at)) return true;
    const line = lineAt(text, at, end);
    if (line.end === at) return false;
    at = line.next;
  }
  return false;
}

/** What mailbox files put before the first field. */
const isPreface = (text: string, at: number) => text.startsWith("From ", at) || text.startsWith(">From ", at);

/**
 * Decodes encoded words (RFC 2047), adjacent ones of one charset together, as mailers cut characters in two. In a charset with states each
 * word begins anew.
 */
export function decodeValue(value: string, charset?: string): string {
  const outside = (text: string) => decodeBytes(text, charset);
  if (!value.includes("=?")) return outside(value);
  let out = "";
  let at = 0;
  let pending: { charset: string; bytes: Buffer[] } | undefined;
  const flush = () => {
    if (pending) out += decodeText(Buffer.concat(pending.bytes), pending.charset);
    pending = undefined;
  };
  for (const match of value.matchAll(wordPattern)) {
    const [whole, named = "", encoding = "", encoded = ""] = match;
    const between = value.slice(at, match.index);
    const isJoined = pending !== undefined && between.trim() === "";
    const bytes = decodeWord(encoding.toLowerCase(), encoded);
    const isNew = pending?.charset !== named.toLowerCase() || (hasStates(named) && !beginsShifted(bytes));
    if (!isJoined || isNew) flush();
    if (!isJoined) out += outside(between);
    pending ??= { charset: named.toLowerCase(), bytes: [] };
    pending.bytes.push(bytes);
    at = match.index + whole.length;
  }
  flush();
  return out + outside(value.slice(at));
}

const wordPattern = /=\?([^?\s*]{0,60})(?:\*[^?\s]{0,40})?\?([bq])\?([^?]*)\?=/gi;

function decodeBytes(text: string, charset: string | undefined): string {
  const bytes = Buffer.from(text, "latin1");
  return isAscii(bytes) ? text : decodeText(bytes, undefined, charset);
}

function decodeWord(encoding: string, encoded: string): Buffer {
  const bytes = Buffer.from(encoding === "q" ? encoded.replaceAll("_", " ") : encoded, "latin1");
  return decodeBody(bytes, encoding === "q" ? "quoted-printable" : "base64", bytes.length);
}

export interface Structured {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const parameterPattern =
  /[;,]\s*(?:\([^()]*\)\s*)*([^=;,\s()]{1,100})\s*=\s*(?:"((?:[^"\\]|\\[^])*)"?|([^;]*))/g;

/** Reads a value like `text/plain; charset=utf-8` (RFC 2045 §5.1) with its long and encoded parameters (RFC 2231). */
export function readStructured(raw: string | undefined): Structured {
  const value = (raw ?? "").replace(/^([^;,\s(]+)\s+(?=[\w-]+=)/, "$1; ");
  const kind = (/^[\s"']*([^;,\s("']+)/.exec(value)?.[1] ?? "").toLowerCase();
  const parameters = new Map<string, string>();
  const pieces = new Map<string, { order: number; value: string; isEncoded: boolean }[]>();
  for (const [, rawName = "", quoted, bare] of value.matchAll(parameterPattern)) {
    const name = rawName.toLowerCase();
    const text = quoted === undefined ? unquoted(bare ?? "") : quoted.replaceAll(/\\(["\\])/g, "$1");
    const split = /^([^*]+)\*(?:(\d{1,4})(\*?))?$/.exec(name);
    if (!split) {
      if (!parameters.has(name)) parameters.set(name, text);
      continue;
    }
    const [, base = "", order, star] = split;
    const piece = { order: Number(order ?? 0), value: text, isEncoded: order === undefined || star === "*" };
    pieces.set(base, [...(pieces.get(base) ?? []).slice(0, 200), piece]);
  }
  const decoded = new Map([...parameters].map(([name, text]) => [name, decodeValue(text)]));
  for (const [name, parts] of pieces) decoded.set(name, joinPieces(parts));
  return { value: kind, parameters: decoded };
}

const unquoted = (bare: string) =>
  bare
    .replace(/\s\([^()]*\)\s*$/, "")
    .trim()
    .replace(/^'(.*)'$/, "$1");

function joinPieces(parts: { order: number; value: string; isEncoded: boolean }[]): string {
  const sorted = parts.toSorted((one, other) => one.order - other.order);
  const [, charset, first] = /^([^']*)'[^']*'([^]*)$/.exec(sorted[0]?.isEncoded ? sorted[0].value : "") ?? [];
  const bytes = sorted.map(({ value, isEncoded }, index) => {
    const text = index === 0 && first !== undefined ? first : value;
    return Buffer.from(isEncoded ? unescapePercent(text) : text, "latin1");
  });
  const joined = Buffer.concat(bytes);
  const text = decodeText(joined, charset === "" ? undefined : charset);
  // Some mailers put encoded words where they do not belong.
  return text.includes("=?") && /^[\0-\x7f]*$/.test(text) ? decodeValue(text) : text;
}

const unescapePercent = (text: string) =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_all, digits: string) => String.fromCharCode(parseInt(digits, 16)));

export interface Author {
  readonly name: string;
  /** "" where none is found. */
  readonly address: string;
}

const addressLengthMax = 4_000;

/** The authors in a From or Sender field, the first one first; one without an address where the field has none. */
export function readAuthors(value: string | undefined, charset?: string): readonly Author[] {
  if (value === undefined || value.trim() === "") return [];
  const words: string[] = [];
  // Decoded words must not be parsed as address syntax: placeholders replace them until the addresses are parsed.
  const pieces = value.slice(-addressLengthMax).split(runPattern);
  const plain = pieces.map((piece, index) => {
    if (index % 2 === 0) return decodeBytes(piece, charset).replaceAll(/[\ue000\ue001]/g, "");
    words.push(decodeValue(piece));
    return `\ue000${words.length - 1}\ue001`;
  });
  const put = (found: string) =>
    found.replaceAll(/\ue000(\d+)\ue001/g, (_all, index: string) => words[Number(index)] ?? "").trim();
  const text = plain.join("");
  const found = authorsIn(text);
  // Some mailers encode the whole field, address and all.
  const authors = found.length > 0 || words.length === 0 ? found : authorsIn(put(text));
  const named = authors.length > 0 || isEmptyGroup(text) ? authors : [{ name: text, address: "" }];
  return named.map(({ name, address }) => ({ name: put(name), address: put(address) }));
}

/**
 * Where the text follows the grammar (RFC 5322 §3.4) its addresses, else the one in angle brackets at its end: an address
 * in a display name, a comment or a quotation that does not end is no author.
 */
function authorsIn(text: string): readonly Author[] {
  const found = addressparser(text, { flatten: true }).filter(({ address }) => isAddress(address));
  const [before = "", inside = ""] = (/^([^]*)<([^<>]*)>[\s,;]*$/.exec(text) ?? []).slice(1);
  const isFound = (last: string) => found.some(({ address }) => address === last);
  const [last] = isFound(inside)
    ? [{ name: "", address: inside }]
    : addressparser(`<${inside}>`, { flatten: true });
  if (last && isAddress(last.address) && !isFound(last.address))
    return [{ name: before.replaceAll(/^[\s"'<>,;]+|[\s"'<>,;]+$/g, ""), address: last.address }];
  const clear = found.filter(
    ({ name, address }) => name === "" || text.includes(`<${address}`) || address === last?.address,
  );
  if (clear.length > 0 || namesSeveral(text)) return clear;
  return found.length > 0 ? found : onlyAddressIn(text);
}

/** The address of a field that has one, wherever it stands. */
function onlyAddressIn(text: string): readonly Author[] {
  const addresses = new Set(text.match(/[^\s<>()"'[\],;:&\\]+@[^\s<>()"'[\],;:&\\]+/g));
  const [address] = addresses;
  if (address === undefined || addresses.size > 1 || !isAddress(address)) return [];
  return [{ name: text.replace(address, "").replaceAll(/[\s<>()"'[\],;:]+/g, " "), address }];
}

const isEmptyGroup = (text: string) => /^[^<>@]*:[\s;]*$/.test(text);

const isAddress = (address: string) => /@[^\s<>()"',;&\\\ue000\ue001]+$/.test(address);

/** Whether there are addresses of several hosts outside comments. */
const namesSeveral = (text: string) =>
  new Set(text.replaceAll(/\([^()]*\)/g, "").match(/(?<=@)[^\s@<>()[\]",;:]+/g)).size > 1;

const runPattern = /(=\?[^?\s]{0,100}\?[bq]\?[^?]*\?=(?:\s*=\?[^?\s]{0,100}\?[bq]\?[^?]*\?=)*)/i;
