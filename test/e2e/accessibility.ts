import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** Which rules: all of them, those about colours alone, or all but those. */
export type Rules = "all" | "colours" | "structure";

// The engine that @axe-core/playwright brings along: put into a page once, it judges all states of it.
const engine = readFileSync(
  createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright")).resolve(
    "axe-core/axe.min.js",
  ),
  "utf8",
);

/** The rules that every page keeps to, by the names that axe has for them. */
const kept = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Axe {
  run(context: Element | Document, options: object): ReturnType<AxeBuilder["analyze"]>;
}

/**
 * Tells what WCAG 2.2 AA forbids of what the page shows, as far as a program can tell; only `within` the element of
 * that selector, if there is one. Frames hold letters, where no script runs: the engine cannot look into them.
 */
export async function judge(page: Page, rules: Rules = "all", within?: string): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(engine);
  return page.evaluate(run, { rules, within, kept });
}

/** Runs in the page. What was passed is not told: to describe thousands of elements takes longer than to judge them. */
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
  const { violations } = await axe.run(place ?? document, {
    runOnly: rules === "colours" ? { type: "rule", values: ["color-contrast"] } : tags,
    rules: rules === "structure" ? { "color-contrast": { enabled: false } } : {},
    resultTypes: ["violations"],
    iframes: false,
    preload: false,
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id} at ${node.target.join(" ")} (${node.failureSummary?.split("\n")[1]?.trim()})`),
  );
}
