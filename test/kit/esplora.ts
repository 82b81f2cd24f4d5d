import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Litecoind } from "./litecoind.ts";

/** Esplora's HTTP API (Blockstream/esplora) over a litecoind. */
export interface Esplora {
  readonly url: string;
  readonly calls: () => number;
  isDown: boolean;
  lag: number;
  /** While true pages of a block's transactions come empty. */
  isEmpty: boolean;
  close(): Promise<void>;
}

interface Tx {
  readonly txid: string;
  readonly vout: readonly { n?: number; value?: number; scriptPubKey?: { hex: string } }[];
}
interface FullBlock {
  readonly hash: string;
  readonly height: number;
  readonly time: number;
  readonly previousblockhash?: string;
  readonly tx: readonly Tx[];
}
/** A transaction and its block, if any. */
interface Placed {
  readonly tx: Tx;
  readonly block?: FullBlock;
}

const pageOfBlocks = 10;
const pageOfTransactions = 25;

export async function startEsplora(node: Litecoind): Promise<Esplora> {
  let calls = 0;
  const chain = chainOf(node, () => esplora.lag);
  const server = createServer((request, response) => {
    calls++;
    if (esplora.isDown) return void response.writeHead(503).end("unavailable");
    if (esplora.isEmpty && request.url?.includes("/txs/")) return send(response, []);
    answer(chain, request.url ?? "").then(
      (said) => send(response, said),
      (fault: unknown) => response.writeHead(500).end(String(fault)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const esplora: Esplora = {
    url: `http://127.0.0.1:${port}/api`,
    calls: () => calls,
    isDown: false,
    lag: 0,
    isEmpty: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return esplora;
}

function send(response: ServerResponse, said: unknown): void {
  if (said === undefined) response.writeHead(404).end("not found");
  else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(said));
}

type Chain = ReturnType<typeof chainOf>;

function chainOf(node: Litecoind, lag: () => number) {
  const blocks = new Map<string, FullBlock>();
  const block = async (hash: string) => {
    const found = blocks.get(hash) ?? (await node.rpc<FullBlock>("getblock", hash, 2));
    blocks.set(hash, found);
    return found;
  };
  const at = async (height: number) => block(await node.rpc<string>("getblockhash", height));
  const tip = async () => (await node.rpc<number>("getblockcount")) - lag();
  // One after the other: litecoind queues sixteen calls.
  const below = async (from: number, count: number) => {
    const found: FullBlock[] = [];
    for (let height = from; height >= 0 && found.length < count; height--) found.push(await at(height));
    return found;
  };
  const waiting = async () => {
    const found: Tx[] = [];
    for (const txid of await node.rpc<string[]>("getrawmempool"))
      found.push(await node.rpc<Tx>("getrawtransaction", txid, true));
    return found;
  };
  let read: { hash: string; mined: Placed[] } | undefined;
  /** All transactions: a test chain is short, and cached by tip. */
  const all = async (): Promise<Placed[]> => {
    const height = await tip();
    const hash = await node.rpc<string>("getblockhash", height);
    if (read?.hash !== hash) {
      const blocks = await below(height, height + 1);
      read = { hash, mined: blocks.flatMap((one) => one.tx.map((tx) => ({ tx, block: one }))) };
    }
    return [...(await waiting()).map((tx) => ({ tx })), ...read.mined];
  };
  const scriptOf = async (address: string) =>
    (await node.rpc<{ scriptPubKey: string }>("validateaddress", address)).scriptPubKey;
  return { block, tip, below, waiting, all, scriptOf };
}

async function answer(chain: Chain, url: string): Promise<unknown> {
  const [what = "", ...rest] = url.slice("/api/".length).split("/");
  const [first = "", second, from = "0"] = rest;
  if (what === "blocks") {
    const from = Math.min(first === "" ? Infinity : Number(first), await chain.tip());
    return (await chain.below(from, pageOfBlocks)).map(header);
  }
  if (what === "block") {
    const block = await chain.block(first);
    if (second !== "txs") return header(block);
    const page = block.tx.slice(Number(from), Number(from) + pageOfTransactions);
    return page.map((tx) => transaction({ tx, block }));
  }
  // Litoshi for each virtual byte, by how many blocks one waits.
  if (what === "fee-estimates") return { 1: 20, 2: 12.5, 6: 1.001 };
  if (what === "mempool") return (await chain.waiting()).map(({ txid }) => txid);
  if (what === "tx") {
    const found = (await chain.all()).find(({ tx }) => tx.txid === first);
    return found && transaction(found);
  }
  return what === "address" ? account(await chain.all(), await chain.scriptOf(first)) : undefined;
}

const header = ({ hash, height, time, previousblockhash, tx }: FullBlock) => ({
  id: hash,
  height,
  timestamp: time,
  tx_count: tx.length,
  previousblockhash: previousblockhash ?? null,
});

const units = (value = 0) => Math.round(value * 1e8);

const transaction = ({ tx, block }: Placed) => ({
  txid: tx.txid,
  vout: tx.vout.map(({ value, scriptPubKey }) => ({ scriptpubkey: scriptPubKey?.hex, value: units(value) })),
  status: block
    ? { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time }
    : { confirmed: false },
});

function account(all: readonly Placed[], script: string) {
  const sum = (some: readonly Placed[]) =>
    some
      .flatMap(({ tx }) => tx.vout)
      .filter(({ scriptPubKey }) => scriptPubKey?.hex === script)
      .reduce((total, { value }) => total + units(value), 0);
  return {
    chain_stats: { funded_txo_sum: sum(all.filter(({ block }) => block)) },
    mempool_stats: { funded_txo_sum: sum(all.filter(({ block }) => !block)) },
  };
}
