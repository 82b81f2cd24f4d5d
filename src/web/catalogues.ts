import type { Language } from "../i18n/languages.ts";
import { LoadError } from "./lazyPart.tsx";
import type { AppKey, Catalogue, OfficeKey, PublicKey } from "../i18n/t.ts";

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
const officeLoaders: Loaders<OfficeKey> = {
  en: () => import("../../i18n/office/en.json"),
  ru: () => import("../../i18n/office/ru.json"),
  es: () => import("../../i18n/office/es.json"),
  zh: () => import("../../i18n/office/zh.json"),
  ar: () => import("../../i18n/office/ar.json"),
  hi: () => import("../../i18n/office/hi.json"),
};

/** The texts of header, home and sign-in. */
export async function publicCatalogue(language: Language): Promise<Catalogue<PublicKey>> {
  return (await publicLoaders[language]()).default;
}

/** Loads each language once: the same promise each time, as React's `use` demands. Throws a LoadFailure to the ErrorEdge. */
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

/** The texts of documentation, dashboard and payments. */
export const appCatalogue = once(appLoaders);
/** The texts of the back office. */
export const officeCatalogue = once(officeLoaders);
