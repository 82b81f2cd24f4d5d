import type { Locator, Page } from "@playwright/test";
import arabic from "../../i18n/docs/ar.json" with { type: "json" };
import englishDocs from "../../i18n/docs/en.json" with { type: "json" };
import arabicTexts from "../../i18n/ar.json" with { type: "json" };
import texts from "../../i18n/en.json" with { type: "json" };
import { contractTexts } from "../../src/web/docs/contractTexts.ts";
import type { Language } from "../../src/i18n/languages.ts";
import { enter, newBuyer, sendLetter, programToken } from "./buyer.ts";
import { newInvestor, text } from "./investors.ts";
import { judge } from "./accessibility.ts";
import { expect, expectFits, test } from "./fixtures.ts";

const english = { ...contractTexts(), ...englishDocs };
const section = (page: Page, id: string) => page.locator(`section#${id}`);

async function openDocs(page: Page, language: Language, at = "#balance"): Promise<void> {
  await page.goto(`/${language}/docs${at}`);
  await expect(page.locator('nav a[aria-current="location"]').first()).toBeAttached({ timeout: 30_000 });
}

async function openTry(page: Page, id: string, word: string): Promise<Locator> {
  const call = section(page, id);
  await call.getByRole("button", { name: `${word} ${id}` }).click();
  const form = call.getByRole("form");
  await expect(form).toBeVisible();
  return form;
}

const told = (form: Locator) => form.locator('[role="status"]:not(:has(svg))').first();

async function answerOf(form: Locator): Promise<Record<string, unknown>> {
  const text = await form.getByRole("group").locator("code").innerText();
  return JSON.parse(text) as Record<string, unknown>;
}

for (const [language, app, common] of [
  ["en", english, texts],
  ["ar", arabic, arabicTexts],
] as const) {
  const tag = language === "en" ? [] : ["@full"];

  test(
    `calls are tried for real with the session's token in ${language}`,
    { tag },
    async ({ page, request }) => {
      test.slow();
      const { token } = await newBuyer(request);
      await enter(page, { token });
      await openDocs(page, language);

      const balance = await openTry(page, "balance", app["docs.try"]);
      await expect(balance).toContainText(token.slice(-4));
      await expect(balance).not.toContainText(token);
      await balance.getByRole("button", { name: app["docs.try.send"] }).click();
      await expect(told(balance)).toContainText("200 success");
      expect(await answerOf(balance)).toMatchObject({ status: "success", balance: "1.0" });

      const order = await openTry(page, "order", app["docs.try"]);
      await order.getByLabel("site", { exact: true }).fill("shop.example");
      await order.getByLabel("domain", { exact: true }).fill("letters.test");
      await order.getByLabel("domain", { exact: true }).press("Enter");
      const sure = page.getByRole("dialog");
      await expect(sure.getByRole("button", { name: common["ui.cancel"] })).toBeFocused();
      expect(await judge(page, "all", "dialog[open]")).toEqual([]);
      await page.keyboard.press("Escape");
      await expect(sure).toBeHidden();
      await expect(order.getByRole("group")).toBeHidden();
      await order.getByRole("button", { name: app["docs.try.send"] }).click();
      await sure.getByRole("button", { name: app["docs.try.spend"] }).click();
      await expect(told(order)).toContainText("200 success");
      const ordered = await answerOf(order);
      expect(ordered).toMatchObject({ status: "success", site: "shop.example" });

      // The next forms are filled from the order.
      const read = await openTry(page, "getmessage", app["docs.try"]);
      await expect(read.getByLabel("id", { exact: true })).toHaveValue(String(ordered["id"]));
      await read.getByRole("button", { name: app["docs.try.send"] }).click();
      await expect(told(read)).toContainText(app["docs.refusal.waitMessage"]);
      await expect(told(read)).toContainText(app["docs.again.soon"]);

      await sendLetter({
        from: "hello@shop.example",
        to: String(ordered["email"]),
        subject: "Welcome",
        html: "<p>Your code is <b>482910</b></p>",
      });
      await read.getByLabel("wait", { exact: true }).fill("30");
      await read.getByLabel("preview", { exact: true }).selectOption("1");
      await read.getByRole("button", { name: app["docs.try.send"] }).click();
      await expect(read.getByRole("group")).toContainText("<b>482910</b>", { timeout: 40_000 });
      await expect(read.locator("iframe, b")).toHaveCount(0);
      await expectFits(page);
      expect(await judge(page, "all", "section#getmessage")).toEqual([]);
      expect(page.url()).not.toContain(token);
    },
  );
}

test(
  "a call about a payment or a webhook is tried with the newest of the account",
  { tag: "@full" },
  async ({ page, request }) => {
    const { token } = await newBuyer(request);
    await enter(page, { token });
    await openDocs(page, "en", "/payments");
    const create = await openTry(page, "payments-create", english["docs.try"]);
    await create.getByRole("button", { name: english["docs.try.send"] }).click();
    await expect(told(create)).toContainText("200 success");
    const { id } = await answerOf(create);
    const status = await openTry(page, "payments-status", english["docs.try"]);
    await expect(status.getByLabel("id", { exact: true })).toHaveValue(String(id));

    const form = { token, url: "https://hooks.example/postern", events: "letter" };
    const added = (await (await request.post("/user/webhooks/add", { form })).json()) as {
      webhook: { id: string };
    };
    await openDocs(page, "en", "/webhooks");
    const test = await openTry(page, "user-webhooks-test", english["docs.try"]);
    await expect(test.getByLabel("id", { exact: true })).toHaveValue(added.webhook.id);
  },
);

test(
  "a call that takes a file is tried with one, with none, and with one that is too small",
  { tag: "@full" },
  async ({ page, request }) => {
    test.slow();
    await enter(page, await newInvestor(request));
    await openDocs(page, "en", "/investors");
    const form = await openTry(page, "investor-upload", english["docs.try"]);
    const chooser = form.getByLabel(english["docs.try.file"], { exact: true });
    const send = form.getByRole("button", { name: english["docs.try.send"] });
    const mark = `${process.pid}-${Date.now().toString(36)}`;
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => `file-${mark}-${at}@letters.test:secret-${at}`).join("\n");
    await send.click();
    await expect(told(form)).toContainText("200 too few mailboxes");
    await expect(told(form)).toContainText(english["docs.refusal.tooFewMailboxes"]);
    await chooser.setInputFiles({ name: "few.csv", mimeType: "text/csv", buffer: Buffer.from(lines(3)) });
    await send.click();
    await expect.poll(async () => (await answerOf(form))["accepted"]).toBe(3);
    await expect(told(form)).toContainText("200 too few mailboxes");
    await chooser.setInputFiles(text("batch.txt", `${lines(20)}\nno mailbox`));
    await form.getByLabel("sites", { exact: true }).fill("сайт такой");
    await send.click();
    await expect(told(form)).toContainText("200 sites");
    await form.getByLabel("sites", { exact: true }).fill("shop.example");
    const sent = page.waitForRequest("**/investor/upload");
    await send.click();
    await expect(told(form)).toContainText("200 success");
    expect(await (await sent).allHeaders()).toMatchObject({
      "content-type": "text/plain",
      sites: "shop.example",
    });
    const answer = await answerOf(form);
    expect(answer).toMatchObject({ accepted: 20, rejected: { malformed: 1 }, domains: ["letters.test"] });
    // Uploaded lines are never shown again.
    await expect(form.getByRole("group")).not.toContainText("secret");
    await expectFits(page);
    expect(await judge(page, "all", "section#investor-upload")).toEqual([]);

    const batches = await openTry(page, "investor-packsinfo", english["docs.try"]);
    await batches.getByRole("button", { name: english["docs.try.send"] }).click();
    await expect(told(batches)).toContainText("200 success");
    expect(await answerOf(batches)).toMatchObject({
      "0": { id_batch: answer["id_batch"], restricted: ["shop.example"] },
      total: 1,
    });
  },
);

test(
  "a stranger tries with a token that he types, and hears what is wrong with it",
  { tag: "@full" },
  async ({ page }) => {
    const addresses: string[] = [];
    page.on("request", (asked) => addresses.push(asked.url()));
    await openDocs(page, "en");
    const form = await openTry(page, "balance", english["docs.try"]);
    const wrong = "NotATokenOfThisShop0123456789abc";
    await form.getByLabel(english["docs.try.token"], { exact: true }).fill(wrong);
    await form.getByRole("button", { name: english["docs.try.send"] }).click();
    await expect(told(form)).toContainText("200 token");
    await expect(told(form)).toContainText(english["docs.refusal.token"]);
    await expect(told(form)).toContainText(english["docs.again.never"]);
    const quantity = await openTry(page, "quantity", english["docs.try"]);
    await expect(quantity.getByLabel(english["docs.try.token"], { exact: true })).toHaveValue(wrong);
    expect(addresses.filter((address) => address.includes(wrong))).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(wrong);
  },
);

test("the stream of events is followed until it is stopped", { tag: "@full" }, async ({ page, request }) => {
  await enter(page, await newBuyer(request, "0"));
  await openDocs(page, "en", "/events");
  const form = await openTry(page, "user-events", english["docs.try"]);
  await form.getByRole("button", { name: english["docs.try.send"] }).click();
  await expect(form.getByRole("group")).toContainText("event: ready");
  await expect(told(form)).toContainText(english["docs.try.streaming"]);
  await form.getByRole("button", { name: english["docs.try.stop"] }).click();
  await expect(form.getByText(english["docs.try.streaming"])).toBeHidden();
  await expect(form.getByRole("button", { name: english["docs.try.send"] })).toBeEnabled();
});

test(
  "the language of the samples is chosen once for all calls, and outlives a reload",
  { tag: "@full" },
  async ({ page }) => {
    await openDocs(page, "en");
    const tabs = section(page, "balance").getByRole("tab");
    await expect(tabs.filter({ hasText: "curl" })).toHaveAttribute("aria-selected", "true");
    await tabs.filter({ hasText: "curl" }).focus();
    for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowRight");
    await expect(tabs.filter({ hasText: "Python" })).toBeFocused();
    await expect(section(page, "order")).toContainText("import json, os, urllib.parse");
    await page.reload();
    await expect(section(page, "cancel")).toContainText("import json, os, urllib.parse");
  },
);

test("samples hold the token only when their reader says so, and the order that was tried", async ({
  page,
  request,
}) => {
  const buyer = await newBuyer(request, "0");
  // Of the account, and never of the session.
  const token = await programToken(request, buyer);
  await enter(page, buyer);
  await openDocs(page, "en");
  const sample = section(page, "balance").getByRole("tabpanel");
  const wish = page.getByLabel(english["docs.token.samples"]);
  await expect(wish).toBeEnabled();
  await expect(sample).toContainText("Bearer $TOKEN");
  await expect(page.locator("body")).not.toContainText(token);
  await wish.check();
  await expect(sample).toContainText(`Bearer ${token}`);
  // A call that needs an order offers a free one.
  const read = await openTry(page, "getmessage", english["docs.try"]);
  await read.getByRole("button", { name: english["docs.try.first.order"] }).click();
  await expect(read.getByLabel("id", { exact: true })).toHaveValue(/^\d+$/);
  const id = await read.getByLabel("id", { exact: true }).inputValue();
  await expect(section(page, "cancel").getByRole("tabpanel")).toContainText(`id=${id}`);
  expect(page.url()).not.toContain(token);
  await page.reload();
  await expect(sample).toContainText("Bearer $TOKEN");
});

test("a section is found by its address, also an older one, by the contents and by the search", async ({
  page,
}) => {
  const title = (id: string) => section(page, id).getByRole("heading", { level: 2 });
  const contents = page.getByRole("navigation", { name: english["docs.contents"] });
  await page.goto("/en/docs#user-webhooks-add");
  await expect(page).toHaveURL(/\/en\/docs\/webhooks#user-webhooks-add$/);
  await expect(title("user-webhooks-add")).toBeInViewport();
  await expect(page).toHaveTitle(`Webhooks · ${english["docs.title"]} · Postern`);

  await contents.getByRole("link", { name: /^Cancel cancel$/ }).click();
  await expect(page).toHaveURL(/\/en\/docs#cancel$/);
  await expect(title("cancel")).toBeInViewport();
  await expect(contents.getByRole("link", { name: /^Cancel cancel$/ })).toHaveAttribute(
    "aria-current",
    "location",
  );
  expect(await judge(page, "all", 'nav:has([aria-current="location"]):not(details *)')).toEqual([]);

  await page.keyboard.press("/");
  const found = page.getByRole("dialog");
  await expect(found.getByRole("combobox")).toBeFocused();
  await page.keyboard.type("no emails");
  await expect(found.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  expect(await judge(page, "all", "dialog[open]")).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/en\/docs\/errors#error-no-emails$/);
  await expect(page.locator("#error-no-emails")).toBeInViewport();
});

test("on phones the contents are a bar that says where the reader is", { tag: "@full" }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/en/docs#cancel");
  const bar = page.locator("summary").filter({ hasText: english["docs.contents"] });
  await expect(bar).toContainText("Cancel");
  await bar.click();
  const contents = page.getByRole("navigation", { name: english["docs.contents"] });
  await expect(contents.getByRole("link", { name: /^Cancel cancel$/ })).toHaveAttribute(
    "aria-current",
    "location",
  );
  await expectFits(page);
  expect(await judge(page, "all", "details[open]")).toEqual([]);
  // The page with the longest list of choices.
  await page.goto("/en/docs/payments");
  await expect(section(page, "payments-create")).toBeVisible();
  await expectFits(page);
});

test(
  "a call can be tried as soon as the script is there, and no press is lost before",
  { tag: "@full" },
  async ({ page }) => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await promise;
      await route.continue();
    });
    await page.goto("/en/docs#balance", { waitUntil: "commit" });
    const button = section(page, "balance").getByRole("button", { name: `${english["docs.try"]} balance` });
    await expect(button).toBeDisabled();
    resolve(undefined);
    await button.click();
    await expect(section(page, "balance").getByRole("form")).toBeVisible();
  },
);
