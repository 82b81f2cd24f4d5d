// What administrators write for readers in every language: announcements and stories.
import * as z from "zod/mini";
import { flag, flagged, optional, text } from "./fields.ts";

/** The languages of the interface (spec O §9); English is what is read where another lacks. */
export const languageCodes = ["en", "ru", "es", "zh", "ar", "hi"] as const;
export const moves = ["up", "down"] as const;

/** A text that is kept as it was written, empty or with blanks around it. */
export const kept = (max: number) => text().check(z.maxLength(max));

export const Lang = optional(z.literal(languageCodes), "lang", "en (if omitted), ru, es, zh, ar or hi", {
  kind: "choice",
  of: languageCodes,
});

/** For administrators: what has no text for the readers of a language must still be found. */
export const All = optional(
  flag,
  "request",
  "1: also those without a text in this language or English, in a language they have",
  flagged,
);

/** In a body of JSON it is a list; a form has it as a text of JSON. */
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
