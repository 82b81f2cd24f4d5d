import type { Page } from "@playwright/test";
import arabicApp from "../../i18n/app/ar.json" with { type: "json" };
import arabicPublic from "../../i18n/ar.json" with { type: "json" };
import englishApp from "../../i18n/app/en.json" with { type: "json" };
import englishPublic from "../../i18n/en.json" with { type: "json" };
import { expect } from "./fixtures.ts";

export const texts = { en: englishApp, ar: arabicApp };

export const rows = (page: Page) => page.locator("#activations li");

/** A confirmation letter. */
export const letterTo = (to: string, code: string) => ({
  from: "Instagram <no-reply@mail.instagram.com>",
  to,
  subject: `${code} is your Instagram code`,
  html: `<p>Enter this confirmation code:</p><h1>${code}</h1>
    <p><a href="https://www.instagram.com/confirm?c=${code}">Confirm</a></p>`,
});

export async function order(page: Page, language: "en" | "ar" = "en"): Promise<string> {
  await page.goto(`/${language}/dashboard?from=instagram.com&to=letters`);
  await page.getByRole("button", { name: new RegExp(`^${texts[language]["order.buy"]} `) }).click();
  const address = rows(page).first().locator("bdi", { hasText: "@" });
  await expect(address).toHaveText(/@letters\.test$/);
  return address.innerText();
}

export const activation = (id: string, status: number, more: object = {}) => ({
  activation_id: id,
  from: "instagram.com",
  email: `box${id}@letters.test`,
  status,
  message: "",
  attachments: [],
  price: 0.0035,
  created_at: 1_795_258_800,
  expires_at: 4_000_000_000,
  ...more,
});

const messages = { en: englishPublic, ar: arabicPublic };

/** Closes the message that offers to undo a cancel: the call is made without its five seconds. */
export async function endToasts(page: Page, language: "en" | "ar" = "en"): Promise<void> {
  const { "ui.toasts": place, "ui.close": close } = messages[language];
  const offer = page
    .getByRole("region", { name: place })
    .getByRole("button", { name: texts[language]["cancel.undo"] });
  await offer.locator("..").getByRole("button", { name: close }).click();
}
