// @module-tag full
import { Address, beginCell, toNano } from "@ton/core";
import { beforeAll, expect, test } from "vitest";
import * as till from "../../../../../test/kit/till.ts";
import { openTonStage, type TonStage } from "../../../../../test/kit/ton-till.ts";
import { content, forged } from "../../../../../test/kit/ton.ts";
import type { ToldTransaction } from "../../../../../test/kit/toncenter.ts";
import { usd } from "../../../platform/money.ts";
import * as ledger from "../../../ledger/ledger.ts";
import { mainIdentities } from "../identity.ts";
import { NodeTrouble } from "../nodes/nodes.ts";

const signal = new AbortController().signal;
const minute = 60;
// The longest rest of a node.
const rest = minute;

let stage: TonStage;
beforeAll(async () => {
  stage = await openTonStage();
});

test("while the node does not answer nothing expires; what came in time counts at the locked rate", async () => {
  const one = await stage.openShop();
  const payment = await one.ask("ton");
  const [node] = one.nodes;
  node.refusal = { status: 503, text: "LITE_SERVER_NOTREADY" };
  await stage.payCoins(payment.to, "3.06");
  stage.later(24 * 60 * minute);
  await expect(one.payments.poll()).rejects.toThrow("it answers 503");
  expect(await till.see(one.payments, payment.id)).toMatchObject({ state: "awaiting" });
  node.refusal = undefined;
  stage.later(rest);
  expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("9.18") });
});

test("an index that stands still is an outage, even though it answers", { tags: ["full"] }, async () => {
  const one = await stage.openShop();
  const payment = await one.ask("usdtton");
  const [node] = one.nodes;
  node.stuck = { seqno: stage.chain.seqno, at: stage.clock() };
  await stage.payUsdt(payment.to, 9_000_000n);
  stage.later(minute);
  // A minute is no outage yet, and shows nothing.
  expect(await one.after(payment)).toMatchObject({ state: "awaiting" });
  stage.later(4 * 60 * minute);
  await expect(one.payments.poll()).rejects.toThrow(/its last block is of .*, so it lags behind/);
  expect(await till.see(one.payments, payment.id)).toMatchObject({ state: "awaiting" });
  node.stuck = undefined;
  stage.later(rest);
  expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("9") });
});

test(
  "a node that has enough of our questions rests while the other one is asked",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop({ nodes: 2 });
    const [first, second] = one.nodes;
    const payment = await one.ask("ton");
    if (first) first.refusal = { status: 429, text: "Ratelimit exceed" };
    await stage.payCoins(payment.to, "3");
    const before = first.asked.length;
    expect(await one.after(payment)).toMatchObject({ state: "credited" });
    await one.payments.poll();
    expect(first.asked.length).toBe(before + 1);
    expect(second?.asked.length).toBeGreaterThan(3);
    expect(one.network.health?.()).toMatchObject([
      { isInUse: false, trouble: { text: expect.stringContaining("429") as string } },
      { isInUse: true, height: BigInt(stage.chain.seqno) },
    ]);
  },
);

test("what one node invents the other one does not know: nothing is credited", async () => {
  const one = await stage.openShop({ nodes: 2 });
  const payment = await one.ask("ton");
  await stage.payCoins(payment.to, "0.02");
  const [first] = one.nodes;
  first.lie = (told) => ({
    ...told,
    hash: Buffer.alloc(32, 9).toString("base64"),
    in_msg: richer(told.in_msg),
  });
  expect(await one.after(payment)).toMatchObject({ state: "awaiting", received: "0" });
  const history = (await one.payments.history(payment.id)).map(({ what }) => what);
  expect(history).toEqual(expect.arrayContaining(["seen", "gone"]));
  first.lie = (told) => ({ ...told, in_msg: richer(told.in_msg) });
  expect(await one.after(payment)).not.toMatchObject({ state: "credited" });
  expect(await ledger.balance(one.db, till.buyer)).toBe(0n);
});

const richer = <Told extends object>(told: Told | null) => told && { ...told, value: String(toNano("3")) };

test(
  "a second node that is not as far yet is not believed that there was nothing",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop({ nodes: 2 });
    const [, second] = one.nodes;
    if (second) second.stuck = { seqno: stage.chain.seqno, at: stage.clock() };
    const payment = await one.ask("ton");
    await stage.payCoins(payment.to, "3");
    expect(await one.after(payment)).toMatchObject({ state: "credited" });
  },
);

test("what is not final yet, or only foreseen, is not there", { tags: ["full"] }, async () => {
  const one = await stage.openShop();
  const payment = await one.ask("ton");
  await stage.payCoins(payment.to, "3");
  const [node] = one.nodes;
  for (const said of [{ finality: "confirmed" }, { emulated: true, finality: "pending" }]) {
    node.lie = (told) => ({ ...told, ...said });
    expect(await one.after(payment)).toMatchObject({ state: "awaiting", received: "0" });
  }
  node.lie = (told) => told;
  expect(await one.after(payment)).toMatchObject({ state: "credited" });
});

test.each(["ton", "usdtton"] as const)(
  "a payment in %s that the node keeps from us does not expire, because its balance shows it",
  { tags: ["full"] },
  async (currency) => {
    const one = await stage.openShop();
    const [paid, unpaid] = [await one.ask(currency), await one.ask(currency)];
    await (currency === "ton" ? stage.payCoins(paid.to, "3") : stage.payUsdt(paid.to, 9_000_000n));
    const [node] = one.nodes;
    node.isBlind = true;
    stage.later((currency === "ton" ? 40 : 190) * minute);
    expect(await one.after(paid)).toMatchObject({ state: "awaiting" });
    expect(await one.after(unpaid)).toMatchObject({ state: "expired" });
    node.isBlind = false;
    stage.later(minute);
    expect(await one.after(paid)).toMatchObject({ state: "credited" });
  },
);

test.each([
  [
    "hexadecimal ids",
    (told: ToldTransaction) => ({ hash: Buffer.from(told.hash, "base64").toString("hex") }),
  ],
  [
    "ids for URLs",
    (told: ToldTransaction) => ({ hash: Buffer.from(told.hash, "base64").toString("base64url") }),
  ],
  [
    "numbers as text",
    (told: ToldTransaction) => ({ mc_block_seqno: String(told.mc_block_seqno), now: String(told.now) }),
  ],
  [
    "addresses as wallets show them",
    (told: ToldTransaction) => ({ account: Address.parse(told.account).toString() }),
  ],
] as const)("a node that tells %s is understood, and nothing is credited twice", async (_what, said) => {
  const one = await stage.openShop();
  const [coins, tokens] = [await one.ask("ton"), await one.ask("usdtton")];
  await stage.payCoins(coins.to, "3");
  await stage.payUsdt(tokens.to, 9_000_000n);
  const [node] = one.nodes;
  node.lie = (told) => ({ ...told, ...said(told) }) as unknown as ToldTransaction;
  expect(await one.after(coins)).toMatchObject({ state: "credited", credited: usd("9") });
  node.lie = (told) => told;
  expect(await one.after(coins)).toMatchObject({ state: "credited", credited: usd("9") });
  expect(await one.after(tokens)).toMatchObject({ state: "credited", credited: usd("9") });
});

test("a transaction that the node does not tell in full waits alone, also over a restart and its time", async () => {
  const one = await stage.openShop();
  const [bad, good] = [await one.ask("ton"), await one.ask("ton")];
  await stage.payCoins(bad.to, "3");
  await stage.payCoins(good.to, "3");
  const [node] = one.nodes;
  const account = bad.to.toRawString().toUpperCase();
  node.lie = (told) =>
    told.account === account ? ({ ...told, description: null } as unknown as ToldTransaction) : told;
  expect(await one.after(good)).toMatchObject({ state: "credited" });
  expect(await one.after(bad)).toMatchObject({ state: "awaiting" });
  expect(one.network.health?.()[0]?.trouble?.text).toContain("keeps back how the transaction");
  stage.later(20 * minute);
  await one.payments.poll();
  node.lie = (told) => told;
  expect(await one.after(bad)).toMatchObject({ state: "credited", credited: usd("9") });
});

test("what a second node tells in full does not wait for the first one", { tags: ["full"] }, async () => {
  const one = await stage.openShop({ nodes: 2 });
  const payment = await one.ask("ton");
  await stage.payCoins(payment.to, "3");
  const [first] = one.nodes;
  first.lie = (told) => ({ ...told, description: null }) as unknown as ToldTransaction;
  expect(await one.after(payment)).toMatchObject({ state: "credited" });
});

test.each(["notification", "excesses"] as const)(
  "half a Toncoin and more with the word of %s is money, whoever sends it",
  async (word) => {
    const one = await stage.openShop();
    const payment = await one.ask("ton");
    const body =
      word === "notification"
        ? forged(word, 1n, stage.thief.address)
        : beginCell().storeUint(0xd53276db, 32).storeUint(7, 64).endCell();
    await stage.chain.send(stage.thief, payment.to, toNano("0.4"), { body });
    expect(await one.after(payment)).toMatchObject({ state: "awaiting", received: "0" });
    await stage.chain.send(stage.thief, payment.to, toNano("3"), { body });
    expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("9") });
  },
);

test.each(["ton", "usdtton"] as const)(
  "the half of a payment in %s that no reading showed is found before the payment ends, and credited",
  async (currency) => {
    const one = await stage.openShop();
    const payment = await one.ask(currency);
    const [node] = one.nodes;
    for (const isBlind of [false, true]) {
      node.isBlind = isBlind;
      await (currency === "ton" ? stage.payCoins(payment.to, "1.5") : stage.payUsdt(payment.to, 4_500_000n));
      stage.later(20);
      expect(await one.after(payment)).toMatchObject({ state: "underpaid" });
      // Readings overlap by some minutes.
      stage.later(10 * minute);
      expect(await one.after(payment)).toMatchObject({ state: "underpaid" });
    }
    node.isBlind = false;
    expect(await one.after(payment)).toMatchObject({ state: "underpaid" });
    stage.later(200 * minute);
    expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("9") });
  },
);

test(
  "what our own jetton wallet sends with its word is no payment, however much",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop();
    const payment = await one.ask("usdtton");
    await stage.payUsdt(payment.to, 9_000_000n, { forward: toNano("2") });
    expect(await one.after(payment)).toMatchObject({ state: "credited", credited: usd("9") });
    expect(await stage.coinsAt(payment.to)).toBe(toNano("2"));
  },
);

test("what is no payment does not keep one from expiring", { tags: ["full"] }, async () => {
  const one = await stage.openShop();
  const payment = await one.ask("ton");
  const body = forged("notification", 1n, stage.thief.address);
  await stage.chain.send(stage.thief, payment.to, toNano("0.4"), { body });
  await stage.payCoins(payment.to, "0.009");
  await stage.payCoins(payment.to, "1", { bounce: true });
  expect(await stage.coinsAt(payment.to)).toBe(toNano("0.409"));
  stage.later(60 * minute);
  expect(await one.after(payment)).toMatchObject({ state: "expired" });
});

test(
  "many addresses are asked about fifty at a time, and each jetton wallet is asked for once",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop();
    const [node] = one.nodes;
    await one.payments.poll();
    const since = await one.cursor();
    const indexes = Array.from({ length: 51 }, (_, number) => BigInt(number));
    const places = await Promise.all(indexes.map((index) => one.network.address("ton", index)));
    const watched = () => Promise.resolve(new Set(places.map(({ canonical }) => canonical)));
    const askedFor = async () => {
      node.asked.length = 0;
      await one.network.transfers(since, watched, signal);
      expect(Math.max(...node.asked.map((path) => path.length))).toBeLessThan(8000);
      return node.asked.map((path) => path.match(/account=/g)?.length ?? path.replace(/\?.*/, ""));
    };
    const master = (times: number) => Array<string>(times).fill("/api/v3/runGetMethod");
    const tip = "/api/v3/masterchainInfo";
    expect(await askedFor()).toEqual([tip, ...master(50), 100, ...master(1), 2]);
    expect(await askedFor()).toEqual([tip, 100, 2]);
  },
);

test(
  "addresses that ever had something are known again, also when it is gone",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop();
    const indexes = Array.from({ length: 60 }, (_, number) => BigInt(number));
    const places = await Promise.all(indexes.map((index) => one.network.address("ton", index)));
    const [coins, tokens] = [places[3], places[58]];
    await stage.payCoins(Address.parse(coins?.address ?? ""), "3");
    await stage.payUsdt(Address.parse(tokens?.address ?? ""), 1n, { forward: 0n });
    const everything = places.map(({ canonical }) => canonical);
    const [node] = one.nodes;
    node.asked.length = 0;
    expect(await one.network.used?.(everything, signal)).toEqual(
      new Set([coins?.canonical, tokens?.canonical]),
    );
    expect(node.asked).toHaveLength(3);
  },
);

test("a long answer is read to its end", { tags: ["full"] }, async () => {
  const one = await stage.openShop();
  await one.payments.poll();
  const payment = await one.ask("ton");
  await stage.payCoins(payment.to, "3");
  const [node] = one.nodes;
  node.noise = 700;
  expect(await one.after(payment)).toMatchObject({ state: "credited", received: "3" });
  expect(node.asked.flatMap((path) => path.match(/offset=\d+/) ?? [])).toEqual(
    [0, 250, 500].map((at) => `offset=${at}`),
  );
});

test("the key of an address goes with every question, and is shown nowhere", async () => {
  const one = await stage.openShop({ key: "secret-key" });
  const [node] = one.nodes;
  const payment = await one.ask("usdtton");
  await stage.payUsdt(payment.to, 9_000_000n);
  expect(await one.after(payment)).toMatchObject({ state: "credited" });
  expect(new Set(node.keys)).toEqual(new Set(["secret-key"]));
  expect(node.asked.filter((path) => path.includes("secret-key"))).toEqual([]);
  expect(JSON.stringify(one.network.health?.(), (_, value: unknown) => String(value))).not.toContain(
    "secret-key",
  );
});

test(
  "a number of confirmations in the settings replaces the rule that what is final is enough",
  { tags: ["full"] },
  async () => {
    const one = await stage.openShop({ confirmations: 3 });
    const payment = await one.ask("ton");
    await stage.payCoins(payment.to, "3");
    expect(await one.after(payment)).toMatchObject({ state: "confirming" });
    for (let blocks = 0; blocks < 2; blocks++) await stage.payCoins(stage.thief.address, "1");
    expect(await one.after(payment)).toMatchObject({ state: "credited" });
  },
);

test("before anything is sold the nodes must know USDT, with its decimals, on the network that is meant", async () => {
  const check = async (said: Record<string, string>) => {
    const jetton = await stage.chain.issue(JSON.stringify(said), content(said));
    const { network } = await stage.openShop({ usdt: jetton.master });
    return network.check?.(signal);
  };
  await expect(check({ decimals: "6" })).resolves.toBeUndefined();
  await expect(check({ decimals: "6", symbol: "USD₮" })).resolves.toBeUndefined();
  await expect(check({ uri: "https://example.com" })).resolves.toBeUndefined();
  await expect(check({ decimals: "9", symbol: "USDT" })).rejects.toThrow("has 9 decimals, but USDT has 6");
  await expect(check({ decimals: "6", symbol: "jUSDT" })).rejects.toThrow("is jUSDT and not USDT");
  const { network } = await stage.openShop({ usdt: stage.payer.address });
  await expect(network.check?.(signal)).rejects.toThrow("does not know get_jetton_data");
});

test("with the main network's USDT the nodes must be of the main network", { tags: ["full"] }, async () => {
  const one = await stage.openShop({ usdt: Address.parse(mainIdentities.ton.tokens[0]?.contract ?? "") });
  const [node] = one.nodes;
  await expect(one.payments.poll()).resolves.toBeUndefined();
  node.globalId = -3;
  await expect(one.payments.poll()).rejects.toThrow(NodeTrouble);
  await expect(one.payments.poll()).rejects.toThrow("it is of the network -3 and not of TON's main one");
});
