// Inlines a letter's own pictures into its HTML as data, so that showing it loads nothing.
import { decodeHTMLAttribute } from "entities/decode";
import { decodeBody, decodedSize } from "./mime.transfer.ts";
import type { Part } from "./mime.parts.ts";

const pictureBytesMax = 256 * 1024;
const picturesMax = 100;
const referenceLengthMax = 400;

export interface Pictured {
  readonly html: string;
  readonly shown: ReadonlySet<Part>;
}

export function placePictures(html: string, parts: readonly Part[]): Pictured {
  const named = namesOf(parts);
  const gallery = new Gallery();
  if (named.size === 0 && !/cid:/i.test(html)) return { html, shown: gallery.shown };
  const put = (whole: string, before: string, address: string, after = ""): string => {
    const name = nameIn(address);
    const part = named.get(name);
    if (part) return `${before}${gallery.take(part)}${after}`;
    return /^cid:/i.test(address) ? `${before}${after}` : whole;
  };
  const placed = html
    .replaceAll(quotedPattern, (whole, before: string, quote: string, address: string) =>
      put(whole, before + quote, address, quote),
    )
    .replaceAll(barePattern, (whole, before: string, address: string) => put(whole, before, address))
    .replaceAll(stylePattern, (whole, before: string, address: string) => put(whole, before, address));
  return { html: placed, shown: gallery.shown };
}

// Bounded in length, so that an open quote costs a few hundred characters at most.
const attributes = String.raw`(?<=[\s"'/])(?:src|background|poster)\s{0,5}=\s{0,5}`;
const quotedPattern = new RegExp(
  String.raw`(${attributes})(["'])\s{0,5}((?:(?!\2)[^<>\n]){1,${referenceLengthMax}}?)\s{0,5}\2`,
  "gi",
);
const barePattern = new RegExp(String.raw`(${attributes})([^\s"'<>]{1,${referenceLengthMax}})`, "gi");
const stylePattern = new RegExp(
  String.raw`(url\(\s{0,5}(?:["']|&quot;|&#39;)?)([^\s"'()<>]{1,${referenceLengthMax}}?)(?=(?:["']|&quot;|&#39;)?\s{0,5}\))`,
  "gi",
);

/** A reference without scheme, entities and percent signs, as parts are named. */
function nameIn(address: string): string {
  const plain = decodeHTMLAttribute(address).trim();
  const name = plain.replace(/^cid:/i, "");
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    // A percent sign that escapes nothing stays.
    return name.toLowerCase();
  }
}

function namesOf(parts: readonly Part[]): Map<string, Part> {
  const named = new Map<string, Part>();
  for (const part of parts) {
    const id = part.fields.get("content-id")?.replaceAll(/[<>\s]/g, "");
    const location = part.fields.get("content-location")?.replaceAll(/\s/g, "");
    for (const name of [id, location])
      if (name !== undefined && name !== "" && !named.has(nameIn(name))) named.set(nameIn(name), part);
  }
  return named;
}

class Gallery {
  readonly shown = new Set<Part>();
  readonly #made = new Map<Part, string>();
  #bytes = 0;
  #count = 0;

  /** The data address of a picture; "" for no picture, or beyond the bounds. */
  take(part: Part): string {
    const address = this.#made.get(part) ?? this.#make(part);
    this.#made.set(part, address);
    const bytes = (address.length * 3) / 4;
    if (address === "" || this.#count >= picturesMax || this.#bytes + bytes > pictureBytesMax) return "";
    this.#count++;
    this.#bytes += bytes;
    this.shown.add(part);
    return address;
  }

  #make(part: Part): string {
    if (part.body.length > pictureBytesMax * 3) return "";
    if (decodedSize(part.body, part.transfer) > pictureBytesMax - this.#bytes) return "";
    const bytes = decodeBody(part.body, part.transfer, part.body.length);
    const type = typeOfPicture(bytes);
    return type === undefined ? "" : `data:${type};base64,${bytes.toString("base64")}`;
  }
}

/** The type by the first bytes, whatever the header says; only types that carry no script. */
function typeOfPicture(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 16);
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "image/webp";
  return head.startsWith("BM") && bytes.length > 26 ? "image/bmp" : undefined;
}
