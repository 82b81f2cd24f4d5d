// @module-tag slow
// Nodes refuse in many words. A refusal is an outage of that node: no block is left out for it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { askEvm, openEvmTill } from "../../../../../test/kit/evm.ts";
import { coins, type EvmChain, kinds, lag, startEvmChain } from "../../../../../test/kit/evmchain.ts";
import { type Mirror, openMirror, Refusal } from "../../../../../test/kit/mirror.ts";
import { broken, see } from "../../../../../test/kit/till.ts";
import { usd } from "../../../platform/money.ts";

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

const [ethereum, bsc] = kinds;
const full = { tags: ["full"] };
// The longest rest of a node.
const rest = 61;
const half = coins(50n, ethereum);

const isBalance = ({ method, params }: { method: string; params: unknown[] }) =>
  method === "eth_call" && typeof params[1] === "object";

const payByContract = (to: string, amount = half) =>
  chain.call(chain.payer, "Payer", "pay", [[to], amount], amount);

/** Refuses the first question of a balance. */
function once(refusal: Refusal): Mirror["change"] {
  let isRefused = false;
  return (call) => {
    if (isRefused || !isBalance(call)) return undefined;
    isRefused = true;
    return refusal;
  };
}

const refusals = [
  ["a rate limit", new Refusal(-32_005, "rate limited")],
  ["a machine that lags", new Refusal(-32_000, "header not found")],
  ["a time-out", new Refusal(-32_603, "execution aborted (timeout = 5s)")],
  ["an inner error", new Refusal(-32_603, "internal error")],
  ["a limit of its archive", new Refusal(-32_005, "archive requests: rate limit exceeded")],
  ["a code above zero", new Refusal(19, "temporary internal error")],
] as const;

test.each(refusals)(
  "what a contract pays while one question of a balance is refused, by %s, is credited when it is answered",
  async (_why, refusal) => {
    const { payments, settle, later } = await openEvmTill(chain, ethereum, { urls: [mirror.url] });
    const { id, address } = await askEvm(payments, ethereum.coin);
    await chain.pay(address, half);
    await settle();
    expect(await see(payments, id)).toMatchObject({ state: "underpaid" });
    await payByContract(address);
    mirror.change = once(refusal);
    await expect(settle()).rejects.toThrow(/is refused/);
    later(rest);
    await settle();
    await settle();
    expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("100") });
    expect(await broken(payments)).toEqual([]);
  },
);

test.each(kinds)(
  "a second node on $name is asked what the first refuses, and nothing is left out",
  async (kind) => {
    const { network, payments, settle } = await openEvmTill(chain, kind, { urls: [mirror.url, other.url] });
    const { id, address } = await askEvm(payments, kind.coin);
    await chain.pay(address, coins(100n, kind));
    await settle();
    expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("100") });
    await payByContract(address, coins(50n, kind));
    mirror.change = (call) => (isBalance(call) ? new Refusal(-32_005, "rate limited") : undefined);
    await settle();
    await settle();
    expect(await see(payments, id)).toMatchObject({ credited: usd("150") });
    expect(network.health?.()).toMatchObject([
      { trouble: { text: expect.stringContaining("rate limited") as string } },
      { trouble: undefined, isInUse: true },
    ]);
  },
);

const forgetful = [
  [-32_000, "missing trie node 5f3a (path ) state 0x5f3a is not available"],
  [4444, "pruned history unavailable"],
  [26, "historical state is not available on this plan"],
  [-32_000, "old data not available due to pruning"],
] as const;

test.each(forgetful)(
  "a node that says that old states are gone (%d, %s) holds up no payment, and the log says so once",
  async (code, text) => {
    const lines: string[] = [];
    const start = await chain.height();
    const { payments, settle, again } = await openEvmTill(chain, ethereum, { urls: [mirror.url], lines });
    const [early, late] = [await askEvm(payments, ethereum.coin), await askEvm(payments, ethereum.token)];
    await chain.pay(early.address, coins(100n, ethereum));
    await chain.mine(280);
    await chain.send(chain.dollars.ethereum, late.address, ethereum.hundred);
    // The node knows the balances of the last 128 blocks, as nodes without an archive do.
    const heights = Array.from(
      { length: (await chain.height()) - 128 - start + lag },
      (_, n) => start - lag + n,
    );
    const blocks = heights.map((height) =>
      chain.rpc<{ hash: string }>("eth_getBlockByNumber", `0x${height.toString(16)}`, false),
    );
    const old = new Set((await Promise.all(blocks)).map(({ hash }) => hash));
    mirror.change = ({ method, params }) => {
      const hash = method === "eth_call" ? (params[1] as { blockHash?: string }).blockHash : undefined;
      return hash !== undefined && old.has(hash) ? new Refusal(code, text) : undefined;
    };
    await settle(again());
    for (const { id } of [early, late]) expect(await see(payments, id)).toMatchObject({ state: "credited" });
    expect(lines.filter((line) => line.includes("no longer has the balances"))).toHaveLength(1);
  },
);

test("a node that takes no hash of a block is asked by its number, and the operator sees that", async () => {
  mirror.change = (call) =>
    isBalance(call)
      ? new Refusal(-32_602, "invalid argument 1: json: cannot unmarshal object into Go value of type string")
      : undefined;
  const { network, payments, settle } = await openEvmTill(chain, ethereum, { urls: [mirror.url] });
  const { id, address } = await askEvm(payments, ethereum.coin);
  await payByContract(address, half * 2n);
  await settle();
  await settle();
  expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("100") });
  expect(network.health?.()[0]?.trouble?.text).toContain("does not take the hash of a block (EIP-1898)");
});

describe("logs and receipts", () => {
  const token = () => chain.dollars.ethereum;

  test("are matched by contract, recipient and amount: a node may count logs in each transaction", async () => {
    const { payments, settle } = await openEvmTill(chain, ethereum, { urls: [mirror.url] });
    const { id, address } = await askEvm(payments, ethereum.token);
    mirror.change = ({ method, params }) => (method === "eth_getLogs" ? countedInEach(params) : undefined);
    await chain.send(token(), chain.payer, 1n);
    await chain.call(token(), "Dollars", "transferEach", [[chain.payer, address], ethereum.hundred]);
    await settle();
    expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("100") });
  });

  const countedInEach = async (params: unknown[]) => {
    const logs = await chain.rpc<{ transactionHash: string }[]>("eth_getLogs", ...params);
    const counts = new Map<string, number>();
    return logs.map((log) => {
      // The first log of these transactions is to somebody else, where the filter names ours.
      const count = counts.get(log.transactionHash) ?? 1;
      counts.set(log.transactionHash, count + 1);
      return { ...log, logIndex: `0x${count.toString(16)}` };
    });
  };

  const withoutLogs =
    (txid: string): Mirror["change"] =>
    async ({ method, params }) => {
      if (method !== "eth_getTransactionReceipt" || params[0] !== txid) return undefined;
      return { ...(await chain.rpc<object>(method, txid)), logs: [] };
    };

  test("that differ make one transaction wait, and no other", async () => {
    const { network, payments, pass, settle, again } = await openEvmTill(chain, ethereum, {
      urls: [mirror.url],
    });
    const [bad, good] = [await askEvm(payments, ethereum.token), await askEvm(payments, ethereum.token)];
    const txid = await chain.send(token(), bad.address, ethereum.hundred);
    await chain.send(token(), good.address, ethereum.hundred);
    mirror.change = withoutLogs(txid);
    await settle();
    expect(await see(payments, good.id)).toMatchObject({ state: "credited" });
    expect(await see(payments, bad.id)).toMatchObject({ state: "awaiting" });
    expect(network.health?.()[0]?.trouble?.text).toContain(`its receipt of ${txid}`);
    await pass(40);
    mirror.change = undefined;
    const restarted = again();
    await settle(restarted);
    await settle(restarted);
    expect(await see(payments, bad.id)).toMatchObject({ state: "credited", credited: usd("100") });
    expect(await broken(payments)).toEqual([]);
  });

  test("that differ at one node are asked of the other at once", async () => {
    const { payments, settle } = await openEvmTill(chain, ethereum, { urls: [mirror.url, other.url] });
    const { id, address } = await askEvm(payments, ethereum.token);
    mirror.change = withoutLogs(await chain.send(token(), address, ethereum.hundred));
    await settle();
    expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("100") });
  });
});

describe("what is final", () => {
  const unable = [
    ["null", null],
    ["-32602", new Refusal(-32_602, "invalid params")],
    ["-39001", new Refusal(-39_001, "Unknown block")],
  ] as const;

  test.each(unable)(
    "and a node that cannot tell (%s): it goes on, and says how to help it",
    async (_what, said) => {
      mirror.change = ({ method, params }) =>
        method === "eth_getBlockByNumber" && params[0] === "finalized" ? said : undefined;
      const { network, payments, pass } = await openEvmTill(chain, bsc, {
        urls: [mirror.url],
        asksFinal: true,
      });
      const text = () => network.health?.()[0]?.trouble?.text;
      expect(text()).toContain("it cannot tell which blocks are final");
      expect(text()).toContain("CHAIN_BSC_CONFIRMATIONS");
      const { id, address } = await askEvm(payments, bsc.token);
      await chain.send(chain.dollars.bsc, address, bsc.hundred);
      await pass(20);
      await pass(1);
      expect(await see(payments, id)).toMatchObject({ state: "confirming", received: "100" });
    },
  );

  test("and a large amount: it waits for that, as long as is said before it is paid; a small one does not", async () => {
    const first = await chain.rpc("eth_getBlockByNumber", "0x0", false);
    mirror.change = ({ method, params }) =>
      method === "eth_getBlockByNumber" && params[0] === "finalized" ? first : undefined;
    const { payments, pass } = await openEvmTill(chain, ethereum, { urls: [mirror.url], asksFinal: true });
    const small = await askEvm(payments, ethereum.coin, "799");
    const large = await askEvm(payments, ethereum.coin, "800");
    const offered = (await payments.currencies()).filter(({ seconds }) => seconds !== undefined);
    // 0.4 ether, which cost 800 dollars here.
    const steps = [usd("800"), usd("1000")].map((from) => ({ from, seconds: 961 }));
    expect(offered.map(({ seconds, larger }) => [seconds, ...larger])).toEqual(
      steps.map((step) => [145, step]),
    );
    expect((await see(payments, small.id)).seconds).toBe(145);
    expect((await see(payments, large.id)).seconds).toBe(961);
    await chain.pay(small.address, coins(799n, ethereum));
    await chain.pay(large.address, coins(800n, ethereum));
    await pass(12 + lag);
    expect(await see(payments, small.id)).toMatchObject({ state: "credited", seconds: undefined });
    expect(await see(payments, large.id)).toMatchObject({ state: "confirming", received: "0.4" });
    mirror.change = undefined;
    await pass(80);
    expect(await see(payments, large.id)).toMatchObject({ state: "credited", credited: usd("800") });
  });

  test(
    "and a node for which only the first block ever is: a deep transfer is named in the log",
    full,
    async () => {
      const lines: string[] = [];
      await chain.mine(1000);
      const first = await chain.rpc("eth_getBlockByNumber", "0x0", false);
      mirror.change = ({ method, params }) =>
        method === "eth_getBlockByNumber" && params[0] === "finalized" ? first : undefined;
      const options = { urls: [mirror.url], asksFinal: true, lines };
      const { network, payments, pass } = await openEvmTill(chain, bsc, options);
      expect(network.health?.()[0]?.trouble?.text).toMatch(/it has \d+ blocks and calls none of them final/);
      const { address } = await askEvm(payments, bsc.token);
      const txid = await chain.send(chain.dollars.bsc, address, bsc.hundred);
      await pass(100);
      expect(lines.filter((line) => line.includes(txid))).toEqual([]);
      await pass(100);
      await pass(1);
      const told = lines.filter((line) => line.includes(txid));
      expect(told).toHaveLength(1);
      expect(told[0]).toContain("10 times as deep as its chain needs and no node calls it final");
    },
  );
});

/** The same answer in another spelling. */
function respelt(told: unknown): unknown {
  if (typeof told === "string" && /^0x[0-9a-f]{64}$/.test(told)) return `0x${told.slice(2).toUpperCase()}`;
  if (Array.isArray(told)) return told.map(respelt);
  if (typeof told !== "object" || told === null) return told;
  const entries = Object.entries(told).map(([name, value]) => [name, respelt(value)] as const);
  const more = "logIndex" in told ? { removed: null } : {};
  return { ...Object.fromEntries(entries), ...more };
}

test("what means the same is read the same: no logs as null, ids of blocks and transactions in upper case", async () => {
  const { payments, settle } = await openEvmTill(chain, ethereum, { urls: [mirror.url] });
  const [forCoin, forToken] = [await askEvm(payments, ethereum.coin), await askEvm(payments, ethereum.token)];
  mirror.change = async ({ method, params }) => {
    if (method === "eth_call" || method === "eth_chainId") return undefined;
    const told = respelt(await chain.rpc(method, ...params));
    return Array.isArray(told) && told.length === 0 ? null : told;
  };
  await chain.pay(forCoin.address, half * 2n);
  await chain.send(chain.dollars.ethereum, forToken.address, ethereum.hundred);
  await settle();
  mirror.change = undefined;
  await settle();
  for (const { id } of [forCoin, forToken])
    expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("100") });
  expect(await broken(payments)).toEqual([]);
});

test("a transaction of an unknown kind to somebody else stops nothing", async () => {
  const { payments, settle } = await openEvmTill(chain, ethereum, { urls: [mirror.url] });
  const { id, address } = await askEvm(payments, ethereum.coin);
  mirror.change = async ({ method, params }) => {
    if (method !== "eth_getBlockByNumber" || params[1] !== true) return undefined;
    const block = await chain.rpc<{ transactions: object[] }>(method, ...params);
    const odd = { type: "0x7f", hash: "0x01", from: chain.payer, to: chain.payer, value: { deposit: 1 } };
    return { ...block, transactions: [odd, ...block.transactions] };
  };
  await chain.pay(address, half * 2n);
  await settle();
  expect(await see(payments, id)).toMatchObject({ state: "credited", credited: usd("100") });
});
