import type { APIRequestContext, Page } from "@playwright/test";
import { theOperator } from "./buyer.ts";
import { texts } from "./storiesPage.ts";
import { expect } from "./fixtures.ts";
import type { Walked } from "./visitor.ts";

const t = texts.en;

export const say = (text: string, holes: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (hole, name: string) => holes[name] ?? hole);

export async function openSection(page: Page, section: string, query = "", language: Walked = "en") {
  await page.goto(`/${language}/admin${section && `/${section}`}${query}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

export async function openAct(page: Page, row: string, act: string) {
  await page.getByRole("button", { name: say(t["office.acts.of"], { name: row }), exact: true }).click();
  await page.getByRole("menu").getByRole("menuitem", { name: act, exact: true }).click();
  return page.getByRole("dialog");
}

export async function confirm(page: Page, act: string, done: string) {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: act, exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(done).last()).toBeVisible();
}

/** Beside its field, or at the end of the dialog where it is about none. */
export async function expectRefused(page: Page, act: string, words: string) {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: act, exact: true }).click();
  await expect(dialog.getByText(words)).toBeVisible();
}

export async function expectLogged(page: Page, about: string, ...words: string[]) {
  await openSection(page, "journal", `?search=${encodeURIComponent(about)}`);
  const row = page.getByRole("row").filter({ hasText: about }).first();
  await expect(row).toBeVisible();
  for (const word of words) await expect(row).toContainText(word);
}

export const asOperator = async (request: APIRequestContext) => ({
  authorization: `Bearer ${(await theOperator(request)).token}`,
});

/** Does an act of the office by its call. */
export async function act(request: APIRequestContext, path: string, form: Record<string, string>) {
  const said = await request.post(`/api/admin/${path}`, { headers: await asOperator(request), form });
  expect(await said.json()).toMatchObject({ status: "success" });
}

export async function rowsOf(request: APIRequestContext, table: string, search = "") {
  const path = `/api/admin/tables/${table}?search=${encodeURIComponent(search)}`;
  const said = await request.get(path, { headers: await asOperator(request) });
  return ((await said.json()) as { rows: Record<string, unknown>[] }).rows;
}
