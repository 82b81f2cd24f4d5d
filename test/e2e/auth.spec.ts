import type { Locator, Page } from "@playwright/test";
import { easilySolved } from "../kit/captcha.ts";
import { enter, newBuyer, newStranger } from "./buyer.ts";
import { codeFor, disownLinkFor, linkFor } from "./mail.ts";
import { expect, expectAccessible, expectFits, kept, test } from "./fixtures.ts";
import { place } from "./shopAddress.ts";
import {
  answer,
  fillRegistration,
  holdCaptcha,
  newEmail,
  openAuth,
  password,
  register,
  solveCaptcha,
  texts,
  walked,
} from "./visitor.ts";

const en = texts.en;

/** Registers up to the code's dialog, and answers it. */
async function comeIn(page: Page, email: string, secret?: string): Promise<Locator> {
  const dialog = await openAuth(page, "register");
  await register(dialog, email, "en", secret);
  await expect(page.getByRole("dialog", { name: en["auth.activate"] })).toBeVisible();
  return dialog;
}

for (const language of walked) {
  test(`a stranger registers, enters the code of the mail and is in (${language})`, async ({ page }) => {
    const t = texts[language];
    const dialog = await openAuth(page, "register", language);
    const email = newEmail();
    await fillRegistration(dialog, email, language);
    await expectFits(page);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: t["auth.register.do"] }).click();

    await expect(page.getByRole("dialog", { name: t["auth.activate"] })).toBeVisible();
    await expect(dialog.getByRole("button", { name: t["auth.activate.do"] })).toBeDisabled();
    await expect(dialog.getByRole("button", { name: /\b(5[0-9]|60)\b/ })).toBeDisabled();
    await expectAccessible(page);
    await page.keyboard.type("000000");
    await expect(dialog.getByText(t["auth.error.activation"])).toBeVisible();
    for (const box of await dialog.getByRole("textbox").all()) await expect(box).toHaveValue("");
    await expect(dialog.getByRole("textbox").first()).toBeFocused();
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
    await expect(page).toHaveURL(new RegExp(`/${language}/dashboard$`));
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.getByRole("button", { name: t["nav.logout"] }).click();
    await expect(page).toHaveURL(new RegExp(`/${language}$`));
    await expect.poll(() => kept(page, "authToken")).toBeNull();
  });
}

test("an address that is registered already leads to activation and from there to sign-in", async ({
  page,
  request,
}) => {
  const { email } = await newStranger(request);
  const dialog = await comeIn(page, email, "another horse");
  await expect(dialog.getByText(en["auth.activate.known"])).toBeVisible();
  await dialog.getByRole("button", { name: en["auth.login"] }).click();
  await expect(page.getByRole("dialog", { name: en["auth.login"] })).toBeVisible();
});

test(
  "who registers again with the right password, and owes only the code, is signed in and enters it",
  { tag: "@full" },
  async ({ page, request }) => {
    const { email } = await newStranger(request);
    const dialog = await comeIn(page, email);
    await expect(dialog.getByText(en["auth.activate.text"])).toBeVisible();
    await page.keyboard.type(await codeFor(email));
    await expect(page).toHaveURL(/dashboard$/);
  },
);

test("a dialog closed after the password was changed stays closed", { tag: "@full" }, async ({ page }) => {
  await page.clock.install();
  const dialog = await openAuth(page);
  const success = { json: { status: "success", message: "" } };
  await page.route("**/user/sendCodeReset", (route) => route.fulfill(success));
  await page.route("**/user/changepassword", (route) => route.fulfill(success));
  await dialog.getByRole("button", { name: en["auth.login.forgot"] }).click();
  await dialog.getByLabel(en["auth.email"]).fill("somebody@example.com");
  await solveCaptcha(dialog);
  await dialog.getByRole("button", { name: en["auth.reset.send"] }).click();
  await expect(dialog.getByLabel(en["auth.password.new"])).toBeVisible();
  await page.keyboard.type("123456");
  await dialog.getByLabel(en["auth.password.new"]).fill("another horse");
  await dialog.getByLabel(en["auth.password.repeat"]).fill("another horse");
  await dialog.getByRole("button", { name: en["auth.reset.do"] }).click();
  await expect(dialog.getByText(en["auth.done.password"])).toBeVisible();
  await page.keyboard.press("Escape");
  await page.clock.runFor(3000);
  await expect(dialog).toBeHidden();
});

test("a forgotten password is replaced with the code of the mail, and the new one opens", async ({
  page,
  request,
}) => {
  const { email } = await newStranger(request);
  const dialog = await openAuth(page, "reset");
  await dialog.getByRole("button", { name: en["auth.reset.send"] }).click();
  await expect(dialog.getByText(en["auth.error.emailEmpty"])).toBeVisible();
  await dialog.getByRole("button", { name: en["auth.reset.back"] }).click();
  await dialog.getByLabel(en["auth.email"]).fill(email);
  await dialog.getByRole("button", { name: en["auth.login.forgot"] }).click();
  await expect(dialog.getByLabel(en["auth.email"])).toHaveValue(email);
  await solveCaptcha(dialog);
  await dialog.getByRole("button", { name: en["auth.reset.send"] }).click();
  await expect(dialog.getByLabel(en["auth.password.new"])).toBeVisible();
  await expectAccessible(page);
  await expect(dialog.getByRole("textbox").first()).toBeFocused();
  await page.keyboard.type(await codeFor(email, 2));
  await expect(dialog.getByRole("checkbox", { name: en["auth.reset.keep"] })).not.toBeChecked();
  await dialog.getByRole("button", { name: en["auth.reset.do"] }).click();
  await expect(dialog.getByText(en["auth.error.passwordEmpty"])).toBeVisible();
  await dialog.getByLabel(en["auth.password.new"]).fill("password1");
  await expect(dialog.getByText(en["auth.strength.weak"])).toBeVisible();
  await dialog.getByRole("button", { name: en["auth.reset.do"] }).click();
  await expect(dialog.getByText(en["auth.error.passwordCommon"])).toBeVisible();
  await expect(dialog.getByText(en["auth.error.repeatEmpty"])).toBeVisible();
  await dialog.getByLabel(en["auth.password.new"]).fill("another horse");
  await dialog.getByLabel(en["auth.password.repeat"]).fill("another horse");
  await dialog.getByRole("button", { name: en["auth.reset.do"] }).click();
  await expect(dialog.getByText(en["auth.done.password"])).toBeVisible();

  await expect(page.getByRole("dialog", { name: en["auth.login"] })).toBeVisible();
  await expect(dialog.getByLabel(en["auth.email"])).toHaveValue("");
  await dialog.getByLabel(en["auth.email"]).fill(email);
  await dialog.getByRole("textbox", { name: en["auth.password"] }).fill("another horse");
  await solveCaptcha(dialog);
  await dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
  await expect(page).toHaveURL(/dashboard/);
});

test("the link of the mail activates, also where its reader has to sign in first, and leaves the address", async ({
  page,
  request,
}) => {
  const email = newEmail();
  await comeIn(page, email);
  await page.goto(await linkFor(email));
  await expect(page).toHaveURL(/\/en\/dashboard$/);
  await expect(page.getByRole("dialog")).toBeHidden();

  const { email: other } = await newStranger(request);
  await page.getByRole("button", { name: en["nav.logout"] }).click();
  await page.goto(await linkFor(other));
  const dialog = page.getByRole("dialog", { name: en["auth.activate"] });
  await expect(dialog.getByText(en["auth.activate.known"])).toBeVisible();
  await expect(page).toHaveURL(/\/en$/);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: en["auth.login"] }).click();
  const signIn = page.getByRole("dialog", { name: en["auth.login"] });
  await signIn.getByLabel(en["auth.email"]).fill(other);
  await signIn.getByRole("textbox", { name: en["auth.password"] }).fill(password);
  await solveCaptcha(signIn);
  await signIn.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
  await expect(page.getByText(en["auth.done.activated"])).toBeVisible();
  await expect(page).toHaveURL(/\/en\/dashboard$/);
});

test("the link of the mail sets a new password without digits, and one that is spent asks for them", async ({
  page,
  request,
}) => {
  const { email } = await newStranger(request);
  const captcha = await easilySolved(place.dataDir);
  await request.post("/user/sendCodeReset", { form: { email, captcha } });
  const link = await linkFor(email, 2);
  for (const isSpent of [false, true]) {
    await page.goto(link);
    const dialog = page.getByRole("dialog", { name: en["auth.reset"] });
    await expect(dialog.getByLabel(en["auth.password.new"])).toBeVisible();
    await expect(dialog.getByRole("group", { name: en["auth.code"] })).toBeHidden();
    await dialog.getByLabel(en["auth.password.new"]).fill("another horse");
    await dialog.getByLabel(en["auth.password.repeat"]).fill("another horse");
    await dialog.getByRole("button", { name: en["auth.reset.do"] }).click();
    if (!isSpent) await expect(dialog.getByText(en["auth.done.password"])).toBeVisible();
    else await expect(dialog.getByRole("group", { name: en["auth.code"] })).toBeVisible();
    await expect(page).not.toHaveURL(/#/);
    await page.goto("about:blank");
  }
});

test("the link “this was not me” of a mail ends nothing by itself, everything by its button, and asks for a new password", async ({
  page,
  request,
}) => {
  const { email, token: first } = await newBuyer(request, "0");
  const replaced = await request.post("/user/replacetoken", { form: { token: first } });
  const { token } = ((await replaced.json()) as { data: { token: string } }).data;
  const isOpen = async () => {
    const told = await request.get("/user/balance", { headers: { authorization: `Bearer ${token}` } });
    return ((await told.json()) as { status: string }).status === "success";
  };
  const link = await disownLinkFor(email);
  await enter(page, { token });
  await page.goto(link);
  const dialog = page.getByRole("dialog", { name: en["auth.disown"] });
  await expect(dialog.getByText(email)).toBeVisible();
  await expectFits(page);
  await expectAccessible(page);
  await expect(page).not.toHaveURL(/#/);
  expect(await isOpen()).toBe(true);

  await dialog.getByRole("button", { name: en["auth.disown.do"] }).click();
  const reset = page.getByRole("dialog", { name: en["auth.reset"] });
  await expect(reset.getByRole("textbox").first()).toBeFocused();
  await expect(reset.getByRole("checkbox", { name: en["auth.reset.keep"] })).toBeHidden();
  expect(await isOpen()).toBe(false);
  await page.keyboard.type(await codeFor(email, 2));
  await reset.getByLabel(en["auth.password.new"]).fill("another horse");
  await reset.getByLabel(en["auth.password.repeat"]).fill("another horse");
  await reset.getByRole("button", { name: en["auth.reset.do"] }).click();
  await expect(page.getByText(en["auth.done.password"])).toBeVisible();

  await page.goto("about:blank");
  await page.goto(link);
  await dialog.getByRole("button", { name: en["auth.disown.do"] }).click();
  await expect(dialog.getByText(en["auth.error.disown"])).toBeVisible();
  await dialog.getByRole("button", { name: en["auth.reset"] }).click();
  await expect(reset.getByLabel(en["auth.email"])).toHaveValue(email);
  await expect(reset.getByRole("button", { name: en["auth.reset.send"] })).toBeVisible();
});

test("mistakes are told next to their fields, while typing where it helps", async ({ page }) => {
  const release = await holdCaptcha(page);
  const dialog = await openAuth(page);
  await dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
  await expect(dialog.getByText(en["auth.error.emailEmpty"])).toBeVisible();
  await expect(dialog.getByText(en["auth.error.captcha"])).toBeVisible();
  release();
  await expect(dialog.getByLabel(en["auth.email"])).toBeFocused();
  const field = dialog.getByRole("textbox", { name: en["auth.password"] });
  await field.fill("пароль");
  await expect(dialog.getByText(en["auth.error.passwordLatinOnly"])).toBeVisible();
  await field.fill("a+bcdef");
  await expect(dialog.getByText(en["auth.error.passwordNoPlus"])).toBeVisible();
  await dialog.getByRole("button", { name: en["ui.password.show"] }).click();
  await expect(field).toHaveAttribute("type", "text");
  // A browser may send the text of a field elsewhere to have it checked.
  await expect(field).toHaveAttribute("spellcheck", "false");
});

test("signing in by a token brings its captcha along, and a refused one is asked for anew", async ({
  page,
  request,
}) => {
  const { token } = await newStranger(request);
  const dialog = await openAuth(page);
  await dialog.getByRole("tab", { name: en["auth.method.token"] }).click();
  await dialog.getByLabel(en["auth.token"], { exact: true }).fill(token);
  await solveCaptcha(dialog);
  await page.route(
    "**/user/activations?*",
    (route) => {
      expect(new URL(route.request().url()).searchParams.get("captcha")).not.toBe("");
      return route.fulfill({ json: { status: "error", value: "captcha" } });
    },
    { times: 1 },
  );
  const release = await holdCaptcha(page);
  await dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
  await expect(dialog.getByText(en["auth.error.captcha"])).toBeVisible();
  release();
  await solveCaptcha(dialog);
  await dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
  await expect(page).toHaveURL(/dashboard/);
});

test("a token that is none is refused, and so is one while there is no connection; the chosen way to sign in is remembered", async ({
  page,
}) => {
  const dialog = await openAuth(page);
  await dialog.getByRole("tab", { name: en["auth.method.token"] }).click();
  await dialog.getByLabel(en["auth.token"], { exact: true }).fill(" nothing ");
  const enter = dialog.getByRole("button", { name: en["auth.login.do"], exact: true });
  await solveCaptcha(dialog);
  await enter.click();
  await expect(dialog.getByText(en["auth.error.invalidToken"])).toBeVisible();
  await answer(page, "/user/activations", "connection");
  await solveCaptcha(dialog);
  await enter.click();
  await expect(dialog.getByText(en["auth.error.server"])).toBeVisible();
  await openAuth(page);
  await expect(dialog.getByRole("tab", { name: en["auth.method.token"] })).toHaveAttribute(
    "aria-selected",
    "true",
  );
});

test("the dialog keeps Tab and the page behind it in place, is of its size, and closes by Escape, by its button and by the backdrop", async ({
  page,
}) => {
  const dialog = await openAuth(page);
  const opener = page.getByRole("button", { name: en["nav.login"], exact: true });
  const overflow = () => page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
  await test.step("Tab goes round inside it", async () => {
    for (let step = 0; step < 14; step++) {
      await page.keyboard.press("Tab");
      await expect(dialog.locator(":focus")).toHaveCount(1);
    }
  });
  await test.step("the page behind it does not scroll", async () => {
    await page.mouse.move(200, 400);
    await page.mouse.wheel(0, 600);
    await page.keyboard.press("End");
    expect(await overflow()).toBe("hidden");
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  expect(await overflow()).not.toBe("hidden");
  await opener.click();
  await dialog.getByRole("button", { name: en["ui.close"] }).click();
  await expect(dialog).toBeHidden();
  await opener.click();
  await page.mouse.click(5, 5);
  await expect(dialog).toBeHidden();
  await test.step("it belongs to the page that it was opened on", async () => {
    await page.getByRole("link", { name: en["nav.docs"] }).filter({ visible: true }).first().click();
    await expect(page).toHaveURL(/\/en\/docs$/);
    await opener.click();
    await expect(dialog).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/en$/);
    await expect(dialog).toBeHidden();
  });
  await test.step("it is at most 28rem wide and nine tenths of the window high", async () => {
    await page.setViewportSize({ width: 1000, height: 420 });
    await opener.click();
    await dialog.getByRole("button", { name: en["auth.register"] }).click();
    const box = await dialog.boundingBox();
    expect(box?.width).toBeLessThanOrEqual(28 * 16);
    expect(box?.height).toBeLessThanOrEqual(0.9 * 420);
  });
});
