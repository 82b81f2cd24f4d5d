// Parses hostile and broken letters: everything is bounded, nothing throws.
import { isUtf8 } from "node:buffer";
import { domainToASCII } from "node:url";
import { turningMarks } from "../../i18n/direction.ts";
import { registrable } from "../platform/registrable.ts";
import { fileNameOf, isLetter, listAttachments, type Attachment } from "./mime.attachments.ts";
import { placePictures } from "./mime.images.ts";
import { charsetInHtml, decodeText } from "./mime.charset.ts";
import { decodeValue, readAuthors, readFields, readStructured, type Fields } from "./mime.headers.ts";
import { takeApart, TooMuch, type Letter, type Part } from "./mime.parts.ts";
import { plainToHtml, readEnriched, unflow } from "./mime.text.ts";
import { decodeBody, takeEnclosed, type Enclosed } from "./mime.transfer.ts";
import type { Link } from "./mime.links.ts";
import { renderHtml, renderPlain, type Prominent } from "./mime.render.ts";

export type { Link } from "./mime.links.ts";
export type { Prominent } from "./mime.render.ts";
export { recipientsIn } from "./mime.recipients.ts";

/** Every string is valid UTF-8 without NUL. */
export interface Parsed {
  /** As people read it: "Name <address>", or the address alone. */
  sender: string;
  /** The registrable domain of the From address; "" when there is none. */
  senderDomain: string;
  /** Registrable domains of further authors in From; none where Sender is of the first one's (RFC 5322 §3.6.2). */
  otherAuthors: readonly string[];
  /** Registrable domains with a valid DKIM signature. Empty until signatures are checked. */
  dkimDomains: readonly string[];
  subject: string;
  html: string | undefined;
  /** Rendered from the HTML where it shows anything, else the plain part. */
  text: string;
  /** It may hold what the HTML has only in pictures. */
  plain: string;
  links: readonly Link[];
  unseen: string;
  prominent: readonly Prominent[];
  attachments: readonly Attachment[];
}

const textBytesMax = 2 * 1024 * 1024;
const senderLengthMax = 400;
const subjectLengthMax = 1_000;
const bodyLengthMax = 2_000_000;
const nestedMax = 20;
const sourceBytesMax = 200_000;

/** Never throws: a letter beyond the bounds (headers, depth, parts) becomes text of its raw bytes, with sender and subject if found. */
export function parseLetter(raw: Uint8Array): Parsed {
  try {
    return fromLetter(takeApart(raw));
  } catch (fault) {
    if (fault instanceof TooMuch) return parseSource(raw);
    throw fault;
  }
}

export function parseSource(raw: Uint8Array): Parsed {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, sourceBytesMax));
  const { fields } = readFields(bytes.toString("latin1"), 0, bytes.length);
  const plain = storable(decodeText(bytes, "utf-8").replaceAll("\r\n", "\n"), bodyLengthMax);
  return { ...headOf(fields), dkimDomains: [], ...bodyOf(undefined, plain), attachments: [] };
}

function fromLetter({ fields, parts }: Letter): Parsed {
  const texts = new Texts();
  const files = parts.filter((part) => !texts.take(part));
  // A letter of files alone is read in them, or of files and blank lines.
  if (texts.isBlank) files.find((part) => texts.takeFile(part));
  if (texts.isBlank) for (const part of files.slice(0, nestedMax)) texts.takeNested(part);
  const { html, plain } = texts.join();
  const body = bodyOf(html, plain);
  // After the text is rendered: no codes are searched in pictures.
  const pictured = body.html === undefined ? undefined : placePictures(body.html, files);
  const listed = files.filter((part) => !pictured?.shown.has(part));
  return {
    ...headOf(fields),
    dkimDomains: [],
    ...body,
    html: pictured?.html,
    attachments: listAttachments(listed, texts.enclosed),
  };
}

function headOf(fields: Fields): Pick<Parsed, "sender" | "senderDomain" | "otherAuthors" | "subject"> {
  const charset = readStructured(fields.get("content-type")).parameters.get("charset");
  const authors = readAuthors(fields.get("from"), charset);
  const [agent] = authors.length === 1 ? [] : readAuthors(fields.get("sender"), charset);
  const found = authors[0] ?? agent;
  // A name must not disguise the address behind it.
  const address = oneLine((found?.address ?? "").replaceAll(turningMarks, ""), senderLengthMax);
  const name = oneLine((found?.name ?? "").replaceAll(turningMarks, ""), senderLengthMax);
  const senderDomain = domainOf(address);
  const others = agent && domainOf(agent.address) === senderDomain ? [] : authors.slice(1);
  const otherAuthors = new Set(others.map((other) => domainOf(other.address)));
  return {
    sender: name === "" || name === address ? address : address === "" ? name : `${name} <${address}>`,
    senderDomain,
    otherAuthors: [...otherAuthors].filter((domain) => domain !== "" && domain !== senderDomain),
    // Turned around, the digits of a subject read as another code.
    subject: oneLine(
      decodeValue(fields.get("subject") ?? "", charset).replaceAll(turningMarks, ""),
      subjectLengthMax,
    ),
  };
}

/** The registrable domain of an address; "" when it has none. */
const domainOf = (address: string) =>
  address.includes("@")
    ? (registrable(domainToASCII(address.slice(address.lastIndexOf("@") + 1))) ?? "")
    : "";

const asPlain = new Set(["text/plain", "text/markdown", "text/x-markdown"]);
/** Read only without other text: an old text format beside a plain one, and reports for programs. */
const spare = new Set([
  "text/enriched",
  "text/richtext",
  "text/rfc822-headers",
  "message/delivery-status",
  "message/disposition-notification",
]);
/** The same text once more, for programs with another way to show it. */
const ignored = new Set(["text/x-amp-html"]);

class Texts {
  readonly enclosed: Enclosed[] = [];
  readonly #blocks = new Map<object, { plain: string[]; html: string[] }>();
  #bytesLeft = textBytesMax;

  get isEmpty(): boolean {
    return this.#blocks.size === 0;
  }

  /** Whether nothing but blanks was read; HTML may show pictures. */
  get isBlank(): boolean {
    return [...this.#blocks.values()].every(
      ({ plain, html }) => html.length === 0 && plain.every((text) => !/\S/.test(text)),
    );
  }

  take(part: Part): boolean {
    if (ignored.has(part.type)) return true;
    // A named text behind the first one is a file: some mail programs show it, others list it.
    const isFile = part.type === "text/plain" && !this.isEmpty && !part.choice && fileNameOf(part) !== "";
    const isShown = part.disposition.value !== "attachment" && part.transfer !== "uuencode" && !isFile;
    if (isShown && part.type === "text/html") this.#block(part).html.push(this.#read(part, true));
    else if (isShown && (asPlain.has(part.type) || (part.isWhole && part.type.startsWith("text/"))))
      this.#block(part).plain.push(this.#readPlain(part));
    else return false;
    return true;
  }

  takeFile(part: Part): boolean {
    if (part.type === "text/html" || /\.html?$/i.test(fileNameOf(part)))
      this.#block(part).html.push(this.#read(part, true));
    else if (asPlain.has(part.type) || spare.has(part.type))
      this.#block(part).plain.push(this.#readPlain(part));
    else return false;
    return true;
  }

  takeNested(part: Part): void {
    if (!isLetter(part.type)) return;
    const { fields, parts } = takeApart(decodeBody(part.body, part.transfer, this.#bytesLeft));
    const heading = ["from", "subject", "date"].flatMap((name) => {
      const value = fields.get(name);
      return value === undefined
        ? []
        : `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${decodeValue(value)}`;
    });
    this.#block(part).plain.push(`${heading.join("\n")}\n`);
    for (const inner of parts) this.take(inner);
  }

  join(): { html: string | undefined; plain: string } {
    const blocks = [...this.#blocks.values()];
    const hasHtml = blocks.some(({ html }) => html.some((text) => text.trim() !== ""));
    const hasPlain = blocks.some(({ plain }) => plain.length > 0);
    const html = blocks.map((block) =>
      block.html.length > 0 ? block.html.join("<br/>\n") : plainToHtml(block.plain.join("\n")),
    );
    const plain = blocks.map((block) =>
      block.plain.length > 0 ? block.plain.join("\n") : renderHtml(block.html.join("\n")).text,
    );
    return {
      html: hasHtml ? storable(html.join("<br/>\n"), bodyLengthMax) : undefined,
      plain: hasPlain ? storable(plain.join("\n"), bodyLengthMax) : "",
    };
  }

  #block(part: Part): { plain: string[]; html: string[] } {
    const key = part.choice ?? part;
    const block = this.#blocks.get(key) ?? { plain: [], html: [] };
    this.#blocks.set(key, block);
    return block;
  }

  #read(part: Part, isHtml: boolean): string {
    const bytes = decodeBody(part.body, part.transfer, this.#bytesLeft);
    this.#bytesLeft -= Math.min(part.body.length, this.#bytesLeft);
    const charset = part.parameters.get("charset");
    const own = isHtml && (charset === undefined || !isUtf8(bytes)) ? charsetInHtml(bytes) : undefined;
    const text = decodeText(bytes, charset ?? own, own);
    return text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text;
  }

  #readPlain(part: Part): string {
    const text = this.#read(part, false);
    if (part.type === "text/enriched" || part.type === "text/richtext") return readEnriched(text);
    const isFlowed = part.parameters.get("format")?.toLowerCase() === "flowed";
    const whole = isFlowed ? unflow(text, part.parameters.get("delsp")?.toLowerCase() === "yes") : text;
    const { text: rest, files } = takeEnclosed(whole);
    this.enclosed.push(...files);
    return rest;
  }
}

function bodyOf(
  html: string | undefined,
  plain: string,
): Pick<Parsed, "html" | "text" | "plain" | "links" | "unseen" | "prominent"> {
  if (html === undefined || html.trim() === "") return { html: undefined, plain, ...renderPlain(plain) };
  const rendered = renderHtml(html);
  const text = rendered.text === "" ? plain : rendered.text;
  const links = rendered.links.length > 0 ? rendered.links : renderPlain(plain).links;
  const { unseen, prominent } = rendered;
  return { html, plain, text, links, unseen, prominent };
}

/** Text for PostgreSQL: without NUL and lone surrogates, at most `lengthMax` long. */
function storable(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replaceAll("\0", "").toWellFormed();
}

function oneLine(text: string, lengthMax: number): string {
  const flat = text.slice(0, lengthMax * 4).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ");
  return storable(flat.trim(), lengthMax);
}
