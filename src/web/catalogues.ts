import type { Language } from "../i18n/languages.ts";
import { LoadError } from "./lazyPart.tsx";
import type { AppKey, Catalogue, DocsKey, OfficeKey, PublicKey } from "../i18n/t.ts";

type Loader<Key extends string> = (language: Language) => Promise<{ default: Catalogue<Key> }>;

// One chunk a language and part.
const loadPublic: Loader<PublicKey> = (language) => import(`../../i18n/${language}.json`);
const loadApp: Loader<AppKey> = (language) => import(`../../i18n/app/${language}.json`);
const loadDocs: Loader<DocsKey> = (language) => import(`../../i18n/docs/${language}.json`);
const loadOffice: Loader<OfficeKey> = (language) => import(`../../i18n/office/${language}.json`);

export async function publicCatalogue(language: Language): Promise<Catalogue<PublicKey>> {
  return (await loadPublic(language)).default;
}

const parts: { known: ReadonlyMap<Language, unknown>; loadOnce: (language: Language) => Promise<unknown> }[] =
  [];

/** The texts for a change of language, when all are there that the page may show. */
export async function catalogueInPlaceOf(from: Language, to: Language): Promise<Catalogue<PublicKey>> {
  const shown = parts.filter(({ known }) => known.has(from));
  const [catalogue] = await Promise.all([publicCatalogue(to), ...shown.map(({ loadOnce }) => loadOnce(to))]);
  return catalogue;
}

/** Loads each language once: the same promise each time, as React's `use` demands. A failure is a LoadError, for ErrorBoundary. */
function once<Key extends string>(load: Loader<Key>): (language: Language) => Promise<Catalogue<Key>> {
  const known = new Map<Language, Promise<Catalogue<Key>>>();
  const loadOnce = (language: Language) => {
    const loaded =
      known.get(language) ??
      load(language).then(
        (module) => {
          // Shown at once by whoever uses it later: a part that waits is taken away for a moment.
          void Object.assign(loaded, { status: "fulfilled", value: module.default });
          return module.default;
        },
        (cause: unknown) => {
          throw new LoadError(cause, () => known.delete(language));
        },
      );
    known.set(language, loaded);
    return loaded;
  };
  parts.push({ known, loadOnce });
  return loadOnce;
}

export const appCatalogue = once(loadApp);
export const docsCatalogue = once(loadDocs);
export const officeCatalogue = once(loadOffice);
