import type { Page } from "@playwright/test";
import { enter, newBuyer, sendLetter, theMember } from "./buyer.ts";
import { expect, runClock, stopClock, test } from "./fixtures.ts";
import { letterTo, rows } from "./orderRows.ts";
import { payment } from "./payments.ts";
import { answer, no, texts } from "./visitor.ts";

const en = texts.en;

/**
 * Does to the page, now and after every change, what a browser's translator does to it: two elements take the
 * place of each text node. One translator keeps away from what is `translate="no"`, the other from nothing.
 */
async function translate(page: Page, keepsAway: boolean): Promise<void> {
  await page.evaluate((keeps) => {
    const kept = `font, noscript, script, style, textarea, option, title${keeps ? ', [translate="no"]' : ""}`;
    const wrap = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      while (walker.nextNode()) found.push(walker.currentNode as Text);
      for (const text of found) {
        if (text.data.trim() === "" || text.parentElement?.closest(kept)) continue;
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        outer.append(inner);
        text.replaceWith(outer);
        inner.append(text.data);
      }
    };
    wrap();
    new MutationObserver(wrap).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  }, keepsAway);
  await expect(page.locator("font font").first()).toBeVisible();
}

// The kinder one only where everything is tried: what outlives the other outlives it.
for (const [kind, keepsAway, tag] of [
  ["a translator", true, ["@full"]],
  ["a translator that keeps away from nothing", false, []],
] as const) {
  test.describe("", { tag: [...tag] }, () => {
    test(`the payment page beneath ${kind} asks for what is missing, counts down, and ends`, async ({
      page,
      request,
    }) => {
      await answer(page, "/user/events", no("too many"));
      await answer(page, "/payments/status", payment);
      await enter(page, await theMember(request));
      await page.clock.install();
      const now = Math.floor((await page.evaluate(() => Date.now())) / 1000);
      const open = { ...payment, expires_at: now + 3600 };
      await answer(page, "/payments/status", open);
      await page.goto("/en/payments/pay?id=77");
      const main = page.getByRole("main");
      await expect(main.getByText("0.06251 LTC", { exact: true }).first()).toBeVisible();
      await stopClock(page);
      await translate(page, keepsAway);

      const timer = main.getByRole("timer").filter({ hasText: en["pay.expires"] });
      const left = (await timer.innerText()).match(/\d+:\d\d/)?.[0];
      await page.clock.runFor(2000);
      await expect(timer).not.toContainText(left ?? "");

      await answer(page, "/payments/status", {
        ...open,
        state: "underpaid",
        received: "0.03751",
        missing: "0.02500",
      });
      const shows = (text: string) =>
        runClock(page, 1000, () => main.getByText(text, { exact: true }).first().isVisible());
      await shows("0.02500 LTC").toBe(true);
      await expect(main.getByText("0.06251 LTC", { exact: true })).toHaveCount(0);
      await expect(main.getByText(en["pay.status.underpaid"], { exact: true })).toBeVisible();
      await expect(main.getByText(en["pay.status.pending"])).toHaveCount(0);

      await answer(page, "/payments/status", {
        ...open,
        payment_status: 1,
        state: "credited",
        credited: "5.0",
      });
      await shows(en["pay.status.confirmed"]).toBe(true);
      await expect(main.getByText("$5.00", { exact: true })).toBeVisible();
      await expect(main.getByText(en["pay.status.underpaid"])).toHaveCount(0);
      await expect(main.getByText(en["pay.expires"])).toHaveCount(0);
    });

    test(`the dashboard beneath ${kind} sells at the price that its button shows, and shows the letter`, async ({
      page,
      request,
    }) => {
      await enter(page, await newBuyer(request));
      const offers = { "letters.test": { count: 9, price: 0.0035 }, "post.test": { count: 9, price: 0.008 } };
      await answer(page, "/email/quantity", { status: "success", site: "instagram.com", data: offers });
      await page.goto("/en/dashboard?from=instagram.com&to=letters");
      const form = page.locator("form", { has: page.getByText(en["order.title"]) });
      const buy = form.locator("button[type=submit]");
      await expect(buy).toHaveText(`${en["order.buy"]} $0.0035`);
      const balance = page.getByRole("banner").getByRole("link", { name: en["nav.balance"] });
      const before = Number((await balance.innerText()).match(/[\d.]+/)?.[0]);
      await translate(page, keepsAway);

      const types = page.getByRole("group", { name: en["order.types"] });
      await types.getByRole("radio", { name: /post\.test/ }).check();
      await expect(buy).toHaveText(`${en["order.buy"]} $0.0080`);
      await page.getByRole("button", { name: en["ui.stepper.more"] }).click();
      await expect(buy).toHaveText(`${en["order.buy"]} $0.0160`);
      await types.getByRole("radio", { name: /letters\.test/ }).check();
      await expect(buy).toHaveText(`${en["order.buy"]} $0.0070`);
      await buy.click();
      await expect(rows(page)).toHaveCount(2);
      await expect(rows(page).getByText(/@letters\.test$/)).toHaveCount(2);
      await expect(balance).toContainText(`$${(before - 0.007).toFixed(5)}`);
      await expect(buy).toHaveText(`${en["order.buy"]} $0.0070`);
      await expect(page.getByText("Waiting for 2 letters", { exact: true })).toBeVisible();

      const row = rows(page).first();
      const address = await row.locator("bdi", { hasText: "@letters.test" }).innerText();
      await sendLetter(letterTo(address, "482915"));
      const answered = rows(page).filter({ hasText: address });
      await expect(answered.getByText("482915", { exact: true })).toBeVisible();
      await expect(answered.getByRole("timer")).toHaveCount(0);
      await expect(answered).toContainText(en["state.received"]);
      await expect(answered).not.toContainText(en["state.processing"]);
      await expect(page.getByText("Waiting for 1 letter", { exact: true })).toBeVisible();
    });

    test(`the top-up beneath ${kind} says what is wrong with the amount that is typed`, async ({
      page,
      request,
    }) => {
      await enter(page, await theMember(request));
      await page.goto("/en/dashboard");
      await page.getByRole("button", { name: en["topup.open"] }).first().click();
      const dialog = page.getByRole("dialog", { name: en["topup.title"] });
      const amount = dialog.getByLabel(en["topup.amount"]);
      await expect(amount).toHaveValue("1");
      await translate(page, keepsAway);
      for (let turn = 0; turn < 2; turn++) {
        await amount.fill("0.5");
        await expect(dialog.getByText(en["topup.min"], { exact: true })).toBeVisible();
        await dialog.getByRole("button", { name: "$10", exact: true }).click();
        await expect(amount).toHaveValue("10");
        await expect(dialog.getByText(en["topup.min"], { exact: true })).toHaveCount(0);
      }
      await page.keyboard.press("Escape");
      await expect(dialog).toHaveCount(0);
    });

    test(`home and the documentation beneath ${kind} follow the language and the reader`, async ({
      page,
    }) => {
      await page.goto("/en");
      await page.getByRole("button", { name: en["nav.login"], exact: true }).click();
      const dialog = page.getByRole("dialog");
      await expect(dialog).toBeVisible();
      // From now on: a translator that comes before React has taken the page over makes it draw all anew.
      await translate(page, keepsAway);
      await dialog.getByRole("button", { name: en["auth.login.do"], exact: true }).click();
      await expect(dialog.getByText(en["auth.error.emailEmpty"], { exact: true })).toBeVisible();
      await page.keyboard.press("Escape");
      await page.getByLabel(en["nav.language"], { exact: true }).selectOption("ar");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(texts.ar["home.title"]);
      await page.getByLabel(texts.ar["nav.language"], { exact: true }).selectOption("en");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(en["home.title"]);

      await page.getByRole("link", { name: en["nav.docs"], exact: true }).first().click();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.getByRole("tab", { name: "Python" }).first().click();
      await expect(page.locator("pre").filter({ hasText: "import" }).first()).toBeVisible();
      await page.getByLabel(en["nav.language"], { exact: true }).selectOption("ar");
      await expect(page.locator("html")).toHaveAttribute("lang", "ar");
      await expect(page.getByRole("heading", { level: 1 })).toContainText(/\p{Script=Arabic}/u);
    });
  });
}
