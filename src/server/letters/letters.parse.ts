import { domainToASCII } from "node:url";
import PostalMime, { addressParser, decodeWords } from "postal-mime";
import type { Address, Email } from "postal-mime";
import { getDomain } from "tldts";
import { renderHtml, renderPlain, type Link } from "./letters.render.ts";

/** A letter as it is matched, stored and shown. Every string is valid UTF-8 without NUL. */
export interface Parsed {
  /** The From as people read it: "Name <address>", or the address alone. */
  sender: string;
  /** The registrable domain of the From address; "" when there is none. */
  senderDomain: string;
  /** Registrable domains with a valid DKIM signature. Empty until signatures are checked. */
  dkimDomains: readonly string[];
  subject: string;
  html: string | undefined;
  /** What a person reads: rendered from the HTML where it shows anything, else the plain part. */
  text: string;
  /** The plain part, which may hold what the HTML has only in pictures. */
  plain: string;
  links: readonly Link[];
  /** What is attached, and was not shown in the text. */
  attachments: readonly Attachment[];
}

/** A file of a letter. */
export interface Attachment {
  readonly name: string;
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}

// What a person reads stands before what is attached.
const readBytesMax = 2 * 1024 * 1024;
const linesMax = 60_000;
const boundaryLinesMax = 2_000;
const headersBytesMax = 256 * 1024;
const nestingDepthMax = 20;
const nestedLettersMax = 2;
const senderLengthMax = 400;
const subjectLengthMax = 1_000;
const bodyLengthMax = 2_000_000;
const rawTextBytesMax = 200_000;

/**
 * Parses a raw letter. Never throws: one that cannot be parsed within the bounds (size of headers, depth, parts, lines) is
 * taken as text from its raw bytes, with sender and subject where they can be found.
 */
export async function parseLetter(whole: Uint8Array): Promise<Parsed> {
  const raw = whole.subarray(0, readBytesMax);
  if (!isWithinBounds(raw)) return parseSource(raw);
  try {
    const email = await PostalMime.parse(raw, {
      maxNestingDepth: nestingDepthMax,
      maxHeadersSize: headersBytesMax,
      maxRfc822NestingDepth: nestedLettersMax,
    });
    return fromEmail(email);
  } catch {
    // The parser gives up on letters that are built to hurt it. The raw bytes are still the letter.
    return parseSource(raw);
  }
}

// The parser's work grows with lines and with parts, so they are counted before it begins.
function isWithinBounds(raw: Uint8Array): boolean {
  let lines = 0;
  let boundaries = 0;
  for (let start = 0, end = 0; end >= 0; start = end + 1) {
    if (raw[start] === 0x2d && raw[start + 1] === 0x2d) boundaries++;
    if (++lines > linesMax || boundaries > boundaryLinesMax) return false;
    end = raw.indexOf(0x0a, start);
  }
  return true;
}

function fromEmail(email: Email): Parsed {
  const html = email.html === undefined ? undefined : storable(email.html, bodyLengthMax);
  const plain = storable(email.text ?? "", bodyLengthMax);
  return {
    ...senderOf(email.from ?? email.sender),
    dkimDomains: [],
    subject: oneLine(email.subject ?? "", subjectLengthMax),
    ...bodyOf(html, plain),
    attachments: [],
  };
}

function bodyOf(html: string | undefined, plain: string): Pick<Parsed, "html" | "text" | "plain" | "links"> {
  if (html === undefined || html.trim() === "") return { html: undefined, plain, ...renderPlain(plain) };
  const rendered = renderHtml(html);
  const text = rendered.text === "" ? plain : rendered.text;
  const links = rendered.links.length > 0 ? rendered.links : renderPlain(plain).links;
  return { html, plain, text, links };
}

function senderOf(from: Address | undefined): Pick<Parsed, "sender" | "senderDomain"> {
  const mailbox = from?.group ? from.group[0] : from;
  const address = oneLine(mailbox?.address ?? "", senderLengthMax);
  const name = oneLine(mailbox?.name ?? "", senderLengthMax);
  const host = domainToASCII(address.slice(address.lastIndexOf("@") + 1));
  const sender = name === "" || name === address ? address : `${name} <${address}>`;
  return { sender, senderDomain: address.includes("@") ? (getDomain(host.toLowerCase()) ?? "") : "" };
}

/** A letter as text from its raw bytes, with sender and subject where they can be found. */
export function parseSource(raw: Uint8Array): Parsed {
  const source = new TextDecoder().decode(raw.subarray(0, rawTextBytesMax)).replaceAll("\r\n", "\n");
  const end = source.indexOf("\n\n");
  const headers = end < 0 ? source : source.slice(0, end);
  const [from] = addressParser(headerOf(headers, "from"), { flatten: true });
  const plain = storable(source, bodyLengthMax);
  return {
    ...senderOf(from),
    dkimDomains: [],
    subject: oneLine(decodeWords(headerOf(headers, "subject")), subjectLengthMax),
    ...bodyOf(undefined, plain),
    attachments: [],
  };
}

/** The value of the first header of a name, its folded lines joined; "" when there is none. */
function headerOf(headers: string, name: string): string {
  const lines = headers.split("\n", 5_000);
  const first = lines.findIndex((line) => line.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  if (first < 0) return "";
  const rest = lines.slice(first + 1, first + 50);
  const folded = rest.findIndex((line) => !line.startsWith(" ") && !line.startsWith("\t"));
  const value = [
    (lines[first] ?? "").slice(name.length + 1),
    ...rest.slice(0, folded < 0 ? rest.length : folded),
  ];
  return value.join(" ").slice(0, 10_000).trim();
}

/** A text as PostgreSQL takes it: without NUL, without halves of surrogate pairs, and not longer than it may be. */
function storable(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replaceAll("\0", "").toWellFormed();
}

function oneLine(text: string, lengthMax: number): string {
  const flat = text.slice(0, lengthMax * 4).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ");
  return storable(flat.trim(), lengthMax);
}
