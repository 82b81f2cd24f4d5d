import { readFileSync } from "node:fs";
import { guidesOf } from "../../scripts/catalogues.ts";
import type { Language } from "../../src/i18n/languages.ts";
import { contractTexts, appTexts } from "../../src/web/docs/contractTexts.ts";

type Text = string | Record<string, string>;
type Texts = Record<string, Text>;

export const catalogue = (language: Language): Texts => ({
  ...(JSON.parse(readFileSync(`i18n/${language}.json`, "utf8")) as Texts),
  ...(JSON.parse(readFileSync(`i18n/app/${language}.json`, "utf8")) as Texts),
  ...(JSON.parse(readFileSync(`i18n/account/${language}.json`, "utf8")) as Texts),
  ...(JSON.parse(readFileSync(`i18n/docs/${language}.json`, "utf8")) as Texts),
  ...(JSON.parse(readFileSync(`i18n/office/${language}.json`, "utf8")) as Texts),
  ...sentencesOf(guidesOf(language)),
});

/** Each by its place, which is the same in every language. */
function sentencesOf(guides: object): Texts {
  const sentences: string[] = [];
  JSON.stringify(guides, (key, value: unknown) => {
    if (typeof value === "string" && key !== "id" && key !== "kind") sentences.push(value);
    return value;
  });
  return Object.fromEntries(sentences.map((sentence, at) => [`guides.${at}`, sentence]));
}

const english: Texts = { ...contractTexts(), ...appTexts(), ...catalogue("en") };

type Says = (words: string) => boolean;

function sayerOf(texts: Text[]): Says {
  // As they are read off a page: a non-breaking space is a space.
  const sentences = texts
    .flatMap((text) => (typeof text === "string" ? [text] : Object.values(text)))
    .map((text) => text.replace(/\s+/g, " "));
  const whole = new Set(sentences.filter((text) => !hole.test(text)));
  const patterns = sentences
    .filter((text) => hole.test(text))
    .map((text) => new RegExp(`^${text.split("{count}").map(withHoles).join("\\P{L}+")}$`, "u"));
  return (words) => whole.has(words) || patterns.some((pattern) => pattern.test(words));
}
const hole = /\{\w+\}/;
const withHoles = (text: string) => text.split(hole).map(escaped).join(".+");
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Finds untranslated text: English of our catalogue, or three Latin words in a row in another script. */
export function leftInEnglish(said: string[], language: Language): string[] {
  const isLeft = known.get(language) ?? remembering(leftIn(language));
  known.set(language, isLeft);
  return said.filter(isLeft);
}

const known = new Map<Language, Says>();

function remembering(says: Says): Says {
  const answers = new Map<string, boolean>();
  return (words) => {
    const answer = answers.get(words) ?? says(words);
    answers.set(words, answer);
    return answer;
  };
}

function leftIn(language: Language): Says {
  const own = catalogue(language);
  const isTheirs = sayerOf(Object.values(own));
  const isStrange = sayerOf(
    Object.entries(english).flatMap(([key, text]) =>
      /[a-z]{3}/.test(wordsIn(text)) && own[key] ? [text] : [],
    ),
  );
  const isLatin = language === "es";
  return (words) =>
    !isTheirs(words) && (isStrange(words) || (!isLatin && /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i.test(words)));
}

const wordsIn = (text: Text) =>
  Object.values(typeof text === "string" ? [text] : text)
    .join(" ")
    .replace(/\{\w+\}/g, "");
