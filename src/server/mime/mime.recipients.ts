// For whom a letter says that it is.
import { domainToASCII } from "node:url";
import { readAuthors, readFields } from "./mime.headers.ts";

/** The sender's word, then what the server was told, then what it made of it: an alias may have become its login there. */
const levels: readonly (readonly string[])[] = [
  ["to", "cc", "bcc"],
  ["x-original-to", "envelope-to", "x-envelope-to"],
  ["delivered-to", "x-delivered-to", "received"],
];
const headBytesMax = 256 * 1024;
/** Longer is a list of readers, not a letter for one. */
const fieldLengthMax = 4_000;
const addressesMax = 100;
const fieldPattern = /^([\w-]{2,20})[ \t]*:((?:[^\r\n]|\r?\n[ \t])*)/gm;

/** The addresses that a letter names, in lower case: by the sender's fields, by the server's for the envelope, by those for the delivery. */
export function recipientsIn(raw: Uint8Array): readonly (readonly string[])[] {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, headBytesMax));
  const text = bytes.toString("latin1");
  const { body } = readFields(text, 0, text.length);
  const named = levels.map(() => new Set<string>());
  for (const [, field = "", value = ""] of text.slice(0, body).matchAll(fieldPattern)) {
    const name = field.toLowerCase();
    const level = named[levels.findIndex((names) => names.includes(name))];
    if (!level || value.length > fieldLengthMax) continue;
    for (const address of name === "received" ? receiversIn(value) : addressesIn(value))
      if (level.size < addressesMax) level.add(address);
  }
  return named.map((level) => [...level]);
}

const addressesIn = (value: string): string[] =>
  readAuthors(value.replaceAll(/\r?\n/g, "")).flatMap(({ address }) => normal(address));

/** "Received: … for <address>; …" (RFC 5321 §4.4). */
const receiversIn = (value: string): string[] => normal(/\sfor\s+<?([^\s<>;()]+)>?/i.exec(value)?.[1] ?? "");

/** As the stock writes addresses. `"user"@` is `user@` (RFC 5321 §4.1.2). */
function normal(address: string): string[] {
  const at = address.lastIndexOf("@");
  const domain = domainToASCII(address.slice(at + 1))
    .toLowerCase()
    .replace(/\.$/, "");
  const part = address.slice(0, Math.max(at, 0)).toLowerCase();
  const local = /^"(.*)"$/s.exec(part)?.[1]?.replaceAll(/\\(.)/gs, "$1") ?? part;
  return local === "" || domain === "" ? [] : [`${local}@${domain}`];
}
