/** The one list of interface languages: code, own name, writing direction, territory for Open Graph (spec B §1). */
export const languages = {
  en: { name: "English", direction: "ltr", territory: "US" },
  ru: { name: "Русский", direction: "ltr", territory: "RU" },
  es: { name: "Español", direction: "ltr", territory: "ES" },
  zh: { name: "中文", direction: "ltr", territory: "CN" },
  ar: { name: "العربية", direction: "rtl", territory: "AR" },
  hi: { name: "हिन्दी", direction: "ltr", territory: "IN" },
} as const;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

/** One value for each language. */
export const inEach = <Value>(of: (language: Language) => Value): Record<Language, Value> =>
  Object.fromEntries(languageCodes.map((language) => [language, of(language)])) as Record<Language, Value>;

/** Used when neither the address nor the visitor chose a language (spec B §9). */
export const defaultLanguage: Language = "en";

export function isLanguage(code: unknown): code is Language {
  return typeof code === "string" && Object.hasOwn(languages, code);
}
