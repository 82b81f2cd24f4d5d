import type { Page } from "@playwright/test";
import arabicOffice from "../../i18n/office/ar.json" with { type: "json" };
import englishOffice from "../../i18n/office/en.json" with { type: "json" };
import { enter } from "./buyer.ts";
import type { OwnShop } from "./ownShop.ts";
import { texts as common, type Walked } from "./visitor.ts";

/** What administrators read, in the languages that are walked. */
export const texts = { en: { ...common.en, ...englishOffice }, ar: { ...common.ar, ...arabicOffice } };

/** What readers of a language get. */
export async function listed(
  shop: OwnShop,
  kind: "newsmain" | "stories",
  lang: string,
): Promise<Record<string, unknown>[]> {
  const said = await shop.see(`/api/${kind}/list`, { lang }, "");
  return said[kind === "newsmain" ? "news" : "stories"] as Record<string, unknown>[];
}

/** Opens the page of stories and news with a token kept. */
export async function openEditor(
  page: Page,
  token: string,
  tab: "stories" | "news",
  language: Walked = "en",
): Promise<void> {
  await enter(page, { token });
  await page.evaluate((kept) => localStorage.setItem("adminTab", kept), tab);
  await page.goto(`/${language}/admin/stories`);
}

/** The name of a button of a row, whose number is set apart from the words around it. */
export const named = (text: string, id: unknown) => text.replace("{number}", `\u2068#${String(id)}\u2069`);

/** What must stay text wherever it is written. */
export const hostile = [
  "<script>document.title = 'broken'</script>after a script",
  "<img src=x onerror=\"document.title = 'broken'\">after a picture",
  "[press](javascript:document.title='broken')",
];
