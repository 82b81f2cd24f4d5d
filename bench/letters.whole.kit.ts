import { openLetter, type ParsedLetter } from "../src/server/letters/letters.parse.ts";
import { parseLetter, type Parsed } from "../src/server/mime/mime.ts";

/** What is found in a letter, with its HTML as it is read and not as it is stored. */
export type Whole = ParsedLetter & { readonly parsed: Parsed };

/** Opens a letter as the shop does. */
export const openWhole = (raw: Buffer): Whole => ({ ...openLetter(raw), parsed: parseLetter(raw) });
