// Decodes bytes by the charset that a letter names, which may be wrong or missing.
import { isAscii, isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import { codePage, type Decoder } from "./mime.codepages.ts";

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

const decoders = new Map<string, Decoder | undefined>();
const decodersMax = 200;

/** Undefined for a name that says nothing about the bytes. */
function decoderOf(name: string): Decoder | undefined {
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
    `ibm${page}`,
    bare.replace(/^iso-?8859-?/, "iso-8859-"),
  ];
  const found = candidates.flatMap((label) => makeDecoder(alike[label] ?? label) ?? [])[0];
  if (decoders.size < decodersMax) decoders.set(name, found);
  return found;
}

function makeDecoder(label: string): Decoder | undefined {
  const page = codePage(label);
  if (page) return page;
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
  const isShifting = name in shifting || sevenBit.has(name);
  if (isShifting && (isAscii(bytes) || !isUtf8(bytes))) return decodeShifted(bytes, name);
  const declared = isShifting || isAsciiName(name) ? undefined : decoderOf(name);
  const isWide = declared?.encoding.startsWith("utf-16") ?? false;
  if (isWide && isNarrow(bytes)) return bytes.toString("utf8");
  if (!isWide && isAscii(bytes)) return decodeAscii(bytes, declared);
  if (hasMark(bytes)) return decodeMarked(bytes);
  if (isWide && declared) return declared.decode(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  // Valid UTF-8 is never Latin or Japanese in seven bits by chance, whatever the letter declares.
  if ((!declared || likelyUtf8.has(declared.encoding)) && isUtf8(bytes)) return bytes.toString("utf8");
  if (declared && declared.encoding !== "utf-8" && !isNot(declared, bytes))
    return decodeDeclared(bytes, declared);
  const other = fallback === undefined ? undefined : decoderOf(nameOf(fallback));
  const second = other?.encoding === "utf-8" ? undefined : other;
  return second && !declared ? second.decode(bytes) : decodeUnknown(bytes, declared, second);
}

const wideBytesMin = 40;

/** Text in UTF-16 has zero bytes, at its line ends if nowhere else; a few letters may have none. */
const isNarrow = (bytes: Buffer) => bytes.length > wideBytesMin && !bytes.includes(0) && isUtf8(bytes);

const likelyUtf8 = new Set(["utf-8", "windows-1252", "iso-2022-jp"]);
const isAsciiName = (name: string) => name === "" || name === "us-ascii" || name === "ascii";

/** ISO-2022-JP has seven bits (RFC 1468); some mailers add half-width kana in eight. */
const isNot = ({ encoding }: Decoder, bytes: Buffer) => encoding === "iso-2022-jp" && !bytes.includes(escape);

function decodeDeclared(bytes: Buffer, declared: Decoder): string {
  if (declared.encoding === "iso-2022-jp") return decodeJapanese(bytes);
  const text = declared.decode(bytes);
  return declared.encoding === "iso-8859-8" ? inReadingOrder(text) : text;
}

/** Whether the words of this charset begin and end in ASCII and shift between (RFC 1468, 1557, 1922, 2152). */
export function hasStates(charset: string): boolean {
  const name = nameOf(charset);
  return name in shifting || sevenBit.has(name) || decoderOf(name)?.encoding === "iso-2022-jp";
}

/** Whether bytes of a charset with states go on where others were cut off: they first shift back to ASCII. */
export function beginsShifted(bytes: Buffer): boolean {
  const at = bytes.findIndex((byte) => [escape, shiftOut, shiftIn, tilde].includes(byte));
  if (bytes[at] === escape) return bytes[at + 1] === 0x28;
  return bytes[at] === shiftIn || (bytes[at] === tilde && bytes[at + 1] === 0x7d);
}

const escape = 0x1b;
const shiftOut = 0x0e;
const shiftIn = 0x0f;
const tilde = 0x7e;

function decodeShifted(bytes: Buffer, name: string): string {
  if (sevenBit.has(name)) return decodeUtf7(bytes.toString("latin1"));
  return decodeShifting(bytes, shifting[name] ?? "");
}

const nameOf = (charset: string | undefined) =>
  (charset ?? "")
    .slice(0, 60)
    .toLowerCase()
    .replaceAll(/["'\s]/g, "")
    .replace(/[;*].*$/, "");

/** The first escape sequences of ISO-2022-JP (RFC 1468). */
const toJapanese = ["\u001b$@", "\u001b$B"];

function decodeAscii(bytes: Buffer, declared: Decoder | undefined): string {
  if (
    declared?.encoding === "iso-2022-jp" ||
    (bytes.includes(escape) && toJapanese.some((sequence) => bytes.includes(sequence, 0, "latin1")))
  )
    return decodeJapanese(bytes);
  return bytes.toString("latin1");
}

const seam = new RegExp(String.raw`${"\u001b"}(?:\([BIJ]|\$[@B])(?=${"\u001b"}[($])`, "g");

/** TextDecoder takes an escape sequence right behind another for an attack; pieces that were joined have such seams. */
function decodeJapanese(bytes: Buffer): string {
  const seamless = bytes.toString("latin1").replaceAll(seam, "");
  return decoderOf("iso-2022-jp")?.decode(Buffer.from(seamless, "latin1")) ?? seamless;
}

const hasMark = (bytes: Buffer) =>
  (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) ||
  (bytes[0] === 0xff && bytes[1] === 0xfe) ||
  (bytes[0] === 0xfe && bytes[1] === 0xff);

function decodeMarked(bytes: Buffer): string {
  const name = bytes[0] === 0xef ? "utf-8" : bytes[0] === 0xff ? "utf-16le" : "utf-16be";
  return new TextDecoder(name).decode(bytes);
}

/** Broken UTF-8 is what was meant where some bytes outside ASCII decode, and most or all but a few. */
function decodeUnknown(bytes: Buffer, declared: Decoder | undefined, second: Decoder | undefined): string {
  const text = bytes.subarray(0, 100_000).toString("utf8");
  const broken = text.split("\ufffd").length - 1;
  const foreign = text.length - text.replaceAll(/[^\0-\x7f\ufffd]/g, "").length;
  const pairs = broken > foreign ? easternOf(bytes) : undefined;
  if (pairs) return pairs.decode(bytes);
  const isMeant = foreign > 0 && broken <= Math.max(foreign * 2, declared?.encoding === "utf-8" ? 8 : 0);
  if (isMeant) return bytes.toString("utf8");
  return second ? second.decode(bytes) : decodeGuessed(bytes);
}

/** Pairs of bytes, and those that nearly all text of this charset is made of: kana, Hangul, the usual ideographs. */
const eastern = [
  {
    label: "shift_jis",
    pair: /[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]/g,
    usual: /^(?:\x82[\x9f-\xf1]|\x83)/,
    least: 0.3,
  },
  { label: "euc-jp", pair: /[\xa1-\xfe]{2}/g, usual: /^[\xa4\xa5]/, least: 0.3 },
  { label: "euc-kr", pair: /[\xa1-\xfe]{2}/g, usual: /^[\xb0-\xc8]/, least: 0.8 },
  {
    label: "gbk",
    pair: /[\x81-\xfe][\x40-\x7e\x80-\xfe]/g,
    usual: /^[\xa1\xa3\xb0-\xd7][\xa1-\xfe]/,
    least: 0.7,
  },
  { label: "big5", pair: /[\xa1-\xf9][\x40-\x7e\xa1-\xfe]/g, usual: /^[\xa1\xa4-\xc6]/, least: 0.8 },
];

/** Text of two bytes a character: whole words of them, in which no byte is left over. */
function easternOf(bytes: Buffer): Decoder | undefined {
  const text = bytes.toString("latin1", 0, 4_000);
  const high = text.length - text.replaceAll(/[\x80-\xff]/g, "").length;
  // Cyrillic in KOI8 has letters of nearly these bytes, but next to none below 0xc0.
  const low = text.length - text.replaceAll(/[\x80-\xbf]/g, "").length;
  if (low < high / 8) return undefined;
  const found = eastern.find(({ label, pair, usual, least }) => {
    const pairs = text.match(pair) ?? [];
    const ordinary = pairs.filter((each) => usual.test(each)).length;
    const isWhole = !decoderOf(label)?.decode(bytes.subarray(0, 4_000)).slice(0, -1).includes("\ufffd");
    return (
      new RegExp(`(?:${pair.source}){3}`).test(text) &&
      ordinary >= pairs.length * least &&
      pairs.join("").length >= high &&
      isWhole
    );
  });
  return found && decoderOf(found.label);
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

const mirrored = new Map(
  ["()", ")(", "[]", "][", "{}", "}{"].map(([sign = "", other = ""]) => [sign, other]),
);
const visualFinal = /[ךםןףץ](?=[א-ת])/g;
const logicalFinal = /(?<=[א-ת])[ךםןףץ](?![א-ת])/g;

/** Old Hebrew mail has each line as it is seen from the left (RFC 1556): there the letters of a word's end stand at its beginning. */
function inReadingOrder(text: string): string {
  if ((text.match(visualFinal)?.length ?? 0) <= (text.match(logicalFinal)?.length ?? 0)) return text;
  return text.replaceAll(/<[^<>]*>|[^<>\r\n]+/g, (line) => (line.startsWith("<") ? line : turned(line)));
}

/** Turns a line around, but no number, Latin word or reference in it. */
function turned(line: string): string {
  const around = Array.from(line, (sign) => mirrored.get(sign) ?? sign)
    .toReversed()
    .join("");
  return around.replaceAll(
    /;[a-z0-9#]{1,8}&|[A-Za-z][^א-ת]*[A-Za-z0-9]|[0-9A-Za-z](?:[^\sא-ת]*[0-9A-Za-z])?/g,
    (word) => Array.from(word).toReversed().join(""),
  );
}

export function charsetInHtml(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 4_096).toString("latin1");
  return /<meta[^>]{0,300}charset\s{0,5}=\s{0,5}["']?([\w:-]{2,40})/i.exec(head)?.[1];
}
