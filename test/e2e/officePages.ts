import type { Page } from "@playwright/test";
import { texts } from "./storiesPage.ts";
import { expect } from "./fixtures.ts";
import type { Walked } from "./visitor.ts";

const t = texts.en;

/** Fills the placeholders of a text without plural forms. */
export const say = (text: string, holes: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (hole, name: string) => holes[name] ?? hole);

/** Resolves when its table is there. */
export async function openSection(page: Page, section: string, query = "", language: Walked = "en") {
  await page.goto(`/${language}/admin${section && `/${section}`}${query}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Through the row's menu. */
export async function openAct(page: Page, row: string, act: string) {
  await page.getByRole("button", { name: say(t["office.acts.of"], { name: row }), exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: act, exact: true }).click();
  return page.getByRole("dialog");
}

/** Confirms a dialog and waits for its success. */
export async function confirm(page: Page, act: string, done: string) {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: act, exact: true }).click();
  await expect(dialog).toHaveCount(0);
  // An earlier message may still be shown.
  await expect(page.getByText(done).last()).toBeVisible();
}

/** Submits an open dialog with wrong input and reads the refusal. */
export async function expectRefused(page: Page, act: string, words: string) {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: act, exact: true }).click();
  await expect(dialog.getByRole("alert")).toHaveText(words);
}

/** The newest journal line about something. */
export async function expectLogged(page: Page, about: string, ...words: string[]) {
  await openSection(page, "journal", `?search=${encodeURIComponent(about)}`);
  const row = page.getByRole("row").filter({ hasText: about }).first();
  await expect(row).toBeVisible();
  for (const word of words) await expect(row).toContainText(word);
}
