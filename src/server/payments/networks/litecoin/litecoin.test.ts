// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { litecoin, litecoinShop, litecoinWallet, privateKeyOf } from "../../../../../test/kit/litecoin.ts";
import { type Litecoind, noLitecoind, startLitecoind } from "../../../../../test/kit/litecoind.ts";
import { now, secondsAfter } from "../../../platform/clock.ts";
import { usd } from "../../../platform/money.ts";
import { needOf } from "../../payments.finality.ts";
import { firstIndex } from "../../addresses/indexes.ts";
import type { Wallet } from "../../wallets/wallets.ts";
import type { Network, Reading } from "../network.ts";

const never = new AbortController().signal;
let node: Litecoind;
let wallet: Wallet;

beforeAll(async () => {
  if (noLitecoind !== undefined) return;
  node = await startLitecoind();
  wallet = await litecoinWallet(node);
});
afterAll(() => node?.remove());

const open = (more: { confirmations?: number; clock?: () => Date } = {}) =>
  litecoin({ wallet, urls: [node.url], ...more });
const shop = (more: { confirmations?: number; ttlSeconds?: number } = {}) =>
  litecoinShop({ wallet, urls: [node.url], ...more });

const read = (network: Network, since: string | null, ours: readonly string[]): Promise<Reading> =>
  network.transfers(since, () => Promise.resolve(new Set(ours)), never);

describe.skipIf(noLitecoind !== undefined)(`Litecoin ${noLitecoind ?? ""}`, () => {
  test("what is exactly paid is seen at once, confirmed block by block, and credited after three", async () => {
    const { ask, stateOf, balance, network, db, isSound } = await shop();
    const { id, address, currencyAmount } = await ask("20");
    expect([address.slice(0, 6), currencyAmount]).toEqual(["rltc1q", "0.25000"]);
    const txid = await node.pay(address, currencyAmount);
    expect(await stateOf(id)).toBe("confirming");
    const [seen] = await db`select block_height, amount::text from chain_transfer where txid = ${txid}`;
    expect(seen).toEqual({ block_height: null, amount: "25000000" });
    const { canonical } = await network.address("ltc", firstIndex);
    const { transfers } = await read(network, null, [canonical]);
    const depth = async () => {
      const said = transfers[0] && (await network.verify(transfers[0], needOf(network, usd("20")), never));
      return said?.found ? said.depth : undefined;
    };
    expect(await depth()).toEqual({ now: 0, wanted: 3 });
    await node.mine(2);
    expect([await stateOf(id), await depth(), await balance()]).toEqual([
      "confirming",
      { now: 2, wanted: 3 },
      0n,
    ]);
    await node.mine();
    expect([await stateOf(id), await depth(), await balance()]).toEqual([
      "credited",
      { now: 3, wanted: 3 },
      usd("20"),
    ]);
    await isSound();
  });

  test("what a miner made counts after a hundred blocks, because it can be undone for so long", async () => {
    const { ask, stateOf, see, balance } = await shop();
    const { id, address } = await ask("4000");
    await node.rpc("generatetoaddress", 1, address);
    expect(await stateOf(id)).toBe("confirming");
    await node.mine(98);
    expect(await stateOf(id)).toBe("confirming");
    expect((await see(id)).transfers).toMatchObject([{ confirmations: { now: 99, wanted: 100 } }]);
    expect(await balance()).toBe(0n);
    await node.mine();
    expect(await stateOf(id)).toBe("credited");
  });

  test(
    "a sum above a coin waits for six blocks, and the settings may ask for another number",
    { tags: ["full"] },
    async () => {
      const usual = await shop();
      const one = await usual.ask("120");
      const hasty = await shop({ confirmations: 1 });
      const other = await hasty.ask("120");
      await node.pay(one.address, one.currencyAmount);
      await node.pay(other.address, other.currencyAmount);
      await node.mine();
      expect(await hasty.stateOf(other.id)).toBe("credited");
      await node.mine(4);
      expect(await usual.stateOf(one.id)).toBe("confirming");
      await node.mine();
      expect(await usual.stateOf(one.id)).toBe("credited");
    },
  );

  test("parts add up, and what is too much is credited too", async () => {
    const { ask, stateOf, see, balance } = await shop({ confirmations: 1 });
    const { id, address } = await ask("40");
    await node.pay(address, "0.30000001");
    await node.mine();
    expect(await stateOf(id)).toBe("underpaid");
    expect(await see(id)).toMatchObject({ received: "0.30000001", missing: "0.19999999" });
    await node.pay(address, "0.4");
    await node.mine();
    expect(await stateOf(id)).toBe("credited");
    expect(await balance()).toBe(usd("56.0000008"));
  });

  test("a transaction that pays two payments is two transfers", { tags: ["full"] }, async () => {
    const { ask, stateOf, see, db } = await shop({ confirmations: 1 });
    const [one, other] = [await ask("16"), await ask("8")];
    const txid = await node.rpc<string>("sendmany", "", { [one.address]: "0.2", [other.address]: "0.1" });
    await node.mine();
    expect(await stateOf(one.id)).toBe("credited");
    expect((await see(other.id)).state).toBe("credited");
    expect(await db`select distinct idx from chain_transfer where txid = ${txid}`).toHaveLength(2);
  });

  test("what is spent twice is forgotten when the other transaction is mined", async () => {
    const { ask, stateOf, see, balance, isSound } = await shop();
    const { id, address, currencyAmount } = await ask("20");
    const back = await node.rpc<string>("getnewaddress");
    const [paid, other] = await node.rivals([address, currencyAmount], [back, "1"]);
    await node.rpc("sendrawtransaction", paid);
    expect(await stateOf(id)).toBe("confirming");
    await node.mineOnly([other]);
    await node.mine(6);
    expect(await stateOf(id)).toBe("awaiting");
    expect([(await see(id)).received, await balance()]).toEqual(["0", 0n]);
    await isSound();
  });

  test("what is replaced in the mempool by a higher fee is forgotten", { tags: ["full"] }, async () => {
    const { ask, stateOf } = await shop();
    const { id, address, currencyAmount } = await ask("20");
    const back = await node.rpc<string>("getnewaddress");
    const [paid, other] = await node.rivals([address, currencyAmount], [back, "1"]);
    await node.rpc("sendrawtransaction", paid);
    expect(await stateOf(id)).toBe("confirming");
    await node.rpc("sendrawtransaction", other);
    expect(await stateOf(id)).toBe("awaiting");
    await node.mine();
    expect(await stateOf(id)).toBe("awaiting");
  });

  test("after a reorganisation a payment waits again, and is credited once", async () => {
    const { ask, stateOf, balance, db, isSound } = await shop();
    const { id, address, currencyAmount } = await ask("20");
    const txid = await node.pay(address, currencyAmount);
    await node.mine(2);
    expect(await stateOf(id)).toBe("confirming");
    const block = async () =>
      (
        await db<
          { hash: string | null }[]
        >`select block_hash as hash from chain_transfer where txid = ${txid}`
      )[0]?.hash;
    const before = await block();
    expect(before).toEqual(expect.stringMatching(/^[0-9a-f]{64}$/));
    await node.rpc("invalidateblock", before);
    await node.mineOnly([], 4);
    expect([await stateOf(id), await block()]).toEqual(["confirming", null]);
    expect(await db`select alive, confirmed_at from chain_transfer where txid = ${txid}`).toEqual([
      { alive: true, confirmed_at: null },
    ]);
    await node.mine(3);
    expect([await stateOf(id), await balance()]).toEqual(["credited", usd("20")]);
    expect(await block()).not.toBe(before);
    await isSound();
  });

  test(
    "a reorganisation is read from the last block that stayed, and from further down when it is deep",
    { tags: ["full"] },
    async () => {
      const network = open();
      const { address, canonical } = await network.address("ltc", 0n);
      const start = await read(network, null, [canonical]);
      await node.pay(address, "0.1");
      await node.mine(3);
      const first = await read(network, start.cursor, [canonical]);
      expect(first.transfers).toMatchObject([
        { address: canonical, amount: 10_000_000n, index: expect.any(String) },
      ]);
      const [{ block } = { block: null }] = first.transfers;
      await node.rpc("invalidateblock", block?.hash);
      await node.mineOnly([], 3);
      await node.mine();
      const second = await read(network, first.cursor, [canonical]);
      expect(second.reorganisedAbove).toBe((block?.height ?? 0n) - 1n);
      expect(second.transfers).toMatchObject([
        { amount: 10_000_000n, block: { height: (block?.height ?? 0n) + 3n } },
      ]);
      const strange = [String(second.tip.height), ...Array.from({ length: 12 }, () => "00".repeat(32))].join(
        " ",
      );
      const third = await read(network, strange, [canonical]);
      expect(third.reorganisedAbove).toBe(second.tip.height > 111n ? second.tip.height - 111n : 0n);
      expect(third.behind).toBe(second.tip.height - (third.reorganisedAbove ?? 0n) - 50n);
    },
  );

  test("nothing is missed over an outage, and nothing expires in it", { tags: ["full"] }, async () => {
    const { ask, stateOf, payments, network } = await shop({ confirmations: 1, ttlSeconds: 1 });
    const { id, address, currencyAmount, expiresAt } = await ask("20");
    await node.stop();
    await expect.poll(now).toSatisfy((at) => at > expiresAt);
    await expect(payments.poll()).rejects.toThrow(/no node answers \(127\.0\.0\.1:\d+: /);
    expect(network.health?.()).toMatchObject([{ isInUse: true, trouble: { text: expect.any(String) } }]);
    expect((await payments.list())[0]?.state).toBe("awaiting");
    await node.start();
    await node.pay(address, currencyAmount);
    await node.mine(60);
    await expect.poll(() => stateOf(id).catch(() => "trouble")).toBe("credited");
    expect(network.health?.()[0]?.name).toBe(`127.0.0.1:${node.port}`);
  });

  test("a node whose last block is old is in trouble, and so is one of another chain", async () => {
    const stale = open({ clock: () => secondsAfter(now(), 31 * 60) });
    await node.mine();
    await expect(stale.transfers(null, () => Promise.resolve(new Set()), never)).rejects.toThrow(
      /does not follow/,
    );
    const main = { address: "ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh", canonical: "" };
    const other = litecoin({ wallet: { ...wallet, address: () => main }, urls: [node.url] });
    await expect(other.check?.(never)).rejects.toThrow(
      /of another chain than ltc1…: it begins with 530827f3/,
    );
    await open().check?.(never);
  });

  test("what the operator has moved on stays credited", { tags: ["full"] }, async () => {
    const { ask, stateOf, network, db } = await shop({ confirmations: 1 });
    const { id, address, currencyAmount } = await ask("40");
    const txid = await node.pay(address, currencyAmount);
    await node.mine();
    expect(await stateOf(id)).toBe("credited");
    const [transfer] = (await read(network, null, [(await network.address("ltc", firstIndex)).canonical]))
      .transfers;
    const [{ idx } = { idx: "" }] = await db<
      { idx: string }[]
    >`select idx from chain_transfer where txid = ${txid}`;
    const inputs = [{ txid, vout: Number(idx) }];
    const raw = await node.rpc("createrawtransaction", inputs, [
      { [await node.rpc<string>("getnewaddress")]: "0.4999" },
    ]);
    const key = privateKeyOf(network.base + Number(firstIndex));
    const { hex } = await node.rpc<{ hex: string }>("signrawtransactionwithkey", raw, [key]);
    await node.rpc("sendrawtransaction", hex);
    await node.mine();
    expect(transfer && (await network.verify(transfer, needOf(network, undefined), never))).toMatchObject({
      found: true,
      amount: 50_000_000n,
    });
    expect(await stateOf(id)).toBe("credited");
  });
});
