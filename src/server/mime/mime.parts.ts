// Walks the multiparts of a letter within bounds. Does not decode bodies: the largest letter costs only the search for boundaries.
import { signedContent } from "./mime.signed.ts";
import { decodeBody, transferOf, type Transfer } from "./mime.transfer.ts";
import { readFields, readStructured, type Fields, type Structured } from "./mime.headers.ts";

export interface Part {
  readonly fields: Fields;
  readonly type: string;
  readonly parameters: Structured["parameters"];
  readonly disposition: Structured;
  /** Still encoded. */
  readonly body: Buffer;
  readonly transfer: Transfer;
  /** The outermost multipart/alternative around it. */
  readonly choice: object | undefined;
  readonly isWhole: boolean;
}

export interface Letter {
  readonly fields: Fields;
  readonly parts: readonly Part[];
}

/** Thrown for a letter beyond the bounds. */
export class TooMuch extends Error {
  constructor(what: string) {
    super(`too many ${what}`);
    this.name = "TooMuch";
  }
}

const depthMax = 30;
const partsMax = 1_000;
const headersBytesMax = 256 * 1024;
/** Lines that might be boundaries, checked once for each level around them. */
const looksMax = 500_000;
const signedBytesMax = 2 * 1024 * 1024;

interface Place {
  readonly depth: number;
  readonly defaultType: string;
  readonly choice: object | undefined;
}

interface Source {
  readonly bytes: Buffer;
  /** The same, each byte a character. */
  readonly text: string;
}

/** Splits a letter into its parts. Throws TooMuch beyond the bounds. */
export function takeApart(raw: Uint8Array): Letter {
  const walk = new Walk();
  const top = { depth: 0, defaultType: "text/plain", choice: undefined };
  const fields = walk.read(sourceOf(withNewlines(asBuffer(raw))), top);
  return { fields, parts: walk.parts };
}

const asBuffer = (raw: Uint8Array) => Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
const sourceOf = (bytes: Buffer): Source => ({ bytes, text: bytes.toString("latin1") });

/** Old Macs end lines with CR alone; some mailers add CR to lines that end with CRLF already. */
function withNewlines(bytes: Buffer): Buffer {
  const first = bytes.indexOf(0x0a);
  const isOld = first < 0 && bytes.includes(0x0d);
  if (!isOld && !(bytes[first - 1] === 0x0d && bytes[first - 2] === 0x0d)) return bytes;
  const text = bytes.toString("latin1");
  return Buffer.from(isOld ? text.replaceAll("\r", "\n") : text.replaceAll(/\r{2,}\n/g, "\r\n"), "latin1");
}

class Walk {
  readonly parts: Part[] = [];
  #seen = 0;
  #headersBytes = 0;
  readonly #looks = { left: looksMax };

  read(source: Source, place: Place, start = 0, end = source.bytes.length): Fields {
    if (place.depth > depthMax) throw new TooMuch("levels");
    if (++this.#seen > partsMax) throw new TooMuch("parts");
    const { fields, body } = readFields(source.text, start, end);
    this.#headersBytes += body - start;
    if (this.#headersBytes > headersBytesMax) throw new TooMuch("headers");
    const kind = readStructured(fields.get("content-type"));
    const named = typeOf(kind.value, place.defaultType);
    const type = place.depth === 0 && beginsParted(source.text, body, end) ? partedType(named) : named;
    if (type.startsWith("multipart/") && this.#readSections(source, place, kind, type, body, end))
      return fields;
    const transfer = transferOf(fields.get("content-transfer-encoding") ?? "");
    const part = {
      fields,
      type: type.startsWith("multipart/") ? guessType(source.text, body, end) : type,
      parameters: kind.parameters,
      disposition: readStructured(fields.get("content-disposition")),
      body: source.bytes.subarray(body, end),
      transfer,
      choice: place.choice,
      isWhole: place.depth === 0,
    };
    if (!this.#readSigned(part, place)) this.parts.push(part);
    return fields;
  }

  #readSections(
    source: Source,
    place: Place,
    kind: Structured,
    type: string,
    body: number,
    end: number,
  ): boolean {
    const sections = sectionsOf(source.text.slice(body, end), kind.parameters.get("boundary"), this.#looks);
    const inside = {
      ...place,
      depth: place.depth + 1,
      defaultType: type === "multipart/digest" ? "message/rfc822" : "text/plain",
      choice: place.choice ?? (type === "multipart/alternative" ? kind : undefined),
    };
    for (const [first, last] of sections) this.read(source, inside, body + first, body + last);
    return sections.length > 0;
  }

  #readSigned(part: Part, place: Place): boolean {
    if (!/^application\/(?:x-)?pkcs7-mime$/.test(part.type)) return false;
    const signed = signedContent(decodeBody(part.body, part.transfer, signedBytesMax));
    if (!signed) return false;
    this.read(sourceOf(signed), { ...place, depth: place.depth + 1 });
    return true;
  }
}

/** The type of a part; some mailers shorten its name. */
function typeOf(value: string, defaultType: string): string {
  if (value === "" || value === "text" || value === "text/" || value === "plain") return defaultType;
  if (value === "html") return "text/html";
  return value.includes("/") ? value : defaultType;
}

const partedType = (named: string) => (named.startsWith("multipart/") ? named : "multipart/alternative");

/** Whether a text begins with a part: the field that says so was lost, or another one stands above it. */
const beginsParted = (text: string, start: number, end: number) =>
  text
    .slice(start, start + 20)
    .trimStart()
    .startsWith("--") &&
  /^\s*--[!-~]{1,200}[ \t]*\r?\ncontent-type:/i.test(text.slice(start, Math.min(end, start + 500)));

const guessType = (text: string, start: number, end: number) =>
  /<(?:html|body|!doctype html)\b/i.test(text.slice(start, Math.min(end, start + 1_000)))
    ? "text/html"
    : "text/plain";

type Section = readonly [start: number, end: number];

const boundaryLengthMax = 200;

interface Looks {
  left: number;
}

/** The sections of a multipart. Searches only its own region: many unended multiparts would each cost the whole letter. */
function sectionsOf(region: string, named: string | undefined, looks: Looks): Section[] {
  const boundary = named?.trimEnd() ?? "";
  const isUsable = boundary !== "" && boundary.length <= boundaryLengthMax;
  const sections = isUsable ? sectionsBy(boundary, region, looks) : [];
  if (sections.length > 0) return sections;
  const guessed = guessBoundary(region);
  return guessed === undefined ? [] : sectionsBy(guessed, region, looks);
}

function sectionsBy(boundary: string, region: string, looks: Looks): Section[] {
  const mark = `--${boundary}`;
  const sections: Section[] = [];
  let open: number | undefined;
  for (let at = dashes(region, -1); at >= 0; at = dashes(region, at)) {
    if (--looks.left < 0) throw new TooMuch("boundaries");
    if (!region.startsWith(mark, at)) continue;
    const found = region.indexOf("\n", at);
    const lineEnd = found < 0 ? region.length : found;
    const rest = region.slice(at + mark.length, Math.min(lineEnd, at + mark.length + 200)).trim();
    // Another boundary may begin with this one.
    if (rest !== "" && rest !== "--") continue;
    if (open !== undefined) sections.push([open, beforeNewline(region, open, at)]);
    if (sections.length > partsMax) throw new TooMuch("parts");
    open = rest === "--" ? undefined : Math.min(lineEnd + 1, region.length);
    if (open === undefined) break;
  }
  if (open !== undefined) sections.push([open, withoutEnd(region, `${mark}--`)]);
  return sections;
}

/** Some mailers forget the line break before the end of a multipart. */
function withoutEnd(region: string, end: string): number {
  const tail = region.slice(-end.length - 100).trimEnd();
  return tail.endsWith(end) ? region.lastIndexOf(end) : region.length;
}

/** The next line that begins with two dashes; -1 when none does. */
function dashes(region: string, after: number): number {
  if (after < 0 && region.startsWith("--")) return 0;
  const found = region.indexOf("\n--", Math.max(after, 0));
  return found < 0 ? -1 : found + 1;
}

/** The line end before a boundary belongs to it (RFC 2046 §5.1.1). */
function beforeNewline(region: string, open: number, at: number): number {
  if (at - 1 < open) return open;
  return at - 2 >= open && region[at - 2] === "\r" ? at - 2 : at - 1;
}

const candidatesMax = 20;
const guessedBytesMax = 64 * 1024;

/** The boundary of a multipart that names none or a wrong one: a line of two dashes and more that repeats. */
function guessBoundary(region: string): string | undefined {
  const start = region.slice(0, guessedBytesMax);
  let at = dashes(start, -1);
  for (let tried = 0; tried < candidatesMax && at >= 0; tried++) {
    const name = /^--([!-~]{1,200})[ \t]*\r?$/.exec(start.slice(at, start.indexOf("\n", at)))?.[1];
    if (name !== undefined && !/^-*$/.test(name) && start.includes(`\n--${name}`, at + name.length))
      return name;
    at = dashes(start, at);
  }
  return undefined;
}
