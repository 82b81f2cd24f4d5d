import type englishAccount from "../../i18n/account/en.json";
import type englishApp from "../../i18n/app/en.json";
import type englishBot from "../../i18n/bot/en.json";
import type englishDocs from "../../i18n/docs/en.json";
import type englishOffice from "../../i18n/office/en.json";
import type english from "../../i18n/en.json";
import type { DocumentedName } from "../contract/examples.ts";
import type { ParameterName } from "../contract/api.ts";
import type { Refusal } from "../contract/refusals.ts";
import type { WebhookFailure } from "../contract/webhook-failures.ts";
import type { Language } from "./languages.ts";

export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
export type Catalogue<Key extends string> = Record<Key, string | Plural>;

/** Keys of i18n/<language>.json: header, home, sign-in and ui/. */
export type PublicKey = keyof typeof english;
/** What the contract says in English (src/web/docs/contractTexts.ts). */
export type ContractAppKey = `refusal.${Joined<Refusal>}` | `webhook.failure.${WebhookFailure}`;
export type ContractKey =
  | `docs.call.${DocumentedName}`
  | `docs.parameter.${ParameterName}`
  | `docs.refusal.${Joined<Refusal>}`;
/** Keys of i18n/app/<language>.json: dashboard, payments. English defines the keys. */
export type AppKey = keyof typeof englishApp | ContractAppKey;
/** Keys of i18n/account/<language>.json: what an account opens seldom (security, tokens and webhooks, statement, investor, help). */
export type AccountKey = keyof typeof englishAccount;
/** Keys of i18n/docs/<language>.json. */
export type DocsKey = keyof typeof englishDocs | ContractKey;
export type OfficeKey = keyof typeof englishOffice;
export type BotKey = keyof typeof englishBot;

/** Several words as one word of a key: `alreadyComplained`. */
export type Joined<Words extends string> = Words extends `${infer First} ${infer Rest}`
  ? `${First}${Capitalize<Joined<Rest>>}`
  : Words;

export const joined = <Words extends string>(words: Words): Joined<Words> =>
  words.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase()) as Joined<Words>;

export type Holes = Record<string, string | number>;
export type Translator<Key extends string> = (key: Key, holes?: Holes) => string;

/** Makes the text function of a language: fills `{name}`, selects plural forms by `count`, writes Latin digits. */
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
