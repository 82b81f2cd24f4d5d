// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askEvm, openEvmTill } from "../../../../../test/kit/evm.ts";
import {
  coins,
  confirmations,
  type EvmChain,
  kinds,
  lag,
  startEvmChain,
} from "../../../../../test/kit/evmchain.ts";
import { broken, see } from "../../../../../test/kit/till.ts";
import type { Hex } from "viem";
import { usd } from "../../../platform/money.ts";
import { identityOf, type Token } from "../identity.ts";

// One real chain for all tests; each has its own wallet and addresses.
let chain: EvmChain;
beforeAll(async () => {
  chain = await startEvmChain();
});
afterAll(() => chain.remove());

describe.each(kinds)("on $name", (kind) => {
  /** Both use the same code: the essence is tested for each, the rest once. */
  const more = { tags: kind === kinds[0] ? [] : ["full"] };
  const token = () => chain.dollars[kind.name];
  const openTill = (options?: { ttlSeconds?: number; tokens?: Token[] }) => openEvmTill(chain, kind, options);
  const { hundred } = kind;

  test("USDT is seen, confirmed by blocks, and credited once, however often the chain is read again", async () => {
    const { db, payments, balance, pass, settle } = await openTill();
    const { id, address } = await askEvm(payments, kind.token);
    await chain.send(token(), address, hundred);
    await pass(1 + lag);
    expect(await see(payments, id)).toMatchObject({
      state: "confirming",
      received: "100",
      transfers: [{ status: "seen", confirmations: { now: 3, wanted: confirmations } }],
    });
    await pass(1);
    expect(await see(payments, id)).toMatchObject({ status: 1, credited: usd("100") });
    await db`delete from chain_cursor`;
    await settle();
    await payments.poll();
    expect(await balance()).toBe(usd("100"));
    expect(await broken(payments)).toEqual([]);
  });

  test("a second token of the list is offered, watched and credited beside the first", more, async () => {
    const contracts = (name: "ethereum" | "bsc") => ({ contracts: { USDT: chain.dollars[name] } });
    const { tokens: own } = identityOf(kind.name, contracts(kind.name));
    const { tokens: others } = identityOf(kind.other, contracts(kind.other));
    const { payments, network, balance, settle } = await openTill({ tokens: [...own, ...others] });
    const [other = kind] = kinds.filter(({ name }) => name === kind.other);
    expect(network.currencies).toEqual([kind.coin, kind.token, other.token]);
    const [first, second] = [await askEvm(payments, kind.token), await askEvm(payments, other.token)];
    await chain.send(token(), first.address, hundred);
    await chain.send(chain.dollars[kind.other], second.address, other.hundred);
    await settle();
    for (const { id } of [first, second])
      expect(await see(payments, id)).toMatchObject({ status: 1, credited: usd("100") });
    expect(await balance()).toBe(usd("200"));
    expect(await broken(payments)).toEqual([]);
  });

  test("the coin itself is credited, to the last of its 18 digits", more, async () => {
    const { payments, balance, pass, settle } = await openTill();
    const { id, address } = await askEvm(payments, kind.coin);
    const amount = coins(60n, kind) + 1n;
    await chain.pay(address, amount);
    await pass(1 + lag);
    expect(await see(payments, id)).toMatchObject({ state: "underpaid" });
    await chain.pay(address, coins(40n, kind) - 1n);
    await settle();
    expect(await see(payments, id)).toMatchObject({ status: 1, missing: "0", credited: usd("100") });
    expect(await balance()).toBe(usd("100"));
    expect(await broken(payments)).toEqual([]);
  });

  test(
    "an address is known as used by its coins, its dollars, or what it sent before it was emptied",
    { tags: ["full"] },
    async () => {
      const { network } = await openTill();
      const places = await Promise.all([1n, 2n, 3n, 4n].map((index) => network.address(kind.coin, index)));
      const [coin, dollar, emptied, unused] = places.map(({ canonical }) => canonical as Hex);
      if (!coin || !dollar || !emptied || !unused) throw new Error("four addresses were asked for");
      await chain.pay(coin, 1n);
      await chain.send(token(), dollar, 1n);
      await chain.rpc("anvil_setNonce", emptied, "0x1");
      await chain.mine();
      const { signal } = new AbortController();
      expect(await network.used?.([coin, dollar, emptied, unused], signal)).toEqual(
        new Set([coin, dollar, emptied]),
      );
    },
  );

  test(
    "too little waits for the rest, half a percent less is complete, and what is over is credited too",
    more,
    async () => {
      const { payments, settle } = await openTill();
      const [under, close, over] = [
        await askEvm(payments, kind.token),
        await askEvm(payments, kind.token),
        await askEvm(payments, kind.token),
      ];
      await chain.send(token(), under.address, (hundred * 6n) / 10n);
      await chain.send(token(), close.address, (hundred * 995n) / 1000n);
      await chain.send(token(), over.address, hundred * 3n);
      await settle();
      expect(await see(payments, under.id)).toMatchObject({ state: "underpaid", missing: "40" });
      expect(await see(payments, close.id)).toMatchObject({ status: 1, credited: usd("99.5") });
      expect(await see(payments, over.id)).toMatchObject({ status: 1, credited: usd("300") });
      await chain.send(token(), under.address, (hundred * 4n) / 10n);
      await settle();
      expect(await see(payments, under.id)).toMatchObject({ status: 1, credited: usd("100") });
      expect(await broken(payments)).toEqual([]);
    },
  );

  test(
    "who pays again is credited again, by each transfer once, also two in one transaction",
    { tags: ["full"] },
    async () => {
      const { payments, balance, settle } = await openTill();
      const [token1, coin1] = [await askEvm(payments, kind.token), await askEvm(payments, kind.coin)];
      await chain.call(token(), "Dollars", "transferEach", [
        [token1.address, chain.payer, token1.address],
        hundred / 2n,
      ]);
      await chain.pay(coin1.address, coins(100n, kind));
      await settle();
      expect(await balance()).toBe(usd("200"));
      await chain.send(token(), token1.address, hundred);
      await chain.pay(coin1.address, coins(100n, kind));
      await settle();
      expect(await balance()).toBe(usd("400"));
      expect((await see(payments, token1.id)).transfers).toHaveLength(3);
      expect(await broken(payments)).toEqual([]);
    },
  );

  test("a token of the same name credits nothing, and neither does what failed", more, async () => {
    const { network, payments, balance, settle } = await openTill();
    const fake = await chain.deploy("Dollars", kind.name === "bsc" ? 18 : 6);
    const [forToken, forCoin] = [await askEvm(payments, kind.token), await askEvm(payments, kind.coin)];
    const before = await chain.height();
    await chain.send(fake, forToken.address, hundred);
    await chain.send(token(), chain.payer, hundred);
    await chain.call(chain.payer, "Payer", "transferAndFail", [token(), forToken.address, hundred]);
    await chain.call(chain.payer, "Payer", "payAndFail", [forCoin.address], coins(100n, kind));
    // The recipient is a contract that accepts nothing.
    await chain.pay(token(), 1n);
    await settle();
    const { transactions } = await chain.rpc<{ transactions: string[] }>(
      "eth_getBlockByNumber",
      `0x${(before + 1).toString(16)}`,
      false,
    );
    expect(transactions).toHaveLength(5);
    for (const { id } of [forToken, forCoin])
      expect(await see(payments, id)).toMatchObject({ state: "awaiting", received: "0", transfers: [] });
    expect(
      await network.balances?.(kind.token, [forToken.address.toLowerCase()], new AbortController().signal),
    ).toEqual([0n]);
    expect(await balance()).toBe(0n);
  });

  test(
    "another coin, or the right one on the other chain, is kept for the operator to judge",
    { tags: ["full"] },
    async () => {
      const { payments, balance, withOther, settle } = await openTill();
      const both = withOther();
      await both.poll();
      const [wrongCoin, wrongChain] = [await askEvm(both, kind.token), await askEvm(both, kind.token)];
      await chain.pay(wrongCoin.address, coins(100n, kind));
      await chain.send(chain.dollars[kind.other], wrongChain.address, 100n * 10n ** 18n);
      await settle(both);
      await both.poll();
      for (const { id } of [wrongCoin, wrongChain])
        expect(await see(both, id)).toMatchObject({ state: "review" });
      expect(await balance()).toBe(0n);
      expect(await broken(payments)).toEqual([]);
    },
  );

  test(
    "two cents of a token before the coin stop nothing; a token after the credit waits, and the sweeper's fee does not",
    { tags: ["full"] },
    async () => {
      const { payments, balance, settle } = await openTill();
      const { id, address } = await askEvm(payments, kind.coin);
      await chain.send(token(), address, hundred / 5000n);
      await settle();
      expect(await see(payments, id)).toMatchObject({ state: "awaiting" });
      await chain.pay(address, coins(100n, kind));
      await settle();
      expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("100") });
      const swept = await askEvm(payments, kind.token);
      await chain.send(token(), swept.address, hundred);
      await settle();
      await chain.pay(swept.address, coins(1n, kind) / 2n);
      await settle();
      expect(await see(payments, swept.id)).toMatchObject({ state: "credited", credited: usd("100") });
      await chain.send(token(), address, hundred);
      await settle();
      expect(await see(payments, id)).toMatchObject({ state: "review", credited: usd("100") });
      expect(await balance()).toBe(usd("200"));
      expect(await broken(payments)).toEqual([]);
    },
  );

  test(
    "what a contract pays stands in no transaction, and is credited once its block is deep enough",
    { tags: ["full"] },
    async () => {
      const { payments, balance, pass, settle } = await openTill();
      const all = [await askEvm(payments, kind.coin), await askEvm(payments, kind.coin)];
      const addresses = all.map(({ address }) => address);
      await chain.call(chain.payer, "Payer", "pay", [addresses, coins(60n, kind)], coins(120n, kind));
      // In the same block a transaction pays one of them.
      await chain.pay(addresses[0] ?? "", coins(40n, kind));
      await pass(1 + lag);
      await settle();
      expect(await see(payments, all[0]?.id ?? 0n)).toMatchObject({ status: 1, credited: usd("100") });
      expect(await see(payments, all[1]?.id ?? 0n)).toMatchObject({
        state: "underpaid",
        missing: expect.stringMatching(/^0\.0/) as string,
      });
      await chain.call(chain.payer, "Payer", "pay", [addresses.slice(1), coins(40n, kind)], coins(40n, kind));
      await settle();
      await settle();
      expect(await balance()).toBe(usd("200"));
      expect(await broken(payments)).toEqual([]);
    },
  );

  test(
    "a change of the chain before the credit is undone, and what is mined again is credited once",
    more,
    async () => {
      const { payments, balance, pass, settle } = await openTill();
      const [lost, kept] = [await askEvm(payments, kind.token), await askEvm(payments, kind.coin)];
      const snapshot = await chain.rpc("evm_snapshot");
      await chain.send(token(), lost.address, hundred);
      await chain.pay(kept.address, coins(100n, kind));
      await pass(1 + lag);
      for (const { id } of [lost, kept])
        expect(await see(payments, id)).toMatchObject({ state: "confirming" });
      await chain.rpc("evm_revert", snapshot);
      await chain.mine(2);
      await chain.pay(kept.address, coins(100n, kind));
      await pass(1 + lag);
      expect(await see(payments, lost.id)).toMatchObject({ state: "awaiting", received: "0" });
      expect(await see(payments, kept.id)).toMatchObject({ state: "confirming" });
      await settle();
      expect(await balance()).toBe(usd("100"));
      expect(await broken(payments)).toEqual([]);
    },
  );

  test(
    "a transfer that is mined again at another place of its block keeps its name",
    { tags: ["full"] },
    async () => {
      const { payments, balance, pass, settle } = await openTill();
      const { id, address } = await askEvm(payments, kind.token);
      const txid = await chain.send(token(), address, hundred);
      await pass(1 + lag);
      const raw = await chain.rpc<Hex>("eth_getRawTransactionByHash", txid);
      // Other events now come first in the block, so its number there changes.
      const others = [await chain.send(token(), chain.payer, 1n), await chain.send(token(), chain.payer, 1n)];
      await chain.mine();
      const again = await Promise.all(
        others.map((one) => chain.rpc<Hex>("eth_getRawTransactionByHash", one)),
      );
      await chain.rpc(
        "anvil_reorg",
        lag + 2,
        [...again, raw].map((one) => [one, 0]),
      );
      await settle();
      await settle();
      expect(await see(payments, id)).toMatchObject({ status: 1, credited: usd("100") });
      expect((await see(payments, id)).transfers).toHaveLength(1);
      expect(await balance()).toBe(usd("100"));
    },
  );

  test(
    "a change of the chain after the credit goes to the operator, and takes nothing back by itself",
    { tags: ["full"] },
    async () => {
      const { payments, balance, pass, settle } = await openTill();
      const { id, address } = await askEvm(payments, kind.token);
      const snapshot = await chain.rpc("evm_snapshot");
      await chain.send(token(), address, hundred);
      await settle();
      expect(await see(payments, id)).toMatchObject({ status: 1 });
      await chain.rpc("evm_revert", snapshot);
      await pass(confirmations + 1);
      await payments.poll();
      expect(await see(payments, id)).toMatchObject({ state: "review", credited: usd("100") });
      expect(await balance()).toBe(usd("100"));
      expect(await broken(payments)).toEqual([]);
    },
  );

  test("what comes late is credited too", { tags: ["full"] }, async () => {
    const { payments, balance, later, pass, settle } = await openTill({ ttlSeconds: 60 });
    const [forToken, forCoin] = [await askEvm(payments, kind.token), await askEvm(payments, kind.coin)];
    later(3000);
    await pass(1);
    for (const { id } of [forToken, forCoin])
      expect(await see(payments, id)).toMatchObject({ state: "expired" });
    await chain.send(token(), forToken.address, hundred);
    await chain.pay(forCoin.address, coins(100n, kind));
    await settle();
    for (const { id } of [forToken, forCoin]) expect(await see(payments, id)).toMatchObject({ status: 1 });
    expect(await balance()).toBe(usd("200"));
    expect(await broken(payments)).toEqual([]);
  });
});
