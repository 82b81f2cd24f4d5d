import arabicApp from "../../i18n/app/ar.json" with { type: "json" };
import englishApp from "../../i18n/app/en.json" with { type: "json" };
import { enter, newBuyer, theOperator } from "./buyer.ts";
import { expect, expectAccessible, expectFits, test } from "./quiet.ts";

const en = englishApp;

/** A payment as the server tells it; tests change what they are about. */
const payment = {
  status: "success",
  id: "77",
  payment_status: 0,
  currency: "ltc",
  currency_name: "Litecoin",
  currency_amount: "0.06251",
  wallet: "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh",
  network: "Litecoin",
  amount: "5.0",
  received: "0",
  missing: "0.06251",
  sandbox: false,
  created_at: 1,
  expires_at: 4_000_000_000,
};

test("a top-up opens its payment in a new tab, and the operator plays the payer there", async ({
  page,
  context,
  request,
}) => {
  await enter(page, await theOperator(request));
  await page.goto("/en/dashboard");
  await page.getByRole("button", { name: en["topup.open"] }).click();
  const dialog = page.getByRole("dialog", { name: en["topup.title"] });
  await expect(dialog.getByRole("radio")).toHaveCount(9);
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
  await expect(tab.getByText("$1.55000")).toBeVisible();
  await expect(tab.getByRole("img", { name: en["pay.qr"] })).toBeHidden();
  await Promise.all([tab.waitForEvent("close"), tab.getByRole("button", { name: en["pay.close"] }).click()]);
});

test("a rejected payment hides its address and leads to a new one", async ({ page, request }) => {
  await enter(page, await newBuyer(request, "0"));
  await page.route("**/payments/status?*", (route) =>
    route.fulfill({ json: { ...payment, payment_status: -1 } }),
  );
  await page.goto("/en/payments/pay?id=77");
  await expect(page.getByText(en["pay.rejected.text"])).toBeVisible();
  await expect(page.getByText(payment.wallet)).toBeHidden();
  await expectAccessible(page);
  await page.getByRole("button", { name: en["pay.anew"] }).click();
  await page.getByRole("dialog").getByRole("button", { name: en["topup.do"] }).click();
  await expect(page).not.toHaveURL(/id=77$/);
});

test("a payment that came in part says what is missing", async ({ page, request }) => {
  await enter(page, await newBuyer(request, "0"));
  const partly = { ...payment, received: "0.04", missing: "0.02251" };
  await page.route("**/payments/status?*", (route) => route.fulfill({ json: partly }));
  for (const [language, texts] of [["en", englishApp] as const, ["ar", arabicApp] as const]) {
    await page.goto(`/${language}/payments/pay?id=77`);
    const notice = page.getByRole("status").filter({ hasText: texts["pay.partly"] });
    await expect(notice).toContainText("0.02251 LTC");
    await expectFits(page);
    await expectAccessible(page);
  }
});

test("what cannot be told is said as it is", async ({ page, request }) => {
  await enter(page, await newBuyer(request, "0"));
  let answer: object = { ...payment, payment_status: 5 };
  await page.route("**/payments/status?*", (route) => route.fulfill({ json: answer }));
  await page.goto("/en/payments/pay?id=77");
  await expect(page.getByText(en["pay.status.unknown"])).toBeVisible();
  answer = { status: "success" };
  await page.reload();
  await expect(page.getByText(en["pay.status.unexpected"])).toBeVisible();
  // Asked again on the same page: what came before was no payment either, and nothing of it may be drawn.
  answer = { status: "error", value: "no payment" };
  // The stream may have asked already, and then the button is gone.
  await page.evaluate(
    (title) => document.querySelector<HTMLElement>(`[title="${title}"]`)?.click(),
    en["pay.refresh"],
  );
  await expect(page.getByText(en["pay.status.error"])).toBeVisible();
  await expect(page.getByText(/Payment №77 failed/)).toBeVisible();
  await page.goto("/en/payments/pay");
  await expect(page.getByText(en["pay.status.nodata"])).toBeVisible();
});
