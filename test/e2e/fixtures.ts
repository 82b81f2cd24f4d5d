import { test as base, expect, type Page } from "@playwright/test";
import { judge, type Rules } from "./accessibility.ts";

const expected = [
  // A page that is rightly not found is what a browser always complains about.
  "status of 404",
  // The recorder of traces tries its script in the frame of a letter as well, where none may run.
  "Blocked script execution in 'about:srcdoc'",
  // Chromium says it of a font that it uses, when the styles are still in memory from a page in another language.
  "was preloaded using link preload but not used",
  // Most tests go without it, see playwright.config.ts.
  "Service Worker registration blocked by Playwright",
];

/** A test that fails when the page complains: broken hydration, a blocked script, a file that is not there. */
export const test = base.extend<{ quiet: undefined }>({
  quiet: [
    async ({ page }, use) => {
      const said: string[] = [];
      page.on("pageerror", (error) => said.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") said.push(message.text());
      });
      await use(undefined);
      const wrong = said.filter((text) => !expected.some((part) => text.includes(part)));
      // A call that the page began after the last look of its test is answered when nobody is there any more.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      expect(wrong).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Nothing that WCAG 2.2 AA forbids, as far as a program can tell. */
export async function expectAccessible(page: Page, rules: Rules = "all"): Promise<void> {
  expect(await judge(page, rules)).toEqual([]);
}

/** Nothing reaches over the edge of the window. */
export async function expectFits(page: Page): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over).toBeLessThanOrEqual(0);
}
