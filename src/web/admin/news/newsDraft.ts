import {
  newsLineLengthMax,
  newsLinesMax,
  newsPriorityDefault,
  newsPriorityMax,
} from "../../../contract/limits.ts";
import { inEach, type Language, languageCodes } from "../../../i18n/languages.ts";
import type { Answer } from "../../api.ts";

export type WrittenNews = Extract<Answer<"readNews">, { ok: true }>["data"]["news"];
export type Importance = WrittenNews["importance"];

export const importances: readonly Importance[] = ["normal", "important", "critical"];

export interface NewsText {
  title: string;
  lines: string;
  /** YYYY-MM-DD. */
  date: string;
}

export interface NewsDraft {
  priority: string;
  importance: Importance;
  texts: Record<Language, NewsText>;
}

/** The day in UTC, as the server counts it. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export const newNews = (today: string): NewsDraft => ({
  priority: String(newsPriorityDefault),
  importance: "normal",
  texts: inEach(() => ({ title: "", lines: "", date: today })),
});

export function draftOf({ priority, importance, translations }: WrittenNews, today: string): NewsDraft {
  const day = translations.find(({ lang }) => lang === "en")?.date ?? today;
  const textIn = (language: Language): NewsText => {
    const own = translations.find(({ lang }) => lang === language);
    return { title: own?.title ?? "", lines: own?.lines.join("\n") ?? "", date: own?.date ?? day };
  };
  return { priority: String(priority), importance, texts: inEach(textIn) };
}

export const dated = (texts: NewsDraft["texts"], date: string): NewsDraft["texts"] =>
  inEach((language) => ({ ...texts[language], date }));

export const saysSomething = ({ title, lines }: NewsText): boolean =>
  title.trim() !== "" || lines.trim() !== "";

const linesOf = ({ lines }: NewsText): string[] => (lines.trim() === "" ? [] : lines.trimEnd().split("\n"));

/** The parameters of the calls: all six languages (spec O §7). */
export function askOf({ priority, importance, texts }: NewsDraft) {
  return {
    priority: Number(priority),
    importance,
    translations: languageCodes.map((lang) => ({
      lang,
      title: texts[lang].title.trim(),
      lines: linesOf(texts[lang]),
      date: texts[lang].date,
    })),
  };
}

export interface NewsFaults {
  priority?: true;
  empty?: true;
  /** The first language with too many or too long lines. */
  lines?: Language;
}

/** Finds what the server would refuse, and an announcement without any text. */
export function faultsOf({ priority, texts }: NewsDraft): NewsFaults {
  const isTooMuch = (language: Language) => {
    const lines = linesOf(texts[language]);
    return lines.length > newsLinesMax || lines.some((line) => line.length > newsLineLengthMax);
  };
  const long = languageCodes.find(isTooMuch);
  return {
    ...(!(/^\d{1,7}$/.test(priority) && Number(priority) <= newsPriorityMax) && { priority: true }),
    ...(!languageCodes.some((language) => saysSomething(texts[language])) && { empty: true }),
    ...(long !== undefined && { lines: long }),
  };
}
