// The texts of the pages as the build hands them on: keys (i18n/*.json), and the guides of the documentation (i18n/docs/<language>/<page>.md).
// What is not translated yet is said in English: a new text compiles and runs before its translations are there.
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import type { Language } from "../src/i18n/languages.ts";
import { type Catalogue, translator } from "../src/i18n/t.ts";
import { contractTexts, appTexts } from "../src/web/docs/contractTexts.ts";
import { holes } from "../src/web/docs/guides/holes.ts";
import { type Guides, type Page, parsePage, sameSection } from "../src/web/docs/guides/parse.ts";

type Texts = Catalogue<string>;

const folder = fileURLToPath(new URL("../i18n", import.meta.url));
const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Texts;

/** The English sentences of a folder that stand in the contract. */
const ofContract: Record<string, () => Texts> = {
  [join(folder, "docs")]: contractTexts,
  [join(folder, "app")]: appTexts,
};

/** Sorted, since neighbours that begin alike weigh less. */
const englishOf = (part: string): Texts =>
  Object.fromEntries(
    Object.entries({ ...ofContract[part]?.(), ...read(join(part, "en.json")) }).toSorted(([one], [other]) =>
      one < other ? -1 : 1,
    ),
  );

/** A catalogue with the English text of each key that it lacks. */
export const filledCatalogue = (path: string): Texts => ({ ...englishOf(dirname(path)), ...read(path) });

const pagesOf = (part: string) => globSync("*.md", { cwd: join(part, "en") }).toSorted();

function readPage(part: string, language: string, page: string): Page | undefined {
  const path = join(part, language, page);
  return existsSync(path) ? parsePage(path, readFileSync(path, "utf8")) : undefined;
}

/** The pages of a language, with the English section in place of each that it lacks or that is made up otherwise. */
export function guidesOf(language: Language, part = join(folder, "docs")): Guides {
  const pages = pagesOf(part).flatMap((page) => {
    const english = readPage(part, "en", page);
    if (!english) return [];
    const own = readPage(part, language, page) ?? english;
    const sections = english.sections.map((one) => sameSection(one, own) ?? one);
    return [[basename(page, ".md"), { ...own, sections }]];
  });
  // As one text, so that numbers are written as everywhere.
  const t = translator(language, { guides: JSON.stringify(Object.fromEntries(pages)) });
  return JSON.parse(t("guides", holes)) as Guides;
}

export const catalogueFile = /\/i18n\/(?:[a-z]+\/)?[a-z]{2}\.json$/;

/** For Vite and Vitest. */
export const catalogues: Plugin = {
  name: "catalogues",
  enforce: "pre",
  load: {
    filter: { id: catalogueFile },
    handler(path) {
      const language = basename(path, ".json") as Language;
      this.addWatchFile(join(dirname(path), "en.json"));
      if (dirname(path) !== join(folder, "docs")) return JSON.stringify(filledCatalogue(path));
      for (const page of globSync(join(folder, `docs/{en,${language}}/*.md`))) this.addWatchFile(page);
      return JSON.stringify({ texts: filledCatalogue(path), guides: guidesOf(language) });
    },
  },
};

/** What is not translated yet in `root` (i18n) and the folders in it: "ru: refusal.site", "ru: webhooks.md guide-webhooks". */
export function untranslated(root: string): string[] {
  const parts = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [root, ...parts.map(({ name }) => join(root, name))].flatMap((part) => {
    if (!existsSync(join(part, "en.json"))) return [];
    const keys = Object.keys(englishOf(part));
    return globSync("*.json", { cwd: part, exclude: ["en.json"] }).flatMap((name) => {
      const own = read(join(part, name));
      const language = basename(name, ".json");
      const pages = pagesOf(part).flatMap((page) => unlike(part, language, page));
      return [...keys.filter((key) => !(key in own)), ...pages].map((text) => `${language}: ${text}`);
    });
  });
}

/** The sections of a page that one of the languages lacks, or that are made up otherwise than the English ones. */
function unlike(part: string, language: string, page: string): string[] {
  const [english, own] = [readPage(part, "en", page), readPage(part, language, page)];
  if (!english || !own) return [page];
  const differ = [
    ...english.sections.filter((one) => !sameSection(one, own)),
    ...own.sections.filter((one) => !sameSection(one, english)),
  ];
  return [...new Set(differ.map(({ id }) => `${page} ${id}`))];
}
