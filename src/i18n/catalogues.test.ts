import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { filledCatalogue, guidesOf, untranslated } from "../../scripts/catalogues.ts";
import { endpoints } from "../contract/api.ts";
import { refusals } from "../contract/refusals.ts";
import { ownerTexts } from "../server/mailer/mailer.owner.texts.ts";
import { summaryTexts } from "../server/mailer/mailer.summary.texts.ts";
import { texts as mails } from "../server/mailer/mailer.texts.ts";
import { withdrawalTexts } from "../server/mailer/mailer.withdrawal.texts.ts";
import { news } from "../server/demo.news.ts";
import { stories } from "../server/demo.stories.ts";
import { type Language, languageCodes } from "./languages.ts";
import { translator } from "./t.ts";
import { contractTexts, appTexts } from "../web/docs/contractTexts.ts";
import { brokenRules } from "../../test/languages/rules.ts";

type Entry = string | Record<string, string>;

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const catalogueOf = (part: string, language: Language) =>
  JSON.parse(read(`i18n/${part}${language}.json`)) as Record<string, Entry>;

const formsOf = (entry: Entry) => (typeof entry === "string" ? [entry] : Object.values(entry));
const holesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();

const parts = ["", "account/", "app/", "bot/", "docs/", "office/"];

const formsByName = (entry: Entry) => (typeof entry === "string" ? { all: entry } : entry);

/** Whether the form covers exactly one number, like the Arabic ones for none, one and two. */
function saysItsNumber(language: Language, form: string): boolean {
  const rules = new Intl.PluralRules(language);
  const isOfForm = (number: number) => rules.select(number) === form;
  return Array.from({ length: 200 }, (_, number) => number).filter(isOfForm).length === 1;
}

describe.each(parts)("in i18n/%s", (part) => {
  const english = filledCatalogue(fileURLToPath(new URL(`i18n/${part}en.json`, root)));

  test.each(languageCodes)("%s has its keys sorted, and none that English lacks", (language) => {
    const keys = Object.keys(catalogueOf(part, language));
    expect(keys).toEqual(
      Object.keys(english)
        .toSorted()
        .filter((key) => keys.includes(key)),
    );
  });

  test.each(languageCodes)("%s leaves no text empty", (language) => {
    const empty = Object.entries(catalogueOf(part, language)).filter(([, entry]) =>
      formsOf(entry).some((text) => text.trim() === ""),
    );
    expect(empty).toEqual([]);
  });

  test.each(languageCodes)("%s keeps the rules of docs/languages.md", (language) => {
    const broken = Object.entries(catalogueOf(part, language)).flatMap(([key, entry]) =>
      formsOf(entry).flatMap((text) =>
        brokenRules(language, key, text).map((rule) => `${key}: ${rule}: ${text}`),
      ),
    );
    expect(broken).toEqual([]);
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
      for (const [form, text] of Object.entries(formsByName(catalogue[key] ?? entry))) {
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

// `npm run check` only lists it: until then it is said in English.
test("every text is translated", { tags: ["slow"] }, () => {
  expect(untranslated(fileURLToPath(new URL("i18n", root)))).toEqual([]);
});

test("no English sentence of the contract stands in a catalogue again", () => {
  const said = new Set<Entry>(Object.values({ ...contractTexts(), ...appTexts() }));
  const again = ["app/", "docs/"].flatMap((part) =>
    Object.entries(catalogueOf(part, "en")).filter(([, text]) => said.has(text)),
  );
  expect(said.size).toBeGreaterThan(100);
  expect(again).toEqual([]);
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
  const isNamed = (key: string) => said.has(key) || patterns.some((pattern) => pattern.test(key));
  // A dialog of an act names its title; the texts of that have its key.
  const titles = new Set(
    [...source.matchAll(/\btitle: ["`](office\.[^"`]+)["`]/g)].map(([, key]) => key ?? ""),
  );
  const ofTitles = [...titles].map(
    (title) => new RegExp(`^${title.replace(/\$\{[^}]+\}/g, "\\w+")}\\.(says|done)$`),
  );
  const isSaid = (key: string) => isNamed(key) || ofTitles.some((pattern) => pattern.test(key));
  expect(keys.filter((key) => !isSaid(key))).toEqual([]);
});

describe.each(languageCodes)("in %s", (language) => {
  const broken = (texts: string[]) =>
    texts.flatMap((text) => brokenRules(language, "", text).map((rule) => `${rule}: ${text}`));

  test("the guides of the documentation keep the rules", () => {
    const broken: string[] = [];
    JSON.stringify(guidesOf(language), (key, text: unknown) => {
      if (typeof text === "string" && key !== "id" && key !== "kind")
        broken.push(...brokenRules(language, `docs.${key}`, text).map((rule) => `${rule}: ${text}`));
      return text;
    });
    expect(broken).toEqual([]);
  });

  test("the mails keep the rules, and have the holes of the English ones", () => {
    const kinds = Object.entries({
      ...mails[language],
      ...withdrawalTexts[language],
      "daily-summary": summaryTexts[language],
    });
    const english = { ...mails.en, ...withdrawalTexts.en, "daily-summary": summaryTexts.en };
    expect(broken(kinds.flatMap(([, mail]) => Object.values(mail)))).toEqual([]);
    const holes = (mail: object) => Object.values(mail).map((text: string) => holesOf(text));
    for (const [kind, mail] of kinds)
      expect(holes(mail), kind).toEqual(holes(english[kind as keyof typeof english]));
  });

  test("so do the mails that tell the owner of an account what happened", () => {
    const textsOf = (said: object): string[] =>
      Object.values(said).flatMap((text: string | object) =>
        typeof text === "string" ? text : textsOf(text),
      );
    const said = textsOf(ownerTexts[language]);
    expect(broken(said)).toEqual([]);
    expect(said.map(holesOf)).toEqual(textsOf(ownerTexts.en).map(holesOf));
  });

  test("the stories and announcements of the demonstration keep the rules", () => {
    const told = stories.map((story) => story.texts[language]);
    const announced = news.map((one) => one.texts[language]);
    const said = [
      ...told.flatMap(({ title, slides, button }) => [title, ...slides.flat(), button]),
      ...announced.flatMap(({ title, lines }) => [title, ...lines]),
    ];
    expect(broken(said)).toEqual([]);
  });
});

test("the contract keeps the rules of English in what it says of calls, parameters and refusals", () => {
  const said = Object.values(endpoints).flatMap(({ name, summary, ask }) => [
    [`docs.call.${name}`, summary],
    ...Object.entries(ask).map(([parameter, field]) => [`docs.parameter.${parameter}`, field.summary]),
  ]);
  const refused = Object.entries(refusals).map(([value, hint]) => [`docs.refusal.${value}`, hint]);
  const broken = [...said, ...refused].flatMap(([key = "", text = ""]) =>
    brokenRules("en", key, text).map((rule) => `${key}: ${rule}: ${text}`),
  );
  expect(broken).toEqual([]);
});

test("what is not translated yet is said in English, and listed", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-i18n-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, texts: object) => writeFileSync(join(folder, name), JSON.stringify(texts));
  mkdirSync(join(folder, "app"));
  write("en.json", { "nav.help": "Help" });
  write("ru.json", { "nav.help": "Помощь" });
  write("app/en.json", {
    "order.new": "New",
    "order.old": { one: "{count} old", other: "{count} old ones" },
  });
  write("app/ru.json", { "order.new": "Новый" });
  const filled = filledCatalogue(join(folder, "app/ru.json"));
  const t = translator("ru", filled);
  expect([t("order.new"), t("order.old", { count: 3 })]).toEqual(["Новый", "3 old ones"]);
  expect(untranslated(folder)).toEqual(["ru: order.old"]);
});

test("a section of a guide with another make-up than the English one is said in English, and listed", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-guides-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const name of ["docs", "docs/en", "docs/ru"]) mkdirSync(join(folder, name));
  for (const name of ["en.json", "docs/en.json", "docs/ru.json"]) write(name, "{}");
  const page = (title: string, ...sections: string[]) => [`# ${title}`, title, ...sections].join("\n\n");
  write(
    "docs/en/events.md",
    page(
      "Events",
      "## Same {#same}\n\nUse `wait`.",
      "## More {#more}\n\nOne.\n\nTwo.",
      "## Code {#code}\n\nUse `wait`.",
      "## Hole {#hole}\n\n{calls} calls.",
      "## Line {#line}\n\n::errors",
      "## Label {#label}\n\n::limited[Calls]",
      "## List {#list}\n\n::errors\n\n- `site`: one\n- `url`: two",
    ),
  );
  write(
    "docs/ru/events.md",
    page(
      "События",
      "## То же {#same}\n\nПередайте `wait`.",
      "## Ещё {#more}\n\nОдин.",
      "## Код {#code}\n\nПередайте `weit`.",
      "## Число {#hole}\n\nВызовы.",
      "## Строка {#line}\n\n::common",
      "## Подпись {#label}\n\n::limited",
      "## Список {#list}\n\n::errors\n\n- `site`: раз",
      "## Лишнее {#gone}\n\nСлова.",
    ),
  );
  write("docs/en/tokens.md", page("Tokens"));
  const listed = ["more", "code", "hole", "line", "label", "list", "gone"].map((id) => `ru: events.md ${id}`);
  expect(untranslated(folder)).toEqual([...listed, "ru: tokens.md"]);
  const events = guidesOf("ru", join(folder, "docs")).events;
  expect([events.title, ...events.sections.map(({ title }) => title)]).toEqual([
    "События",
    "То же",
    "More",
    "Code",
    "Hole",
    "Line",
    "Label",
    "List",
  ]);
});
