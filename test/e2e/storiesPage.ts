import type { Page } from "@playwright/test";
import arabicOffice from "../../i18n/office/ar.json" with { type: "json" };
import englishOffice from "../../i18n/office/en.json" with { type: "json" };
import { enter } from "./buyer.ts";
import type { OwnShop } from "./ownShop.ts";
import { texts as common, type Walked } from "./visitor.ts";

export const texts = { en: { ...common.en, ...englishOffice }, ar: { ...common.ar, ...arabicOffice } };

export async function listed(
  shop: OwnShop,
  kind: "newsmain" | "stories",
  lang: string,
): Promise<Record<string, unknown>[]> {
  const said = await shop.see(`/api/${kind}/list`, { lang }, "");
  return said[kind === "newsmain" ? "news" : "stories"] as Record<string, unknown>[];
}

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

export const named = (text: string, id: unknown) => text.replace("{id}", String(id));

/** Texts that must never become HTML. */
export const hostile = [
  "<script>document.title = 'broken'</script>after a script",
  "<img src=x onerror=\"document.title = 'broken'\">after a picture",
  "[press](javascript:document.title='broken')",
];
