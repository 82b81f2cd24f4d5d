import type { Page } from "@playwright/test";
import { type Language, languageCodes, languages } from "../../src/i18n/languages.ts";
import { judge, type Rules } from "./accessibility.ts";
import { expect } from "./fixtures.ts";
import { leftInEnglish } from "./untranslated.ts";

/** A window and its checks. */
interface Look {
  size: { width: number; height: number };
  judged: readonly (readonly [Language, "light" | "dark", Rules])[];
  read: readonly Language[];
}

const phone = { width: 320, height: 740 };
const tablet = { width: 768, height: 1024 };
const desktop = { width: 1440, height: 900 };
const english = [
  ["en", "light", "all"],
  ["en", "dark", "colours"],
] as const;

/** More checks where space is tightest: in the longest words, and from right to left. */
export const extents: { where: string; tag: string[]; looks: Look[] }[] = [
  {
    where: "in the narrowest window, light and dark",
    tag: [],
    looks: [{ size: phone, judged: english, read: ["en", "ru", "ar"] }],
  },
  {
    where: "on tablets and desktops, and from right to left",
    tag: ["@full"],
    looks: [
      { size: phone, judged: [["ar", "light", "all"]], read: languageCodes },
      { size: tablet, judged: [["en", "dark", "structure"]], read: languageCodes },
      { size: desktop, judged: [...english, ["ar", "light", "all"]], read: languageCodes },
    ],
  },
];

export async function see(page: Page, state: string, looks: readonly Look[]): Promise<void> {
  expect.soft(await faultsIn(page, looks), state).toEqual([]);
}

/** Faults of a page: accessibility, overflow, English left in other languages. The page is loaded once and changes its language in place. */
async function faultsIn(page: Page, looks: readonly Look[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { size, judged, read } of looks) {
    const add = (language: Language, found: string[]) =>
      faults.push(...found.map((fault) => `${size.width} px, ${language}: ${fault}`));
    await page.setViewportSize(size);
    for (const [language, colorScheme, rules] of judged) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(speak, [language]);
      // The page behind an open dialog was checked before.
      add(language, await judge(page, rules, "dialog[open]"));
    }
    for (const { code, direction, over, words } of await page.evaluate(speak, read)) {
      if (over > 0) add(code, [`reaches ${over} px over the edge`]);
      if (direction !== languages[code].direction) add(code, [`is written ${direction}`]);
      if (code !== "en")
        add(
          code,
          leftInEnglish(words, code).map((text) => `says in English: ${text}`),
        );
    }
    await page.evaluate(speak, ["en" as const]);
  }
  return faults;
}

async function speak(codes: readonly Language[]) {
  const html = document.documentElement;
  const select = document.querySelector<HTMLSelectElement>("header select");
  if (!select) throw new Error("no language to choose");
  const choose = async (code: Language) => {
    if (html.lang !== code)
      await new Promise<void>((resolve) => {
        new MutationObserver((_, observer) => {
          if (html.lang !== code) return;
          observer.disconnect();
          resolve();
        }).observe(html, { attributeFilter: ["lang"] });
        select.value = code;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      });
    // After a frame, dependent state is drawn.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  };
  const isOurs = (element: Element | null) =>
    !element?.closest("code, pre, bdi, script, style, noscript, iframe, [lang]:not(html), [dir=auto]");
  const names = ["aria-label", "title", "alt", "placeholder"];
  const words = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const said: string[] = [];
    while (texts.nextNode())
      if (isOurs(texts.currentNode.parentElement)) said.push(texts.currentNode.nodeValue ?? "");
    for (const element of document.querySelectorAll(names.map((name) => `[${name}]`).join()))
      if (isOurs(element)) said.push(...names.map((name) => element.getAttribute(name) ?? ""));
    return [...new Set(said.map((text) => text.replace(/\s+/g, " ").trim()))].filter(Boolean);
  };
  // Elements half under the header would count as too small.
  scrollTo({ top: 0, behavior: "instant" });
  const told = [];
  for (const code of codes) {
    await choose(code);
    const over = html.scrollWidth - html.clientWidth;
    told.push({ code, direction: html.dir, over, words: words() });
  }
  return told;
}
