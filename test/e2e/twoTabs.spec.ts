import type { APIRequestContext, Page } from "@playwright/test";
import { type Buyer, enter, newBuyer, password, sendLetter } from "./buyer.ts";
import { expect, test } from "./fixtures.ts";
import { letterTo, order, rows } from "./orderRows.ts";
import { openAuth, solveCaptcha, texts } from "./visitor.ts";

const en = texts.en;

/** What the shop says of the account. */
async function balanceOf(request: APIRequestContext, { token }: Buyer): Promise<string> {
  const said = await request.get("/user/balance", { headers: { authorization: `Bearer ${token}` } });
  return ((await said.json()) as { balance: string }).balance;
}

const shownBalance = (page: Page) =>
  page.getByRole("banner").getByRole("link", { name: new RegExp(en["nav.balance"]) });
const nameOf = ({ email }: Buyer) => email.split("@")[0] ?? "";
/** Acts, and sees the page say that it shows another account: the message is there for five seconds alone. */
const changing = (page: Page, act: Promise<void>) =>
  Promise.all([page.getByText(en["auth.elsewhere"]).waitFor(), act]);
const buyButton = (page: Page) => page.getByRole("button", { name: new RegExp(`^${en["order.buy"]} `) });

async function chooseSite(page: Page): Promise<void> {
  await page.goto("/en/dashboard?from=instagram.com&to=letters");
  await expect(buyButton(page)).toBeEnabled();
}

test("a sign-in in one tab ends the sign-in in another, which shows the same account", async ({
  page,
  context,
  request,
}) => {
  const [nora, omar] = [await newBuyer(request, "2"), await newBuyer(request, "3")];
  const other = await context.newPage();
  for (const [tab, { email }] of [
    [other, omar],
    [page, nora],
  ] as const) {
    const dialog = await openAuth(tab);
    await dialog.getByLabel(en["auth.email"]).fill(email);
    await dialog.locator("input[name=password]").fill(password);
    await solveCaptcha(dialog);
  }
  const submit = page.getByRole("dialog").getByRole("button", { name: en["auth.login.do"] });
  await changing(other, submit.click());
  await expect(shownBalance(page)).toHaveText(/2\.0/);
  await expect(other.getByRole("dialog")).toBeHidden();
  await expect(shownBalance(other)).toHaveText(/2\.0/);
});

test("a tab follows another account of another tab: its name, money and orders, and what was open is closed", async ({
  page,
  context,
  request,
}) => {
  const [nora, omar] = [await newBuyer(request, "2"), await newBuyer(request, "3")];
  await enter(page, nora);
  const email = await order(page);
  await page.getByRole("button", { name: en["topup.open"] }).first().click();
  await expect(page.getByRole("dialog")).toBeVisible();

  await changing(page, enter(await context.newPage(), omar));
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(shownBalance(page)).toHaveText(/3\.0/);
  await expect(page.getByText(nameOf(omar))).toBeVisible();
  await expect(page.getByText(nameOf(nora))).toBeHidden();
  await expect(page.getByText(email)).toBeHidden();

  const before = await balanceOf(request, nora);
  await chooseSite(page);
  await buyButton(page).click();
  await expect(rows(page).first()).toContainText("@letters.test");
  expect(await balanceOf(request, nora)).toBe(before);
  expect(Number(await balanceOf(request, omar))).toBeLessThan(3);
});

test("a press charges no account that the page does not show", async ({ page, request }) => {
  const [nora, omar] = [await newBuyer(request, "2"), await newBuyer(request, "3")];
  await enter(page, nora);
  await chooseSite(page);
  // No event tells a tab of what it has stored itself: as if the press were before the event of another tab.
  await page.evaluate((token) => localStorage.setItem("authToken", token), omar.token);
  await changing(page, buyButton(page).click());
  await expect(shownBalance(page)).toHaveText(/3\.0/);
  await expect(rows(page)).toHaveCount(0);
  expect([await balanceOf(request, nora), await balanceOf(request, omar)]).toEqual(["2.0", "3.0"]);
});

test("an order without an answer is not repeated for another account", async ({ page, context, request }) => {
  const [nora, omar] = [await newBuyer(request, "2"), await newBuyer(request, "3")];
  await enter(page, nora);
  await chooseSite(page);
  const pressed = Promise.withResolvers<() => Promise<void>>();
  await page.route("**/email/order", (route) => pressed.resolve(() => route.fulfill({ body: "" })), {
    times: 1,
  });
  await buyButton(page).click();
  const loseAnswer = await pressed.promise;
  await enter(await context.newPage(), omar);
  await expect(shownBalance(page)).toHaveText(/3\.0/);
  const calls: string[] = [];
  page.on("request", (call) => calls.push(new URL(call.url()).pathname));
  const lost = page.waitForEvent("requestfinished", (call) => call.url().endsWith("/email/order"));
  await loseAnswer();
  await lost;
  // A repeat would be sent before the answer of a call that begins later.
  for (let turn = 0; turn < 3; turn++) await page.evaluate(async () => void (await fetch("/favicon.svg")));
  expect(calls).not.toContain("/email/order");
  expect([await balanceOf(request, nora), await balanceOf(request, omar)]).toEqual(["2.0", "3.0"]);
});

test("a page goes on where the token of programs was replaced in another tab", async ({
  page,
  context,
  request,
}) => {
  await enter(page, await newBuyer(request));
  const email = await order(page);
  const docs = await context.newPage();
  await docs.goto("/en/docs/account");
  const call = docs.locator("section#user-replacetoken");
  await call.getByRole("button", { name: `${en["docs.try"]} user-replacetoken` }).click();
  const form = call.getByRole("form");
  await form.getByRole("button", { name: en["docs.try.send"] }).click();
  await docs.getByRole("dialog").getByRole("button").last().click();
  await expect(form).toContainText("200 success");
  await expect(rows(page).first()).toContainText(email);
  await sendLetter(letterTo(email, "482910"));
  await expect(rows(page).first()).toContainText("482910");
});
