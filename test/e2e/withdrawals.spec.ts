import type { Page } from "@playwright/test";
import { freePort } from "../kit/port.ts";
import { enter } from "./buyer.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";
import { confirm, expectRefused, openAct, openSection } from "./officePages.ts";
import { openOwnShop, type OwnShop } from "./ownShop.ts";
import { texts } from "./storiesPage.ts";

// Withdrawals where the shop takes requests (WITHDRAWALS=on). Whether a chain shows a transaction: payouts.test.ts.

test.describe.configure({ mode: "default" });
const port = await freePort();
test.use({ baseURL: `http://127.0.0.1:${port}` });
const t = texts.en;
const address = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH";
const mistyped = address.replace("H", "J");

let shop: OwnShop;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  shop = await openOwnShop({ WITHDRAWALS: "on" }, port);
});
test.afterAll(() => shop.remove());

async function partner(email: string, soft: string): Promise<string> {
  const token = await shop.register(email);
  const { data } = (await shop.see("/user/information", {}, token)) as { data: { id: string } };
  await shop.prove();
  const change = { user: data.id, book: "soft", amount: soft, reason: "browser tests", key: email };
  await shop.say("/api/admin/users/adjust", change);
  return token;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const list = (page: Page) => page.getByRole("region", { name: t["withdrawal.list"] });

async function openDialog(page: Page, token: string) {
  await enter(page, { token });
  await page.goto("/en/dashboard/partner");
  await button(page, t["partner.withdraw"]).click();
  return page.getByRole("dialog");
}

test("a partner asks, the office enters the transaction, and the partner sees that it is paid", async ({
  page,
}) => {
  const token = await partner("paid@example.com", "60");
  const dialog = await openDialog(page, token);
  await expectAccessible(page);
  await dialog.getByLabel(t["withdrawal.amount"], { exact: true }).fill("40");
  await dialog.getByLabel(t["withdrawal.wallet"], { exact: true }).selectOption("trx");
  await dialog.getByLabel(t["withdrawal.address"], { exact: true }).fill(mistyped);
  await button(page, t["withdrawal.next"]).click();
  await dialog.getByRole("button", { name: /40/ }).click();
  await expect(dialog.getByText(t["refusal.address"])).toBeVisible();

  await dialog.getByLabel(t["withdrawal.address"], { exact: true }).fill(address);
  await button(page, t["withdrawal.next"]).click();
  await expect(dialog.getByText(address)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: /40/ }).click();
  await expect(dialog).toHaveCount(0);
  await expect(list(page)).toContainText(t["withdrawal.state.waiting"]);
  await expect(page.getByText("$20.00000").first()).toBeVisible();
  await expectAccessible(page);

  await shop.prove();
  await enter(page, { token: shop.administrator });
  await page.goto("/en/admin");
  await page.getByRole("link", { name: new RegExp(t["office.waiting.withdrawals"]) }).click();
  const row = page.getByRole("row").filter({ hasText: "paid@example.com" });
  await expect(row).toContainText(t["office.choice.waiting"]);
  const number = (await row.locator("th, td").first().innerText()).trim().replace("#", "");
  const act = await openAct(page, number, t["office.withdrawal.pay"]);
  await expect(act).toContainText(address);
  await expectAccessible(page);
  await act.getByLabel(t["office.withdrawal.hash"], { exact: true }).fill("play 1");
  await confirm(page, t["office.withdrawal.pay"], t["office.withdrawal.pay.done"]);
  await openSection(page, "withdrawals");
  await expect(row).toContainText(t["office.choice.paid"]);

  await enter(page, { token });
  await page.goto("/en/dashboard/partner");
  await expect(list(page)).toContainText(t["withdrawal.state.paid"]);
  await expect(list(page)).toContainText("play 1");
});

test("who asked cancels while it waits; what the office refuses is back with its reason @both", async ({
  page,
}, { project }) => {
  const email = `back-${project.name}@example.com`;
  const token = await partner(email, "60");
  for (const amount of ["10", "20"]) {
    const asked = { way: "soft", amount, wallet: "trx", address, key: amount };
    await shop.say("/user/withdrawals/add", asked, token);
  }
  await enter(page, { token });
  await page.goto("/en/dashboard/partner");
  await expect(page.getByText("$30.00000").first()).toBeVisible();
  const ofTen = list(page).getByRole("listitem").filter({ hasText: "$10.00" });
  await ofTen.getByRole("button").click();
  await page.getByRole("dialog").getByRole("button", { name: t["withdrawal.cancel"], exact: true }).click();
  await expect(ofTen).toContainText(t["withdrawal.state.canceled"]);
  await expect(page.getByText("$40.00000").first()).toBeVisible();
  await expectFits(page);

  await shop.prove();
  const { rows } = (await shop.see("/api/admin/tables/withdrawals", { search: email })) as {
    rows: { id: string; state: string }[];
  };
  const waiting = rows.find(({ state }) => state === "waiting");
  await shop.say("/api/admin/withdrawals/refuse", { id: waiting?.id, reason: "Write to us first." });
  await page.reload();
  await expect(list(page)).toContainText("Write to us first.");
  await expect(page.getByText("$60.00000").first()).toBeVisible();
});

test("an answer that was lost asks for the same withdrawal when the button is pressed again", async ({
  page,
}) => {
  const dialog = await openDialog(page, await partner("lost@example.com", "60"));
  let asked = 0;
  await page.route("**/user/withdrawals/add", async (route) => {
    if (asked++ > 0) return route.continue();
    await route.fetch();
    return route.fulfill({ body: "" });
  });
  await dialog.getByLabel(t["withdrawal.amount"], { exact: true }).fill("20");
  await dialog.getByLabel(t["withdrawal.address"], { exact: true }).fill(address);
  await dialog.getByLabel(t["withdrawal.wallet"], { exact: true }).selectOption("trx");
  for (const answer of ["lost", "heard"]) {
    await button(page, t["withdrawal.next"]).click();
    await dialog.getByRole("button", { name: /20/ }).click();
    await expect(dialog).toHaveCount(answer === "lost" ? 1 : 0);
    if (answer === "lost") await expect(button(page, t["withdrawal.next"])).toBeVisible();
  }
  await expect(list(page).getByRole("listitem")).toHaveCount(1);
  await expect(page.getByText("$40.00000").first()).toBeVisible();
});

test("the office needs a transaction, and cannot pay what it owes to itself", async ({ page }) => {
  const { data } = (await shop.see("/user/information")) as { data: { id: string } };
  await shop.prove();
  const change = { book: "soft", amount: "30", reason: "browser tests", key: "own" };
  await shop.say("/api/admin/users/adjust", { user: data.id, ...change });
  await shop.say("/user/withdrawals/add", { way: "soft", amount: "10", wallet: "trx", address, key: "own" });
  await enter(page, { token: shop.administrator });
  await openSection(page, "withdrawals", "?search=operator%40example.com");
  const row = page.getByRole("row").filter({ hasText: "operator@example.com" });
  const number = (await row.locator("th, td").first().innerText()).trim().replace("#", "");
  const act = await openAct(page, number, t["office.withdrawal.pay"]);
  await act.getByLabel(t["office.withdrawal.hash"], { exact: true }).fill("play 2");
  await expectRefused(page, t["office.withdrawal.pay"], t["office.refusal.yourself"]);
});

test("who has earned too little reads from when on a withdrawal is possible", async ({ page }) => {
  await enter(page, { token: await partner("little@example.com", "9.99") });
  await page.goto("/en/dashboard/partner");
  await expect(page.getByText(t["withdrawal.later"].replace("{least}", "\u2068$10.00\u2069"))).toBeVisible();
  await expect(button(page, t["partner.withdraw"])).toBeDisabled();
});
