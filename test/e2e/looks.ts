import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { judged } from "./quiet.ts";

// The engine that @axe-core/playwright brings along: put into the page once, it looks at it in all its sizes and colours.
const engine = readFileSync(
  createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright")).resolve(
    "axe-core/axe.min.js",
  ),
  "utf8",
);

// Structure does not depend on colours, and a tablet has the colours of the others: each is judged where it can differ.
const looks = [
  { size: { width: 360, height: 740 }, colorScheme: "light", rules: "all" },
  { size: { width: 360, height: 740 }, colorScheme: "dark", rules: "colours" },
  { size: { width: 768, height: 1024 }, colorScheme: "dark", rules: "structure" },
  { size: { width: 768, height: 1024 }, colorScheme: "light", rules: "none" },
  { size: { width: 1440, height: 900 }, colorScheme: "light", rules: "all" },
  { size: { width: 1440, height: 900 }, colorScheme: "dark", rules: "colours" },
] as const;
type Rules = (typeof looks)[number]["rules"];

interface Axe {
  run(
    context: Element | Document,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[] }>;
}

/**
 * Looks at what the page shows, as a phone, a tablet and a desktop show it, light and dark, and tells what is wrong:
 * what reaches over the edge, and what WCAG 2.2 AA forbids as far as a program can tell.
 */
export async function faultsIn(page: Page, state: string): Promise<string[]> {
  const faults: string[] = [];
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(engine);
  for (const { size, colorScheme, rules } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const found = await page.evaluate(look, { rules, judged });
    faults.push(...found.map((fault) => `${state}, ${size.width} px, ${colorScheme}: ${fault}`));
  }
  return faults;
}

/** Runs in the page. What stands behind an open dialog was looked at before. */
async function look({ rules, judged: tags }: { rules: Rules; judged: string[] }): Promise<string[]> {
  const { axe } = globalThis as unknown as { axe: Axe };
  // What follows the size has followed it after a frame that was drawn.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { scrollWidth, clientWidth } = document.documentElement;
  const over = scrollWidth > clientWidth ? [`reaches ${scrollWidth - clientWidth} px over the edge`] : [];
  if (rules === "none") return over;
  const { violations } = await axe.run(document.querySelector("dialog[open]") ?? document, {
    runOnly: rules === "colours" ? { type: "rule", values: ["color-contrast"] } : tags,
    rules: rules === "structure" ? { "color-contrast": { enabled: false } } : {},
    resultTypes: ["violations"],
    iframes: false,
    preload: false,
  });
  const wrong = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id} at ${node.target.join(" ")} (${node.failureSummary?.split("\n")[1]?.trim()})`),
  );
  return [...over, ...wrong];
}

/** Everything that the page says to a reader or a listener, without what is code, a name, somebody else's text, or marked as another language. */
export async function wordsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isOurs = (element: Element | null) =>
      !element?.closest("code, pre, bdi, script, style, noscript, iframe, [lang]:not(html), [dir=auto]");
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const said: string[] = [];
    while (texts.nextNode())
      if (isOurs(texts.currentNode.parentElement)) said.push(texts.currentNode.nodeValue ?? "");
    const names = ["aria-label", "title", "alt", "placeholder"];
    for (const element of document.querySelectorAll(names.map((name) => `[${name}]`).join()))
      if (isOurs(element)) said.push(...names.map((name) => element.getAttribute(name) ?? ""));
    return [...new Set(said.map((words) => words.replace(/\s+/g, " ").trim()))].filter(Boolean);
  });
}
