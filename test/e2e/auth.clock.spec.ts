import type { Page } from "@playwright/test";
import { enter, newStranger } from "./buyer.ts";
import { codeFor } from "./mail.ts";
import { expect, expectAccessible, kept, runClock, stopClock, test } from "./fixtures.ts";
import { answer, newEmail, no, openAuth, register, solveCaptcha, texts } from "./visitor.ts";

const en = texts.en;

const resend = (page: Page) =>
  page.getByRole("dialog").getByRole("button", {
    name: new RegExp(`^(${en["auth.resend"]}|${en["auth.resend.wait"].replace("{seconds}", "\\d+")})$`),
  });

test("a code may be sent again after 60 seconds, which a reload does not shorten", async ({ page }) => {
  await page.clock.install();
  const dialog = await openAuth(page, "register");
  await register(dialog, newEmail());
  await expect(page.getByRole("dialog", { name: en["auth.activate"] })).toBeVisible();
  await expect(resend(page)).toBeDisabled();
  const until = Number(await kept(page, "activationResendTime"));
  expect(until - (await page.evaluate(() => Date.now()))).toBeGreaterThan(50_000);

  await page.goto("/en/dashboard");
  // The form opens by itself after two seconds.
  await expect(resend(page)).toHaveText(/\d/);
  await expect(resend(page)).toBeDisabled();
  await page.clock.fastForward(61_000);
  await expect(resend(page)).toHaveText(en["auth.resend"]);
  await expect(resend(page)).toBeEnabled();
  await expect(page.getByRole("dialog").getByText(en["auth.resend.ready"])).toBeAttached();

  // The server's rest restarts the countdown.
  await answer(page, "/user/sendnewcode", no("try again 30 seconds"));
  await resend(page).click();
  await expect(page.getByRole("region", { name: en["ui.toasts"] })).toContainText("30 seconds");
  await expect(resend(page)).toHaveText(/\b(30|29|28|27)\b/);
  await expect(resend(page)).toBeDisabled();
  await page.clock.fastForward(31_000);
  await page.unrouteAll();

  await answer(page, "/user/sendnewcode", no("server"));
  await resend(page).click();
  await expect(page.getByText(en["auth.error.send"])).toBeVisible();
  await expect(resend(page)).toBeEnabled();
  await page.unrouteAll();

  await answer(page, "/user/sendnewcode", { status: "success", value: "sent" });
  await resend(page).click();
  await expect(page.getByText(en["auth.done.code"])).toBeVisible();
  await expect(resend(page)).toHaveText(/\b(60|5\d)\b/);
});

test("an account that is not activated sees locked mail types, and the form after two seconds and not before", async ({
  page,
  request,
}) => {
  await enter(page, await newStranger(request));
  await page.clock.install();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/user/information", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/en/dashboard");
  await stopClock(page);
  release();
  await runClock(page, 20, () => page.getByText(en["profile.inactive"]).isVisible(), [10]).toBe(true);
  await expect(page.getByText(en["order.locked"], { exact: true })).toBeVisible();
  await page.clock.runFor(500);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.clock.runFor(1500);
  // Its script comes over the network.
  const form = page.getByRole("dialog", { name: en["auth.activate"] });
  await runClock(page, 20, () => form.isVisible(), [10]).toBe(true);
  await page.clock.resume();
  const later = form.getByText(en["auth.activate.later"], { exact: true });
  await later.click();
  await expect(form).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: en["order.locked.activate"] }).first().click();
  await later.click();
  await expect(form).toBeHidden();
  await page.getByRole("button", { name: en["order.buy"] }).click();
  await expect(form).toBeVisible();
});

test(
  "activating refreshes the account, closes the dialog, and the next one asks to sign in",
  { tag: "@full" },
  async ({ page, request }) => {
    const { email, token } = await newStranger(request);
    await enter(page, { token });
    await page.goto("/en/dashboard");
    const dialog = page.getByRole("dialog", { name: en["auth.activate"] });
    await expect(dialog).toBeVisible();
    const wrong = ["000000", "000001", "000002"];
    for (const [at, [said, text]] of (
      [
        [no("invalid code"), en["auth.error.activation"]],
        [no("strange"), en["auth.error.activationOther"].replace("{text}", "strange")],
        ["connection", en["auth.error.connection"]],
      ] as const
    ).entries()) {
      await answer(page, "/user/activate", said);
      await dialog
        .getByRole("textbox")
        .first()
        .fill(wrong[at] ?? "");
      await expect(dialog.getByText(text)).toBeVisible();
      await page.unrouteAll();
    }
    await dialog
      .getByRole("textbox")
      .first()
      .fill(await codeFor(email));
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/en\/dashboard$/);
    await expect(page.getByText(en["profile.active"], { exact: true })).toBeVisible();
    await page.getByRole("button", { name: en["nav.logout"] }).click();
    await page.getByRole("button", { name: en["nav.login"], exact: true }).click();
    await expect(page.getByRole("dialog", { name: en["auth.login"] })).toBeVisible();
  },
);

test(
  "a code for a new password may be sent again after 60 seconds; success is shown for 2.5 seconds",
  { tag: "@full" },
  async ({ page }) => {
    await page.clock.install();
    const dialog = await openAuth(page, "reset");
    await dialog.getByLabel(en["auth.email"]).fill(newEmail());
    const send = dialog.getByRole("button", { name: en["auth.reset.send"] });
    await answer(page, "/user/sendCodeReset", no("try again 50 seconds"));
    await solveCaptcha(dialog);
    await send.click();
    await expect(dialog.getByText(/Wait (50|4\d) seconds before trying again/)).toBeVisible();
    await expect(send).toBeDisabled();
    // A captcha that is under way would take the jump for its own time.
    await solveCaptcha(dialog);
    await page.clock.fastForward(51_000);
    await expect(send).toBeEnabled();
    await page.unrouteAll();
    await answer(page, "/user/sendCodeReset", { status: "success", value: "sent", message: "sent" });
    await solveCaptcha(dialog);
    await send.click();
    await expect(page.getByText(en["auth.done.code"])).toBeVisible();
    await expect(resend(page)).toBeDisabled();
    await expect(resend(page)).toHaveText(/\b(60|5\d)\b/);

    await dialog.getByLabel(en["auth.password.new"]).fill("another horse");
    await dialog.getByLabel(en["auth.password.repeat"]).fill("another horse");
    for (const [said, text] of [
      [no("token expired"), en["auth.error.invalidCode"]],
      [no("password too short"), en["auth.error.passwordShort"]],
      ["connection", en["auth.error.change"]],
    ] as const) {
      await answer(page, "/user/changepassword", said);
      await dialog.getByRole("textbox").first().fill("123456");
      await dialog.getByRole("button", { name: en["auth.reset.do"] }).click();
      await expect(dialog.getByText(text)).toBeVisible();
      await page.unrouteAll();
    }
    await page.clock.fastForward(61_000);
    await expect(resend(page)).toBeEnabled();

    await answer(page, "/user/changepassword", { status: "success", message: "changed" });
    await stopClock(page);
    await dialog.getByRole("button", { name: en["auth.reset.do"] }).click();
    await expect(dialog.getByText(en["auth.done.password"])).toBeVisible();
    await page.clock.runFor(2300);
    await expect(dialog.getByText(en["auth.done.password"])).toBeVisible();
    await page.clock.runFor(300);
    await expect(page.getByRole("dialog", { name: en["auth.login"] })).toBeVisible();
    await expect(dialog.getByLabel(en["auth.email"])).toHaveValue("");
  },
);
