// Decodes bytes by the charset that a letter names, which may be wrong or missing.
import { isAscii, isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";

/** Names that TextDecoder does not know, but whose bytes it can read. */
const alike: Record<string, string> = {
  "unicode-1-1-utf-8": "utf-8",
  utf8mb4: "utf-8",
  "utf-8-sig": "utf-8",
  cp65001: "utf-8",
  eucjp: "euc-jp",
  cp51932: "euc-jp",
  shiftjis: "shift_jis",
  cp932: "shift_jis",
  "iso-2022-jp-1": "iso-2022-jp",
  "iso-2022-jp-2": "iso-2022-jp",
  "iso-2022-jp-ms": "iso-2022-jp",
  cp50220: "iso-2022-jp",
  cp50221: "iso-2022-jp",
  cp50222: "iso-2022-jp",
  cp936: "gbk",
  euckr: "euc-kr",
  cp949: "euc-kr",
  uhc: "euc-kr",
  cp950: "big5",
  cp874: "windows-874",
  "ansi-x3.110-1983": "windows-1252",
  "unicode-1-1": "utf-16be",
  cp1200: "utf-16le",
  cp1201: "utf-16be",
};

/** Charsets that shift between ASCII and another set with bytes below 128, by that other set. */
const shifting: Record<string, string> = {
  "iso-2022-kr": "euc-kr",
  "iso-2022-cn": "gbk",
  "iso-2022-cn-ext": "gbk",
  "hz-gb-2312": "gbk",
};
const sevenBit = new Set(["utf-7", "unicode-1-1-utf-7", "x-unicode-1-1-utf-7", "csunicode11utf7"]);

const decoders = new Map<string, TextDecoder | undefined>();
const decodersMax = 200;

/** Undefined for a name that says nothing about the bytes. */
function decoderOf(name: string): TextDecoder | undefined {
  if (decoders.has(name)) return decoders.get(name);
  const tidy = name.replaceAll("_", "-");
  const bare = tidy.replace(/^(?:x-|cs)/, "");
  const page = /^(?:x-|ms-?|ibm-?|win(?:dows)?-?|cp-?)*(\d{3,5})$/.exec(tidy)?.[1];
  const candidates = [
    name,
    tidy,
    bare,
    `cp${page}`,
    `windows-${page}`,
    bare.replace(/^iso-?8859-?/, "iso-8859-"),
  ];
  const found = candidates.flatMap((label) => makeDecoder(alike[label] ?? label) ?? [])[0];
  if (decoders.size < decodersMax) decoders.set(name, found);
  return found;
}

function makeDecoder(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    // Unknown encoding: the next candidate, or a guess.
    return undefined;
  }
}

/** Decodes bytes. Guesses a charset that is missing, unknown or plainly wrong. */
export function decodeText(bytes: Buffer, charset: string | undefined, fallback?: string): string {
  const name = nameOf(charset);
  if (sevenBit.has(name)) return decodeUtf7(bytes.toString("latin1"));
  if (name in shifting) return decodeShifting(bytes, shifting[name] ?? "");
  const declared = name === "" || name === "us-ascii" || name === "ascii" ? undefined : decoderOf(name);
  const isWide = declared?.encoding.startsWith("utf-16") ?? false;
  if (!isWide && isAscii(bytes)) return decodeAscii(bytes, declared);
  if (hasMark(bytes)) return decodeMarked(bytes);
  if (isWide && declared) return declared.decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  // Valid UTF-8 is never Latin by chance, whatever the letter declares.
  if ((!declared || declared.encoding === "utf-8" || declared.encoding === "windows-1252") && isUtf8(bytes))
    return bytes.toString("utf8");
  if (declared && declared.encoding !== "utf-8") return declared.decode(bytes);
  const other = fallback === undefined ? undefined : decoderOf(nameOf(fallback));
  if (other && other.encoding !== "utf-8") return other.decode(bytes);
  return isMostlyUtf8(bytes, declared ? 8 : 0) ? bytes.toString("utf8") : decodeGuessed(bytes);
}

const nameOf = (charset: string | undefined) =>
  (charset ?? "")
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/["'\s]/g, "")
    .replace(/[;*].*$/, "");

const escape = 0x1b;
/** The first escape sequences of ISO-2022-JP (RFC 1468). */
const toJapanese = ["\u001b$@", "\u001b$B"];

function decodeAscii(bytes: Buffer, declared: TextDecoder | undefined): string {
  if (
    declared?.encoding === "iso-2022-jp" ||
    (bytes.includes(escape) && toJapanese.some((sequence) => bytes.includes(sequence, 0, "latin1")))
  )
    return decoderOf("iso-2022-jp")?.decode(bytes) ?? bytes.toString("latin1");
  return bytes.toString("latin1");
}

const hasMark = (bytes: Buffer) =>
  (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) ||
  (bytes[0] === 0xff && bytes[1] === 0xfe) ||
  (bytes[0] === 0xfe && bytes[1] === 0xff);

function decodeMarked(bytes: Buffer): string {
  const name = bytes[0] === 0xef ? "utf-8" : bytes[0] === 0xff ? "utf-16le" : "utf-16be";
  return new TextDecoder(name).decode(bytes);
}

/** Whether broken UTF-8 was meant to be: most bytes outside ASCII decode. */
function isMostlyUtf8(bytes: Buffer, brokenMin: number): boolean {
  const text = bytes.subarray(0, 100_000).toString("utf8");
  const broken = text.split("\ufffd").length - 1;
  const foreign = text.length - text.replaceAll(/[^\0-\x7f\ufffd]/g, "").length;
  return broken <= Math.max(foreign * 2, brokenMin);
}

/** Guesses eight-bit text: Cyrillic has whole words of high bytes, Latin single ones among ASCII. */
function decodeGuessed(bytes: Buffer): string {
  let high = 0;
  let together = 0;
  let early = 0;
  for (let at = 0; at < Math.min(bytes.length, 20_000); at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80) continue;
    high++;
    if ((bytes[at - 1] ?? 0) >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80) together++;
    if (byte >= 0xc0 && byte < 0xe0) early++;
  }
  // Most letters are small: the upper half in windows-1251, the lower half in KOI8.
  const cyrillic = early > high / 2 ? "koi8-r" : "windows-1251";
  const name = together > high * 0.75 && high > 2 ? cyrillic : "windows-1252";
  return decoderOf(name)?.decode(bytes) ?? bytes.toString("latin1");
}

/** ISO-2022-KR, ISO-2022-CN and HZ: between the shifts is the other set without its high bits. */
function decodeShifting(bytes: Buffer, set: string): string {
  const out = Buffer.alloc(bytes.length);
  let used = 0;
  let isShifted = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const next = bytes[at + 1];
    if (byte === escape && next === 0x24) at += 3;
    else if (byte === 0x0e || (byte === 0x7e && next === 0x7b)) isShifted = true;
    else if (byte === 0x0f || (byte === 0x7e && next === 0x7d)) isShifted = false;
    else if (byte === 0x7e && (next === 0x7e || next === 0x0a)) continue;
    else {
      if (byte === 0x0a) isShifted = false;
      out[used++] = isShifted && byte > 0x20 ? byte | 0x80 : byte;
      continue;
    }
    if (byte === 0x7e) at++;
  }
  return decoderOf(set)?.decode(out.subarray(0, used)) ?? "";
}

/** RFC 2152. */
function decodeUtf7(source: string): string {
  return source.replaceAll(/\+([A-Za-z0-9+/]*)-?/g, (_all, encoded: string) => {
    if (encoded === "") return "+";
    const wide = Buffer.from(encoded, "base64");
    const even = wide.subarray(0, wide.length - (wide.length % 2));
    return new TextDecoder("utf-16be").decode(even);
  });
}

export function charsetInHtml(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 4_096).toString("latin1");
  return /<meta[^>]{0,300}charset\s{0,5}=\s{0,5}["']?([\w:-]{2,40})/i.exec(head)?.[1];
}
