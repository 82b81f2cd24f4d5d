// Reads HTML tags as browsers do, however broken; each byte once.
import { decodeHTMLAttribute } from "entities/decode";

export interface Tag {
  name: string;
  isClosing: boolean;
  attributes: ReadonlyMap<string, string>;
  end: number;
}

export function after(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
}

/** Behind a comment, whose end may share the dashes of its start: "<!-->" (HTML Living Standard §13.2.5.43). */
export function afterComment(source: string, from: number): number {
  const end = /--!?>/g;
  end.lastIndex = from;
  return end.test(source) ? end.lastIndex : source.length;
}

export function afterUnread(source: string, tag: Tag): number {
  for (let at = tag.end; ; at += 2) {
    at = source.indexOf("</", at);
    if (at < 0) return source.length;
    const name = source.slice(at + 2, at + 2 + tag.name.length).toLowerCase();
    if (name === tag.name && !isNameByte(source.charCodeAt(at + 2 + name.length)))
      return after(source, ">", at);
  }
}

const isLetter = (byte: number) => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
/** Whether "<" before this byte begins a tag or a comment; else it is text. */
export const isMarkup = (next: number) => isLetter(next) || next === 0x2f || next === 0x21 || next === 0x3f;
const isNameByte = (byte: number) => isLetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** Reads the tag that begins at a "<"; of two attributes of one name the first counts, as in browsers. */
export function readTag(source: string, less: number): Tag {
  const isClosing = source[less + 1] === "/";
  let at = less + (isClosing ? 2 : 1);
  const start = at;
  while (at < source.length && !isSpace(source.charCodeAt(at)) && source[at] !== ">" && source[at] !== "/")
    at++;
  const name = source.slice(start, Math.min(at, start + 40)).toLowerCase();
  // Fast path: most tags have no attributes, and those of closing tags do not count.
  if (source[at] === ">") return { name, isClosing, attributes: none, end: at + 1 };
  if (isClosing) return { name, isClosing, attributes: none, end: after(source, ">", at) };
  const attributes = new Map<string, string>();
  while (at < source.length && source[at] !== ">") {
    const read = readAttribute(source, at);
    if (read.name !== "" && !attributes.has(read.name))
      attributes.set(read.name, read.value.includes("&") ? decodeHTMLAttribute(read.value) : read.value);
    at = read.end;
  }
  return { name, isClosing, attributes, end: at + 1 };
}

const none: ReadonlyMap<string, string> = new Map();

function readAttribute(source: string, from: number): { name: string; value: string; end: number } {
  let at = from;
  if (isSpace(source.charCodeAt(at)) || source[at] === "/") return { name: "", value: "", end: at + 1 };
  const start = at;
  do at++;
  while (
    at < source.length &&
    !isSpace(source.charCodeAt(at)) &&
    source[at] !== "=" &&
    source[at] !== ">" &&
    source[at] !== "/"
  );
  const name = source.slice(start, Math.min(at, start + 40)).toLowerCase();
  while (isSpace(source.charCodeAt(at))) at++;
  if (source[at] !== "=") return { name, value: "", end: at };
  at++;
  while (isSpace(source.charCodeAt(at))) at++;
  const quote = source[at];
  if (quote === '"' || quote === "'") {
    const end = source.indexOf(quote, at + 1);
    const close = end < 0 ? source.length : end;
    return { name, value: source.slice(at + 1, close), end: close + 1 };
  }
  const begin = at;
  while (at < source.length && !isSpace(source.charCodeAt(at)) && source[at] !== ">") at++;
  return { name, value: source.slice(begin, at), end: at };
}
