import { defaultLanguage, type Language, languageCodes } from "../../i18n/languages.ts";
import { pack, type Page } from "./pages.pack.ts";

interface Shown {
  readonly publicUrl: string;
  readonly domains: readonly { name: string }[];
}

export interface TextsRenderer {
  /** Paths behind the language; the first is the whole documentation. */
  readonly docsTexts: readonly string[];
  readonly docsText: (language: Language, path: string, shown: Shown) => Promise<string>;
}

/** The documentation in Markdown and /llms.txt by their addresses, each written once for each state of the catalogue. */
export function openTexts(
  { docsTexts, docsText }: TextsRenderer,
  publicUrl: string,
  domains: () => Promise<Shown["domains"]>,
): ReadonlyMap<string, () => Promise<Page>> {
  const kept = new Map<string, { state: string; page: Promise<Page> }>();
  const write = async (language: Language, path: string, shown: Shown): Promise<Page> => {
    const text = await docsText(language, path, shown);
    const type = path.endsWith(".md") ? "text/markdown" : "text/plain";
    return { ...(await pack(text, { isFound: true, isPublic: true })), type };
  };
  const read = (language: Language, path: string) => async () => {
    const shown = { publicUrl, domains: await domains() };
    const key = `${language} ${path}`;
    const state = JSON.stringify(shown);
    const known = kept.get(key);
    if (known?.state === state) return known.page;
    const page = write(language, path, shown);
    kept.set(key, { state, page });
    return page;
  };
  const ofLanguages = languageCodes.flatMap((language) =>
    docsTexts.map((path) => [`/${language}/${path}`, read(language, path)] as const),
  );
  const english = ["llms.txt", ...docsTexts.slice(0, 1)].map(
    (path) => [`/${path}`, read(defaultLanguage, path)] as const,
  );
  return new Map<string, () => Promise<Page>>([...ofLanguages, ...english]);
}
