import { test as base, expect, type Page } from "@playwright/test";
import { judge, type Rules } from "./accessibility.ts";

const expected = [
  // Browsers log every 404.
  "status of 404",
  // The trace recorder tries its script in a letter's frame.
  "Blocked script execution in 'about:srcdoc'",
  // Chromium logs it when the styles are cached from a page in another language.
  "was preloaded using link preload but not used",
  // Chromium logs it when the worker takes over while a page loads.
  "cross-world service worker resource mismatch",
  "Service Worker registration blocked by Playwright",
  // Chromium logs it of every page on plain http that is not localhost.
  "The Cross-Origin-Opener-Policy header has been ignored",
];

/** Fails when the console complains: broken hydration, a blocked script, a missing file. */
export const test = base.extend<{ quiet: undefined }>({
  quiet: [
    async ({ page }, use) => {
      keepIntercepting(page);
      const said: string[] = [];
      page.on("pageerror", (error) => said.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") said.push(message.text());
      });
      await use(undefined);
      const wrong = said.filter((text) => !expected.some((part) => text.includes(part)));
      // A call after the last check may be answered after the test.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      expect(wrong).toEqual([]);
    },
    { auto: true },
  ],
});

/** The browser loses a request that is on its way while the last route is taken away; this one stays. */
function keepIntercepting(page: Page): void {
  const route = page.route.bind(page);
  let kept: Promise<unknown> | undefined;
  page.route = async (...asked) => {
    kept ??= page.context().route("**/never-asked", (each) => each.abort());
    await kept;
    return route(...asked);
  };
}

export { expect };

/** What the browser keeps for the pages under a key. */
export const kept = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key);

/** Stops the page's clock at a time that a busy machine has not reached before it stands. */
export async function stopClock(page: Page, milliseconds = 5000): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + milliseconds);
}

/** Runs the clock in steps until a look at the page finds what is expected: what the page waits for comes in real time. */
export const runClock = <Seen>(
  page: Page,
  milliseconds: number,
  look: () => Seen | Promise<Seen>,
  intervals?: number[],
) =>
  expect.poll(async () => {
    await page.clock.runFor(milliseconds);
    return look();
  }, intervals && { intervals });

export async function expectAccessible(page: Page, rules: Rules = "all"): Promise<void> {
  expect(await judge(page, rules)).toEqual([]);
  // Behind a modal dialog the engine looks at nothing, and misses that the dialog has landmarks of a page too.
  for (const landmark of ["banner", "contentinfo"] as const)
    expect(await page.getByRole(landmark).count(), landmark).toBeLessThan(2);
}

export async function expectFits(page: Page): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over).toBeLessThanOrEqual(0);
}
