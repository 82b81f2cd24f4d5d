// @module-tag full
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Esplora, startEsplora } from "../../../../../test/kit/esplora.ts";
import { litecoin, litecoinShop, litecoinWallet } from "../../../../../test/kit/litecoin.ts";
import { type Litecoind, noLitecoind, startLitecoind } from "../../../../../test/kit/litecoind.ts";
import { now, secondsAfter } from "../../../platform/clock.ts";
import { usd } from "../../../platform/money.ts";
import { firstIndex } from "../../addresses/indexes.ts";
import type { Wallet } from "../../wallets/wallets.ts";

const never = new AbortController().signal;
let node: Litecoind;
let esplora: Esplora;
let wallet: Wallet;

beforeAll(async () => {
  if (noLitecoind !== undefined) return;
  node = await startLitecoind();
  esplora = await startEsplora(node);
  wallet = await litecoinWallet(node);
});
afterEach(() => {
  if (noLitecoind === undefined) [esplora.isDown, esplora.lag, esplora.isEmpty] = [false, 0, false];
});
afterAll(async () => {
  await esplora?.close();
  await node?.remove();
});

/** A litecoind with counted calls; it may hide its mempool. */
async function counted(hides = false) {
  const calls = new Map<string, number>();
  const pass = async (body: string, authorization: string) => {
    const asked = [JSON.parse(body)].flat() as { method: string; id: number }[];
    for (const { method } of asked) calls.set(method, (calls.get(method) ?? 0) + 1);
    if (hides && asked[0]?.method === "getrawmempool") return { result: [], error: null, id: asked[0].id };
    if (hides && asked[0]?.method === "gettxout") return { result: null, error: null, id: asked[0].id };
    const headers = { authorization };
    return (await fetch(`http://127.0.0.1:${node.port}/`, { method: "POST", body, headers })).json();
  };
  const server = createServer((request, response) => {
    void buffer(request)
      .then((body) => pass(body.toString(), request.headers.authorization ?? ""))
      .then((said) => response.end(JSON.stringify(said)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = new URL(node.url);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, calls: () => Object.fromEntries(calls), forget: () => calls.clear() };
}

describe.skipIf(noLitecoind !== undefined)(`Litecoin by Esplora ${noLitecoind ?? ""}`, () => {
  test("an Esplora tells the same as a litecoind: a payment is seen, confirmed and credited", async () => {
    const shop = await litecoinShop({ wallet, urls: [esplora.url] });
    const { id, address, currencyAmount } = await shop.ask("20");
    const { canonical } = await shop.network.address("ltc", firstIndex);
    expect(await shop.network.balances?.("ltc", [canonical], never)).toEqual([0n]);
    await node.pay(address, currencyAmount);
    expect(await shop.stateOf(id)).toBe("confirming");
    expect(await shop.network.balances?.("ltc", [canonical], never)).toEqual([25_000_000n]);
    await node.mine(2);
    expect(await shop.stateOf(id)).toBe("confirming");
    await node.mine();
    expect([await shop.stateOf(id), await shop.balance()]).toEqual(["credited", usd("20")]);
    await shop.isSound();
  });

  test("a transfer costs what two blocks of waiting cost; a chain without traffic does not tell", async () => {
    const fee = (url: string) => litecoin({ wallet, urls: [url] }).fee?.("ltc", never);
    expect(await fee(esplora.url)).toEqual({ units: 1762n, coin: "ltc" });
    expect(await fee(node.url)).toBeUndefined();
  });

  test(
    "what ever came to an address is told by the node that keeps account of it, whichever place it has",
    { tags: ["full"] },
    async () => {
      for (const urls of [
        [esplora.url, node.url],
        [node.url, esplora.url],
      ]) {
        const network = litecoin({ wallet, urls });
        const { address, canonical } = await network.address("ltc", 0n);
        await network.transfers(null, () => Promise.resolve(new Set()), never);
        await node.pay(address, "0.1");
        expect(await network.balances?.("ltc", [canonical], never)).toEqual([10_000_000n]);
      }
      const alone = litecoin({ wallet, urls: [node.url] });
      expect(
        await alone.balances?.("ltc", [(await alone.address("ltc", 0n)).canonical], never),
      ).toBeUndefined();
      await node.mine();
    },
  );

  test(
    "by an Esplora, what is spent twice is forgotten, and a reorganisation is noticed",
    { tags: ["full"] },
    async () => {
      const shop = await litecoinShop({ wallet, urls: [esplora.url] });
      const [first, second] = [await shop.ask("20"), await shop.ask("40")];
      const [paid, other] = await node.rivals(
        [first.address, "0.25"],
        [await node.rpc<string>("getnewaddress"), "1"],
      );
      await node.rpc("sendrawtransaction", paid);
      await node.pay(second.address, second.currencyAmount);
      expect([await shop.stateOf(first.id), await shop.stateOf(second.id)]).toEqual([
        "confirming",
        "confirming",
      ]);
      await node.mine(2);
      await shop.payments.poll();
      const tip = await node.rpc<number>("getblockcount");
      await node.rpc("invalidateblock", await node.rpc<string>("getblockhash", tip - 1));
      await node.mineOnly([other], 3);
      expect(await shop.stateOf(first.id)).toBe("awaiting");
      await node.mine(3);
      expect([await shop.stateOf(second.id), await shop.stateOf(first.id)]).toEqual(["credited", "awaiting"]);
      expect(await shop.balance()).toBe(usd("40"));
      await shop.isSound();
    },
  );

  test(
    "a block whose transactions come empty once is read again, and what it holds is credited",
    { tags: ["full"] },
    async () => {
      let ahead = 0;
      const clock = () => secondsAfter(now(), ahead);
      const shop = await litecoinShop({ wallet, urls: [esplora.url], clock });
      const { id, address, currencyAmount } = await shop.ask("20");
      await node.pay(address, currencyAmount);
      await node.mine(3);
      esplora.isEmpty = true;
      await expect(shop.payments.poll()).rejects.toThrow("of 2 transactions");
      esplora.isEmpty = false;
      ahead = 60;
      expect([await shop.stateOf(id), await shop.balance()]).toEqual(["credited", usd("20")]);
      await shop.isSound();
    },
  );

  test(
    "a node that lags behind takes nothing away from a payment that stands in a block it does not have",
    { tags: ["full"] },
    async () => {
      const shop = await litecoinShop({ wallet, urls: [esplora.url] });
      const { id, address, currencyAmount } = await shop.ask("20");
      await node.pay(address, currencyAmount);
      await node.mine(2);
      expect(await shop.stateOf(id)).toBe("confirming");
      esplora.lag = 2;
      expect(await shop.stateOf(id)).toBe("confirming");
      await node.mine();
      esplora.lag = 0;
      await shop.db`update chain_transfer set verify_at = now()`;
      await vi.waitFor(async () => expect(await shop.stateOf(id)).toBe("credited"), { timeout: 30_000 });
    },
  );

  test("when one node is away the next one is asked, of whichever kind, and goes on where the other was", async () => {
    const shop = await litecoinShop({ wallet, urls: [esplora.url, node.url], confirmations: 1 });
    const { id, address, currencyAmount } = await shop.ask("20");
    esplora.isDown = true;
    await node.pay(address, currencyAmount);
    expect(await shop.stateOf(id)).toBe("confirming");
    expect(shop.network.health?.()).toMatchObject([
      { isInUse: false, trouble: { text: expect.stringContaining("503") } },
      { name: `127.0.0.1:${node.port}`, isInUse: true },
    ]);
    await node.mine();
    expect(await shop.stateOf(id)).toBe("credited");
  });

  test(
    "what one node calls final is credited when the second one says the same",
    { tags: ["full"] },
    async () => {
      const shop = await litecoinShop({ wallet, urls: [node.url, esplora.url], confirmations: 2 });
      const { id, address, currencyAmount } = await shop.ask("20");
      await node.pay(address, currencyAmount);
      await node.mine(2);
      esplora.lag = 1;
      expect(await shop.stateOf(id)).toBe("confirming");
      esplora.lag = 0;
      expect(await shop.stateOf(id)).toBe("credited");
    },
  );

  test(
    "a node that does not show what waits for a block does not undo what the other one showed",
    { tags: ["full"] },
    async () => {
      const blind = await counted(true);
      const shop = await litecoinShop({ wallet, urls: [node.url, blind.url] });
      const { id, address, currencyAmount } = await shop.ask("20");
      await node.pay(address, currencyAmount);
      expect(await shop.stateOf(id)).toBe("confirming");
      expect(await shop.stateOf(id)).toBe("confirming");
      await node.mine();
    },
  );

  test(
    "ten thousand addresses cost no more calls than one: a block and a waiting transaction are asked for once",
    { tags: ["full"] },
    async () => {
      const { url, calls, forget } = await counted();
      const network = litecoin({ wallet, urls: [url] });
      const { address, canonical } = await network.address("ltc", 0n);
      const others = Array.from(
        { length: 10_000 },
        (_one, place) => `0014${place.toString(16).padStart(40, "0")}`,
      );
      const watched = () => Promise.resolve(new Set([canonical, ...others]));
      let { cursor } = await network.transfers(null, watched, never);
      await node.pay(address, "0.1");
      await node.pay(address, "0.2");
      forget();
      const waiting = await network.transfers(cursor, watched, never);
      expect(waiting.transfers.map(({ amount, block }) => [amount, block])).toEqual(
        expect.arrayContaining([
          [10_000_000n, null],
          [20_000_000n, null],
        ]),
      );
      await network.transfers(cursor, watched, never);
      expect(calls()).toMatchObject({ getrawmempool: 2, getrawtransaction: 2 });
      expect(calls()).not.toHaveProperty("getblock");
      await node.mine(5);
      forget();
      const mined = await network.transfers(cursor, watched, never);
      expect(mined.transfers.map(({ amount }) => amount)).toEqual(
        expect.arrayContaining([10_000_000n, 20_000_000n]),
      );
      ({ cursor } = mined);
      expect((await network.transfers(cursor, watched, never)).transfers).toEqual([]);
      expect(calls()).toMatchObject({ getblock: 5, getrawmempool: 2 });
      expect(calls()).not.toHaveProperty("getrawtransaction");
    },
  );

  test(
    "coins that leave the extension blocks come with their block, under the id of the block's own transaction",
    { tags: ["full"] },
    async () => {
      const height = await node.rpc<number>("getblockcount");
      await node.mine(431 - height);
      const shop = await litecoinShop({ wallet, urls: [node.url], confirmations: 2 });
      const hidden = await node.walletOf("hidden");
      await node.pay(await hidden<string>("getnewaddress", "", "mweb"), "5");
      await node.mine(2);
      const { id, address, currencyAmount } = await shop.ask("20");
      const shown = await hidden<string>("sendtoaddress", address, currencyAmount);
      expect(await shop.stateOf(id)).toBe("awaiting");
      await node.mine();
      expect(await shop.stateOf(id)).toBe("confirming");
      const [{ txid } = { txid: "" }] = await shop.db<{ txid: string }[]>`select txid from chain_transfer`;
      expect(txid).not.toBe(shown);
      await node.mine();
      expect([await shop.stateOf(id), await shop.balance()]).toEqual(["credited", usd("20")]);
    },
  );
});
