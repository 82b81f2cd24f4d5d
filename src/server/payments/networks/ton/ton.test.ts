// @module-tag slow
import { SendMode, toNano } from "@ton/core";
import { beforeAll, expect, test } from "vitest";
import * as till from "../../../../../test/kit/till.ts";
import { openTonStage, type TonStage, type TonTill } from "../../../../../test/kit/ton-till.ts";
import { content, forged, jettonOrder, note } from "../../../../../test/kit/ton.ts";
import { usd } from "../../../platform/money.ts";
import * as ledger from "../../../ledger/ledger.ts";

const signal = new AbortController().signal;
const firstWalletId = 698_983_191;

let stage: TonStage;
beforeAll(async () => {
  stage = await openTonStage();
});

const transfersOf = async ({ db }: TonTill) =>
  db<
    { currency: string; amount: string }[]
  >`select currency, amount::text from chain_transfer order by amount`;

async function balanceOf({ db, payments }: TonTill) {
  expect(await till.broken(payments)).toEqual([]);
  return ledger.balance(db, till.buyer);
}

test("Toncoins at an address that no wallet is at yet are credited, although the chain calls the transaction aborted", async () => {
  const one = await stage.openShop();
  const payment = await one.ask("ton");
  expect(payment.address).toMatch(/^UQ/);
  const [, arrival] = await stage.payCoins(payment.to, "3", { body: note("for me") });
  expect(arrival?.transaction.description).toMatchObject({
    aborted: true,
    computePhase: { type: "skipped" },
  });
  expect(await one.after(payment)).toEqual({ state: "credited", received: "3", credited: usd("9") });
  expect(await balanceOf(one)).toBe(usd("9"));
});

test(
  "Toncoins that go back to a payer who sends them bounceable are no payment",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop();
    const payment = await one.ask("ton");
    await stage.payCoins(payment.to, "3", { bounce: true });
    expect(await stage.coinsAt(payment.to)).toBe(0n);
    expect(await one.after(payment)).toMatchObject({ state: "awaiting", received: "0" });
  },
);

test("too little waits for the rest, from whomever it comes; what is above the sum or comes again is credited too", async () => {
  const one = await stage.openShop();
  const payment = await one.ask("ton");
  await stage.payCoins(payment.to, "1");
  expect(await one.after(payment)).toMatchObject({ state: "underpaid", received: "1" });
  await stage.chain.send(stage.thief, payment.to, toNano("2.5"));
  expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("10.5") });
  await stage.payCoins(payment.to, "3");
  expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("19.5") });
  expect(await balanceOf(one)).toBe(usd("19.5"));
  const senders = await one.db`select count(*)::integer as count from chain_transfer`;
  expect(senders).toEqual([{ count: 3 }]);
});

test(
  "the wallet of an address is its owner's, and once emptied it takes payments as before",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop();
    const payment = await one.ask("usdtton");
    await stage.payUsdt(payment.to, 9_000_000n);
    expect(await one.after(payment)).toMatchObject({ state: "credited" });
    // Without Toncoins the address cannot send.
    await stage.payCoins(payment.to, "0.3");
    const wallet = { id: firstWalletId + 1, address: payment.to, sent: 0 };
    const cold = await stage.chain.payer("cold storage");
    const body = jettonOrder(cold.address, 9_000_000n, { responseTo: payment.to });
    await stage.chain.sweep(one.keys, wallet, {
      to: await stage.usdt.walletOf(payment.to),
      coins: toNano("0.2"),
      body,
    });
    expect(await stage.usdt.balanceOf(await stage.usdt.walletOf(cold.address))).toBe(9_000_000n);
    // The rest of the fee came back to the address: that is no payment either.
    expect(await stage.coinsAt(payment.to)).toBeGreaterThan(toNano("0.1"));
    expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("9") });
    await stage.payUsdt(payment.to, 5_000_000n, { forward: toNano("0.05") });
    expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("14") });
    await stage.chain.sweep(
      one.keys,
      { ...wallet, sent: 1 },
      { to: cold.address, coins: 0n, mode: SendMode.CARRY_ALL_REMAINING_BALANCE },
    );
    expect(await stage.coinsAt(payment.to)).toBe(0n);
    expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("14") });
    expect(await balanceOf(one)).toBe(usd("14"));
  },
);

test.each([0n, 1n, toNano("0.05")])(
  "USDT is credited with %d nanotoncoins of word to its owner, and the word is no payment",
  async (forward) => {
    const one = await stage.openShop();
    const payment = await one.ask("usdtton");
    await stage.payUsdt(payment.to, 8_000_000n, { forward });
    expect(await one.after(payment)).toMatchObject({ state: "underpaid", received: "8" });
    await stage.payUsdt(payment.to, 1_000_000n, { forward });
    expect(await one.after(payment)).toMatchObject({ state: "credited", received: "9" });
    expect(await stage.coinsAt(payment.to)).toBe(forward * 2n);
    expect(await transfersOf(one)).toEqual([
      { currency: "usdtton", amount: "1000000" },
      { currency: "usdtton", amount: "8000000" },
    ]);
    expect(await balanceOf(one)).toBe(usd("9"));
  },
);

test("what only looks like USDT credits nothing: forged words, a forged transfer, the coin of another issuer", async () => {
  const one = await stage.openShop();
  const payment = await one.ask("usdtton", "90");
  const wallet = await stage.usdt.walletOf(payment.to);
  const forgeTransfer = () =>
    stage.chain.send(stage.thief, wallet, toNano("0.1"), {
      body: forged("internalTransfer", 90_000_000n, stage.thief.address),
    });
  await stage.chain.send(stage.thief, payment.to, toNano("0.05"), {
    body: forged("notification", 90_000_000n, stage.payer.address),
  });
  await forgeTransfer();
  const fake = await stage.chain.issue("fake", content({ decimals: "6", symbol: "USDT" }));
  await fake.mint(stage.thief.address, 90_000_000n);
  await stage.chain.sendJettons(fake, stage.thief, payment.to, 90_000_000n, { forward: toNano("0.05") });
  expect(await fake.balanceOf(await fake.walletOf(payment.to))).toBe(90_000_000n);
  expect(await one.after(payment)).toMatchObject({ state: "awaiting", received: "0" });
  // The same after a real transfer has deployed our jetton wallet: it refuses by itself.
  await stage.payUsdt(payment.to, 10_000_000n);
  const [, refused] = await forgeTransfer();
  expect(refused?.transaction.description).toMatchObject({ aborted: true });
  expect(await one.after(payment)).toMatchObject({ state: "underpaid", received: "10" });
  expect(await transfersOf(one)).toEqual([{ currency: "usdtton", amount: "10000000" }]);
  expect(await stage.usdt.balanceOf(wallet)).toBe(10_000_000n);
});

test(
  "USDT that the issuer keeps from arriving credits nothing, although its sender's part was a success",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop();
    const payment = await one.ask("usdtton", "5");
    await stage.usdt.mint(payment.to, 1n);
    await stage.usdt.lock(payment.to, 2);
    const before = await stage.usdt.balanceOf(await stage.usdt.walletOf(stage.payer.address));
    const [, sent, arrival] = await stage.payUsdt(payment.to, 5_000_000n);
    expect(sent?.transaction.description).toMatchObject({ aborted: false, computePhase: { success: true } });
    expect(arrival?.transaction.description).toMatchObject({ aborted: true });
    expect(await stage.usdt.balanceOf(await stage.usdt.walletOf(stage.payer.address))).toBe(before);
    expect(await one.after(payment)).toMatchObject({ state: "awaiting", received: "0" });
    await stage.usdt.lock(payment.to, 0);
    await stage.payUsdt(payment.to, 5_000_000n);
    expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("5") });
  },
);

test.each(["ton", "usdtton"] as const)(
  "what comes to a payment in %s in the other currency waits for the operator, but not what advertisers send",
  { tags: ["full"] },
  async (asked) => {
    const one = await stage.openShop();
    const payment = await one.ask(asked);
    const payOther = (micros: bigint) =>
      asked === "ton" ? stage.payUsdt(payment.to, micros) : stage.payCoins(payment.to, `0.00${micros}`);
    await payOther(9_999n);
    expect(await one.after(payment)).toMatchObject({ state: "awaiting" });
    await (asked === "ton" ? stage.payUsdt(payment.to, 9_000_000n) : stage.payCoins(payment.to, "3"));
    expect(await one.after(payment)).toMatchObject({ state: "review", received: "0" });
    expect(await balanceOf(one)).toBe(0n);
  },
);

test(
  "it is told who sent each transfer, and which block it became final with",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop();
    const [coins, tokens] = [await one.ask("ton"), await one.ask("usdtton")];
    const since = await one.cursor();
    await stage.payCoins(coins.to, "3");
    await stage.payUsdt(tokens.to, 9_000_000n);
    const watched = () => Promise.resolve(new Set([coins, tokens].map(({ to }) => to.toRawString())));
    const { transfers, tip } = await one.network.transfers(since, watched, signal);
    const from = stage.payer.address.toRawString();
    const block = { hash: expect.stringMatching(/^-1:8000000000000000:\d+$/) as string, at: stage.clock() };
    expect(tip).toMatchObject({ height: BigInt(stage.chain.seqno), at: stage.clock() });
    expect(new Map(transfers.map((one) => [one.currency, one]))).toEqual(
      new Map([
        [
          "ton",
          expect.objectContaining({
            from,
            amount: 3_000_000_000n,
            index: "in",
            address: coins.to.toRawString(),
          }),
        ],
        ["usdtton", expect.objectContaining({ from, amount: 9_000_000n, address: tokens.to.toRawString() })],
      ]),
    );
    expect(transfers[0]?.block).toMatchObject(block);
  },
);

test(
  "a payment that comes when all is over is found by the round of old addresses, and credited at the lower rate",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop();
    const payment = await one.ask("ton");
    stage.later(60 * 60);
    expect(await one.after(payment)).toMatchObject({ state: "expired" });
    stage.later(2 * 60 * 60);
    await stage.payCoins(payment.to, "3");
    expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("9") });
    expect((await one.payments.history(payment.id)).at(-1)).toMatchObject({ detail: { isLate: true } });
    stage.later(20 * 24 * 60 * 60);
    await stage.payCoins(payment.to, "1");
    expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("12") });
  },
);

test("a chain that is read again from the beginning credits nothing twice, and one never read before misses nothing", async () => {
  const one = await stage.openShop();
  const payment = await one.ask("ton");
  await stage.payCoins(payment.to, "3");
  stage.later(2 * 60 * 60);
  expect(await one.cursor()).toBeNull();
  for (let times = 0; times < 3; times++) {
    expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("9") });
    expect(await one.cursor()).not.toBeNull();
    await one.db`delete from chain_cursor`;
  }
  expect(await balanceOf(one)).toBe(usd("9"));
});
