import arApp from "../../../i18n/app/ar.json" with { type: "json" };
import enApp from "../../../i18n/app/en.json" with { type: "json" };
import esApp from "../../../i18n/app/es.json" with { type: "json" };
import hiApp from "../../../i18n/app/hi.json" with { type: "json" };
import ruApp from "../../../i18n/app/ru.json" with { type: "json" };
import zhApp from "../../../i18n/app/zh.json" with { type: "json" };
import ar from "../../../i18n/bot/ar.json" with { type: "json" };
import en from "../../../i18n/bot/en.json" with { type: "json" };
import es from "../../../i18n/bot/es.json" with { type: "json" };
import hi from "../../../i18n/bot/hi.json" with { type: "json" };
import ru from "../../../i18n/bot/ru.json" with { type: "json" };
import zh from "../../../i18n/bot/zh.json" with { type: "json" };
import { type Language, languageCodes } from "../../i18n/languages.ts";
import {
  type AppKey,
  type BotKey,
  type Catalogue,
  type Holes,
  type Translator,
  translator,
} from "../../i18n/t.ts";

type SaidKey = BotKey | Extract<AppKey, `refusal.${string}`>;
export type BotText = Translator<SaidKey>;

const catalogues: Record<Language, Catalogue<SaidKey>> = {
  ar: { ...arApp, ...ar },
  en: { ...enApp, ...en },
  es: { ...esApp, ...es },
  hi: { ...hiApp, ...hi },
  ru: { ...ruApp, ...ru },
  zh: { ...zhApp, ...zh },
};

/** As Telegram's HTML, with escaped values. */
export const texts = Object.fromEntries(
  languageCodes.map((language) => {
    const t = translator(language, catalogues[language]);
    return [language, (key: SaidKey, holes: Holes = {}) => t(key, escaped(holes))];
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
