import type { APIRequestContext } from "@playwright/test";
import account from "../../i18n/account/en.json" with { type: "json" };
import app from "../../i18n/app/en.json" with { type: "json" };
import pub from "../../i18n/en.json" with { type: "json" };
import { enter, newBuyer, sendLetter } from "./buyer.ts";
import { letterTo } from "./orderRows.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";

const en = { ...pub, ...app, ...account };
const waiting = (count: number) => en["activations.waiting"].other.replace("{count}", String(count));

test("a letter for an order on another page is told at once, with its code and a way to open it", async ({
  page,
  request,
}) => {
  const { token, ...buyer } = await newBuyer(request);
  const ask = { token, site: "instagram.com", domain: "letters.test" };
  const order = async (quantity: string) => {
    const said = await (await request.post("/email/order", { form: { ...ask, quantity } })).json();
    return (said as { data: { email: string }[] }).data;
  };
  const [oldest] = await order("1");
  await order("10");
  if (!oldest) throw new Error("nothing was ordered");
  await enter(page, { token, ...buyer });
  await page.goto("/en/dashboard");
  const listed = page.locator("#activations li[data-state]");
  await expect(listed).toHaveCount(10);
  await expect(page.getByText(waiting(11))).toBeVisible();
  await expect(listed.filter({ hasText: oldest.email })).toHaveCount(0);
  await sendLetter(letterTo(oldest.email, "482910"));
  const told = page.getByRole("list", { name: en["arrived.new"] });
  await expect(told.getByRole("listitem")).toHaveCount(1);
  await expect(told).toContainText(oldest.email);
  await expect(told.getByRole("button", { name: "482910" })).toBeVisible();
  await listed.last().scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 2000);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  await expect(told).toBeInViewport({ ratio: 1 });
  await expect(page).toHaveTitle(/^\(1\) /);
  await expect(page.getByText(waiting(10))).toBeVisible();
  await expect(page.locator("[aria-live]").filter({ hasText: oldest.email })).toContainText("482910");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page);

  await page.getByRole("link", { name: en["statement.title"] }).click();
  await expect(page.getByRole("heading", { level: 1, name: en["statement.title"] })).toBeVisible();
  await expect(told).toContainText(oldest.email);
  await told.getByRole("button", { name: en["arrived.open"] }).click();
  const letter = page.getByRole("dialog", { name: en["letter.title"] });
  await expect(letter).toContainText("482910");
  await page.keyboard.press("Escape");
  await expect(told).toBeHidden();
});

/** Asks for a payment; answers its id. */
async function pay(
  request: APIRequestContext,
  { token }: { token: string },
  amount: string,
): Promise<string> {
  const asked = await request.post("/payments/create", { form: { token, wallet: "usdttrc20", amount } });
  return ((await asked.json()) as { id: string }).id;
}

test("a low-balance warning is set, shown again and turned off", async ({ page, request }) => {
  await enter(page, await newBuyer(request));
  await page.goto("/en/dashboard/statement");
  const open = page.getByRole("button", { name: en["low.title"] });
  await open.click();
  const dialog = page.getByRole("dialog", { name: en["low.title"] });
  const amount = dialog.getByLabel(en["low.amount"]);
  await expect(amount).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog).toContainText(en["refusal.threshold"]);
  await expectAccessible(page);
  await amount.fill("2,5");
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/user/lowbalance", async (route) => {
    await held;
    await route.fallback();
  });
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await open.click();
  await expect(amount).toBeFocused();
  release();
  await expect(amount).toHaveValue("2.5");
  await dialog.getByRole("button", { name: en["low.off"] }).click();
  await expect(dialog).toBeHidden();
  await open.click();
  await expect(amount).toHaveValue("");
  await expect(dialog.getByRole("button", { name: en["low.off"] })).toBeHidden();
});

test("an open payment is found again, continued, and paid with play money", async ({ page, request }) => {
  const buyer = await newBuyer(request, "0");
  await enter(page, buyer);
  const id = await pay(request, buyer, "3");
  await page.goto("/en/dashboard");
  const strip = page.getByRole("region", { name: en["payments.title"] });
  await expect(strip).toContainText("1 payment waiting");
  await expect(strip).toContainText(/3(\.\d+)? USDT/);
  await expectAccessible(page);
  await page.getByRole("link", { name: en["payments.title"], exact: true }).click();
  await expect(page).toHaveURL("/en/dashboard/payments");
  const row = page.getByRole("listitem").filter({ hasText: id });
  await expect(row).toContainText(en["pay.status.pending"]);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page);
  await page.goto("/en/dashboard");
  await strip.getByRole("link", { name: en["pay.strip.continue"] }).click();
  await expect(page).toHaveURL(`/en/payments/pay?id=${id}`);
  await page.getByRole("button", { name: "Pay with play money", exact: true }).click();
  await expect(page.getByText(en["pay.status.confirmed"]).first()).toBeVisible();
  await page.goto("/en/dashboard/payments");
  await expect(row).toContainText(en["pay.status.confirmed"]);
  await page.goto("/en/dashboard");
  await expect(page.getByRole("banner").getByText("$3.00000")).toBeVisible();
  await expect(strip).toBeHidden();
});

test("a payment that will not be paid is dropped from the banner, taken back, and dropped in the list; the list narrows", async ({
  page,
  request,
}) => {
  const buyer = await newBuyer(request, "0");
  await enter(page, buyer);
  for (const amount of ["3", "4", "5", "6"]) await pay(request, buyer, amount);
  await page.goto("/en/dashboard");
  const strip = page.getByRole("region", { name: en["payments.title"] });
  await expect(strip).toContainText("4 payments waiting");
  await strip.getByRole("button", { name: "I will not pay payment" }).click();
  await expect(strip).toContainText("3 payments waiting");
  await page.getByRole("button", { name: en["cancel.undo"] }).click();
  await expect(strip).toContainText("4 payments waiting");

  await page.goto("/en/dashboard/payments");
  const rows = page.getByRole("list", { name: en["payments.title"] }).getByRole("listitem");
  const five = rows.filter({ hasText: "$5.00" });
  await five.getByRole("button", { name: "I will not pay payment" }).click();
  await expect(five).toContainText(en["pay.status.dropped"]);
  await page.getByRole("button", { name: en["payments.group.ended"] }).click();
  await expect(page.getByRole("status").filter({ hasText: "1 payment" })).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/\?group=ended$/);
  await expectAccessible(page);
  await rows.getByRole("link").click();
  await page.getByRole("button", { name: en["pay.drop.takeUp"] }).click();
  await expect(page.getByText(en["pay.status.pending"]).first()).toBeVisible();
  await page.getByRole("button", { name: en["pay.drop"], exact: true }).click();
  await expect(page.getByText(en["pay.dropped.text"])).toBeVisible();
});
