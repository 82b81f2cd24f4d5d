// @module-tag full
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Mirror, openMirror, Refusal } from "../../../../../test/kit/mirror.ts";
import { askEvm, openEvmTill } from "../../../../../test/kit/evm.ts";
import {
  coins,
  type EvmChain,
  type Kind,
  kinds,
  lag,
  startEvmChain,
} from "../../../../../test/kit/evmchain.ts";
import { broken, see } from "../../../../../test/kit/till.ts";
import { type Usd, usd } from "../../../platform/money.ts";
import { graceSeconds } from "../../payments.terms.ts";
import { NodeTrouble } from "../nodes/nodes.ts";

let chain: EvmChain;
beforeAll(async () => {
  chain = await startEvmChain();
});
afterAll(() => chain.remove());

let mirror: Mirror;
let other: Mirror;
beforeEach(async () => {
  [mirror, other] = [await openMirror(chain), await openMirror(chain)];
  return async () => {
    await mirror.close();
    await other.close();
  };
});

const ttlSeconds = 60;
const never = new AbortController().signal;
const [ethereum, bsc] = kinds;

describe.each(kinds)("on $name", (kind: Kind) => {
  const more = { tags: kind === ethereum ? [] : ["full"] };
  const { hundred } = kind;
  const token = () => chain.dollars[kind.name];

  test("nothing expires while the node is away, and what came meanwhile came in time", more, async () => {
    const { payments, prices, balance, later, settle, again } = await openEvmTill(chain, kind, {
      ttlSeconds,
    });
    const [forCoin, forToken, unpaid] = [
      await askEvm(payments, kind.coin),
      await askEvm(payments, kind.token),
      await askEvm(payments, kind.token),
    ];
    await chain.pay(forCoin.address, coins(100n, kind));
    await chain.send(token(), forToken.address, hundred);
    await chain.mine();
    await chain.stop();
    later(ttlSeconds + graceSeconds + 100);
    await expect(payments.poll()).rejects.toThrow(/ECONNREFUSED/);
    for (const { id } of [forCoin, forToken, unpaid])
      expect(await see(payments, id)).toMatchObject({ state: "awaiting" });
    await chain.start();
    for (const coin of ["eth", "bnb"]) prices[coin] = ((prices[coin] ?? 0n) / 2n) as Usd;
    const restarted = again();
    await settle(restarted);
    for (const { id } of [forCoin, forToken])
      expect(await see(restarted, id)).toMatchObject({ status: 1, credited: usd("100") });
    expect(await see(restarted, unpaid.id)).toMatchObject({ state: "expired" });
    expect(await balance()).toBe(usd("200"));
    expect(await broken(restarted)).toEqual([]);
  });

  test(
    "a long time away is read in pieces, and a node that forgot old balances loses nothing that has a transaction",
    { tags: ["full"] },
    async () => {
      const { payments, balance, settle, again } = await openEvmTill(chain, kind, { urls: [mirror.url] });
      const [early, middle, late] = [
        await askEvm(payments, kind.coin),
        await askEvm(payments, kind.token),
        await askEvm(payments, kind.coin),
      ];
      await chain.pay(early.address, coins(100n, kind));
      await chain.mine(140);
      await chain.send(token(), middle.address, hundred);
      await chain.mine(140);
      await chain.pay(late.address, coins(100n, kind));
      // The node knows the balances of the last 128 blocks, as nodes without an archive do.
      const forgotten = Array.from(
        { length: (await chain.height()) - 128 },
        (_, height) => `0x${height.toString(16)}`,
      );
      const blocks = forgotten.map((height) =>
        chain.rpc<{ hash: string }>("eth_getBlockByNumber", height, false),
      );
      const old = new Set((await Promise.all(blocks)).map(({ hash }) => hash));
      mirror.change = ({ method, params }) => {
        const hash = method === "eth_call" ? (params[1] as { blockHash?: string }).blockHash : undefined;
        return hash !== undefined && old.has(hash) ? new Refusal(-32_000, "missing trie node") : undefined;
      };
      await settle(again());
      expect(await balance()).toBe(usd("300"));
      for (const { id } of [early, middle, late])
        expect(await see(payments, id)).toMatchObject({ status: 1 });
      expect(await broken(payments)).toEqual([]);
    },
  );

  test(
    "a node that lags is passed over, and asked again when it has come after",
    { tags: ["full"] },
    async () => {
      const urls = [mirror.url, other.url];
      const { network, payments, balance, pass, later } = await openEvmTill(chain, kind, { urls });
      const { id, address } = await askEvm(payments, kind.token);
      await chain.send(token(), address, hundred);
      await pass(lag + 1);
      expect(await see(payments, id)).toMatchObject({ state: "confirming" });
      mirror.lag = 5;
      await pass(1);
      expect(network.health?.()).toMatchObject([
        { isInUse: false, trouble: { text: expect.stringContaining("it lags behind") as string } },
        { isInUse: true, trouble: undefined },
      ]);
      expect(await see(payments, id)).toMatchObject({ status: 1 });
      mirror.lag = 0;
      later(120);
      await pass(1);
      expect(network.health?.()).toMatchObject([{ isInUse: true }, { isInUse: false }]);
      expect(await balance()).toBe(usd("100"));
    },
  );

  test(
    "nodes behind one address that are not equally far make no transfer disappear",
    { tags: ["full"] },
    async () => {
      const { payments, balance, pass, settle, later } = await openEvmTill(chain, kind, {
        urls: [mirror.url],
      });
      const { id, address } = await askEvm(payments, kind.token);
      await chain.send(token(), address, hundred);
      // The node that answers for the tip is at it; the one for the events lags and returns none.
      mirror.change = ({ method, params: [first] }) => {
        if (method === "eth_getLogs") return [];
        return method === "eth_getBlockByNumber" &&
          first !== "latest" &&
          mirror.calls.at(-2)?.method === "eth_getLogs"
          ? null
          : undefined;
      };
      await expect(pass(1 + lag)).rejects.toThrow(NodeTrouble);
      // A second search finds the events that the node lacked at first.
      later(120);
      mirror.change = ({ method }) => (method === "eth_getLogs" ? [] : undefined);
      await pass(1);
      expect(await see(payments, id)).toMatchObject({ state: "awaiting" });
      mirror.change = undefined;
      await settle();
      expect(await see(payments, id)).toMatchObject({ status: 1 });
      expect(await balance()).toBe(usd("100"));
    },
  );

  test("one node alone neither makes a payment nor unmakes it", { tags: ["full"] }, async () => {
    const { payments, balance, pass, settle } = await openEvmTill(chain, kind, {
      urls: [mirror.url, other.url],
    });
    const { id, address } = await askEvm(payments, kind.token);
    await chain.send(token(), address, hundred);
    await pass(1 + lag);
    // The second node has another block there, without the transfer: one of the two is wrong.
    other.change = ({ method, params }) => {
      if (method === "eth_getTransactionReceipt") return null;
      const isHead = method === "eth_getBlockByNumber" && params[0] !== "latest";
      return isHead ? chain.rpc("eth_getBlockByNumber", "0x1", false) : undefined;
    };
    await settle();
    expect(await see(payments, id)).toMatchObject({ state: "confirming", received: "100" });
    other.change = undefined;
    await pass(1);
    expect(await see(payments, id)).toMatchObject({ status: 1 });
    expect(await balance()).toBe(usd("100"));
  });

  test(
    "who has not been read before a payment was asked for is read from before it",
    { tags: ["full"] },
    async () => {
      // Anvil keeps no balances of the first blocks of a long chain, from which the search begins, and words it as no node does.
      const young = await startEvmChain();
      onTestFinished(() => young.remove());
      const { payments, balance } = await openEvmTill(young, kind, { isNew: true });
      const [forCoin, forToken] = [await askEvm(payments, kind.coin), await askEvm(payments, kind.token)];
      await young.pay(forCoin.address, coins(100n, kind));
      await young.send(young.dollars[kind.name], forToken.address, hundred);
      await young.mine(10);
      await payments.poll();
      expect(await balance()).toBe(usd("200"));
    },
  );

  test(
    "with more addresses than a filter takes, every transfer of the token is read and ours are found",
    { tags: ["full"] },
    async () => {
      const { db, payments, balance, settle } = await openEvmTill(chain, kind, { urls: [mirror.url] });
      const { id, address } = await askEvm(payments, kind.token);
      await db`insert into payment (user_id, currency, chain, usd, due, rate, rate_source, family, address_index, address, canonical,
               created_at, expires_at, judge_at)
             select 7, currency, chain, usd, due, rate, rate_source, family, n, '0x' || lpad(to_hex(n), 40, '0'),
               '0x' || lpad(to_hex(n), 40, '0'), created_at, expires_at, judge_at
             from payment, generate_series(1000, 3500) n`;
      await chain.send(token(), chain.payer, 1n);
      await chain.send(token(), address, hundred);
      const before = mirror.calls.length;
      await settle();
      const logs = mirror.calls.slice(before).filter(({ method }) => method === "eth_getLogs");
      expect(logs).toMatchObject([{ params: [{ topics: { length: 2 } }] }]);
      expect(await see(payments, id)).toMatchObject({ status: 1 });
      expect(await balance()).toBe(usd("100"));
    },
  );
});

test(
  "a node that finds a span of blocks too much is asked for less at once",
  { tags: ["full"] },
  async () => {
    const { payments, balance, pass } = await openEvmTill(chain, ethereum, { urls: [mirror.url] });
    const { address } = await askEvm(payments, ethereum.token);
    mirror.change = ({ method, params: [filter] }) => {
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
      const isTooMuch = method === "eth_getLogs" && Number(toBlock) - Number(fromBlock) > 4;
      return isTooMuch ? new Refusal(-32_005, "query returned more than 10000 results") : undefined;
    };
    await chain.send(chain.dollars.ethereum, address, ethereum.hundred);
    await pass(40);
    expect(await balance()).toBe(usd("100"));
  },
);

test("a node of another chain is never used", async () => {
  const till = await openEvmTill(chain, ethereum, { id: 5, isNew: true });
  await expect(till.payments.poll()).rejects.toThrow(/it is of the chain 31337, not of 5/);
  await expect(till.network.check?.(never)).rejects.toThrow(/it is of the chain 31337, not of 5/);
});

test(
  "a contract that is not USDT with the decimals of its chain is refused before anything is sold",
  { tags: ["full"] },
  async () => {
    const { network } = await openEvmTill(chain, ethereum);
    await network.check?.(never);
    const swapped = { ...chain, dollars: { ethereum: chain.dollars.bsc, bsc: chain.payer } };
    const wrong = await openEvmTill(swapped, ethereum, { isNew: true });
    await expect(wrong.network.check?.(never)).rejects.toThrow(/is USDT with 18 decimals, not USDT with 6/);
    const none = await openEvmTill(
      { ...chain, dollars: { ...chain.dollars, bsc: "0x0000000000000000000000000000000000000001" } },
      bsc,
      { isNew: true },
    );
    await expect(none.network.check?.(never)).rejects.toThrow(/there is no contract at the address of USDT/);
  },
);

test(
  "on the main network a node that stands still is no witness that nobody paid",
  { tags: ["full"] },
  async () => {
    const main = await startEvmChain({ chainId: 1 });
    onTestFinished(() => main.remove());
    const { payments, later, pass } = await openEvmTill(main, ethereum, { ttlSeconds });
    const { id } = await askEvm(payments, ethereum.token);
    later(ttlSeconds + graceSeconds + 100);
    await expect(payments.poll()).rejects.toThrow(
      /it stands still: its newest block, \d+, is 10\d\d seconds old/,
    );
    expect(await see(payments, id)).toMatchObject({ state: "awaiting" });
    later(1);
    const now = Math.floor(Date.now() / 1000);
    await main.rpc("evm_setNextBlockTimestamp", now + ttlSeconds + graceSeconds + 101);
    await pass(1);
    expect(await see(payments, id)).toMatchObject({ state: "expired" });
  },
);
