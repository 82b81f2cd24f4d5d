// Texts that administrators write in every language: announcements and stories.
import * as z from "zod/mini";
import { defaultLanguage, languageCodes } from "../i18n/languages.ts";
import { field, flag, flagged, optional, text } from "./fields.ts";

export const moves = ["up", "down"] as const;

/** Keeps the text as it is, with blanks around it. */
export const kept = (max: number) => text().check(z.maxLength(max));

const written = { kind: "choice", of: languageCodes } as const;
export const LangGiven = field(z.literal(languageCodes), "lang", "The language of what is sent", written);
export const Lang = optional(
  z.literal(languageCodes),
  "lang",
  `The language to read it in; ${defaultLanguage} if left out`,
  written,
);

/** For administrators: includes items without a text in the language. */
export const All = optional(
  flag,
  "request",
  "1: also those without a text in this language or English, in a language they have",
  flagged,
);

/** A list in JSON; JSON as text in a form. */
export const listed = <Item extends z.ZodMiniType>(list: z.ZodMiniArray<Item>) =>
  z.union([
    list,
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text: string, context) => {
          try {
            return JSON.parse(text) as z.input<typeof list>;
          } catch {
            context.issues.push({ code: "custom", message: "not JSON", input: text });
            return z.NEVER;
          }
        }),
      ),
      list,
    ),
  ]);
