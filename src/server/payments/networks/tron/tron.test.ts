// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  nileGenesis,
  openTronChain,
  type TronChain,
  type TronNode,
  tronWallet as wallet,
} from "../../../../../test/kit/tron.ts";
import { ConfigError } from "../../../platform/config/config.ts";
import { createLog } from "../../../platform/log.ts";
import { needOf } from "../../payments.finality.ts";
import type { ChainTransfer, Network, Watched } from "../network.ts";
import { openTron } from "./tron.ts";

const signal = new AbortController().signal;

let chain: TronChain;
beforeAll(async () => {
  chain = await openTronChain();
});
afterAll(() => chain.close());

let index = 0n;
const place = () => wallet.address(index++).canonical;

const at =
  (...addresses: string[]): Watched =>
  () =>
    Promise.resolve(new Set(addresses));

interface Settings {
  urls: string[];
  id?: number;
  usdt?: string;
  confirmations?: number;
}
function open({ urls, id, usdt = chain.usdt, confirmations }: Settings): Network {
  const config = { urls, id, contracts: { USDT: usdt }, confirmations, pollSeconds: undefined };
  return openTron({ config, wallet, log: createLog("silent"), clock: chain.clock });
}

async function reader(options: { confirmations?: number } = {}) {
  const node = await chain.node();
  const network = open({ urls: [node.url], ...options });
  let { cursor } = await network.transfers(null, at(), signal);
  const read = async (watched: Watched) => {
    const reading = await network.transfers(cursor, watched, signal);
    ({ cursor } = reading);
    return reading;
  };
  return { node, network, read, cursor: () => cursor };
}

const briefly = ({ txid, index, currency, address, amount, from }: ChainTransfer) => ({
  txid,
  index,
  currency,
  address,
  amount,
  from,
});
const most = (network: Network) => needOf(network, undefined);
const verified = (network: Network, transfer: ChainTransfer | undefined) => {
  if (!transfer) throw new Error("there is no transfer");
  return network.verify(transfer, most(network), signal);
};
const counted = (node: TronNode, call: string) => node.asked.filter((asked) => asked === call).length;

test("TRX and dollars are told with who sent them; those of one transaction by their place in it", async () => {
  const { network, read } = await reader();
  const [one, other] = [place(), place()];
  const trx = await chain.pay(one, 3_000_000n);
  const usdt = await chain.send(other, 25_000_000n);
  const both = await chain.sendEach([one, chain.payer, other, one], 5_000_000n);
  await chain.mine();
  const { transfers, tip } = await read(at(one, other));
  const from = chain.payer;
  const dollars = { currency: "usdttrc20", from };
  expect(transfers.map(briefly)).toEqual([
    { txid: trx, index: "native", currency: "trx", address: one, amount: 3_000_000n, from },
    { ...dollars, txid: usdt, index: "0", address: other, amount: 25_000_000n },
    { ...dollars, txid: both, index: "0", address: one, amount: 5_000_000n },
    { ...dollars, txid: both, index: "2", address: other, amount: 5_000_000n },
    { ...dollars, txid: both, index: "3", address: one, amount: 5_000_000n },
  ]);
  for (const { block } of transfers) expect(block).toEqual({ ...tip, at: chain.clock() });
  expect((await read(at(one, other))).transfers).toEqual([]);
  expect(await verified(network, transfers[0])).toMatchObject({ found: true, amount: 3_000_000n });
  expect(await verified(network, transfers[4])).toMatchObject({ found: true, amount: 5_000_000n });
});

test("a transfer is final when its block is solidified, and how far it is can be told", async () => {
  const { network, node, read } = await reader();
  const [one, other] = [place(), place()];
  await chain.pay(one, 3_000_000n);
  await chain.send(other, 25_000_000n);
  await chain.mine();
  const { transfers } = await read(at(one, other));
  const said = () =>
    Promise.all(transfers.map((transfer) => network.verify(transfer, most(network), signal)));
  const waiting = { found: true, isFinal: false };
  for (const each of await said()) expect(each).toMatchObject({ ...waiting, depth: { now: 1, wanted: 19 } });
  node.solidLag = 22;
  await chain.mine(21);
  for (const each of await said()) expect(each).toMatchObject({ ...waiting, depth: { now: 18, wanted: 19 } });
  await chain.mine();
  const final = { found: true, isFinal: true, depth: { now: 19, wanted: 19 } };
  for (const each of await said()) expect(each).toMatchObject(final);
});

test("a number of confirmations takes the place of finality", async () => {
  const { network, read } = await reader({ confirmations: 2 });
  const one = place();
  await chain.send(one, 25_000_000n);
  await chain.mine();
  const { transfers } = await read(at(one));
  expect(await verified(network, transfers[0])).toMatchObject({
    isFinal: false,
    depth: { now: 1, wanted: 2 },
  });
  await chain.mine();
  expect(await verified(network, transfers[0])).toMatchObject({
    isFinal: true,
    depth: { now: 2, wanted: 2 },
  });
});

test("what looks like money and is none is not told", async () => {
  const { network, read } = await reader();
  const one = place();
  await chain.give(one, 1_000_000_000);
  await chain.sendFake(one, 25_000_000n);
  await chain.sendAndFail(one, 25_000_000n);
  await chain.sendAndEnd(one, 25_000_000n, "OUT_OF_TIME");
  await chain.send(one, 0n);
  await chain.send(one, 9_999n);
  await chain.pay(one, 99_999n);
  await chain.mine(20);
  expect((await read(at(one))).transfers).toEqual([]);
  expect(await network.balances?.("trx", [one], signal)).toEqual([0n]);
});

test("what was found and then failed, or is of another kind, is not confirmed", async () => {
  const { network, read } = await reader();
  const [one, other] = [place(), place()];
  await chain.send(one, 25_000_000n);
  await chain.pay(one, 3_000_000n);
  const given = await chain.give(one, 3_000_000);
  const ended = await chain.sendAndEnd(other, 25_000_000n, "OUT_OF_TIME");
  await chain.mine();
  const [trx, usdt] = (await read(at(one, other))).transfers;
  if (!trx || !usdt) throw new Error("two transfers were expected");
  expect(await network.verify({ ...trx, txid: given }, most(network), signal)).toEqual({ found: false });
  expect(await network.verify({ ...usdt, txid: ended }, most(network), signal)).toEqual({ found: false });
  expect(await network.verify({ ...usdt, index: "1" }, most(network), signal)).toEqual({ found: false });
  expect(await network.verify({ ...usdt, address: other }, most(network), signal)).toEqual({ found: false });
  expect(await network.verify({ ...trx, address: other }, most(network), signal)).toEqual({ found: false });
});

test("TRX that a contract pays is no transaction, but the balance tells it", async () => {
  const { network, read } = await reader();
  const [one, other] = [place(), place()];
  await chain.payInside(one, 3_000_000n);
  await chain.send(other, 25_000_000n);
  await chain.mine(20);
  expect((await read(at(one))).transfers).toEqual([]);
  expect(await network.balances?.("trx", [one], signal)).toEqual([3_000_000n]);
  expect(await network.balances?.("usdttrc20", [one], signal)).toEqual([0n]);
  expect(await network.balances?.("usdttrc20", [other], signal)).toEqual([25_000_000n]);
});

test("an address was used when anything ever came there, or dollars lie there", async () => {
  const { network } = await reader();
  const [trx, inside, usdt, unused] = [place(), place(), place(), place()];
  await chain.pay(trx, 1n);
  await chain.payInside(inside, 1n);
  await chain.send(usdt, 1n);
  await chain.mine();
  const used = await network.used?.([trx, inside, usdt, unused], signal);
  // Dollars count once they are final.
  expect(used).toEqual(new Set([trx, inside]));
  await chain.mine(19);
  expect(await network.used?.([usdt, unused], signal)).toEqual(new Set([usdt]));
});

test("after a fork what was not final is read again, and what is gone is believed to be gone", async () => {
  const { network, read } = await reader();
  const [one, other] = [place(), place()];
  await chain.mine();
  await read(at(one, other));
  const undo = await chain.fork();
  await chain.pay(one, 3_000_000n);
  await chain.send(other, 25_000_000n);
  await chain.mine(5);
  const before = (await read(at(one, other))).transfers;
  expect(before).toHaveLength(2);
  await undo();
  await chain.mine(2);
  await chain.pay(one, 4_000_000n);
  await chain.mine(6);
  const after = await read(at(one, other));
  expect(after.reorganisedAbove).toBeLessThan(before[0]?.block?.height ?? 0n);
  expect(after.transfers).toMatchObject([{ currency: "trx", amount: 4_000_000n }]);
  for (const transfer of before)
    expect(await network.verify(transfer, most(network), signal)).toEqual({ found: false });
  expect((await read(at(one, other))).reorganisedAbove).toBeUndefined();
});

test("a node that misses what another has shown does not make it gone for ever: it is read again", async () => {
  const { network, read } = await reader();
  const one = place();
  await chain.pay(one, 3_000_000n);
  await chain.mine();
  const [transfer] = (await read(at(one))).transfers;
  // A node on another branch has a different block at that height, without the transfer.
  const missing = { ...transfer, txid: "0".repeat(64), block: { ...transfer?.block, hash: "0".repeat(64) } };
  expect(await network.verify(missing as ChainTransfer, most(network), signal)).toEqual({ found: false });
  await chain.mine();
  expect((await read(at(one))).transfers).toEqual([transfer]);
});

test("a node that has the block and not yet its transactions does not know; what it hid is found at the next look", async () => {
  const { network, node, read } = await reader();
  const [one, other] = [place(), place()];
  await chain.pay(one, 3_000_000n);
  await chain.send(other, 25_000_000n);
  await chain.mine();
  node.blind = 1;
  const [trx, ...more] = (await read(at(one, other))).transfers;
  expect(more).toEqual([]);
  await expect(verified(network, trx)).rejects.toThrow("but not its transactions");
  node.blind = 0;
  await chain.mine();
  expect((await read(at(one, other))).transfers).toMatchObject([{ address: other, amount: 25_000_000n }]);
});

test("verification asks the second node, and the first again when that lags behind", async () => {
  const [first, second] = [await chain.node(), await chain.node()];
  const network = open({ urls: [first.url, second.url] });
  const one = place();
  const { cursor } = await network.transfers(null, at(one), signal);
  await chain.send(one, 25_000_000n);
  await chain.mine();
  const [transfer] = (await network.transfers(cursor, at(one), signal)).transfers;
  const before = second.asked.length;
  expect(await verified(network, transfer)).toMatchObject({ found: true });
  expect(second.asked.length).toBeGreaterThan(before);
  second.behind = 2;
  expect(await verified(network, transfer)).toMatchObject({ found: true });
  expect(network.health?.()[1]?.trouble?.text).toMatch(/has no block \d+ yet/);
});

test.each([
  ["403", { status: 403, text: '{"Error":"request rate exceeded the allowed_rps(3)"}' }],
  ["429", { status: 429, text: "" }],
  ["503", { status: 503, text: "<html>busy</html>" }],
  ["an error with the status 200", { status: 200, text: '{"Error":"class java.lang.NullPointerException"}' }],
  ["no JSON", { status: 200, text: "<html>" }],
  ["nothing at all", { status: 200, text: "{}" }],
])(
  "a node that answers with %s is passed over; with no other there is no reading",
  async (_name, trouble) => {
    const [first, second] = [await chain.node(), await chain.node()];
    const one = place();
    const network = open({ urls: [first.url, second.url] });
    const { cursor } = await network.transfers(null, at(one), signal);
    await chain.send(one, 25_000_000n);
    await chain.mine();
    first.trouble = trouble;
    expect((await network.transfers(cursor, at(one), signal)).transfers).toHaveLength(1);
    expect(network.health?.()).toMatchObject([{ isInUse: false }, { isInUse: true, trouble: undefined }]);
    second.trouble = trouble;
    await expect(network.transfers(cursor, at(one), signal)).rejects.toThrow("no node answers");
    await expect(network.balances?.("trx", [one], signal)).rejects.toThrow("no node answers");
  },
);

test("a node whose newest block is old does not know what came since", async () => {
  const { network, read } = await reader();
  const one = place();
  await chain.send(one, 25_000_000n);
  chain.standStill(61);
  await expect(read(at(one))).rejects.toThrow(/newest block, \d+, is 61 seconds old/);
  await chain.mine();
  expect((await read(at(one))).transfers).toHaveLength(1);
  expect(network.health?.()).toMatchObject([{ isInUse: true, restsUntil: undefined }]);
});

test("a node of another TRON is none of ours, and a token that is no dollar stops the start", async () => {
  const [other, ours] = [await chain.node(), await chain.node()];
  other.genesis = nileGenesis;
  await expect(open({ urls: [other.url] }).check?.(signal)).rejects.toThrow(
    "it is of the chain 3448148188 and 3448148188, and not of 728126428",
  );
  const network = open({ urls: [other.url, ours.url] });
  await network.check?.(signal);
  expect(network.health?.()).toMatchObject([{ isInUse: false }, { isInUse: true }]);
  await open({ urls: [other.url], id: 3448148188 }).check?.(signal);
  await expect(open({ urls: [ours.url], usdt: chain.fakeUsdt }).check?.(signal)).rejects.toThrow(
    "CHAIN_TRON_USDT is no USDT: its symbol is USDT, and it has 18 decimals.",
  );
  const mistyped = chain.usdt.replace(/.$/, (last) => (last === "1" ? "2" : "1"));
  expect(() => open({ urls: [ours.url], usdt: mistyped })).toThrow(ConfigError);
  const nobody = wallet.address(0n).address;
  await expect(open({ urls: [ours.url], usdt: nobody }).check?.(signal)).rejects.toThrow("does not answer");
});

test("a key in the address is sent as TronGrid wants it", async () => {
  const node = await chain.node();
  await open({ urls: [node.url.replace("://", "://hunter2@")] }).check?.(signal);
  expect(new Set(node.keys)).toEqual(new Set(["hunter2"]));
});

test("ten thousand addresses cost ten searches a look, however many blocks it goes over", async () => {
  const { node, read } = await reader();
  const ours = Array.from({ length: 10_000 }, (_, at) => `0x${at.toString(16).padStart(40, "0")}`);
  const last = ours.at(-1) ?? "";
  await chain.mine(3);
  await chain.send(last, 25_000_000n);
  await chain.mine();
  const before = node.asked.length;
  expect((await read(at(...ours))).transfers).toHaveLength(1);
  expect(counted(node, "eth_getLogs")).toBe(10);
  // The tips of both parts, the blocks, the searches, and the one transaction found.
  expect(node.asked.length - before).toBe(2 + 1 + 10 + 1);
});

test("after a long outage the chain is read in pieces, and nothing in it is missed", async () => {
  const { read } = await reader();
  const [one, other] = [place(), place()];
  await chain.pay(one, 3_000_000n);
  await chain.mine(210);
  await chain.send(other, 25_000_000n);
  await chain.mine(20);
  const first = await read(at(one, other));
  expect(first).toMatchObject({ behind: 30n, transfers: [{ address: one }] });
  const second = await read(at(one, other));
  expect(second.behind).toBeUndefined();
  expect(second.transfers).toMatchObject([{ address: other }]);
});

test("while no payment is open only tokens are searched for, and while no address is watched nothing is", async () => {
  const { node, read } = await reader();
  const one = place();
  const late: Watched = (which) => Promise.resolve(new Set(which === "open" ? [] : [one]));
  await chain.send(one, 25_000_000n);
  await chain.mine();
  expect((await read(late)).transfers).toMatchObject([{ address: one }]);
  const undo = await chain.fork();
  await chain.mine();
  await read(late);
  await undo();
  await chain.wait(9);
  await chain.mine(2);
  expect((await read(late)).reorganisedAbove).toBeDefined();
  expect(counted(node, "/wallet/getblockbylimitnext")).toBe(0);
  const before = node.asked.length;
  await read(at());
  expect(node.asked.slice(before)).toEqual(["/wallet/getblock", "/walletsolidity/getblock"]);
});

test("TRX to a new address costs the account, dollars the energy and the bandwidth of a first transfer", async () => {
  const { network } = await reader();
  expect(await network.fee?.("trx", signal)).toEqual({ units: 1_100_000n, coin: "trx" });
  expect(await network.fee?.("usdttrc20", signal)).toEqual({ units: 13_345_000n, coin: "trx" });
});
