/** The interface languages: code, own name, writing direction (spec B §1). */
export const languages = {
  en: { name: "English", direction: "ltr" },
  ru: { name: "Русский", direction: "ltr" },
  es: { name: "Español", direction: "ltr" },
  zh: { name: "中文", direction: "ltr" },
  ar: { name: "العربية", direction: "rtl" },
  hi: { name: "हिन्दी", direction: "ltr" },
} as const;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as Language[];

/** Used when neither the address nor the visitor chose a language (spec B §9). */
export const defaultLanguage: Language = "en";

export function isLanguage(code: unknown): code is Language {
  return typeof code === "string" && Object.hasOwn(languages, code);
}
