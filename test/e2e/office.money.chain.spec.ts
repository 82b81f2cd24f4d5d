import type { Page } from "@playwright/test";
import { type EvmChain, evmWallet, startEvmChain } from "../kit/evmchain.ts";
import { type Market, openMarket } from "../kit/market.ts";
import { freePort } from "../kit/port.ts";
import { texts } from "./storiesPage.ts";
import { enter } from "./buyer.ts";
import { confirm, expectLogged, expectRefused, openAct, openSection, say } from "./officePages.ts";
import { openOwnShop, type OwnShop } from "./ownShop.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";

test.describe.configure({ mode: "default" });
const port = await freePort();
test.use({ baseURL: `http://127.0.0.1:${port}` });
const t = texts.en;

let chain: EvmChain;
let market: Market;
let shop: OwnShop;
let buyer: string;

/** Answers the id and the address of a payment. */
async function asked(wallet: "erc" | "eth", amount = "10") {
  const { id } = await shop.say("/payments/create", { wallet, amount }, buyer);
  const { wallet: to } = await shop.see("/payments/status", { id: String(id) }, buyer);
  return { id: String(id), to: String(to) };
}

const stateOf = async (id: string) => (await shop.see("/payments/status", { id }, buyer))["state"];

const balance = async () => Number((await shop.see("/user/balance", {}, buyer))["balance"]);

async function review(...ids: string[]) {
  await chain.mine(8);
  for (const id of ids) await expect.poll(() => stateOf(id), { timeout: 60_000 }).toBe("review");
}

const ether = (dollars: bigint) => (dollars * 10n ** 18n) / 3000n;

let wrongCoin: Awaited<ReturnType<typeof asked>>;
let refusable: typeof wrongCoin;
let mixed: typeof wrongCoin;
let unpaid: typeof wrongCoin;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  chain = await startEvmChain();
  market = await openMarket(new Date());
  market.sayAll("ETH", "3000");
  const wallet = evmWallet();
  const settings = {
    WALLET_EVM_XPUB: wallet.key,
    WALLET_EVM_FIRST: wallet.first,
    CHAIN_ETH_URLS: chain.url,
    CHAIN_ETH_ID: String(chain.chainId),
    CHAIN_ETH_USDT: chain.dollars.ethereum,
    CHAIN_ETH_CONFIRMATIONS: "2",
    CHAIN_ETH_POLL_S: "1",
    PAYMENT_TTL_S: "30",
    RATES_URLS: Object.entries(market.urls)
      .map((pair) => pair.join("="))
      .join(","),
  };
  shop = await openOwnShop(settings, port);
  buyer = await shop.register("chain-buyer@example.com");
  const rateOf = async () => {
    const data = (await shop.see("/api/admin/rates"))["data"] as { coin: string; usd?: string }[];
    return data.find(({ coin }) => coin === "ETH")?.usd;
  };
  await expect.poll(rateOf, { timeout: 60_000 }).toBe("3000.0");
  [wrongCoin, refusable, mixed, unpaid] = [
    await asked("erc"),
    await asked("erc"),
    await asked("eth", "30"),
    await asked("erc"),
  ];
  for (const { to } of [wrongCoin, refusable]) await chain.pay(to, ether(30n));
  await chain.pay(mixed.to, ether(15n));
  await chain.send(chain.dollars.ethereum, mixed.to, 5_000_000n);
  await review(wrongCoin.id, refusable.id, mixed.id);
});
test.afterAll(async () => {
  await shop?.remove();
  await market?.close();
  await chain?.remove();
});

/** The only row of the table. */
async function openPayment(page: Page, id: string) {
  await openSection(page, "payments", `?search=${id}`);
  const row = page
    .getByRole("row")
    .filter({ has: page.getByText(`#${id}`, { exact: true }) })
    .first();
  await expect(row).toBeVisible();
  return row;
}

const decided = (id: string) => say(t["office.payment.decided"], { id });

test(
  "a rate that has jumped is shown with its sources, nothing is credited by it, and it is released once",
  { tag: "@full" },
  async ({ page, context }) => {
    test.setTimeout(180_000);
    await enter(page, { token: shop.administrator });
    await openSection(page, "rates");
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name: "ETH", exact: true }) });
    await expect(row).toContainText("$3,000.00");
    await expect(row).toContainText("kraken");
    await expect(row).toContainText(t["office.rates.good"]);
    await expect(
      page.getByRole("table", { name: t["office.rates.sources"] }).getByRole("row", { name: /^binance/ }),
    ).toBeVisible();
    await expectAccessible(page);

    market.sayAll("ETH", "4000");
    const release = say(t["office.rate.release"], { coin: "ETH" });
    const button = page.getByRole("button", { name: release, exact: true });
    await expect(button).toBeVisible({ timeout: 90_000 });
    await expect(row).toContainText(t["office.rates.isHeld"]);
    await expect(
      page.getByText(say(t["office.rates.held.text"], { from: "$3,000.00", to: "$4,000.00" })),
    ).toBeVisible();
    await expectAccessible(page);

    const other = await context.newPage();
    await openPayment(other, wrongCoin.id);
    const dialog = await openAct(other, wrongCoin.id, t["office.payment.credit"]);
    await dialog.getByLabel(t["office.reason"]).fill("too early");
    await expectRefused(other, t["office.payment.credit"], t["refusal.noRate"]);
    expect(await stateOf(wrongCoin.id)).toBe("review");

    await openSection(other, "rates");
    await other.getByRole("button", { name: release, exact: true }).click();
    await button.click();
    const asking = page.getByRole("dialog");
    await expect(asking).toContainText(
      say(t["office.rate.release.says"], { coin: "ETH", from: "$3,000.00", to: "$4,000.00" }),
    );
    await asking.getByRole("button", { name: t["ui.cancel"] }).click();
    await expect(row).toContainText(t["office.rates.isHeld"]);
    await button.click();
    await confirm(page, t["office.rate.release.do"], say(t["office.rate.released"], { coin: "ETH" }));
    await expect(row).toContainText("$4,000.00");
    await expect(row).toContainText(t["office.rates.good"]);
    await expect(button).toHaveCount(0);
    // Another administrator decides on an outdated page.
    await expectRefused(other, t["office.rate.release.do"], t["office.refusal.notHeld"]);
    await other.close();
    await expectLogged(page, "rate ETH", "rates release");
  },
);

test(
  "payments under review are credited at today's rate or at the locked one, or rejected, and an unpaid one has nothing to give",
  { tag: "@full" },
  async ({ page }) => {
    test.setTimeout(180_000);
    await enter(page, { token: shop.administrator });
    await openSection(page, "");
    await expect(page.getByRole("link", { name: t["office.waiting.payments"] })).toContainText("3");
    const credit = t["office.payment.credit"];
    const row = await openPayment(page, wrongCoin.id);
    await expect(row).toContainText(t["office.choice.review"]);
    await expect(row).toContainText("other coin");

    const dialog = await openAct(page, wrongCoin.id, credit);
    await expect(
      dialog.getByText(say(t["office.payment.credit.says"], { id: wrongCoin.id, asked: "$10.00" })),
    ).toBeVisible();
    await dialog.getByLabel(t["office.reason"]).fill("   ");
    await expectRefused(page, credit, t["office.refusal.reason"]);
    expect([await stateOf(wrongCoin.id), await balance()]).toEqual(["review", 0]);
    await dialog.getByLabel(t["office.reason"]).fill("he sent coins instead");
    await confirm(page, credit, decided(wrongCoin.id));
    // A hundredth of a coin at the present rate.
    await expect(row).toContainText("$40.00");
    await expect(row).toContainText(t["office.choice.credited"]);
    expect(await balance()).toBe(40);

    const refused = await openPayment(page, refusable.id);
    const reject = t["office.payment.reject"];
    await (await openAct(page, refusable.id, reject)).getByLabel(t["office.reason"]).fill("not his money");
    await confirm(page, reject, decided(refusable.id));
    await expect(refused).toContainText(t["office.choice.rejected"]);
    expect(await balance()).toBe(40);
    // A rejection can only be corrected.
    await page
      .getByRole("button", { name: say(t["office.acts.of"], { name: refusable.id }), exact: true })
      .click();
    await expect(page.getByRole("menuitem", { name: credit, exact: true })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: reject, exact: true })).toHaveCount(0);

    const promised = await openPayment(page, mixed.id);
    const locked = t["office.payment.credit_locked"];
    await (await openAct(page, mixed.id, locked)).getByLabel(t["office.reason"]).fill("as was promised");
    await confirm(page, locked, decided(mixed.id));
    await expect(promised).toContainText("$20.00");
    expect(await balance()).toBe(60);

    await expect.poll(() => stateOf(unpaid.id), { timeout: 60_000 }).toBe("expired");
    await openPayment(page, unpaid.id);
    await (await openAct(page, unpaid.id, credit)).getByLabel(t["office.reason"]).fill("he says he paid");
    await expectRefused(page, credit, t["office.refusal.nothingConfirmed"]);
    expect([await stateOf(unpaid.id), await balance()]).toEqual(["expired", 60]);

    // Payments on a real chain cannot be played, not even in a demonstration.
    const { id } = await asked("erc");
    await expect(await openPayment(page, id)).toContainText(t["office.choice.awaiting"]);
    await expect(page.getByRole("button", { name: new RegExp(t["office.payment.play"]) })).toHaveCount(0);

    await openSection(page, "");
    await expect(page.locator("[data-figure=living]")).toHaveText(/\d/);
    await expect(page.getByRole("link", { name: t["office.waiting.payments"] })).toHaveCount(0);
    await expectLogged(page, `payment ${wrongCoin.id}`, "payments decide", "he sent coins instead");
    await expectLogged(page, `payment ${refusable.id}`, "payments decide", "not his money");
    await expectLogged(page, `payment ${mixed.id}`, "payments decide", "as was promised");
  },
);
