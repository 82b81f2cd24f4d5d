import type { Page } from "@playwright/test";
import { enter, theMember } from "./buyer.ts";
import { payment } from "./payments.ts";
import { expect, runClock, stopClock, test } from "./fixtures.ts";
import { answer, no, texts } from "./visitor.ts";

const en = texts.en;

const next = (page: Page) => page.getByTitle(en["pay.refresh"]);
const seconds = async (page: Page) => Number(/\d+/.exec(await next(page).innerText())?.[0]);

test("a payment is asked for every 10 seconds with a countdown, until it is confirmed", async ({
  page,
  request,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await answer(page, "/user/events", no("too many"));
  await answer(page, "/payments/status", payment);
  await enter(page, await theMember(request));
  await page.clock.install();
  await page.goto("/en/payments/pay?id=77");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en["pay.title"].replace("{id}", "77"));
  for (const told of ["0.06251 LTC", "Litecoin", payment.wallet, en["pay.notice.exact"], "$5.00"])
    await expect(page.getByText(told).first()).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: en["nav.help"] })).toHaveAttribute(
    "target",
    "_blank",
  );

  await page.setViewportSize({ width: 390, height: 844 });
  const bar = await page.getByRole("navigation", { name: en["nav.bottom"] }).boundingBox();
  for (const needed of [
    page.getByText("0.06251 LTC"),
    page.getByRole("button", { name: en["pay.copyAmount"] }),
    page.getByText(payment.network, { exact: true }).first(),
    page.getByText(en["pay.notice.network"].replace("{coin}", "LTC").replace("{network}", payment.network)),
    page.getByText(payment.wallet),
    page.getByRole("button", { name: en["pay.copyWallet"] }),
    page.getByRole("button", { name: en["pay.qr.show"] }),
    page.getByRole("timer").filter({ hasText: en["pay.expires"] }),
  ]) {
    const box = await needed.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  }
  await expect(page.getByRole("main").getByRole("img", { name: en["pay.qr.payment"] })).toBeHidden();

  await stopClock(page, 3000);
  const first = await seconds(page);
  await page.clock.runFor(1000);
  await expect.poll(() => seconds(page)).toBe(first - 1);

  const copy = page.getByRole("button", { name: en["pay.copyWallet"] });
  await copy.click();
  const copied = page.getByRole("button", { name: en["ui.copied"] });
  await expect(copied).toBeVisible();
  await page.clock.runFor(1900);
  await expect(copied).toBeVisible();
  await page.clock.runFor(200);
  await expect(copy).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(payment.wallet);

  const asked = page.waitForResponse("**/payments/status?*");
  await page.clock.runFor(9000);
  await asked;

  await page.unrouteAll();
  await answer(page, "/user/events", no("too many"));
  await answer(page, "/payments/status", {
    ...payment,
    payment_status: 1,
    state: "credited",
    credited: "5.0",
  });
  await runClock(page, 2000, () => page.getByText(en["pay.status.confirmed"]).isVisible()).toBe(true);
  await expect(page.getByText(payment.wallet)).toBeHidden();
  await expect(next(page)).toHaveCount(0);
  let late = 0;
  page.on("request", (ask) => (late += ask.url().includes("/payments/status") ? 1 : 0));
  await page.clock.runFor(30_000);
  await page.request.get("/favicon.svg");
  expect(late).toBe(0);
});

test("a lost connection is told, the page goes on asking, and looking again is told too", async ({
  page,
  request,
}) => {
  await answer(page, "/user/events", no("too many"));
  await answer(page, "/payments/status", "connection");
  await enter(page, await theMember(request));
  await page.clock.install();
  await page.goto("/en/payments/pay?id=77");
  await expect(page.getByText(en["pay.status.network"])).toBeVisible();
  await stopClock(page, 3000);
  await Promise.all([page.waitForResponse("**/payments/status?*"), page.clock.runFor(10_000)]);
  await runClock(page, 200, () => page.getByText(/Next check in \d+ s/).isVisible()).toBe(true);
  await expect(page.getByText(en["pay.status.network"])).toBeVisible();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/payments/status?*", async (route) => {
    await held;
    await route.fulfill({ json: payment });
  });
  await next(page).click();
  await page.clock.runFor(100);
  await expect(page.getByText(en["pay.refreshing"])).toBeVisible();
  release();
  await runClock(page, 20, () => page.getByText(en["pay.status.pending"]).isVisible()).toBe(true);
  await page.clock.runFor(1200);
  await expect(page.getByText(en["pay.refreshing"])).toHaveCount(0);
  await expect(page.getByText(/Next check in \d+ s/)).toBeVisible();
});

test("the top-up begins with a dollar, names the nine currencies, and says when no payment could be made", async ({
  page,
  request,
}) => {
  await enter(page, await theMember(request));
  await page.goto("/en/dashboard");
  await page.getByRole("button", { name: en["topup.open"] }).first().click();
  const dialog = page.getByRole("dialog", { name: en["topup.title"] });
  const amount = dialog.getByLabel(en["topup.amount"]);
  await expect(amount).toHaveValue("1");
  await expect(amount).toHaveAttribute("placeholder", "1.55");
  const names = [
    "USDT TRC20",
    "TRON",
    "BEP20",
    "USDT BEP20",
    "TON",
    "USDT TON",
    "Litecoin",
    "Ethereum",
    "ERC20",
  ];
  const networks = dialog.getByRole("group", { name: en["pay.network"] });
  const coins = dialog.getByRole("group", { name: en["topup.currency"] });
  const offered: string[] = [];
  for (const coin of await coins.getByRole("radio").all()) {
    await coin.check();
    offered.push(...(await networks.locator("label bdi:first-child").allInnerTexts()));
  }
  for (const name of names) expect(offered).toContain(name);
  const create = dialog.getByRole("button", { name: en["topup.do"] });
  await amount.fill("");
  await expect(create).toBeDisabled();
  await amount.fill("0.5");
  await expect(dialog.getByText(en["topup.min"])).toBeVisible();
  await amount.fill("abc2.505");
  await expect(amount).toHaveValue("2.50");
  await amount.fill("2.50x");
  await expect(amount).toHaveValue("2.50");
  await answer(page, "/payments/create", no("no rate"));
  await create.click();
  await expect(dialog.getByText(en["topup.error"])).toBeVisible();

  // A buyer who closes the loading tab finds the payment here.
  const created = Promise.withResolvers<void>();
  await page.unroute((url) => url.pathname === "/payments/create");
  await page.route("**/payments/create", async (route) => {
    await created.promise;
    await route.fulfill({ json: { status: "success", id: "77" } });
  });
  const opened = page.waitForEvent("popup");
  await create.click();
  const tab = await opened;
  await expect(tab.locator("body")).toHaveText(en["ui.loading"]);
  await tab.close();
  created.resolve();
  await expect(page).toHaveURL(/\/en\/payments\/pay\?id=77$/);
});

test(
  "a payment page that was not opened by us goes back when it is closed",
  { tag: "@full" },
  async ({ page, request }) => {
    await answer(page, "/payments/status", payment);
    await enter(page, await theMember(request));
    await page.goto("/en/docs");
    await page.goto("/en/payments/pay?id=77");
    await page.getByRole("button", { name: en["pay.close"] }).click();
    await expect(page).not.toHaveURL(/payments/);
  },
);
