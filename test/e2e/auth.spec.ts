import type { Page } from "@playwright/test";
import english from "../../i18n/en.json" with { type: "json" };
import arabic from "../../i18n/ar.json" with { type: "json" };
import { codeFor } from "./mail.ts";
import { expect, expectAccessible, expectFits, test } from "./quiet.ts";

const password = "correct horse";
let made = 0;
const newEmail = () => `visitor-${process.pid}-${Date.now()}-${made++}@example.com`;

const open = async (page: Page, language: "en" | "ar") => {
  await page.goto(`/${language}`);
  const texts = language === "en" ? english : arabic;
  await page.getByRole("button", { name: texts["nav.login"], exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  return { dialog, texts };
};

for (const language of ["en", "ar"] as const) {
  test(`a stranger registers, enters the code of the mail and is in (${language})`, async ({ page }) => {
    const { dialog, texts } = await open(page, language);
    const email = newEmail();
    await dialog.getByRole("button", { name: texts["auth.register"] }).click();
    await dialog.getByLabel(texts["auth.email"]).fill(email);
    await dialog.getByLabel(texts["auth.password"], { exact: true }).fill(password);
    await dialog.getByLabel(texts["auth.password.repeat"]).fill(password);
    await dialog.getByRole("checkbox", { name: texts["captcha.ask"] }).click();
    await expect(dialog.getByRole("checkbox", { checked: true })).toBeVisible({ timeout: 30_000 });
    await expectFits(page);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: texts["auth.register.do"] }).click();

    await expect(page.getByRole("dialog", { name: texts["auth.activate"] })).toBeVisible();
    await expect(dialog.getByRole("button", { name: texts["auth.activate.do"] })).toBeDisabled();
    await expect(dialog.getByRole("button", { name: /\b(5[0-9]|60)\b/ })).toBeDisabled();
    await expectAccessible(page);
    await page.keyboard.type("12a3");
    await page.keyboard.press("Backspace");
    await expect(dialog.getByRole("textbox").nth(1)).toHaveValue("2");
    await expect(dialog.getByRole("textbox").nth(2)).toBeFocused();

    const code = await codeFor(email);
    await dialog
      .getByRole("textbox")
      .first()
      .evaluate((box, text) => {
        const data = new DataTransfer();
        data.setData("text", text);
        box.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }, code);
    await dialog.getByRole("button", { name: texts["auth.activate.do"] }).click();
    await expect(page).toHaveURL(new RegExp(`/${language}/dashboard$`));
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.getByRole("button", { name: texts["nav.logout"] }).click();
    await expect(page).toHaveURL(new RegExp(`/${language}$`));
    expect(await page.evaluate(() => localStorage.getItem("authToken"))).toBeNull();
  });
}

test("a wrong code is said beside the boxes, and one may do it later", async ({ page }) => {
  const { dialog, texts } = await open(page, "en");
  await register(page, newEmail());
  await page.keyboard.type("000000");
  await dialog.getByRole("button", { name: texts["auth.activate.do"] }).click();
  await expect(dialog.getByText(texts["auth.error.activation"])).toBeVisible();
  await page.reload();
  expect(Number(await page.evaluate(() => localStorage.getItem("activationResendTime")))).toBeGreaterThan(0);
  await page.goto("/en/dashboard");
  await expect(page).toHaveURL(/dashboard/);
});

test("an address that is registered already leads to activation and from there to sign-in", async ({
  page,
}) => {
  const email = newEmail();
  const { dialog, texts } = await open(page, "en");
  await register(page, email);
  await page.evaluate(() => localStorage.clear());
  await open(page, "en");
  await register(page, email, texts["auth.activate"]);
  await expect(dialog.getByText(texts["auth.activate.known"])).toBeVisible();
  await dialog.getByRole("button", { name: texts["auth.login"] }).click();
  await expect(page.getByRole("dialog", { name: texts["auth.login"] })).toBeVisible();
});

test("a forgotten password is replaced with the code of the mail, and the new one opens", async ({
  page,
}) => {
  const email = newEmail();
  const { dialog, texts } = await open(page, "en");
  await register(page, email);
  await page.evaluate(() => localStorage.clear());
  await open(page, "en");
  await dialog.getByRole("button", { name: texts["auth.login.forgot"] }).click();
  await dialog.getByLabel(texts["auth.email"]).fill(email);
  await solveCaptcha(page);
  await dialog.getByRole("button", { name: texts["auth.reset.send"] }).click();
  await expect(dialog.getByLabel(texts["auth.password.new"])).toBeVisible();
  await expectAccessible(page);
  await expect(dialog.getByRole("textbox").first()).toBeFocused();
  await page.keyboard.type(await codeFor(email, 2));
  await dialog.getByLabel(texts["auth.password.new"]).fill("another horse");
  await dialog.getByLabel(texts["auth.password.repeat"]).fill("another horse");
  await dialog.getByRole("button", { name: texts["auth.reset.do"] }).click();
  await expect(dialog.getByText(texts["auth.done.password"])).toBeVisible();

  await expect(page.getByRole("dialog", { name: texts["auth.login"] })).toBeVisible();
  await expect(dialog.getByLabel(texts["auth.email"])).toHaveValue("");
  await dialog.getByLabel(texts["auth.email"]).fill(email);
  await dialog.getByRole("textbox", { name: texts["auth.password"] }).fill("another horse");
  await solveCaptcha(page);
  await dialog.getByRole("button", { name: texts["auth.login.do"], exact: true }).click();
  await expect(page).toHaveURL(/dashboard/);
});

test("mistakes are told next to their fields, while typing where it helps", async ({ page }) => {
  const { dialog, texts } = await open(page, "en");
  await dialog.getByRole("button", { name: texts["auth.login.do"], exact: true }).click();
  await expect(dialog.getByText(texts["auth.error.emailFormat"])).toBeVisible();
  await expect(dialog.getByText(texts["auth.error.captcha"])).toBeVisible();
  await expect(dialog.getByLabel(texts["auth.email"])).toBeFocused();
  const field = dialog.getByRole("textbox", { name: texts["auth.password"] });
  await field.fill("пароль");
  await expect(dialog.getByText(texts["auth.error.passwordLatinOnly"])).toBeVisible();
  await field.fill("a+bcdef");
  await expect(dialog.getByText(texts["auth.error.passwordNoPlus"])).toBeVisible();
  await dialog.getByRole("button", { name: texts["ui.password.show"] }).click();
  await expect(field).toHaveAttribute("type", "text");
});

test("a token that is none is refused, and the chosen way to sign in is remembered", async ({ page }) => {
  const { dialog, texts } = await open(page, "en");
  await dialog.getByRole("tab", { name: texts["auth.method.token"] }).click();
  await dialog.getByLabel(texts["auth.token"], { exact: true }).fill(" nothing ");
  await solveCaptcha(page);
  await dialog.getByRole("button", { name: texts["auth.login.do"], exact: true }).click();
  await expect(dialog.getByText(texts["auth.error.invalidToken"])).toBeVisible();
  await open(page, "en");
  await expect(dialog.getByRole("tab", { name: texts["auth.method.token"] })).toHaveAttribute(
    "aria-selected",
    "true",
  );
});

test("the dialog closes by Escape, by its button and by the backdrop, and gives the focus back", async ({
  page,
}) => {
  const { dialog, texts } = await open(page, "en");
  const opener = page.getByRole("button", { name: texts["nav.login"], exact: true });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByRole("button", { name: texts["ui.close"] }).click();
  await expect(dialog).toBeHidden();
  await opener.click();
  await page.mouse.click(5, 5);
  await expect(dialog).toBeHidden();
});

test("Tab goes round inside the dialog", async ({ page }) => {
  const { dialog } = await open(page, "en");
  for (let step = 0; step < 14; step++) {
    await page.keyboard.press("Tab");
    await expect(dialog.locator(":focus")).toHaveCount(1);
  }
});

async function register(page: Page, email: string, then: string = english["auth.activate"]) {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: english["auth.register"] }).click();
  await dialog.getByLabel(english["auth.email"]).fill(email);
  await dialog.getByLabel(english["auth.password"], { exact: true }).fill(password);
  await dialog.getByLabel(english["auth.password.repeat"]).fill(password);
  await solveCaptcha(page);
  await dialog.getByRole("button", { name: english["auth.register.do"] }).click();
  await expect(page.getByRole("dialog", { name: then })).toBeVisible();
}

async function solveCaptcha(page: Page) {
  await page.getByRole("checkbox", { name: english["captcha.ask"] }).click();
  await expect(page.getByRole("checkbox", { checked: true })).toBeVisible({ timeout: 30_000 });
}
