// Parses a letter by its bytes alone: no database and no clock, so that a thread can do it.
import { codeOf, findLink, noCode, type CodeFound } from "../../codes/codes.ts";
import { parseLetter, parseSource, type Parsed } from "../../mime/mime.ts";
import { packNow } from "../letters.raw.ts";
import type { Unmatched } from "../letters.sql.ts";

export interface ParsedLetter {
  readonly parsed: Omit<Parsed, "html" | "prominent">;
  readonly html: Uint8Array | undefined;
  readonly code: CodeFound;
  readonly link: string | undefined;
}

export type Read = Unmatched & ParsedLetter;

export function openLetter(raw: Uint8Array): ParsedLetter {
  const { html, prominent, ...parsed } = parseLetter(raw);
  return {
    parsed,
    html: html === undefined ? undefined : packNow(Buffer.from(html)),
    code: codeOf({ ...parsed, prominent }),
    link: findLink(parsed.links, parsed.subject),
  };
}

/** Keeps a letter that cannot be parsed as text of its raw bytes, without a code. */
export function leaveSealed(raw: Uint8Array): ParsedLetter {
  const { html: _, prominent: __, ...parsed } = parseSource(raw);
  return { parsed: { ...parsed, links: [] }, html: undefined, code: noCode, link: undefined };
}
