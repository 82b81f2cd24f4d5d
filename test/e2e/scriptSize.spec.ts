import type { Page, Response } from "@playwright/test";
import { type Language, languageCodes } from "../../src/i18n/languages.ts";
import { expect, test } from "./fixtures.ts";

/** Scripts of home before any interaction, in brotli. */
const scriptBytesMax = 110_000;

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
  // Small files are not compressed.
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
  // Chinese has the most fonts, Arabic is right to left.
  const tag = language === "zh" || language === "ar" ? [] : ["@full"];
  test(
    `home in ${language} fetches the fonts of its script alone, each once, and does not jump`,
    {
      tag,
    },
    async ({ page }) => {
      await page.addInitScript(() => {
        const seen = window as unknown as { moved: number };
        seen.moved = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.moved += (entry as unknown as { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
      });
      const fetched = await loadHome(page, language);
      const fonts = fetched.filter((response) => response.request().resourceType() === "font").map(nameOf);
      // The closed language list loads no font: a late font would cause a layout shift.
      expect(fonts.filter((name) => !fontsOf[language].test(name))).toEqual([]);
      expect(fonts.length).toBeGreaterThan(language === "en" || language === "es" ? 0 : 1);
      expect(new Set(fonts).size).toBe(fonts.length);
      // Fonts in time cause no shift. Late fonts, or missing Chinese or Indian ones, shift a line or two, far below the noticeable 0.1.
      expect(await page.evaluate(() => (window as unknown as { moved: number }).moved)).toBeLessThan(0.07);
      const preloaded = await page
        .locator('link[rel="preload"][as="font"]')
        .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href.split("/").at(-1) ?? ""));
      expect(preloaded.filter((name) => !fonts.includes(name))).toEqual([]);
    },
  );
}
