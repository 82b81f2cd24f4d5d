import type { Page } from "@playwright/test";
import { currencies } from "../../src/contract/currencies.ts";
import { isolated } from "../../src/i18n/dollars.ts";
import { enter, theMember, theOperator } from "./buyer.ts";
import { closeTab, payment, transfer } from "./payments.ts";
import { expect, expectAccessible, expectFits, test } from "./fixtures.ts";
import { answer, texts, walked } from "./visitor.ts";

const en = texts.en;

const usdt = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const own = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94";
const token = {
  currency: "erc",
  currency_name: "ERC20",
  network: "Ethereum (ERC20)",
  currency_amount: "25.00",
  wallet: own,
  uri: `ethereum:${usdt}@1/transfer?address=${own}&uint256=25000000`,
};

const tell = (page: Page, different: object) =>
  answer(page, "/payments/status", { ...payment, ...different });

test("a top-up opens its payment in a new tab, and the operator plays the payer there", async ({
  page,
  context,
  request,
}) => {
  await enter(page, await theOperator(request));
  await page.goto("/en/dashboard");
  await page.getByRole("button", { name: en["topup.open"] }).click();
  const dialog = page.getByRole("dialog", { name: en["topup.title"] });
  await expect(dialog.getByRole("radio")).toHaveCount(6 + 4);
  await dialog.getByLabel(en["topup.amount"]).fill("0.5");
  await expect(dialog.getByText(en["topup.min"])).toBeVisible();
  await expect(dialog.getByRole("button", { name: en["topup.do"] })).toBeDisabled();
  await dialog.getByLabel(en["topup.amount"]).fill("1.55");
  await dialog.getByRole("radio", { name: /Litecoin/ }).check();
  await expectAccessible(page);

  const opening = context.waitForEvent("page");
  await dialog.getByRole("button", { name: en["topup.do"] }).click();
  const tab = await opening;
  await expect(tab).toHaveURL(/\/en\/payments\/pay\?id=\d+$/);
  await expect(dialog).toBeHidden();
  await expect(tab.getByText(en["pay.status.pending"])).toBeVisible();
  await expect(tab.getByRole("img", { name: en["pay.qr"] })).toHaveAttribute("width", "160");
  await expect(tab.getByText(/Next check in \d+ s/)).toBeVisible();
  await expect(tab.getByText(/npm run shop -- payments confirm \d+/)).toBeVisible();
  await expectFits(tab);
  await expectAccessible(tab);

  await tab.getByRole("button", { name: en["pay.sandbox.play"] }).click();
  await expect(tab.getByText(en["pay.status.confirmed"])).toBeVisible();
  await expect(tab.getByRole("button", { name: en["pay.transfer.copy"] })).toBeVisible();
  await expect(tab.getByRole("link", { name: en["pay.toOrders"] })).toHaveAttribute("href", "/en/dashboard");
  await expect(tab.getByText("$1.55", { exact: true })).toBeVisible();
  await expect(tab.getByRole("img", { name: en["pay.qr"] })).toBeHidden();
  await closeTab(tab, () => tab.getByRole("button", { name: en["pay.close"] }).click());
});

test("the receipt of a payment has its number, sum and whole transaction on paper, and no buttons", async ({
  page,
  request,
}) => {
  await enter(page, await theMember(request));
  const credited = { payment_status: 1, state: "credited", credited: "5.0", missing: "0" };
  await tell(page, { ...credited, transfers: [{ ...transfer, status: "credited" }] });
  await page.goto("/en/payments/pay?id=77");
  const whole = page.getByText(transfer.txid, { exact: true });
  await expect(page.getByRole("button", { name: en["pay.print"] })).toBeVisible();
  await expect(whole).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(whole).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("77");
  await expect(page.getByText("$5.00", { exact: true })).toBeVisible();
  for (const role of ["button", "navigation", "banner"] as const)
    await expect(page.getByRole(role).filter({ visible: true })).toHaveCount(0);
});

test("a rejected payment hides its address and leads to a new one", async ({ page, request }) => {
  await enter(page, await theMember(request));
  await tell(page, { payment_status: -1, state: "rejected" });
  await page.goto("/en/payments/pay?id=77");
  await expect(page.getByText(en["pay.rejected.text"])).toBeVisible();
  await expect(page.getByText(payment.wallet)).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: en["pay.anew"] }).click();
  await page.getByRole("dialog").getByRole("button", { name: en["topup.do"] }).click();
  await expect(page).not.toHaveURL(/id=77$/);
});

for (const language of walked) {
  const t = texts[language];

  test(`a payment that came in part names exactly what is missing (${language})`, async ({
    page,
    request,
  }) => {
    await enter(page, await theMember(request));
    await tell(page, {
      state: "underpaid",
      received: "0.04",
      missing: "0.02251",
      uri: payment.uri.replace("0.06251", "0.02251"),
      transfers: [{ ...transfer, amount: "0.04" }],
    });
    await page.goto(`/${language}/payments/pay?id=77`);
    await expect(page.getByRole("status").filter({ hasText: t["pay.status.underpaid"] })).toBeVisible();
    await expect(page.getByText(t["pay.missing"]).locator("..")).toContainText("0.02251 LTC");
    await expect(page.getByRole("button", { name: t["pay.copyMissing"] })).toBeVisible();
    await expect(page.getByRole("link", { name: t["pay.open"] })).toHaveAttribute("href", /amount=0\.02251$/);
    const seen = page.getByRole("region", { name: t["pay.seen"] });
    await expect(seen.getByRole("listitem")).toHaveCount(1);
    await expect(seen).toContainText("0.04 LTC");
    const bar = seen.getByRole("progressbar");
    await expect(bar).toHaveAccessibleName(
      t["pay.transfer.depth"].replace("{now}", "1").replace("{wanted}", "3"),
    );
    await expect(bar).toHaveAttribute("value", "1");
    await expectFits(page);
    await expectAccessible(page);
  });

  test(
    `a phone shows in the first screen where to send what is missing (${language})`,
    { tag: "@phone" },
    async ({ page, request }) => {
      await enter(page, await theMember(request));
      await tell(page, {
        ...token,
        state: "underpaid",
        missing: "12.345678",
        currency_amount: "25.000000",
        credit_now: "3.19",
        transfers: [{ ...transfer, amount: "12.654322" }],
      });
      await page.goto(`/${language}/payments/pay?id=77`);
      const wallet = await page.getByText(own, { exact: true }).boundingBox();
      const bar = await page.getByRole("navigation", { name: t["nav.bottom"] }).boundingBox();
      expect((wallet?.y ?? 0) + (wallet?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
      const left = page.getByRole("timer").filter({ hasText: t["pay.expires.left"] });
      await expect(left).toBeVisible();
    },
  );
}

test("what came of a payment that is short is credited at the press of a button", async ({
  page,
  request,
}) => {
  await enter(page, await theMember(request));
  let state: object = {
    ...payment,
    state: "underpaid",
    received: "0.04",
    missing: "0.02251",
    transfers: [{ ...transfer, amount: "0.04", status: "confirmed" }],
    credit_now: "3.19",
  };
  await page.route("**/payments/status?*", (route) => route.fulfill({ json: state }));
  await page.route("**/payments/credit", (route) => {
    expect(route.request().postData()).toContain("id=77");
    state = { ...payment, state: "confirming", missing: "0", received: "0.04" };
    return route.fulfill({ json: state });
  });
  await page.goto("/en/payments/pay?id=77");
  await expect(page.getByText(en["pay.creditNow.text"])).toBeVisible();
  await expectFits(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Credit $3.19 now" }).click();
  await expect(page.getByRole("status").filter({ hasText: en["pay.status.confirming"] })).toBeVisible();
  await expect(page.getByText(en["pay.missing"])).toBeHidden();
  await expect(page.getByRole("button", { name: "Credit $3.19 now" })).toBeHidden();
});

test("what needs no more coins asks for none", { tag: "@full" }, async ({ page, request }) => {
  await enter(page, await theMember(request));
  const { uri: _, ...paid } = payment;
  for (const [state, told] of [
    [{ ...paid, state: "confirming", transfers: [transfer] }, en["pay.status.confirming"]],
    [
      { ...paid, state: "review", transfers: [{ ...transfer, currency: "eth", status: "confirmed" }] },
      en["pay.status.review"],
    ],
  ] as const) {
    await page.unrouteAll();
    await page.route("**/payments/status?*", (route) => route.fulfill({ json: state }));
    await page.goto("/en/payments/pay?id=77");
    await expect(page.getByRole("status").filter({ hasText: told })).toBeVisible();
    await expect(page.getByText(en["pay.amount"], { exact: true })).toBeHidden();
    await expect(page.getByRole("img", { name: en["pay.qr"] })).toBeHidden();
    // The address stays visible, to find the transfer again.
    await expect(page.getByText(payment.wallet)).toBeVisible();
    await expectFits(page);
    await expectAccessible(page);
  }
  await expect(page.getByText(en["pay.review.other"])).toBeVisible();
  await expect(page.getByText("0.06251 ETH")).toBeVisible();
});

test(
  "a payment whose time is over says what becomes of coins that come late",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theMember(request));
    for (const [state, status, text] of [
      ["expired", en["pay.status.expired"], en["pay.expired.text"]],
      ["expired_partial", en["pay.status.expiredPartial"], en["pay.expiredPartial.text"]],
    ] as const) {
      await page.unrouteAll();
      await tell(page, { payment_status: -1, state });
      await page.goto("/en/payments/pay?id=77");
      await expect(page.getByRole("status").filter({ hasText: status })).toBeVisible();
      for (const told of [text, en["pay.expired.late"], en["pay.failed"].replace("{id}", "77")])
        await expect(page.getByText(told)).toBeVisible();
      await expect(page.getByText(payment.wallet)).toBeHidden();
      await expect(page.getByRole("button", { name: en["pay.anew"] })).toBeVisible();
      await expectAccessible(page);
    }
  },
);

test(
  "what was credited is told, and why it may be another sum",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theMember(request));
    for (const [credited, shown, why] of [
      ["5.0", "$5.00", undefined],
      ["5.5", "$5.50", en["pay.confirmed.more"]],
      ["3.2", "$3.20", en["pay.confirmed.less"]],
    ] as const) {
      await page.unrouteAll();
      await tell(page, { payment_status: 1, state: "credited", credited });
      await page.goto("/en/payments/pay?id=77");
      await expect(page.getByText(shown)).toBeVisible();
      for (const reason of [en["pay.confirmed.more"], en["pay.confirmed.less"]])
        await expect(page.getByText(reason)).toBeVisible({ visible: reason === why });
    }
  },
);

test(
  "the QR code holds the whole payment or the address alone, and can be enlarged",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theMember(request));
    await tell(page, {});
    await page.goto("/en/payments/pay?id=77");
    const [whole, plain] = [en["pay.qr.payment"], en["pay.qr"]];
    const code = (name: string) => page.getByRole("main").getByRole("img", { name, exact: true });
    await expect(code(whole)).toHaveAttribute("width", "160");
    await page.getByRole("button", { name: en["pay.qr.plain"] }).click();
    await expect(code(plain)).toHaveAttribute("width", "160");
    await expect(code(whole)).toHaveCount(0);
    await page.getByRole("button", { name: en["pay.qr.enlarge"] }).click();
    const dialog = page.getByRole("dialog", { name: plain });
    await expect(dialog.getByRole("img", { name: plain })).toBeVisible();
    await expect(dialog).toContainText(payment.wallet);
    await expectFits(page);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();

    await page.unrouteAll();
    await tell(page, { ...token, seconds: 972 });
    await page.reload();
    await expect(code(plain)).toBeVisible();
    await expect(page.getByText(en["pay.notice.time"].replace("{time}", "17 min"))).toBeVisible();
    await expect(
      page.getByText(en["pay.notice.network"].replace("{coin}", "USDT").replace("{network}", token.network)),
    ).toBeVisible();
    await page.getByRole("button", { name: en["pay.qr.whole"] }).click();
    await expect(code(whole)).toBeVisible();
  },
);

test("the top-up offers what is on sale, says why another currency is not, and what the least of each is", async ({
  page,
  request,
}) => {
  await enter(page, await theMember(request));
  const data = currencies.map(({ id, name, network, decimals }) => ({
    id,
    name,
    network,
    decimals,
    on_sale: id === "erc" || id === "ton",
    min: id === "erc" ? "25.0" : "1.0",
    ...(id === "ltc" ? { why: "no rate" } : id === "erc" || id === "ton" ? {} : { why: "wallet" }),
    ...(id === "erc"
      ? { fee: "31.4159", seconds: 156, larger: [{ from: "1000.0", seconds: 972 }] }
      : id === "ton"
        ? { fee: "0.004", seconds: 15 }
        : {}),
  }));
  await answer(page, "/payments/currencies", { status: "success", data });
  await page.goto("/en/dashboard");
  await page.getByRole("button", { name: en["topup.open"] }).first().click();
  const dialog = page.getByRole("dialog", { name: en["topup.title"] });
  const choice = (name: string) => dialog.getByRole("radio", { name });
  await expect(choice("Litecoin")).toBeDisabled();
  await expect(choice(en["topup.off.rate"])).toHaveCount(1);
  await expect(choice(en["topup.off.wallet"])).toHaveCount(3);
  await expect(choice(`${en["topup.gram"]} · fee under ${isolated("$0.01")} · 15 sec`)).toBeChecked();
  await choice("USDT").check();
  await expect(choice("ERC20")).toBeChecked();
  await expect(choice(`Ethereum (ERC20) · fee about ${isolated("$31")} · 3 min`)).toBeChecked();
  await expect(choice(en["topup.off.wallet"])).toHaveCount(6);
  await dialog.getByLabel(en["topup.amount"]).fill("24.99");
  await expect(dialog.getByText(en["topup.minCoin"].replace("{amount}", "$25.00"))).toBeVisible();
  await expect(dialog.getByRole("button", { name: en["topup.do"] })).toBeDisabled();
  await dialog.getByLabel(en["topup.amount"]).fill("25");
  const isDear = dialog.getByText(en["topup.fee.much"].replace("{fee}", "$31"));
  await expect(isDear).toBeVisible();
  await expect(dialog.getByRole("button", { name: en["topup.do"] })).toBeEnabled();
  await expectFits(page);
  await expectAccessible(page);

  await dialog.getByLabel(en["topup.amount"]).fill("50");
  await expect(isDear).toBeHidden();
  await dialog.getByLabel(en["topup.amount"]).fill("1000");
  await expect(choice(`Ethereum (ERC20) · fee about ${isolated("$31")} · 17 min`)).toBeChecked();

  await page.unrouteAll();
  const none = data.map((one) => ({ ...one, on_sale: false, why: "no rate" }));
  await answer(page, "/payments/currencies", { status: "success", data: none });
  await page.reload();
  await page.getByRole("button", { name: en["topup.open"] }).first().click();
  await expect(dialog.getByText(en["topup.none"])).toBeVisible();
  await expect(dialog.getByRole("button", { name: en["topup.do"] })).toBeDisabled();
});

test("what cannot be told is said as it is", { tag: "@full" }, async ({ page, request }) => {
  await enter(page, await theMember(request));
  let answer: object = { ...payment, payment_status: 5 };
  await page.route("**/payments/status?*", (route) => route.fulfill({ json: answer }));
  await page.goto("/en/payments/pay?id=77");
  await expect(page.getByText(en["pay.status.unknown"])).toBeVisible();
  answer = { status: "success" };
  await page.reload();
  await expect(page.getByText(en["pay.status.unexpected"])).toBeVisible();
  // A failed answer before must leave nothing on the page.
  answer = { status: "error", value: "no payment" };
  // The stream may reload first, and then the button is gone.
  await page.evaluate(
    (title) => document.querySelector<HTMLElement>(`[title="${title}"]`)?.click(),
    en["pay.refresh"],
  );
  await expect(page.getByText(en["pay.status.none"].replace("{id}", "77"))).toBeVisible();
  await expect(page.getByText(/Payment №77 failed/)).toBeHidden();
  await expect(page.getByRole("link", { name: en["pay.toPayments"] })).toHaveAttribute(
    "href",
    "/en/dashboard/payments",
  );
  answer = { status: "error", value: "server" };
  await page.reload();
  await expect(page.getByText(en["pay.status.error"])).toBeVisible();
  await expect(page.getByText(/Payment №77 failed/)).toBeVisible();
  await page.goto("/en/payments/pay");
  await expect(page.getByText(en["pay.status.nodata"])).toBeVisible();
});

test(
  "the time to pay is seen by the second, and spoken of only near its end",
  { tag: "@full" },
  async ({ page, request }) => {
    await enter(page, await theMember(request));
    await page.clock.install();
    const soon = Math.floor(Date.now() / 1000) + 660;
    await page.route("**/payments/status?*", (route) =>
      route.fulfill({ json: { ...payment, expires_at: soon } }),
    );
    await page.goto("/en/payments/pay?id=77");
    await expect(page.getByRole("timer").filter({ hasText: /1[01]:\d\d/ })).toBeVisible();
    const spoken = page.getByRole("status");
    await expect(spoken.filter({ hasText: /minutes? left/ })).toHaveCount(0);
    await page.clock.runFor(120_000);
    await expect(spoken.filter({ hasText: "10 minutes left to pay" })).toHaveCount(1);
    await page.clock.runFor(600_000);
    await expect(page.getByText(en["pay.expires.over"]).first()).toBeVisible();
  },
);
