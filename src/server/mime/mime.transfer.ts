// Decodes base64, quoted-printable and uuencode, however broken, and computes sizes without decoding.
const isBase64 = new Uint8Array(256);
for (const byte of Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
  isBase64[byte] = 1;
const nibbles = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  nibbles[digit.charCodeAt(0)] = value;
  nibbles[digit.toUpperCase().charCodeAt(0)] = value;
}

const lf = 0x0a;
const cr = 0x0d;
const equals = 0x3d;

export type Transfer = "base64" | "quoted-printable" | "uuencode" | "plain";

export function transferOf(header: string): Transfer {
  const name = header.toLowerCase();
  if (name.includes("base64")) return "base64";
  if (name.includes("quoted-printable")) return "quoted-printable";
  return /\b(?:x-)?uu(?:e|encode)?\b/.test(name) ? "uuencode" : "plain";
}

export function decodeBody(encoded: Buffer, transfer: Transfer, bytesMax: number): Buffer {
  const read = encoded.subarray(0, bytesMax);
  if (transfer === "base64") return decodeBase64(read);
  if (transfer === "quoted-printable") return decodeQuoted(read);
  if (transfer === "uuencode") return decodeUu(read.toString("latin1"));
  return read;
}

export function decodedSize(encoded: Buffer, transfer: Transfer): number {
  if (transfer === "base64") return sizeOfBase64(encoded);
  if (transfer === "quoted-printable") return sizeOfQuoted(encoded);
  if (transfer === "uuencode") return sizeOfUu(encoded.toString("latin1"));
  return encoded.length;
}

function decodeBase64(encoded: Buffer): Buffer {
  const text = encoded.toString("latin1");
  const padding = text.indexOf("=");
  // Some mailers pad each line: the next line is a unit of its own. Ignores the rest of a line behind a padding.
  if (padding < 0 || !text.includes("\n", padding)) return Buffer.from(text, "base64");
  return Buffer.concat(text.split(/=[^\n]*/).map((unit) => Buffer.from(unit, "base64")));
}

function sizeOfBase64(encoded: Buffer): number {
  let digits = 0;
  let size = 0;
  for (const byte of encoded) {
    if (isBase64[byte] === 1) digits++;
    else if (byte === equals) {
      size += Math.floor((digits * 3) / 4);
      digits = 0;
    }
  }
  return size + Math.floor((digits * 3) / 4);
}

/** RFC 2045 §6.7; an invalid escape stays as it is. */
function decodeQuoted(encoded: Buffer): Buffer {
  if (!encoded.includes(equals)) return encoded;
  const out = Buffer.allocUnsafe(encoded.length);
  let used = 0;
  let at = 0;
  while (at < encoded.length) {
    const byte = encoded[at]!;
    if (byte !== equals) {
      out[used++] = byte;
      at++;
      continue;
    }
    const high = nibbles[encoded[at + 1] ?? 0]!;
    const low = nibbles[encoded[at + 2] ?? 0]!;
    const isEscape = high >= 0 && low >= 0;
    const next = isEscape ? at + 3 : softBreak(encoded, at);
    if (isEscape) out[used++] = (high << 4) | low;
    else if (next === 0) out[used++] = equals;
    at = next === 0 ? at + 1 : next;
  }
  return out.subarray(0, used);
}

/** Where the next line begins when the "=" here is a soft line break; 0 when it is not. */
function softBreak(encoded: Buffer, at: number): number {
  let end = at + 1;
  while (end < at + 80 && (encoded[end] === 0x20 || encoded[end] === 0x09)) end++;
  if (end >= encoded.length) return encoded.length;
  if (encoded[end] === cr && encoded[end + 1] === lf) return end + 2;
  return encoded[end] === lf || encoded[end] === cr ? end + 1 : 0;
}

function sizeOfQuoted(encoded: Buffer): number {
  let size = encoded.length;
  for (let at = encoded.indexOf(equals); at >= 0; at = encoded.indexOf(equals, at + 1)) {
    const isEscape = (nibbles[encoded[at + 1] ?? 0] ?? -1) >= 0 && (nibbles[encoded[at + 2] ?? 0] ?? -1) >= 0;
    if (isEscape) size -= 2;
    else size -= Math.max(0, softBreak(encoded, at) - at);
  }
  return size;
}

const uuStart = /^begin [0-7]{3,4} ([^\r\n]{1,255})\r?\n/m;
const lengthOf = (line: string) => (line.charCodeAt(0) - 32) & 63;

function decodeUu(text: string): Buffer {
  const pieces: Buffer[] = [];
  eachUuLine(text, (start, end) => pieces.push(decodeUuLine(text.slice(start, end))));
  return Buffer.concat(pieces);
}

function sizeOfUu(text: string): number {
  let size = 0;
  eachUuLine(text, (start) => (size += (text.charCodeAt(start) - 32) & 63));
  return size;
}

function eachUuLine(text: string, call: (start: number, end: number) => void): void {
  const begin = uuStart.exec(text);
  let at = begin ? begin.index + begin[0].length : 0;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const next = newline < 0 ? text.length : newline;
    const end = text[next - 1] === "\r" ? next - 1 : next;
    if (end <= at || text[at] === "`" || text.startsWith("end", at)) return;
    call(at, end);
    at = next + 1;
  }
}

function decodeUuLine(line: string): Buffer {
  const out = Buffer.alloc(Math.ceil((line.length - 1) / 4) * 3 + 3);
  let used = 0;
  const value = (at: number) => (line.charCodeAt(at) - 32) & 63 || 0;
  for (let at = 1; at < line.length; at += 4) {
    const group = (value(at) << 18) | (value(at + 1) << 12) | (value(at + 2) << 6) | value(at + 3);
    used = out.writeUIntBE(group, used, 3);
  }
  return out.subarray(0, Math.min(lengthOf(line), used));
}

export interface Enclosed {
  readonly name: string;
  readonly size: number;
}

const enclosedMax = 50;

export function takeEnclosed(text: string): { text: string; files: Enclosed[] } {
  const files: Enclosed[] = [];
  let rest = text;
  let kept = "";
  while (files.length < enclosedMax && rest.includes("begin ")) {
    const start = uuStart.exec(rest);
    if (!start) break;
    const body = start.index + start[0].length;
    const end = /^end\r?(?:\n|$)/m.exec(rest.slice(body));
    // Only begins like a file: it is text.
    if (!end || lengthOf(rest.slice(body)) === 0) break;
    files.push({ name: start[1] ?? "", size: sizeOfUu(rest.slice(start.index)) });
    kept += rest.slice(0, start.index);
    rest = rest.slice(body + end.index + end[0].length);
  }
  return { text: kept + rest, files };
}
