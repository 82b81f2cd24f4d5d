import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { type Buyer, enter, newBuyer } from "./buyer.ts";
import { operate } from "./operator.ts";
import { place } from "./shopAddress.ts";
import { texts, type Walked } from "./visitor.ts";

export const text = (name: string, content: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});

export async function newInvestor(request: APIRequestContext): Promise<Buyer> {
  const investor = await newBuyer(request, "0");
  await operate(place, "users", "grant", investor.email, "investor");
  return investor;
}

export async function openInvestor(page: Page, investor: Buyer, language: Walked = "en"): Promise<void> {
  await enter(page, investor);
  await page.goto(`/${language}/dashboard`);
  await page.getByRole("link", { name: texts[language]["dashboard.investor"] }).click();
  await expect(page.getByRole("heading", { name: texts[language]["investor.add.title"] })).toBeVisible();
}

export const rejected = { malformed: 0, unknown_domain: 0, duplicate_in_file: 0, duplicate: 0 };
export const batch = (id: number, more: object = {}) => ({
  id_batch: String(id),
  created_at: 1_763_780_000,
  count: 5000,
  alive: 4990,
  amount: "1.23456",
  percent: 0.3,
  domain_names: ["mail.example"],
  state: "active",
  reason: null,
  checked: 1,
  rejected,
  restricted: [],
  ...more,
});
export const listOf = (batches: object[], total = batches.length) => ({
  status: "success",
  ...Object.fromEntries(batches.entries()),
  next_offset: null,
  total,
});

export const chooser = (page: Page, language: Walked = "en") =>
  page.getByLabel(texts[language]["investor.drop"]);

/** Uploads by the dialog; `warning` is one that it shows. */
export async function confirmUpload(
  page: Page,
  form: "all" | "restricted" = "all",
  language: Walked = "en",
  warning?: string,
) {
  const t = texts[language];
  await page.getByRole("button", { name: t["investor.upload"], exact: true }).click();
  const dialog = page.getByRole("dialog", { name: t["investor.confirm.title"] });
  if (warning !== undefined) await expect(dialog.getByText(warning)).toBeVisible();
  const box = dialog.getByRole("checkbox", { name: t[`investor.confirm.${form}`] });
  await expect(box).toBeInViewport({ ratio: 1 });
  await box.check();
  await dialog.getByRole("button", { name: t["investor.upload"] }).click();
  await expect(dialog).toHaveCount(0);
}
