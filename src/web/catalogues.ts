import type { Language } from "../i18n/languages.ts";
import type { AppKey, Catalogue, PublicKey } from "../i18n/t.ts";

type Loaders<Key extends string> = Record<Language, () => Promise<{ default: Catalogue<Key> }>>;

// One chunk a language and part. The types make the compiler check that every language has every key.
const publicLoaders: Loaders<PublicKey> = {
  en: () => import("../../i18n/en.json"),
  ru: () => import("../../i18n/ru.json"),
  es: () => import("../../i18n/es.json"),
  zh: () => import("../../i18n/zh.json"),
  ar: () => import("../../i18n/ar.json"),
  hi: () => import("../../i18n/hi.json"),
};
const appLoaders: Loaders<AppKey> = {
  en: () => import("../../i18n/app/en.json"),
  ru: () => import("../../i18n/app/ru.json"),
  es: () => import("../../i18n/app/es.json"),
  zh: () => import("../../i18n/app/zh.json"),
  ar: () => import("../../i18n/app/ar.json"),
  hi: () => import("../../i18n/app/hi.json"),
};

/** The texts of header, home and sign-in. */
export async function publicCatalogue(language: Language): Promise<Catalogue<PublicKey>> {
  return (await publicLoaders[language]()).default;
}

const loadedApp = new Map<Language, Promise<Catalogue<AppKey>>>();

/** The texts of documentation, dashboard and payments. The same promise each time, as React's `use` demands. */
export function appCatalogue(language: Language): Promise<Catalogue<AppKey>> {
  const loaded = loadedApp.get(language) ?? appLoaders[language]().then((module) => module.default);
  loadedApp.set(language, loaded);
  // A failed download is tried anew at the next ask.
  loaded.catch(() => loadedApp.delete(language));
  return loaded;
}
