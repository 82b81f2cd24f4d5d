import { readFileSync } from "node:fs";
import type { Language } from "../../src/i18n/languages.ts";

type Text = string | Record<string, string>;
type Texts = Record<string, Text>;

/** All that the pages say in a language. */
export const catalogue = (language: Language): Texts => ({
  ...(JSON.parse(readFileSync(`i18n/${language}.json`, "utf8")) as Texts),
  ...(JSON.parse(readFileSync(`i18n/app/${language}.json`, "utf8")) as Texts),
  ...(JSON.parse(readFileSync(`i18n/office/${language}.json`, "utf8")) as Texts),
});
const english = catalogue("en");

/** The sentences of a catalogue as patterns: what fills their holes may be anything. */
const patternsOf = (texts: Text[]): RegExp[] =>
  texts
    .flatMap((text) => (typeof text === "string" ? [text] : Object.values(text)))
    .map(
      (text) =>
        new RegExp(
          `^${text
            .split(/\{\w+\}/)
            .map(escaped)
            .join(".+")}$`,
        ),
    );
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** English of our catalogue, or three Latin words in a row where letters are others: nobody has translated them. */
export function leftInEnglish(said: string[], language: Language): string[] {
  const own = catalogue(language);
  const theirs = patternsOf(Object.values(own));
  const strange = patternsOf(
    Object.entries(english).flatMap(([key, text]) =>
      /[a-z]{3}/.test(wordsIn(text)) && own[key] ? [text] : [],
    ),
  );
  const isLatin = language === "es";
  return said.filter(
    (words) =>
      !theirs.some((pattern) => pattern.test(words)) &&
      (strange.some((pattern) => pattern.test(words)) ||
        (!isLatin && /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(words))),
  );
}

/** What of a text stands outside its holes. */
const wordsIn = (text: Text) =>
  Object.values(typeof text === "string" ? [text] : text)
    .join(" ")
    .replace(/\{\w+\}/g, "");
