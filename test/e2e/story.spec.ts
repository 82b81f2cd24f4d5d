import type { Page } from "@playwright/test";
import app from "../../i18n/app/en.json" with { type: "json" };
import texts from "../../i18n/en.json" with { type: "json" };
import { type } from "../kit/process.ts";
import { codeFor } from "./mail.ts";
import { place } from "./place.ts";
import { expect, expectAccessible, test } from "./quiet.ts";

// The whole story: a stranger comes, registers, pays, orders an address, and sees its letter come without a reload.

test("a stranger registers, tops up, orders an address for instagram.com and reads its letter", async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.goto("/");
  await expect(page).toHaveURL(/\/en$/);
  await page.getByLabel(texts["home.service"]).selectOption("instagram");
  await page.getByRole("button", { name: texts["home.get"] }).click();
  await register(page, `story-${process.pid}-${Date.now()}@example.com`);
  // What was picked before the sign-in is waiting there.
  await expect(page).toHaveURL(/\/en\/dashboard$/);
  await expect(page.getByLabel(app["order.site"], { exact: true })).toHaveValue(/instagram/);

  await topUp(page);

  await page.getByRole("button", { name: new RegExp(`^${app["order.buy"]}`) }).click();
  const address = page.getByText(/^[a-z0-9._-]+@letters\.test$/).first();
  await expect(address).toBeVisible();
  await expectAccessible(page);
  const email = (await address.textContent()) ?? "";

  await type(place, "scripts/letter.ts", email, "--code", "482915");
  await expect(page.getByText(app["state.received"]).first()).toBeVisible();
  await expect(page.getByText(/482\s?915/).first()).toBeVisible();
  await page
    .getByRole("listitem")
    .filter({ hasText: email })
    .getByRole("button", { name: "instagram.com" })
    .click();
  const letter = page.getByRole("dialog");
  await expect(letter.getByText(/482\s?915/).first()).toBeVisible();
  // Looking into the frame would run a script there, which its sandbox rightly forbids.
  await expect(letter.locator("iframe")).toHaveAttribute("srcdoc", /482915/);
});

async function register(page: Page, email: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: texts["auth.register"] }).click();
  await dialog.getByLabel(texts["auth.email"]).fill(email);
  await dialog.getByLabel(texts["auth.password"], { exact: true }).fill("correct horse");
  await dialog.getByLabel(texts["auth.password.repeat"]).fill("correct horse");
  await dialog.getByRole("checkbox", { name: texts["captcha.ask"] }).click();
  await expect(dialog.getByRole("checkbox", { checked: true })).toBeVisible({ timeout: 30_000 });
  await dialog.getByRole("button", { name: texts["auth.register.do"] }).click();
  await expect(page.getByRole("dialog", { name: texts["auth.activate"] })).toBeVisible();
  await dialog.getByRole("textbox").first().focus();
  await page.keyboard.type(await codeFor(email));
  await dialog.getByRole("button", { name: texts["auth.activate.do"] }).click();
  await expect(dialog).toBeHidden();
}

async function topUp(page: Page): Promise<void> {
  await page.getByRole("button", { name: app["topup.open"] }).first().click();
  const dialog = page.getByRole("dialog", { name: app["topup.title"] });
  await dialog.getByLabel(app["topup.amount"]).fill("2");
  await dialog.getByRole("radio", { name: /Litecoin/ }).check({ force: true });
  const opening = page.waitForEvent("popup");
  await dialog.getByRole("button", { name: app["topup.do"] }).click();
  const payment = await opening;
  await expect(payment).toHaveURL(/\/en\/payments\/pay\?id=\d+$/);
  await expect(payment.getByText(app["pay.status.pending"]).first()).toBeVisible();
  await expectAccessible(payment);
  await type(
    place,
    "src/server/shop.ts",
    "payments",
    "confirm",
    new URL(payment.url()).searchParams.get("id") ?? "",
  );
  await expect(payment.getByText(app["pay.status.confirmed"]).first()).toBeVisible({ timeout: 20_000 });
  await payment.close();
  await expect(page.getByText("2.00000").first()).toBeVisible();
}
