import type { Page } from "@playwright/test";
import type { Language } from "../../src/i18n/languages.ts";
import { judge } from "./judge.ts";
import { walked } from "./visitor.ts";

// Structure does not depend on colours, and a tablet has the colours of the others. Another language of the same direction
// has other words: they take other room, for which a phone has the least. Each is looked at where it can differ.
const looks = [
  { size: { width: 360, height: 740 }, colorScheme: "light", rules: "all" },
  { size: { width: 360, height: 740 }, colorScheme: "dark", rules: "colours" },
  { size: { width: 768, height: 1024 }, colorScheme: "dark", rules: "structure" },
  { size: { width: 1440, height: 900 }, colorScheme: "light", rules: "all" },
  { size: { width: 1440, height: 900 }, colorScheme: "dark", rules: "colours" },
] as const;

/**
 * Looks at what the page shows, as a phone, a tablet and a desktop show it, light and dark, and tells what is wrong:
 * what reaches over the edge, and what WCAG 2.2 AA forbids as far as a program can tell.
 */
export async function faultsIn(page: Page, state: string, language: Language): Promise<string[]> {
  const faults: string[] = [];
  const isWalked = walked.some((one) => one === language);
  for (const [at, { size, colorScheme, rules }] of looks.entries()) {
    if (rules === "colours" && !isWalked) continue;
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const over = await page.evaluate(reach);
    const found = over > 0 ? [`reaches ${over} px over the edge`] : [];
    // What stands behind an open dialog was looked at before.
    if (isWalked || at === 0) found.push(...(await judge(page, rules, "dialog[open]")));
    faults.push(...found.map((fault) => `${state}, ${size.width} px, ${colorScheme}: ${fault}`));
  }
  return faults;
}

/** Looks at the same page in other words, which can only be too long: what reaches over the edge, at every width. */
export async function overflowsIn(page: Page, state: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of new Set(looks.map(({ size }) => size.width))) {
    await page.setViewportSize({ width, height: 900 });
    const over = await page.evaluate(reach);
    if (over > 0) faults.push(`${state}, ${width} px: reaches ${over} px over the edge`);
  }
  return faults;
}

/** Runs in the page. */
async function reach(): Promise<number> {
  // What is scrolled half under the header is there too small, which is nobody's fault.
  scrollTo({ top: 0, behavior: "instant" });
  // What follows the size has followed it after a frame that was drawn.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth - clientWidth;
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
