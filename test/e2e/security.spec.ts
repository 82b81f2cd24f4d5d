import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { enter, newBuyer, password } from "./buyer.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";
import { codeFor } from "./mail.ts";
import { texts } from "./visitor.ts";

const en = texts.en;
type Named = "own.password.change" | "own.email.change" | "data.export.do" | "data.close.do";
const button = (page: Page, key: Named) => page.getByRole("button", { name: en[key], exact: true });

const toasts = (page: Page) => page.getByRole("region", { name: en["ui.toasts"] });

async function onSecurityPage(page: Page, email: string, token: string, language: "en" | "ar" = "en") {
  await enter(page, { token });
  await page.goto(`/${language}/dashboard/security`);
  await expect(page.getByRole("main")).toContainText(email);
}

test("the password is changed with the current one, by keyboard; the dialog says what stays", async ({
  page,
  request,
}) => {
  const { email, token } = await newBuyer(request, "0");
  await onSecurityPage(page, email, token);
  await button(page, "own.password.change").focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: en["own.password.change"] });
  await expect(dialog.getByLabel(en["own.password.current"])).toBeFocused();
  await expect(dialog).toContainText(en["own.password.programs"]);
  await expectAccessible(page);
  await page.keyboard.type("wrong horse");
  await dialog.locator("input[name=password]").fill("battery staple");
  await dialog.locator("input[name=repeat]").fill("battery staple");
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText(en["auth.error.invalidPassword"]);
  await dialog.getByLabel(en["own.password.current"]).fill(password);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(toasts(page)).toContainText("Password changed. Other sessions ended: 0.");
});

test("the email address is changed with the codes of both mails", async ({ page, request }) => {
  const { email, token } = await newBuyer(request, "0");
  const fresh = `new-${email}`;
  await onSecurityPage(page, email, token);
  await button(page, "own.email.change").click();
  const dialog = page.getByRole("dialog", { name: en["own.email.change"] });
  await dialog.getByLabel(en["own.email.new"]).fill(fresh);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: en["own.email.send"] }).click();
  const codes = [await codeFor(email, 2), await codeFor(fresh)];
  await expect(dialog).toContainText(fresh);
  await expectAccessible(page);
  await expect(dialog.locator("input").first()).toBeFocused();
  await page.keyboard.type(codes[0] ?? "");
  await page.keyboard.press("Tab");
  await page.keyboard.type(codes[1] ?? "");
  await dialog.getByRole("button", { name: en["own.email.change"] }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("main")).toContainText(fresh);
});

test("all data comes as a file", async ({ page, request }) => {
  const { email, token } = await newBuyer(request);
  await onSecurityPage(page, email, token);
  const coming = page.waitForEvent("download");
  await button(page, "data.export.do").click();
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/^postern-data-\d{4}-\d\d-\d\d\.json$/);
  const data = JSON.parse(await readFile(await file.path(), "utf8")) as { account: { email: string } };
  expect(data.account.email).toBe(email);
});

test(
  "the account is closed by who types its address and gives up what is left",
  { tag: "@both" },
  async ({ page, request }) => {
    const { email, token } = await newBuyer(request, "1.5");
    await onSecurityPage(page, email, token);
    await button(page, "data.close.do").click();
    const dialog = page.getByRole("dialog", { name: en["data.close.title"] });
    for (const key of ["data.goes.person", "data.stays.books", "data.giveUp.text"] as const)
      await expect(dialog).toContainText(en[key]);
    await expectAccessible(page);
    await expectFits(page);
    const close = dialog.getByRole("button", { name: en["data.close.do"] });
    await dialog.locator("input[name=email]").fill(email);
    await expect(close).toBeDisabled();
    await dialog.getByRole("checkbox", { name: "I give up $1.50" }).check();
    await close.click();
    await expect(page).toHaveURL(/\/en$/);
    await expect(toasts(page)).toContainText(en["data.close.done"]);
    const told = await request.get("/user/balance", { headers: { authorization: `Bearer ${token}` } });
    expect(await told.json()).toMatchObject({ value: "token" });
  },
);

test("an account with an order that waits is not closed, and the dialog says why", async ({
  page,
  request,
}) => {
  const { email, token } = await newBuyer(request);
  const ordered = await request.get("/email/order?site=instagram.com&domain=letters.test", {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await ordered.json()).toMatchObject({ status: "success" });
  await onSecurityPage(page, email, token);
  await button(page, "data.close.do").click();
  const dialog = page.getByRole("dialog", { name: en["data.close.title"] });
  await expect(dialog).toContainText("Orders that wait for a letter: 1.");
  await expect(dialog.locator("input[name=email]")).toBeHidden();
});

test(
  "in Arabic the sections stand from right to left and fit",
  { tag: "@both" },
  async ({ page, request }) => {
    const { email, token } = await newBuyer(request, "1.5");
    await onSecurityPage(page, email, token, "ar");
    await expectFits(page);
    await page.getByRole("button", { name: texts.ar["data.close.do"], exact: true }).click();
    await expect(page.getByRole("dialog")).toContainText(texts.ar["data.goes.person"]);
    await expectFits(page);
    await expectAccessible(page);
  },
);
