import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

export type Rules = "all" | "colours" | "structure";

// The engine of @axe-core/playwright, injected once, checks all states of a page.
const engine = readFileSync(
  createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright")).resolve(
    "axe-core/axe.min.js",
  ),
  "utf8",
);

/** In axe's names. */
const kept = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Axe {
  run(context: Element | Document, options: object): ReturnType<AxeBuilder["analyze"]>;
}

/** Lists violations of WCAG 2.2 AA, within a selector if given. Frames are skipped: they hold letters, where no script runs. */
export async function judge(page: Page, rules: Rules = "all", within?: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(engine);
  return page.evaluate(run, { rules, within, kept });
}

/** Runs in the page. Passed rules are left out: describing thousands of elements is slow. */
async function run({
  rules,
  within,
  kept: tags,
}: {
  rules: Rules;
  within: string | undefined;
  kept: string[];
}) {
  const { axe } = globalThis as unknown as { axe: Axe };
  const place = within === undefined ? null : document.querySelector(within);
  // While a dialog moves in, its place and colours are not yet those that a reader meets.
  const moving = document
    .getAnimations()
    .filter((each) => Number.isFinite(each.effect?.getComputedTiming().endTime));
  await Promise.allSettled(moving.map(({ finished }) => finished));
  // What lies half behind the sticky header of a scrolled page would be measured as a target that is too small.
  const { scrollY } = globalThis;
  scrollTo({ top: 0, behavior: "instant" });
  const { violations } = await axe.run(place ?? document, {
    runOnly: rules === "colours" ? { type: "rule", values: ["color-contrast"] } : tags,
    rules: rules === "structure" ? { "color-contrast": { enabled: false } } : {},
    resultTypes: ["violations"],
    iframes: false,
    preload: false,
  });
  scrollTo({ top: scrollY, behavior: "instant" });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id} at ${node.target.join(" ")} (${node.failureSummary?.split("\n")[1]?.trim()})`),
  );
}
