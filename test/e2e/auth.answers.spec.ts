import type { Locator } from "@playwright/test";
import { expect, kept, test } from "./fixtures.ts";
import { answer, holdCaptcha, newEmail, no, openAuth, register, solveCaptcha, texts } from "./visitor.ts";

const en = texts.en;

test("a token opens the dashboard, spaces around it do not matter, and it can be looked at", async ({
  page,
}) => {
  const release = await holdCaptcha(page);
  const dialog = await openAuth(page);
  await dialog.getByRole("tab", { name: en["auth.method.token"] }).click();
  await dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
  await expect(dialog.getByText(en["auth.error.tokenEmpty"])).toBeVisible();
  await expect(dialog.getByText(en["auth.error.captcha"])).toBeVisible();
  release();

  const where = dialog.getByRole("button", { name: en["auth.token.where"] });
  await where.focus();
  await expect(dialog.getByRole("tooltip")).toHaveText(en["auth.token.tooltip"]);

  const field = dialog.getByLabel(en["auth.token"], { exact: true });
  await field.fill("  a-token-of-somebody ");
  await expect(field).toHaveAttribute("type", "password");
  await dialog.getByRole("button", { name: en["auth.token.show"] }).click();
  await expect(field).toHaveAttribute("type", "text");
  await dialog.getByRole("button", { name: en["auth.token.hide"] }).click();

  // Every answer but `token` signs in: a busy server has not refused.
  await answer(page, "/user/activations", no("limit", { retry_after: 1 }));
  await answer(page, "/user/information", no("server"));
  await answer(page, "/user/balance", no("server"));
  await answer(page, "/user/payments", no("server"));
  await answer(page, "/user/events", no("too many"));
  await solveCaptcha(dialog);
  const tried = page.waitForRequest("**/user/activations?page=1");
  await dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
  expect((await tried).headers()["authorization"]).toBe("Bearer a-token-of-somebody");
  await expect(page).toHaveURL(/\/en\/dashboard$/);
  await expect.poll(() => kept(page, "authToken")).toBe("a-token-of-somebody");
});

test("what a password manager filled in without a word is taken", async ({ page }) => {
  const dialog = await openAuth(page);
  // As a script of an extension does, which has its own view of the page.
  const fill = (field: Locator, filled: string) =>
    field.evaluate((element, value) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(element, value);
    }, filled);
  const email = newEmail();
  await fill(dialog.getByLabel(en["auth.email"]), email);
  await fill(dialog.getByRole("textbox", { name: en["auth.password"] }), "correct horse");
  const press = () => dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
  // The press begins the proof of work, as a key would have.
  await press();
  await solveCaptcha(dialog);
  await answer(page, "/user/authorize", no("invalid password"));
  const sent = page.waitForRequest("**/user/authorize");
  await press();
  const form = new URLSearchParams((await sent).postData() ?? "");
  expect([form.get("email"), form.get("password")]).toEqual([email, "correct horse"]);
  await expect(dialog.getByText(en["auth.error.invalidPassword"])).toBeVisible();
  await expect(dialog.getByLabel(en["auth.email"])).toHaveValue(email);
});

test("a wrong password, and a lost connection, are said under the form, and a new captcha is solved", async ({
  page,
}) => {
  const dialog = await openAuth(page);
  await dialog.getByLabel(en["auth.email"]).fill(newEmail());
  await dialog.getByRole("textbox", { name: en["auth.password"] }).fill("whatever");
  const cases = [
    [no("invalid password"), en["auth.error.invalidPassword"]],
    ["connection", en["auth.error.connection"]],
  ] as const;
  for (const [said, text] of cases) {
    await answer(page, "/user/authorize", said);
    await solveCaptcha(dialog);
    // A solution counts once: the next is worked out by itself.
    const next = page.waitForResponse("**/api/captcha");
    await dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
    await expect(dialog.getByText(text)).toBeVisible();
    await next;
    await page.unrouteAll();
  }
});

test("registering sends a form in parts with the fixed localization, and misses the token if none comes", async ({
  page,
}) => {
  const dialog = await openAuth(page, "register");
  await dialog.getByLabel(en["auth.password"], { exact: true }).fill("+");
  await expect(dialog.getByText(en["auth.error.passwordNoPlus"])).toBeVisible();
  await dialog.getByLabel(en["auth.password"], { exact: true }).fill("123");
  await expect(dialog.getByText(en["auth.error.passwordShort"])).toBeVisible();
  await dialog.getByLabel(en["auth.password.repeat"]).fill("1234567");
  await dialog.getByRole("button", { name: en["auth.register.do"] }).click();
  await expect(dialog.getByText(en["auth.error.passwordMatch"])).toBeVisible();

  await answer(page, "/user/registration", { status: "success", data: { token: "" }, token: "" });
  const sent = page.waitForRequest("**/user/registration");
  await register(dialog, newEmail());
  const body = (await sent).postData() ?? "";
  for (const part of ["email", "password", "localization", "recaptcha"])
    expect(body).toContain(`name="${part}"`);
  expect(body).toMatch(/name="localization"\r\n\r\nru\r\n/);
  await expect(dialog.getByText(en["auth.error.tokenMissing"])).toBeVisible();
});

test(
  "the modes lead to each other by links, what was typed as e-mail is asked for anew, and each field says what it is",
  { tag: "@full" },
  async ({ page }) => {
    const dialog = await openAuth(page, "register");
    const secret = dialog.getByRole("textbox", { name: en["auth.password"] });
    const kindOf = (field: Locator, kind: string) => expect(field).toHaveAttribute("autocomplete", kind);
    await kindOf(secret.first(), "new-password");
    await kindOf(dialog.getByLabel(en["auth.password.repeat"]), "new-password");
    await dialog.getByRole("button", { name: en["auth.login"] }).click();
    await expect(page.getByRole("dialog", { name: en["auth.login"] })).toBeVisible();
    await kindOf(dialog.getByLabel(en["auth.email"]), "username");
    await kindOf(secret, "current-password");
    await dialog.getByRole("button", { name: en["auth.login.forgot"] }).click();
    await expect(page.getByRole("dialog", { name: en["auth.reset"] })).toBeVisible();
    await dialog.getByRole("button", { name: en["auth.register"] }).click();
    await expect(page.getByRole("dialog", { name: en["auth.register"] })).toBeVisible();
    await dialog.getByRole("button", { name: en["auth.login"] }).click();
    await dialog.getByRole("button", { name: en["auth.login.forgot"] }).click();
    await dialog.getByRole("button", { name: en["auth.reset.back"] }).click();
    await expect(page.getByRole("dialog", { name: en["auth.login"] })).toBeVisible();
  },
);
