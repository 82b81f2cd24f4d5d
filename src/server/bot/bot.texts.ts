import { readFileSync } from "node:fs";
import { type Language, languageCodes } from "../../i18n/languages.ts";
import {
  type AccountKey,
  type AppKey,
  type BotKey,
  type Catalogue,
  type Holes,
  type Translator,
  translator,
} from "../../i18n/t.ts";

type BotTextKey = BotKey | Extract<AppKey | AccountKey, `refusal.${string}` | `backorder.why.${string}`>;
export type BotText = Translator<BotTextKey>;

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../i18n/${path}.json`, import.meta.url), "utf8")) as object;

// What is not translated yet is said in English.
const catalogueOf = (language: Language) =>
  Object.assign(
    {},
    ...["app/en", "account/en", "bot/en", `app/${language}`, `account/${language}`, `bot/${language}`].map(
      read,
    ),
  ) as Catalogue<BotTextKey>;

/** As Telegram's HTML, with escaped values. */
export const texts = Object.fromEntries(
  languageCodes.map((language) => {
    const t = translator(language, catalogueOf(language));
    return [language, (key: BotTextKey, holes: Holes = {}) => t(key, escaped(holes))];
  }),
) as Record<Language, BotText>;

function escaped(holes: Holes): Holes {
  const entries = Object.entries(holes);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? escape(value) : value]),
  );
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

export function escape(text: string): string {
  return text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign);
}
