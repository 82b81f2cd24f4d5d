// @module-tag slow
// What means the same is read the same; what cannot be read waits alone.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  asTron,
  openTronChain,
  type TronChain,
  type TronNode,
  tronWallet as wallet,
} from "../../../../../test/kit/tron.ts";
import { createLog } from "../../../platform/log.ts";
import type { Network } from "../network.ts";
import { openTron } from "./tron.ts";

const signal = new AbortController().signal;

let chain: TronChain;
beforeAll(async () => {
  chain = await openTronChain();
});
afterAll(() => chain.close());

let index = 500n;
const place = () => wallet.address(index++).canonical;

async function reader(nodes = 1) {
  const opened = await Promise.all(Array.from({ length: nodes }, () => chain.node()));
  const [node] = opened as [TronNode, ...TronNode[]];
  const urls = opened.map(({ url }) => url);
  const contracts = { USDT: chain.usdt };
  const config = { urls, id: undefined, contracts, confirmations: undefined, pollSeconds: undefined };
  const open = (): Network => openTron({ config, wallet, log: createLog("silent"), clock: chain.clock });
  let network = open();
  let { cursor } = await network.transfers(null, () => Promise.resolve(new Set()), signal);
  return {
    node,
    health: () => network.health?.(),
    restart: () => void (network = open()),
    read: async (...ours: string[]) => {
      const reading = await network.transfers(cursor, () => Promise.resolve(new Set(ours)), signal);
      ({ cursor } = reading);
      return reading.transfers.map(({ txid, address, amount }) => ({ txid, address, amount }));
    },
  };
}

/** As gateways with `visible` tell it: addresses in base58; others tell ids in upper case. */
const respelt = (said: unknown): unknown =>
  JSON.parse(
    JSON.stringify(said, (name, value: unknown) => {
      if (typeof value !== "string") return value;
      if (/^(owner|to|contract)_address$/.test(name)) return asTron(`0x${value.slice(2)}`);
      return /^(0x)?[0-9a-f]{64}$/.test(value)
        ? value.replace(/[0-9a-f]{64}$/, (id) => id.toUpperCase())
        : value;
    }),
  );

test("addresses as wallets show them, ids in upper case, and no logs as null are read as usual", async () => {
  const { node, read } = await reader();
  node.change = (_path, _body, said) => respelt(said);
  const [one, other] = [place(), place()];
  const trx = await chain.pay(one, 3_000_000n);
  const usdt = await chain.send(other, 25_000_000n);
  await chain.mine();
  expect(await read(one, other)).toEqual([
    { txid: trx, address: one, amount: 3_000_000n },
    { txid: usdt, address: other, amount: 25_000_000n },
  ]);
  node.change = (path, _body, said) =>
    path === "/jsonrpc" ? { ...(said as object), result: null } : respelt(said);
  await chain.mine();
  expect(await read(one, other)).toEqual([]);
});

test("a payment that a node tells without its amount waits alone, also over a restart", async () => {
  const { node, read, restart, health } = await reader();
  const [one, other] = [place(), place()];
  const riddle = await chain.pay(one, 3_000_000n);
  const trx = await chain.pay(other, 4_000_000n);
  await chain.mine();
  node.change = (_path, _body, said) => {
    const text = JSON.stringify(said);
    return text.includes(riddle) ? JSON.parse(text.replaceAll('"amount":3000000,', "")) : undefined;
  };
  expect(await read(one, other)).toEqual([{ txid: trx, address: other, amount: 4_000_000n }]);
  expect(health()?.[0]?.trouble?.text).toContain(`it tells ${riddle} without its amount`);
  await chain.mine(30);
  expect(await read(one, other)).toEqual([]);
  restart();
  node.change = undefined;
  expect(await read(one, other)).toEqual([{ txid: riddle, address: one, amount: 3_000_000n }]);
  expect(await read(one, other)).toEqual([]);
});

test("a transfer of dollars whose logs a node does not tell waits alone, or is asked of another node", async () => {
  const [alone, pair] = [await reader(), await reader(2)];
  const [one, other] = [place(), place()];
  const riddle = await chain.send(one, 3_000_000n);
  const usdt = await chain.send(other, 4_000_000n);
  await chain.mine();
  const hide: TronNode["change"] = (path, body, said) =>
    path.endsWith("gettransactioninfobyid") && body["value"] === riddle
      ? { ...(said as object), log: [] }
      : undefined;
  alone.node.change = hide;
  pair.node.change = hide;
  const [first, second] = [
    { txid: riddle, address: one, amount: 3_000_000n },
    { txid: usdt, address: other, amount: 4_000_000n },
  ];
  expect(await pair.read(one, other)).toEqual([second, first]);
  expect(await alone.read(one, other)).toEqual([second]);
  await chain.mine(30);
  await alone.read(one, other);
  alone.node.change = undefined;
  expect(await alone.read(one, other)).toContainEqual(first);
});
