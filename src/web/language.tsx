import { createContext, type ReactNode, use, useMemo } from "react";
import { isLanguage, type Language, languages } from "../i18n/languages.ts";
import {
  type AccountKey,
  type AppKey,
  type Catalogue,
  type DocsKey,
  type OfficeKey,
  type PublicKey,
  type Translator,
  translator,
} from "../i18n/t.ts";
import { accountCatalogue, appCatalogue, docsCatalogue, officeCatalogue } from "./catalogues.ts";
import type { Guides } from "./docs/guides/parse.ts";
import { stored } from "./stored.ts";

interface Spoken {
  language: Language;
  catalogue: Catalogue<PublicKey>;
  t: Translator<PublicKey>;
}

const Spoken = createContext<Spoken | undefined>(undefined);

interface LanguageProviderProps {
  language: Language;
  catalogue: Catalogue<PublicKey>;
  children: ReactNode;
}

export function LanguageProvider({ language, catalogue, children }: LanguageProviderProps) {
  const spoken = useMemo(
    () => ({ language, catalogue, t: translator(language, catalogue) }),
    [language, catalogue],
  );
  return <Spoken value={spoken}>{children}</Spoken>;
}

function useSpoken(): Spoken {
  const spoken = use(Spoken);
  if (!spoken) throw new Error("no LanguageProvider above");
  return spoken;
}

export const useLanguage = (): Language => useSpoken().language;

export const useText = (): Translator<PublicKey> => useSpoken().t;

/** Texts of i18n/app too; suspends until they are loaded. Only for lazy pages. */
export function useAppText(): Translator<PublicKey | AppKey> {
  const { language, catalogue } = useSpoken();
  return joined(language, use(appCatalogue(language)), catalogue);
}

/** Texts of i18n/app and i18n/account too; only for the pages that an account opens seldom. */
export function useAccountText(): Translator<PublicKey | AppKey | AccountKey> {
  const { language, catalogue } = useSpoken();
  const [app, account] = [appCatalogue(language), accountCatalogue(language)];
  return joined(language, use(account), catalogue, use(app));
}

/** Texts of i18n/docs too; only for the documentation. */
export function useDocsText(): Translator<PublicKey | DocsKey> {
  const { language, catalogue } = useSpoken();
  return joined(language, use(docsCatalogue(language)).texts, catalogue);
}

/** The pages of the documentation (i18n/docs/<language>/*.md). */
export const useGuides = (): Guides => use(docsCatalogue(useLanguage())).guides;

/** Texts of i18n/office too, which names money as the buyer's statement does; only for the back office. */
export function useOfficeText(): Translator<PublicKey | AppKey | AccountKey | OfficeKey> {
  const { language, catalogue } = useSpoken();
  const [app, account] = [appCatalogue(language), accountCatalogue(language)];
  const office = officeCatalogue(language);
  return joined(language, use(office), catalogue, use(app), use(account));
}

const translators = new WeakMap<object, Translator<string>>();

/** Caches one translator for each catalogue: a long page has a thousand users, and joining takes time. */
function joined(language: Language, catalogue: Catalogue<string>, ...others: Catalogue<string>[]) {
  const known = translators.get(catalogue);
  if (known) return known;
  const made = translator<string>(language, Object.assign({}, ...others, catalogue) as Catalogue<string>);
  translators.set(catalogue, made);
  return made;
}

/** The language of an address: its first segment, else the saved one (spec B §2). */
export function languageOf(pathname: string): Language {
  const first = pathname.split("/")[1];
  return isLanguage(first) ? first : stored.language.read();
}

/** Stores the choice, and sets the cookie by which the server redirects `/`. */
export function saveLanguage(language: Language): void {
  stored.language.write(language);
  // No other host of the domain can set it so; browsers take the prefix on https alone.
  const [prefix, secure] = location.protocol === "https:" ? ["__Host-", "; Secure"] : ["", ""];
  document.cookie = `${prefix}language=${language}; path=/; max-age=31536000; SameSite=Lax${secure}`;
}

export function markDocument(language: Language): void {
  document.documentElement.lang = language;
  document.documentElement.dir = languages[language].direction;
}
