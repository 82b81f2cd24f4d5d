import type englishApp from "../../i18n/app/en.json";
import type englishBot from "../../i18n/bot/en.json";
import type englishOffice from "../../i18n/office/en.json";
import type english from "../../i18n/en.json";
import type { Language } from "./languages.ts";

export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
export type Catalogue<Key extends string> = Record<Key, string | Plural>;

/** Keys of i18n/<language>.json: header, home, sign-in and the parts of ui/. */
export type PublicKey = keyof typeof english;
/** Keys of i18n/app/<language>.json: documentation, dashboard, payments. English is the source of truth for both. */
export type AppKey = keyof typeof englishApp;
/** Keys of i18n/office/<language>.json: what administrators alone read. */
export type OfficeKey = keyof typeof englishOffice;
/** Keys of i18n/bot/<language>.json: what the Telegram bot says. */
export type BotKey = keyof typeof englishBot;

export type Holes = Record<string, string | number>;
export type Translator<Key extends string> = (key: Key, holes?: Holes) => string;

/**
 * Makes the function that says a key in one language. `{name}` is filled from the holes; a text with plural
 * forms is chosen by the hole `count`. Numbers are written with Latin digits, so that amounts compare by eye.
 */
export function translator<Key extends string>(
  language: Language,
  catalogue: Catalogue<Key>,
): Translator<Key> {
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(`${language}-u-nu-latn`);
  return (key, holes = {}) => {
    const entry = catalogue[key];
    const text =
      typeof entry === "string" ? entry : (entry[plurals.select(Number(holes["count"]))] ?? entry.other);
    return text.replace(/\{(\w+)\}/g, (hole, name: string) => {
      const value = holes[name];
      if (value === undefined) return hole;
      return typeof value === "number" ? numbers.format(value) : value;
    });
  };
}
