import type { APIRequestContext, Page } from "@playwright/test";
import { type Buyer, enter, newBuyer, sendLetter } from "./buyer.ts";
import { letterTo } from "./orderRows.ts";
import { codeFor } from "./mail.ts";
import { expect, expectAccessible, expectFits, stopClock, test } from "./fixtures.ts";
import { operate } from "./operator.ts";
import { place } from "./shopAddress.ts";
import { newEmail, openAuth, register, texts, type Walked } from "./visitor.ts";

const word = () => `word-${process.pid}-${Date.now()}`;

async function openPartner(page: Page, partner: Buyer, language: Walked = "en"): Promise<void> {
  await enter(page, partner);
  await page.goto(`/${language}/dashboard`);
  await page.getByRole("link", { name: texts[language]["dashboard.partner"] }).click();
  await expect(page.getByRole("heading", { name: texts[language]["partner.link.title"] })).toBeVisible();
}

async function earn(
  request: APIRequestContext,
  { token }: Pick<Buyer, "token">,
  softId?: string,
): Promise<void> {
  const query = {
    token,
    site: "instagram.com",
    domain: "letters.test",
    ...(softId === undefined ? {} : { soft_id: softId }),
  };
  const order = (await (await request.get("/email/order", { params: query })).json()) as Record<
    string,
    string
  >;
  await sendLetter(letterTo(order["email"] ?? "", "482910"));
  const wait = { token, id: order["id"] ?? "", wait: "30" };
  expect(await (await request.get("/email/getmessage", { params: wait })).json()).toMatchObject({
    status: "success",
  });
}

const earnings = (page: Page, name: string) =>
  page.getByRole("table", { name: texts.en["partner.earnings.title"] }).getByRole("row", { name });

test("a visitor comes by a partner's link, registers, orders and gets his letter; the partner sees his 5%", async ({
  browser,
  page,
  request,
}) => {
  const t = texts.en;
  const mine = word();
  await openPartner(page, await newBuyer(request, "0"));
  await expect(page.getByText(t["partner.link.none"])).toBeVisible();
  await expect(page.getByText(t["partner.chart.none"])).toBeVisible();
  await page.getByRole("button", { name: t["partner.link.create"] }).click();
  const field = page.getByLabel(t["partner.word"]);
  await expect(page.getByRole("button", { name: t["partner.word.save"] })).toBeDisabled();
  await field.fill("not a word");
  await expect(page.getByText(t["partner.word.invalid"])).toBeVisible();
  await expect(page.getByRole("button", { name: t["partner.word.save"] })).toBeDisabled();
  await field.fill(mine);
  const token = await page.evaluate(() => {
    const kept = localStorage.getItem("authToken") ?? "";
    localStorage.removeItem("authToken");
    return kept;
  });
  await field.press("Enter");
  await expect(page.getByText(t["partner.word.noToken"])).toBeVisible();
  await page.evaluate((kept) => localStorage.setItem("authToken", kept), token);
  await field.press("Enter");
  await expect(page.getByText(t["partner.word.saved"])).toBeVisible();
  await expect(field).toBeHidden();
  const link = page.getByText(`/?ref=${mine}`);
  await expect(link).toBeVisible();

  const stranger = await browser.newContext();
  const visitor = await stranger.newPage();
  await visitor.goto((await link.innerText()).trim());
  await expect(visitor).toHaveURL(/\/en$/);
  expect(await stranger.cookies()).toContainEqual(
    expect.objectContaining({ name: "ref_code", value: mine, path: "/", sameSite: "Lax" }),
  );
  const email = newEmail();
  await register(await openAuth(visitor, "register"), email);
  const activation = visitor.getByRole("dialog", { name: t["auth.activate"] });
  await activation.getByRole("textbox").first().click();
  await visitor.keyboard.type(await codeFor(email));
  await expect(visitor).toHaveURL(/dashboard/);
  const registered = await visitor.evaluate(() => localStorage.getItem("authToken") ?? "");
  await stranger.close();
  await topUp(request, registered);
  await earn(request, { token: registered });

  await page.reload();
  const row = earnings(page, t["partner.way.referral"]);
  await expect(row).toContainText("$0.00017");
  await expect(page.getByRole("region", { name: t["partner.left"] })).toContainText("$0.00017");
  await page.getByRole("tab", { name: t["partner.way.referral"] }).first().click();
  const chart = page.getByRole("figure", {
    name: t["partner.chart.label"].replace("{way}", t["partner.way.referral"]),
  });
  await expect(chart.getByRole("slider")).toHaveAttribute("aria-valuetext", /\$0\.000175$/);
});

test(
  "a code that is somebody else's is refused in a sentence, and another one is taken",
  { tag: "@full" },
  async ({ page, request }) => {
    const t = texts.en;
    const taken = word();
    const { token } = await newBuyer(request, "0");
    const answer = await request.post("/user/addReferralWord", { form: { token, word: taken } });
    expect(await answer.json()).toMatchObject({ success: true });
    await openPartner(page, await newBuyer(request, "0"));
    await page.getByRole("button", { name: t["partner.link.create"] }).click();
    const field = page.getByLabel(t["partner.word"]);
    await field.fill(taken.toUpperCase());
    await field.press("Enter");
    await expect(field).toHaveAccessibleDescription(`${t["refusal.wordTaken"]} ${t["partner.word.hint"]}`);
    await expectAccessible(page);
    await field.fill(`${taken}-2`);
    await field.press("Enter");
    await expect(page.getByText(`/?ref=${taken}-2`)).toBeVisible();
  },
);

async function topUp(request: APIRequestContext, token: string): Promise<void> {
  const made = await request.post("/payments/create", { form: { token, wallet: "trx", amount: "1" } });
  const { id } = (await made.json()) as { id: string };
  await operate(place, "pay", id);
}

test(
  "the chart tells its days by pointer, by keys and as a table, from right to left",
  { tag: "@full" },
  async ({ page, request }) => {
    const language = "ar";
    const t = texts[language];
    const partner = await newBuyer(request, "0");
    const softId = await softIdOf(request, partner);
    const buyer = await newBuyer(request);
    await earn(request, buyer, softId);
    await earn(request, buyer, softId);
    await openPartner(page, partner, language);
    const chart = page.getByRole("figure", {
      name: t["partner.chart.label"].replace("{way}", t["partner.way.soft"]),
    });
    const steps = chart.getByRole("slider");
    const { width } = (await steps.boundingBox())!;
    // Today stands where lines end.
    await steps.hover({ position: { x: 2, y: 60 } });
    await expect(chart).toContainText("0.000350");
    await steps.hover({ position: { x: width - 2, y: 60 } });
    await expect(chart).toContainText("0.000000");
    await page.mouse.move(0, 0);
    await expect(chart).not.toContainText("0.000000");
    await expect(steps).toHaveAttribute("aria-valuetext", /0\.000350/);
    await steps.focus();
    await page.keyboard.press("ArrowRight");
    await expect(steps).toHaveAttribute("aria-valuenow", "28");
    await expect(chart).toContainText("0.000000");
    await chart.getByRole("button", { name: t["plot.table"] }).click();
    await expect(chart.getByRole("row")).toHaveCount(31);
    await expect(chart.getByRole("row").nth(1)).toContainText("0.000350");

    const days = page.getByRole("table", { name: t["partner.statistics"] }).getByRole("row");
    await expect(days).toHaveCount(3);
    await expect(days.nth(1)).toContainText(t["partner.way.total"]);
    await expect(days.nth(2)).toContainText("0.00035");
    await expectFits(page);
    await expectAccessible(page);
    await page.getByRole("tab", { name: t["partner.tab.referral"] }).last().click();
    await expect(page.getByText(t["partner.none.referral"], { exact: true })).toBeVisible();
  },
);

test("the call that is copied carries the Soft ID, a copied link says so for 1.6 seconds, and the mode is remembered until somebody wants to order", async ({
  context,
  page,
  request,
}) => {
  const t = texts.en;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const partner = await newBuyer(request, "0");
  await request.post("/user/addReferralWord", { form: { token: partner.token, word: word() } });
  await page.clock.install();
  await openPartner(page, partner);
  await stopClock(page);
  await page.getByRole("button", { name: t["partner.link.copy"] }).click();
  const copiedLink = page.getByRole("status").filter({ hasText: t["ui.copied"] });
  await expect(copiedLink).toHaveCount(1);
  await page.clock.runFor(1500);
  await expect(copiedLink).toHaveCount(1);
  await page.clock.runFor(200);
  await expect(copiedLink).toHaveCount(0);
  await page.clock.resume();
  await page.getByRole("button", { name: t["partner.soft.copy"] }).click();
  const copied = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(copied.pathname).toBe("/email/order");
  expect([...copied.searchParams.keys()]).toEqual(["token", "site", "domain", "regex", "subject", "soft_id"]);
  expect(copied.searchParams.get("soft_id")).toBe(await softIdOf(request, partner));
  await page.reload();
  await expect(page.getByRole("heading", { name: t["partner.link.title"] })).toBeVisible();
  await page.goto("/en/dashboard?from=instagram&to=letters");
  await expect(page.getByRole("radio", { name: /letters\.test/ })).toBeChecked();
});

async function softIdOf(request: APIRequestContext, { token }: Buyer): Promise<string> {
  const said = (await (await request.get("/user/information", { params: { token } })).json()) as {
    data: { soft: { id: string } };
  };
  return said.data.soft.id;
}
