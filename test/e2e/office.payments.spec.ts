import type { Page } from "@playwright/test";
import { invariantNames } from "../../src/contract/office/audit.ts";
import { texts } from "./storiesPage.ts";
import { enter } from "./buyer.ts";
import { confirm, expectRefused, openAct, openSection, say } from "./officePages.ts";
import { test } from "./ownShop.ts";
import { expect, expectAccessible, expectFits } from "./fixtures.ts";
import { answer, no } from "./visitor.ts";

// Payments, rates and the audit. Real chains and a market: office.money.chain.spec.ts.

test.describe.configure({ mode: "default" });
const t = texts.en;

test("in a demonstration the administrator plays the payer, once", async ({ page, shop }) => {
  const buyer = await shop.register("play-buyer@example.com");
  const ask = async () =>
    String((await shop.say("/payments/create", { wallet: "trx", amount: "5" }, buyer))["id"]);
  const [first, second] = [await ask(), await ask()];
  await enter(page, { token: shop.administrator });
  const act = t["office.payment.play"];
  const open = async (id: string) => {
    await openSection(page, "payments", `?search=${id}`);
    await page.getByRole("button", { name: say(t["office.act.of"], { act, name: id }), exact: true }).click();
    return page.getByRole("dialog");
  };
  const dialog = await open(first);
  await expect(
    dialog.getByText(say(t["office.payment.play.says"], { id: first, asked: "$5.00" })),
  ).toBeVisible();
  await confirm(page, act, say(t["office.payment.played"], { id: first }));
  const row = page.getByRole("row").filter({ hasText: new RegExp(`#${first}(?!\\d)`) });
  await expect(row).toContainText(t["office.choice.credited"]);
  await expect(page.getByRole("button", { name: act })).toHaveCount(0);

  await open(second);
  await shop.say(`/api/admin/payments/confirm/${second}`, {});
  await expectRefused(page, act, t["refusal.paymentClosed"]);
  expect(await shop.see("/user/balance", {}, buyer)).toMatchObject({ balance: "10.0" });
});

async function sentTo(page: Page, path: string, answers: object[]): Promise<unknown[]> {
  const sent: unknown[] = [];
  await page.route(
    (url) => url.pathname === path,
    (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ json: answers[sent.length - 1] });
    },
  );
  return sent;
}

test("a payment under review is credited or rejected with a reason, and stays while its coin has no price", async ({
  page,
  shop,
}) => {
  const came = { id: "41", user: "17", created: 1_795_258_800, currency: "erc", dollars: "10", coins: "10" };
  const row = { ...came, credited: null, state: "review", review: "other coin", sandbox: false };
  await answer(page, "/api/admin/tables/payments", { status: "success", rows: [row], total: 1, pages: 1 });
  const done = { status: "success" };
  const sent = await sentTo(page, "/api/admin/payments/decide/41", [no("no rate"), done, done]);
  await enter(page, { token: shop.administrator });
  await openSection(page, "payments");
  await expect(page.getByRole("row").filter({ hasText: "#41" })).toContainText("other coin");
  const decided = say(t["office.payment.decided"], { id: "41" });
  const credit = t["office.payment.credit"];
  const dialog = await openAct(page, "41", credit);
  await expect(
    dialog.getByText(say(t["office.payment.credit.says"], { id: "41", asked: "$10.00" })),
  ).toBeVisible();
  await dialog.getByLabel(t["office.reason"]).fill("coins came instead");
  await expectRefused(page, credit, t["refusal.noRate"]);
  await confirm(page, credit, decided);
  const reject = t["office.payment.reject"];
  await (await openAct(page, "41", reject)).getByLabel(t["office.reason"]).fill("somebody else's");
  await confirm(page, reject, decided);
  expect(sent).toEqual([
    { id: "41", verdict: "credit", reason: "coins came instead" },
    { id: "41", verdict: "credit", reason: "coins came instead" },
    { id: "41", verdict: "reject", reason: "somebody else's" },
  ]);
});

test(
  "a rate that is held back is shown with what it was and would be, and released by a button",
  { tag: "@full" },
  async ({ page, shop }) => {
    const good = {
      coin: "ETH",
      usd: "3000",
      quotes: [{ source: "kraken", usd: "3000", told_at: 1_795_258_800, use: "used" }],
    };
    const held = { since: 1_795_258_800, from: "3000", to: "4000" };
    const tell = (rate: object) =>
      answer(page, "/api/admin/rates", { status: "success", data: [rate], sources: [{ name: "kraken" }] });
    await tell({ ...good, usd: undefined, why: "held", held });
    const sent = await sentTo(page, "/api/admin/rates/release", [{ status: "success", coin: "ETH" }]);
    await enter(page, { token: shop.administrator });
    await openSection(page, "rates");
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: "ETH", exact: true }) });
    await expect(row).toContainText(t["office.rates.isHeld"]);
    const prices = { from: "$3,000.00", to: "$4,000.00" };
    await expect(page.getByText(say(t["office.rates.held.text"], prices))).toBeVisible();
    await expectAccessible(page);
    const button = page.getByRole("button", {
      name: say(t["office.rate.release"], { coin: "ETH" }),
      exact: true,
    });
    await button.click();
    await expect(page.getByRole("dialog")).toContainText(
      say(t["office.rate.release.says"], { coin: "ETH", ...prices }),
    );
    await tell({ ...good, usd: "4000" });
    await confirm(page, t["office.rate.release.do"], say(t["office.rate.released"], { coin: "ETH" }));
    await expect(row).toContainText("$4,000.00");
    await expect(row).toContainText(t["office.rates.good"]);
    await expect(button).toHaveCount(0);
    expect(sent).toEqual([{ coin: "ETH" }]);
  },
);

test(
  "the audit is run by a button that says what it does, and its findings are told in plain words",
  { tag: "@full" },
  async ({ page, shop }) => {
    await enter(page, { token: shop.administrator });
    const asked: string[] = [];
    page.on("request", (sent) => {
      if (sent.url().endsWith("/api/admin/audit")) asked.push(sent.url());
    });
    await openSection(page, "health");
    const part = page.getByRole("region", { name: t["office.audit"] });
    await expect(page.getByRole("table")).toBeVisible();
    await expect(part.getByText(t["office.audit.never"])).toBeVisible();
    expect(asked).toEqual([]);
    await part.getByRole("button", { name: t["office.audit.run"] }).click();
    await expect(part.getByText(t["office.audit.holds"])).toBeVisible({ timeout: 60_000 });
    await part.getByText(say(t["office.audit.kept"], { count: String(invariantNames.length) })).click();
    await expect(part.getByText(t["office.invariant.zeroSum"])).toBeVisible();
    await expect(part.getByText(t["office.invariant.topUps"])).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
    await page.reload();
    const [last = ""] = t["office.audit.last"].split("{time}");
    await expect(part.getByText(last)).toBeVisible();
    expect(asked).toHaveLength(1);

    const run = () => part.getByRole("button", { name: t["office.audit.run"] }).click();
    for (const [value, words] of [
      ["audit under way", t["office.refusal.auditUnderWay"]],
      ["audit too long", t["office.refusal.auditTooLong"]],
    ] as const) {
      await page.unrouteAll();
      await answer(page, "/api/admin/audit", no(value));
      await run();
      await expect(part.getByText(words)).toBeVisible();
      await expect(part.getByText(t["office.audit.holds"])).toHaveCount(0);
    }
    await page.unrouteAll();
    const says = "each balance is the sum of its account's entries";
    const many = Array.from({ length: 20 }, (_, at) => `order ${at + 1}`);
    await answer(page, "/api/admin/audit", {
      status: "success",
      holds: false,
      invariants: [
        { name: "balances", says, holds: false, bad: ["account 1017"] },
        { name: "escrow", says, holds: false, bad: many },
        { name: "zero sum", says, holds: true, bad: [] },
      ],
    });
    await run();
    await expect(part.getByRole("alert")).toContainText(
      say(t["office.audit.broken"], { count: "2", all: "3" }),
    );
    const broken = part.getByRole("listitem").filter({ hasText: t["office.invariant.balances"] });
    await expect(broken).toContainText(`${t["office.audit.by"]} account 1017`);
    await expect(part.getByRole("listitem").filter({ hasText: t["office.invariant.escrow"] })).toContainText(
      `${say(t["office.audit.byFirst"], { max: "20" })} order 1, order 2`,
    );
    await expectAccessible(page);
    await expectFits(page);
  },
);
