import type { Language } from "../i18n/languages.ts";
import { LoadError } from "./lazyPart.tsx";
import type { AppKey, Catalogue, OfficeKey, PublicKey } from "../i18n/t.ts";

type Loaders<Key extends string> = Record<Language, () => Promise<{ default: Catalogue<Key> }>>;

// One chunk for each language and part. The types require every key in every language.
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
const officeLoaders: Loaders<OfficeKey> = {
  en: () => import("../../i18n/office/en.json"),
  ru: () => import("../../i18n/office/ru.json"),
  es: () => import("../../i18n/office/es.json"),
  zh: () => import("../../i18n/office/zh.json"),
  ar: () => import("../../i18n/office/ar.json"),
  hi: () => import("../../i18n/office/hi.json"),
};

export async function publicCatalogue(language: Language): Promise<Catalogue<PublicKey>> {
  return (await publicLoaders[language]()).default;
}

/** Loads each language once and returns the same promise, as React's `use` demands. A failure is a LoadError, for ErrorBoundary. */
function once<Key extends string>(loaders: Loaders<Key>): (language: Language) => Promise<Catalogue<Key>> {
  const known = new Map<Language, Promise<Catalogue<Key>>>();
  return (language) => {
    const loaded =
      known.get(language) ??
      loaders[language]().then(
        (module) => module.default,
        (cause: unknown) => {
          throw new LoadError(cause, () => known.delete(language));
        },
      );
    known.set(language, loaded);
    return loaded;
  };
}

export const appCatalogue = once(appLoaders);
export const officeCatalogue = once(officeLoaders);
