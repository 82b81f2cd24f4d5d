import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Language, languageCodes } from "./languages.ts";

type Entry = string | Record<string, string>;

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const catalogueOf = (part: string, language: Language) =>
  JSON.parse(read(`i18n/${part}${language}.json`)) as Record<string, Entry>;

const formsOf = (entry: Entry) => (typeof entry === "string" ? [entry] : Object.values(entry));
const holesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();

const parts = ["", "app/", "bot/", "office/"];

const formsByName = (entry: Entry) => (typeof entry === "string" ? { all: entry } : entry);

/** Whether the form covers exactly one number, like the Arabic ones for none, one and two. */
function saysItsNumber(language: Language, form: string): boolean {
  const rules = new Intl.PluralRules(language);
  const isOfForm = (number: number) => rules.select(number) === form;
  return Array.from({ length: 200 }, (_, number) => number).filter(isOfForm).length === 1;
}

/** Typographic errors by language. */
const misprints: Record<Language, RegExp[]> = {
  en: [],
  // No dash begins a line, no short word ends one, "ё" is written, a number has № before and a space after it.
  ru: [
    / —/,
    /\b(еще|ее|все же|отменен|истек|учетн|подтвержден|изменен|отключен|удален)(?![а-яё])/i,
    /(?<![\p{L}\p{N}_-])(?:а|в|во|и|из|к|ко|на|не|ни|о|об|от|по|с|со|у|за|до) /iu,
    /#\{|[\d}] ?%|\d \$/,
  ],
  // Questions and exclamations have two signs; after digits "many" reads like "other".
  es: [/^[^¿]*\?/, /^[^¡]*!/, /[№#]\{|[\d}] ?%|\d \$|\d \d{3}/, /\{count\} de \p{L}/u],
  // Full-width signs after Chinese letters; spaces between them and Latin letters, digits and arguments.
  zh: [
    /\p{Script=Han}[,:;?!()]/u,
    /\p{Script=Han}[A-Za-z0-9{`]/u,
    /[A-Za-z0-9}%`]\p{Script=Han}/u,
    /[，。：；？！] /u,
  ],
  ar: [/\p{Script=Arabic}[,;?]/u, /[٠-٩]/],
  // A sentence ends with a danda.
  hi: [/\p{Script=Devanagari}\.(?!\p{L})/u, /[०-९]/],
};

/** Words that docs/languages.md replaces; none means anything else in this shop. */
const strangers: Partial<Record<Language, RegExp>> = {
  ru: /картинк|почтмейстер|отныне|критическ/iu,
  es: /(?<!\p{L})(?:cartas?|solicitud(?:es)?|promesas?|novedades|recepción|en venta|vence|vencid[oa])(?!\p{L})/iu,
  zh: /信件|邮件域名/u,
  hi: /(?<![\p{L}\p{M}])(?:पत्र|पत्रों|शेष)(?![\p{L}\p{M}])/u,
};

describe.each(parts)("in i18n/%s", (part) => {
  const english = catalogueOf(part, "en");

  test.each(languageCodes)("%s has every key, sorted, and no other", (language) => {
    expect(Object.keys(catalogueOf(part, language))).toEqual(Object.keys(english).toSorted());
  });

  test.each(languageCodes)("%s leaves no text empty", (language) => {
    const empty = Object.entries(catalogueOf(part, language)).filter(([, entry]) =>
      formsOf(entry).some((text) => text.trim() === ""),
    );
    expect(empty).toEqual([]);
  });

  test.each(languageCodes)("%s is set as its readers are used to", (language) => {
    const wrong = Object.entries(catalogueOf(part, language)).filter(([, entry]) =>
      formsOf(entry).some((text) =>
        [...misprints[language], /\.\.\.|[\w\p{L}]"|"[\w\p{L}]|^\s|\s$| {2}/u].some((misprint) =>
          misprint.test(text),
        ),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test.each(languageCodes)("%s calls a thing by the word of the list", (language) => {
    const others = Object.entries(catalogueOf(part, language)).filter(([, entry]) =>
      formsOf(entry).some((text) => strangers[language]?.test(text)),
    );
    expect(others).toEqual([]);
  });

  test("Arabic does not call a batch by the word for a payment", () => {
    const arabic = catalogueOf(part, "ar");
    const batches = Object.entries(english).filter(([, entry]) =>
      formsOf(entry).some((text) => /\bbatch(?:es)?\b/i.test(text)),
    );
    const wrong = batches.filter(([key]) =>
      formsOf(arabic[key] ?? "").some((text) => text.includes("دفعة") || text.includes("دفعات")),
    );
    expect(wrong).toEqual([]);
  });

  test.each(languageCodes)("%s has the holes of the English text in each form", (language) => {
    const catalogue = catalogueOf(part, language);
    for (const [key, entry] of Object.entries(english)) {
      const wanted = holesOf(formsOf(entry)[0] ?? "");
      for (const [form, text] of Object.entries(formsByName(catalogue[key] ?? ""))) {
        // Arabic has a word for "two letters": the form of one number need not contain the number.
        const said = holesOf(text);
        const mayLack = wanted.includes("count") && !said.includes("count") && saysItsNumber(language, form);
        expect(mayLack ? holesOf(`${text}{count}`) : said, `${language} ${key}`).toEqual(wanted);
      }
    }
  });

  test.each(languageCodes)("%s has exactly the plural forms that its language knows", (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    for (const [key, entry] of Object.entries(catalogueOf(part, language))) {
      expect(typeof entry, key).toBe(typeof english[key]);
      if (typeof entry !== "string") expect(Object.keys(entry).toSorted(), key).toEqual(forms);
    }
  });
});

test("no key stands in two parts, and every key is said somewhere", () => {
  const keys = parts.flatMap((part) => Object.keys(catalogueOf(part, "en")));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  const source = readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    .map((path) => read(`src/${path}`))
    .join("\n");
  const said = new Set([...source.matchAll(/"([a-z]\w*(?:\.\w+)+)"/g)].map(([, key]) => key));
  // `auth.${mode}` matches each key with one word there.
  const patterns = [...source.matchAll(/`([a-z]\w*\.(?:[\w.]|\$\{[^}]+\})+)`/g)]
    .map(([, template]) => template ?? "")
    .filter((template) => template.includes("${"))
    .map((template) => new RegExp(`^${template.replace(/\$\{[^}]+\}/g, "\\w+")}$`));
  const isSaid = (key: string) => said.has(key) || patterns.some((pattern) => pattern.test(key));
  expect(keys.filter((key) => !isSaid(key))).toEqual([]);
});
