import type { Page } from "@playwright/test";
import { texts } from "./storiesPage.ts";
import { expect } from "./fixtures.ts";
import type { Walked } from "./visitor.ts";

const t = texts.en;

/** Says a text with its holes filled, where it has no plural forms. */
export const say = (text: string, holes: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (hole, name: string) => holes[name] ?? hole);

/** A section of the back office, when its table is there. */
export async function openSection(page: Page, section: string, query = "", language: Walked = "en") {
  await page.goto(`/${language}/admin${section && `/${section}`}${query}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Opens one of the acts of a row, which are behind one button. */
export async function openAct(page: Page, row: string, act: string) {
  await page.getByRole("button", { name: say(t["office.acts.of"], { name: row }), exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: act, exact: true }).click();
  return page.getByRole("dialog");
}

/** Presses the button that does what the dialog asks about, and waits until it says that it is done. */
export async function confirm(page: Page, act: string, done: string) {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: act, exact: true }).click();
  await expect(dialog).toHaveCount(0);
  // The same may have been done a moment ago.
  await expect(page.getByText(done).last()).toBeVisible();
}

/** Tries an open dialog with what is wrong, and reads why not. */
export async function expectRefused(page: Page, act: string, words: string) {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: act, exact: true }).click();
  await expect(dialog.getByRole("alert")).toHaveText(words);
}

/** The newest line of the audit log about something. */
export async function expectLogged(page: Page, about: string, ...words: string[]) {
  await openSection(page, "journal", `?search=${encodeURIComponent(about)}`);
  const row = page.getByRole("row").filter({ hasText: about }).first();
  await expect(row).toBeVisible();
  for (const word of words) await expect(row).toContainText(word);
}
