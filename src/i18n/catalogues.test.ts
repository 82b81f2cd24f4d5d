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

describe.each(["", "app/"])("in i18n/%s", (part) => {
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

  test.each(languageCodes)("%s has the holes of the English text in each form", (language) => {
    const catalogue = catalogueOf(part, language);
    for (const [key, entry] of Object.entries(english)) {
      const wanted = holesOf(formsOf(entry)[0] ?? "");
      for (const text of formsOf(catalogue[key] ?? ""))
        expect(holesOf(text), `${language} ${key}`).toEqual(wanted);
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

test("no key stands in both parts, and every key is said somewhere", () => {
  const keys = ["", "app/"].flatMap((part) => Object.keys(catalogueOf(part, "en")));
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  const source = readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    .map((path) => read(`src/${path}`))
    .join("\n");
  const said = new Set([...source.matchAll(/"([a-z]\w*(?:\.\w+)+)"/g)].map(([, key]) => key));
  // `auth.${mode}` says every key that has one word in that place.
  const patterns = [...source.matchAll(/`([a-z]\w*\.(?:[\w.]|\$\{[^}]+\})+)`/g)]
    .map(([, template]) => template ?? "")
    .filter((template) => template.includes("${"))
    .map((template) => new RegExp(`^${template.replace(/\$\{[^}]+\}/g, "\\w+")}$`));
  const isSaid = (key: string) => said.has(key) || patterns.some((pattern) => pattern.test(key));
  expect(keys.filter((key) => !isSaid(key))).toEqual([]);
});
