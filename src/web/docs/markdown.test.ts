import { expect, test } from "vitest";
import { endpoints } from "../../contract/api.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { eventNames } from "../../contract/event-names.ts";
import { examples } from "../../contract/examples.ts";
import { commonRefusals, refusals } from "../../contract/refusals.ts";
import { sandboxSites } from "../../contract/sandbox.ts";
import { type Language, languageCodes } from "../../i18n/languages.ts";
import { translator } from "../../i18n/t.ts";
import { docsCatalogue, publicCatalogue } from "../catalogues.ts";
import { type DocsPage, docsPages } from "../paths.ts";
import { again } from "./calls.ts";
import { docsMarkdown, llmsText } from "./markdown.ts";

async function shown(language: Language) {
  const { texts, guides } = await docsCatalogue(language);
  const t = translator(language, { ...texts, ...(await publicCatalogue(language)) });
  return { t, guides, language, publicUrl: "https://shop.example", domains: [{ name: "quill.test" }] };
}

test("the Markdown has every call with its parameters, and every refusal with what it means", async () => {
  const text = docsMarkdown(await shown("en"));
  const documented = Object.keys(examples).map((name): Endpoint => endpoints[name as keyof typeof examples]);
  for (const { path, summary, ask, file } of documented) {
    expect(text).toContain(`${path}\``);
    expect(text).toContain(summary);
    for (const [name, field] of Object.entries(ask)) {
      expect(text, path).toContain(field.summary);
      if (!file) expect(text, path).toContain(`\`${name}\` (`);
    }
  }
  for (const value of new Set([...documented.flatMap((endpoint) => endpoint.refusals), ...commonRefusals]))
    expect(text).toContain(`- \`${value}\`: ${refusals[value]} `);
  expect(text).toContain("/email/order?site=sandbox-ok&domain=quill.test");
});

test.each(languageCodes)("the Markdown in %s leaves no hole unfilled", async (language) => {
  const text = docsMarkdown(await shown(language)).replaceAll(/```[^]*?```|`[^`\n]*`/g, "");
  expect(text).not.toMatch(/undefined|\{\w+\}|\[object/);
});

test("the guides have each page, and say of each sandbox site and each event what it does", async () => {
  const { guides } = await shown("en");
  expect(Object.keys(guides).toSorted()).toEqual(docsPages.toSorted());
  const named = (page: DocsPage) =>
    guides[page].sections
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (typeof block === "object" && block.kind === "table" ? block.rows : []))
      .map(([name]) => name);
  expect(named("sandbox")).toEqual(sandboxSites.map((site) => `\`${site}\``));
  const ways = guides.errors.sections
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (typeof block === "object" && block.kind === "errors" ? block.items : []));
  expect(ways.filter(({ name }) => !(name in again))).toEqual([]);
  expect(ways.length).toBeGreaterThan(10);
  expect(named("events")).toEqual(eventNames.map((name) => `\`${name}\``));
});

test("llms.txt names each page, and each of them is a part of the whole", async () => {
  const english = await shown("en");
  const index = llmsText(english);
  expect(index).toMatch(/^# Postern\n\n> /);
  const whole = docsMarkdown(english);
  for (const page of docsPages) {
    expect(index).toContain(`(https://shop.example/en/docs/${page}.md): `);
    expect(whole).toContain(docsMarkdown(english, page).trim());
  }
});
