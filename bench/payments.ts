// Calls to the nodes for each block, with no open payments and with ten thousand. A real chain (anvil) runs behind a counting mirror;
// the peer asks for each address separately.
import { randomBytes } from "node:crypto";
import { createLog } from "../src/server/platform/log.ts";
import { now } from "../src/server/platform/clock.ts";
import { evmChains } from "../src/server/payments/networks/evm/evm.chains.ts";
import { finality } from "../src/server/payments/payments.finality.ts";
import { openEvm } from "../src/server/payments/networks/evm/evm.ts";
import { openWallet } from "../src/server/payments/wallets/wallets.ts";
import {
  confirmations,
  type EvmChain,
  evmWallet,
  type Kind,
  kinds,
  startEvmChain,
} from "../test/kit/evmchain.ts";
import { type Mirror, openMirror } from "../test/kit/mirror.ts";

const open = [0, 100, 1_000, 10_000];
const blocksMeasured = 65;
const paidInBlock = 2;
const othersInBlock = 20;

export async function measure(): Promise<void> {
  const chain = await startEvmChain();
  const mirror = await openMirror(chain);
  console.log(
    "| chain | open payments | calls a block | requests a block | calls a second on the main network | ms a look |",
  );
  console.log("| --- | --- | --- | --- | --- | --- |");
  try {
    for (const kind of kinds) {
      for (const count of open) console.log(await row(chain, mirror, kind, count));
      console.log(await peerRow(chain, mirror, kind, open.at(-1) ?? 0));
    }
  } finally {
    await mirror.close();
    await chain.remove();
  }
}

const randomAddress = () => `0x${randomBytes(20).toString("hex")}`;

/** Blocks between two polls, as on the main network. */
const blocksOfLook = ({ name }: Kind) =>
  Math.round(evmChains[name].pollSeconds / finality[name].blockSeconds);

async function row(chain: EvmChain, mirror: Mirror, kind: Kind, count: number): Promise<string> {
  const ours = Array.from({ length: count }, randomAddress);
  const usdt = chain.dollars[kind.name];
  const others = Array.from({ length: othersInBlock }, randomAddress);
  const config = {
    urls: [mirror.url],
    id: chain.chainId,
    contracts: { USDT: usdt },
    confirmations,
    pollSeconds: 1,
  };
  const wallet = openWallet("evm", evmWallet(), { demo: false });
  const network = openEvm({ config, wallet, log: createLog("silent"), clock: now }, kind.name);
  const watched = () => Promise.resolve(new Set(ours));
  const signal = new AbortController().signal;
  await chain.mine(70);
  let { cursor } = await network.transfers(null, () => Promise.resolve(new Set()), signal);
  // The first comparison asks for all balances twice; only later ones are measured.
  await chain.mine(70);
  ({ cursor } = await network.transfers(cursor, watched, signal));
  const [calls, requests] = [mirror.calls.length, mirror.requests];
  let [blocks, found, paid, milliseconds] = [0, 0, 0, 0];
  while (blocks < blocksMeasured) {
    for (let block = 0; block < blocksOfLook(kind); block++, blocks++) {
      await chain.call(usdt, "Dollars", "transferEach", [others, 1n]);
      for (let one = 0; one < paidInBlock && count > 0; one++, paid++) {
        const to = ours[paid % count] ?? "";
        await (one % 2 === 0 ? chain.send(usdt, to, 1n) : chain.pay(to, 1n));
      }
      await chain.mine();
    }
    const began = performance.now();
    const reading = await network.transfers(cursor, watched, signal);
    milliseconds += performance.now() - began;
    cursor = reading.cursor;
    found += reading.transfers.length;
  }
  if (count > 0 && found < paid / 2) throw new Error(`of ${paid} transfers ${found} were found`);
  const each = (mirror.calls.length - calls) / blocks;
  return told([
    kind.name,
    count.toLocaleString("en"),
    each.toFixed(1),
    ((mirror.requests - requests) / blocks).toFixed(1),
    (each / finality[kind.name].blockSeconds).toFixed(1),
    (milliseconds / (blocks / blocksOfLook(kind))).toFixed(0),
  ]);
}

async function peerRow(chain: EvmChain, mirror: Mirror, kind: Kind, count: number): Promise<string> {
  const usdt = chain.dollars[kind.name];
  const calls = Array.from({ length: count }, randomAddress).flatMap((address) => [
    { method: "eth_getBalance", params: [address, "latest"] },
    {
      method: "eth_call",
      params: [{ to: usdt, data: `0x70a08231${address.slice(2).padStart(64, "0")}` }, "latest"],
    },
  ]);
  const began = performance.now();
  for (let from = 0; from < calls.length; from += 100) {
    const some = calls.slice(from, from + 100).map((call, id) => ({ jsonrpc: "2.0", id, ...call }));
    const headers = { "content-type": "application/json" };
    await (await fetch(mirror.url, { method: "POST", headers, body: JSON.stringify(some) })).json();
  }
  const each = calls.length / blocksOfLook(kind);
  return told([
    `${kind.name}, each address by itself`,
    count.toLocaleString("en"),
    each.toFixed(0),
    (each / 100).toFixed(0),
    (each / finality[kind.name].blockSeconds).toFixed(0),
    (performance.now() - began).toFixed(0),
  ]);
}

const told = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
