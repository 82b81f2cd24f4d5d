import type { Page } from "@playwright/test";
import { type } from "../kit/process.ts";
import { codeFor } from "./mail.ts";
import { place } from "./shopAddress.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";
import { newEmail, register, texts, walked, type Walked } from "./visitor.ts";

// The first order: register, pay, order, and see the letter without a reload.

const rows = (page: Page) => page.locator("#activations li[data-state]");

for (const language of walked) {
  const t = texts[language];
  const tag = language === "en" ? [] : ["@full"];

  test(
    `a stranger registers, tops up, orders an address, reads its letter, orders again and leaves (${language})`,
    { tag },
    async ({ page, context }) => {
      test.setTimeout(240_000);
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.goto(`/${language}`);
      await page.getByLabel(t["home.service"]).selectOption("instagram");
      await page.getByRole("button", { name: t["home.get"] }).click();
      await join(page, language);
      await expect(page).toHaveURL(new RegExp(`/${language}/dashboard$`));
      await expect(page.getByLabel(t["order.site"], { exact: true })).toHaveValue(/instagram/);
      expect(await page.evaluate(() => localStorage.getItem("pendingEmailRequest"))).toBeNull();

      await topUp(page, language);

      await page.getByRole("button", { name: new RegExp(`^${t["order.buy"]}`) }).click();
      const address = rows(page).first().locator("bdi", { hasText: "@letters.test" });
      await expect(address).toBeVisible();
      await expectAccessible(page);
      const email = await address.innerText();

      await type(place, "scripts/letter.ts", email, "--code", "482915");
      await expect(rows(page).first()).toContainText(t["state.received"]);
      await rows(page)
        .first()
        .getByRole("button", { name: /482\s?915/ })
        .click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("482915");
      await rows(page).first().getByRole("button", { name: "instagram.com" }).click();
      const letter = page.getByRole("dialog", { name: t["letter.title"] });
      await expect(letter.getByText(/482\s?915/).first()).toBeVisible();
      // The sandbox forbids scripts, so Playwright cannot look into the frame.
      await expect(letter.locator("iframe")).toHaveAttribute("srcdoc", /482915/);
      await page.keyboard.press("Escape");

      await rows(page).first().getByRole("button", { name: t["reorder.same"], exact: true }).click();
      await rows(page).first().getByRole("button", { name: t["reorder.confirm"] }).click();
      await expect(rows(page)).toHaveCount(2);
      await expect(rows(page).first()).toContainText(t["state.processing"]);
      await rows(page).first().getByRole("button", { name: t["cancel.do"] }).click();
      await expect(rows(page)).toHaveCount(1);

      await page.getByRole("tab", { name: t["tabs.history"] }).click();
      await expect(rows(page)).toHaveCount(2);
      await expect(rows(page).first()).toContainText(t["state.canceled"]);
      await page.getByRole("button", { name: t["nav.logout"] }).click();
      await expect(page).toHaveURL(new RegExp(`/${language}$`));
      expect(await page.evaluate(() => localStorage.getItem("authToken"))).toBeNull();
    },
  );
}

async function join(page: Page, language: Walked): Promise<void> {
  const t = texts[language];
  const dialog = page.getByRole("dialog");
  const email = newEmail();
  await register(dialog, email, language);
  await expect(page.getByRole("dialog", { name: t["auth.activate"] })).toBeVisible();
  await dialog.getByRole("textbox").first().focus();
  await page.keyboard.type(await codeFor(email));
  await expect(dialog).toBeHidden();
}

async function topUp(page: Page, language: Walked): Promise<void> {
  const t = texts[language];
  await page.getByRole("button", { name: t["topup.open"] }).first().click();
  const dialog = page.getByRole("dialog", { name: t["topup.title"] });
  await dialog.getByLabel(t["topup.amount"]).fill("2");
  await dialog.getByRole("radio", { name: /Litecoin/ }).check({ force: true });
  const opening = page.waitForEvent("popup");
  await dialog.getByRole("button", { name: t["topup.do"] }).click();
  const payment = await opening;
  await expect(payment).toHaveURL(new RegExp(`/${language}/payments/pay\\?id=\\d+$`));
  await expect(payment.getByText(t["pay.status.pending"]).first()).toBeVisible();
  await expectAccessible(payment);
  const id = new URL(payment.url()).searchParams.get("id") ?? "";
  await type(place, "src/server/shop.ts", "payments", "confirm", id);
  await expect(payment.getByText(t["pay.status.confirmed"]).first()).toBeVisible({ timeout: 20_000 });
  await payment.close();
  await expect(page.getByText("2.00000").first()).toBeVisible();
}
