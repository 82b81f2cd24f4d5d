import type { Language } from "../i18n/languages.ts";
import { LoadError } from "./lazyPart.tsx";
import type { Guides } from "./docs/guides/parse.ts";
import type { AccountKey, AppKey, Catalogue, DocsKey, OfficeKey, PublicKey } from "../i18n/t.ts";

type Loader<Texts> = (language: Language) => Promise<{ default: Texts }>;

// One chunk a language and part.
const loadPublic: Loader<Catalogue<PublicKey>> = (language) => import(`../../i18n/${language}.json`);
const loadApp: Loader<Catalogue<AppKey>> = (language) => import(`../../i18n/app/${language}.json`);
const loadAccount: Loader<Catalogue<AccountKey>> = (language) =>
  import(`../../i18n/account/${language}.json`);
const loadDocs: Loader<{ texts: Catalogue<DocsKey>; guides: Guides }> = (language) =>
  import(`../../i18n/docs/${language}.json`);
const loadOffice: Loader<Catalogue<OfficeKey>> = (language) => import(`../../i18n/office/${language}.json`);

export async function publicCatalogue(language: Language): Promise<Catalogue<PublicKey>> {
  return (await loadPublic(language)).default;
}

/** Loads each language once: the same promise each time, as React's `use` demands. A failure is a LoadError, for ErrorBoundary. */
function once<Texts>(load: Loader<Texts>): (language: Language) => Promise<Texts> {
  const known = new Map<Language, Promise<Texts>>();
  return (language) => {
    const loaded =
      known.get(language) ??
      load(language).then(
        (module) => module.default,
        (cause: unknown) => {
          throw new LoadError(cause, () => known.delete(language));
        },
      );
    known.set(language, loaded);
    return loaded;
  };
}

export const appCatalogue = once(loadApp);
export const accountCatalogue = once(loadAccount);
export const docsCatalogue = once(loadDocs);
export const officeCatalogue = once(loadOffice);
