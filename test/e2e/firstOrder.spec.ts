import type { Page } from "@playwright/test";
import { sendLetter } from "./buyer.ts";
import { codeFor } from "./mail.ts";
import { letterTo } from "./orderRows.ts";
import { expect, expectAccessible, kept, test } from "./fixtures.ts";
import { closeTab } from "./payments.ts";
import { newEmail, password, solveCaptcha, texts, walked, type Walked } from "./visitor.ts";
import { countWalk, type Walk } from "./walk.ts";

// The first order on a phone: register, pay, order, and see the code without a reload; then the same site once more.

const rows = (page: Page) => page.locator("#activations li[data-state]");

for (const language of walked) {
  const t = texts[language];

  test(
    `a stranger has the first code after nine taps and three typed fields, and the next of the same site after three taps without scrolling (${language})`,
    { tag: language === "en" ? "@phone" : ["@full", "@phone"] },
    async ({ page, context }) => {
      test.setTimeout(240_000);
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const walk = await countWalk(context);
      await page.goto(`/${language}`);
      await walk.tap(page.getByRole("button", { name: "Instagram" }));
      await walk.tap(page.getByRole("button", { name: t["home.get"] }));
      await join(page, walk, language);
      await expect(page).toHaveURL(new RegExp(`/${language}/dashboard$`));
      await expect.poll(() => kept(page, "pendingEmailRequest")).toBeNull();
      await expect(page.getByLabel(t["order.site"], { exact: true })).toHaveValue(/instagram/);

      await pay(page, walk, language);
      const address = rows(page).first().locator("bdi", { hasText: "@letters.test" });
      await expect(address).toBeVisible();
      await expectAccessible(page);
      await sendLetter(letterTo(await address.innerText(), "482915"));
      await expect(rows(page).first()).toContainText(/482\s?915/);
      expect(walk.taps, "taps").toBeLessThanOrEqual(9);
      expect(walk.fields.size, [...walk.fields].join(", ")).toBeLessThanOrEqual(3);
      await rows(page)
        .first()
        .getByRole("button", { name: /482\s?915/ })
        .click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("482915");

      await page.goto(`/${language}`);
      walk.restart();
      await expect(page.getByRole("combobox", { name: t["home.service"] })).toHaveValue("instagram");
      await walk.tap(page.getByRole("button", { name: t["home.get"] }));
      await walk.tap(page.getByRole("button", { name: new RegExp(`^${t["order.buy"]}.*0\\.0035`) }));
      await expect(rows(page)).toHaveCount(2);
      await walk.tap(
        rows(page)
          .first()
          .getByRole("button", { name: /@letters\.test/ })
          .first(),
      );
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      await sendLetter(letterTo(copied, "730114"));
      await expect(rows(page).first()).toContainText(/730\s?114/);
      await expect(
        rows(page)
          .first()
          .getByRole("button", { name: /730\s?114/ }),
      ).toBeInViewport({ ratio: 1 });
      expect(walk.taps, "taps").toBeLessThanOrEqual(3);

      await page.getByRole("button", { name: t["nav.logout"] }).click();
      await expect(page).toHaveURL(new RegExp(`/${language}$`));
      await expect.poll(() => kept(page, "authToken")).toBeNull();
    },
  );
}

async function join(page: Page, walk: Walk, language: Walked): Promise<void> {
  const t = texts[language];
  const dialog = page.getByRole("dialog");
  const email = newEmail();
  await walk.type(dialog.getByLabel(t["auth.email"]), email);
  await walk.type(dialog.getByLabel(t["auth.password"], { exact: true }), password);
  // A password that can be read needs no second typing.
  await walk.tap(dialog.getByRole("button", { name: t["ui.password.show"] }).first());
  await expect(dialog.getByLabel(t["auth.password.repeat"])).toHaveValue(password);
  await solveCaptcha(dialog, language);
  await walk.tap(dialog.getByRole("button", { name: t["auth.register.do"] }));
  await expect(page.getByRole("dialog", { name: t["auth.activate"] })).toBeVisible();
  const box = dialog.getByRole("textbox").first();
  await expect(box).toBeFocused();
  await walk.type(box, await codeFor(email));
  await expect(dialog).toBeHidden();
}

/** Tops up for the order, which is placed as soon as the money is there. */
async function pay(page: Page, walk: Walk, language: Walked): Promise<void> {
  const t = texts[language];
  await walk.tap(
    page.getByRole("button", { name: new RegExp(t["order.topUp"].replace("{amount}", ".*1\\.00.*")) }),
  );
  const dialog = page.getByRole("dialog", { name: t["topup.title"] });
  const opening = page.waitForEvent("popup");
  await walk.tap(dialog.getByRole("button", { name: t["topup.do"] }));
  const payment = await opening;
  await expect(payment).toHaveURL(new RegExp(`/${language}/payments/pay\\?id=\\d+$`));
  await expect(payment.getByText(t["pay.status.pending"]).first()).toBeVisible();
  await expectAccessible(payment);
  await walk.tap(payment.getByRole("button", { name: t["pay.sandbox.play"] }));
  await expect(payment.getByText(t["pay.status.confirmed"]).first()).toBeVisible();
  const close = payment.getByRole("main").getByRole("button", { name: t["pay.close"] });
  await closeTab(payment, () => walk.tap(close));
}
