import { openLetter, type ParsedLetter } from "../src/server/letters/parsing/parsing.letter.ts";
import { parseLetter, type Parsed } from "../src/server/mime/mime.ts";

/** A parsed letter with its HTML before storage. */
export type Whole = ParsedLetter & { readonly parsed: Parsed };

export const openWhole = (raw: Buffer): Whole => ({ ...openLetter(raw), parsed: parseLetter(raw) });
