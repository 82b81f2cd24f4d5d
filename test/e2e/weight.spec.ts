import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page, Response } from "@playwright/test";
import { type Language, languageCodes } from "../../src/i18n/languages.ts";
import { expect, test } from "./quiet.ts";

/** What home may load of scripts before anybody has touched it, packed by brotli. */
const scriptBytesMax = 110_000;

const root = new URL("../../", import.meta.url);

/** Opens home and answers what it fetched for that, when nothing more comes. */
async function loadHome(page: Page, language: Language): Promise<Response[]> {
  const fetched: Response[] = [];
  page.on("response", (response) => fetched.push(response));
  await page.goto(`/${language}`, { waitUntil: "networkidle" });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return fetched;
}

const nameOf = (response: Response) => new URL(response.url()).pathname.split("/").at(-1) ?? "";

test("home loads less than 110 KB of scripts at first, and of the dashboard nothing", async ({ page }) => {
  const fetched = await loadHome(page, "en");
  const scripts = fetched.filter((response) => response.request().resourceType() === "script");
  const weights = await Promise.all(
    scripts.map(async (script) => {
      const { responseBodySize } = await script.request().sizes();
      return { name: nameOf(script), bytes: responseBodySize, coding: script.headers()["content-encoding"] };
    }),
  );
  const sum = weights.reduce((all, { bytes }) => all + bytes, 0);
  const told = weights.map(({ name, bytes }) => `${name} ${bytes}`).join(", ");
  expect(weights.length, told).toBeGreaterThanOrEqual(3);
  // Small files are not worth packing.
  expect(weights.filter(({ bytes, coding }) => bytes > 1000 && coding !== "br")).toEqual([]);
  expect(sum, `home loads ${sum} bytes of scripts: ${told}`).toBeLessThanOrEqual(scriptBytesMax);
  expect(told).not.toMatch(/Dashboard|Docs|Payment|Programs|Statement|AuthDialog|serverState/);
});

const fontsOf: Record<Language, RegExp> = {
  en: /^geist-latin-wght/,
  es: /^geist-latin-wght/,
  ru: /^geist-(latin|cyrillic)-wght/,
  zh: /^(geist-latin-wght|chinese-\d+)/,
  ar: /^(geist-latin-wght|arabic-0)/,
  hi: /^(geist-latin-wght|devanagari-\d)/,
};

for (const language of languageCodes) {
  test(`home in ${language} fetches the fonts of its script alone, each once, and does not jump`, async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const seen = window as unknown as { moved: number };
      seen.moved = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.moved += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    const fetched = await loadHome(page, language);
    const fonts = fetched.filter((response) => response.request().resourceType() === "font").map(nameOf);
    // Nor the names in the list of languages, which is closed: their font would come late, and all be laid out again.
    expect(fonts.filter((name) => !fontsOf[language].test(name))).toEqual([]);
    expect(fonts.length).toBeGreaterThan(language === "en" || language === "es" ? 0 : 1);
    expect(new Set(fonts).size).toBe(fonts.length);
    // Nothing moves when the fonts are there in time. On a busy machine they may be late, and on one without any
    // Chinese or Indian font boxes give way to letters: a line or two, far from the 0.1 that is felt as a jump.
    expect(await page.evaluate(() => (window as unknown as { moved: number }).moved)).toBeLessThan(0.07);
    // What was told to be fetched first is what was needed.
    const preloaded = await page
      .locator('link[rel="preload"][as="font"]')
      .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href.split("/").at(-1) ?? ""));
    expect(preloaded.filter((name) => !fonts.includes(name))).toEqual([]);
  });
}

/** The families of ours that a language is written with (src/web/styles/base.css). */
const families: Record<Language, string[]> = {
  en: [],
  es: [],
  ru: [],
  zh: ["Postern Chinese"],
  ar: ["Postern Arabic"],
  hi: ["Postern Devanagari"],
};

test("there is a letter in our fonts for every letter of every catalogue", () => {
  const assets = fileURLToPath(new URL("dist/client/assets/", root));
  const styles = readdirSync(assets)
    .filter((name) => name.endsWith(".css"))
    .map((name) => readFileSync(assets + name, "utf8"))
    .join("");
  const rangesOf = (family: string) =>
    [...styles.matchAll(/@font-face\s*\{([^}]*)\}/g)]
      .map(([, face = ""]) => face)
      .filter((face) => face.match(/font-family:\s*"?([^;"]+)/)?.[1] === family)
      .flatMap((face) => (face.match(/unicode-range:([^;}]+)/)?.[1] ?? "").split(","))
      .map((range) => range.trim().slice(2))
      .map((range) => {
        const [from = "", to = from] = range.split("-");
        // U+4?? stands for U+400-4FF.
        return [
          Number.parseInt(from.replaceAll("?", "0"), 16),
          Number.parseInt(to.replaceAll("?", "F"), 16),
        ] as const;
      });
  for (const language of languageCodes) {
    const ranges = ["Geist Variable", ...families[language]].flatMap(rangesOf);
    const said = ["i18n/", "i18n/app/"]
      .map((folder) => readFileSync(new URL(`${folder}${language}.json`, root), "utf8"))
      .join("");
    const letters = [...new Set(said.match(/[\p{L}\p{M}]/gu))];
    const missing = letters.filter((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return !ranges.some(([from, to]) => code >= from && code <= to);
    });
    expect(missing, language).toEqual([]);
  }
});
