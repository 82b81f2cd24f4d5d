// Opening a letter: everything that is found in its bytes alone. No database and no clock, so that it can be done in a thread
// beside the one that speaks SMTP.
import { codeOf, findLink } from "../codes/codes.ts";
import { parseLetter, parseSource, type Parsed } from "../mime/mime.ts";
import { packNow } from "./letters.raw.ts";
import type { Unmatched } from "./letters.sql.ts";

/** What is found in a letter. */
export interface ParsedLetter {
  readonly parsed: Omit<Parsed, "html">;
  /** The HTML as it is stored. */
  readonly html: Uint8Array | undefined;
  readonly code: string | undefined;
  readonly link: string | undefined;
}

/** A letter that is durable, and what is found in it. */
export type Read = Unmatched & ParsedLetter;

/** Reads a letter and finds what its buyer came for. */
export function openLetter(raw: Uint8Array): ParsedLetter {
  const { html, ...parsed } = parseLetter(raw);
  return {
    parsed,
    html: html === undefined ? undefined : packNow(Buffer.from(html)),
    code: codeOf(parsed),
    link: findLink(parsed.links, parsed.subject),
  };
}

/** What is kept of a letter that cannot be opened: its raw bytes as text, in which nothing is looked for. */
export function leaveSealed(raw: Uint8Array): ParsedLetter {
  const { html: _, ...parsed } = parseSource(raw);
  return { parsed: { ...parsed, links: [] }, html: undefined, code: undefined, link: undefined };
}
