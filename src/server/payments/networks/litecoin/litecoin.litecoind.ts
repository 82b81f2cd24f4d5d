// Reads litecoind by JSON-RPC, without a wallet or a transaction index.
import { z } from "zod/mini";
import { readCoins } from "../../payments.terms.ts";
import { feeBlocks, Hex, type Output, type Source } from "./litecoin.source.ts";
import { type Node, NodeTrouble, plainDecimal } from "../nodes/nodes.ts";

/** RPC_INVALID_ADDRESS_OR_KEY of Bitcoin Core's rpc/protocol.h; also an unknown transaction or block. */
const unknown = -5;

// Numbers with a fraction come as the text that was sent.
const Coins = z.union([z.string(), z.number(), z.bigint()]);
const Script = z.object({ hex: Hex });
const Hash = Hex;

// Outputs in extension blocks (MWEB) have neither number nor script: they cannot be ours.
const Transaction = z.object({
  txid: Hash,
  vin: z.nullish(z.array(z.object({ coinbase: z.nullish(z.string()) }))),
  vout: z.array(
    z.object({ n: z.optional(z.int()), value: z.optional(Coins), scriptPubKey: z.optional(Script) }),
  ),
});
const Header = z.object({
  hash: Hash,
  height: z.int(),
  time: z.int(),
  previousblockhash: z.optional(Hash),
});
const FullBlock = z.extend(Header, { tx: z.array(Transaction) });
const Unspent = z.object({
  bestblock: z.optional(Hash),
  confirmations: z.int(),
  value: Coins,
  scriptPubKey: Script,
  coinbase: z.nullish(z.boolean()),
});
const Spent = z.extend(Transaction, {
  confirmations: z.optional(z.int()),
  in_active_chain: z.optional(z.boolean()),
  blockhash: z.optional(Hash),
});
// A node that has seen few transactions tells none.
const Estimate = z.object({ feerate: z.optional(Coins) });

export function litecoindSource(node: Node): Source {
  return {
    tip: async () => blockOf(await node.rpc(Header, "getblockheader", [await bestHash(node)])),
    hashes: (from, to) => {
      const heights = Array.from({ length: Number(to - from) + 1 }, (_one, place) => Number(from) + place);
      const calls = heights.map((height) => ({ method: "getblockhash", params: [height] }));
      return node.rpcAll(Hash, calls);
    },
    block: async (hash) => {
      const block = await node.rpc(FullBlock, "getblock", [hash, 2]);
      return {
        block: blockOf(block),
        previous: block.previousblockhash,
        outputs: block.tx.flatMap(outputsOf),
      };
    },
    mempool: () => node.rpc(z.array(Hash), "getrawmempool", []),
    waiting: async (txid) => {
      const tx = await unlessUnknown(node.rpc(Transaction, "getrawtransaction", [txid, true]));
      return tx && outputsOf(tx);
    },
    outputs: (txid) => outputsIn(node, txid),
    find: (transfer) => find(node, transfer),
    feeRate: async () => {
      const { feerate } = await node.rpc(Estimate, "estimatesmartfee", [feeBlocks]);
      return feerate === undefined ? undefined : readCoins(plainDecimal(String(feerate)), "ltc");
    },
  };
}

const bestHash = (node: Node) => node.rpc(Hash, "getbestblockhash", []);

async function unlessUnknown<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (fault) {
    if (fault instanceof NodeTrouble && fault.code === unknown) return undefined;
    throw fault;
  }
}

/** A pruned node can prove an unspent output; a spent one is found in its block. */
async function find(
  node: Node,
  { txid, index, address, block }: Parameters<Source["find"]>[0],
): ReturnType<Source["find"]> {
  const number = Number(index);
  const unspent = await node.rpc(z.nullable(Unspent), "gettxout", [txid, number, true]);
  if (unspent) {
    const { confirmations, value, scriptPubKey, coinbase: isMined } = unspent;
    const script = scriptPubKey.hex;
    const output = { txid, number, script, amount: amountOf(value), isMined: isMined === true };
    return output.script === address ? { output, confirmations } : undefined;
  }
  const where = block ? [block.hash] : [];
  const transaction = await unlessUnknown(node.rpc(Spent, "getrawtransaction", [txid, true, ...where]));
  if (!transaction || transaction.in_active_chain === false) return undefined;
  const output = outputsOf(transaction).find((one) => one.number === number && one.script === address);
  return output && { output, confirmations: transaction.confirmations ?? 0 };
}

const headerOf = async (node: Node, hash: string) =>
  blockOf(await node.rpc(Header, "getblockheader", [hash]));

// A payment has two outputs; a wallet that pays many at once has more.
const outputsMax = 50;

/** Without an index of transactions a node knows those that wait, and of the others the outputs that are not spent. */
async function outputsIn(node: Node, txid: string): ReturnType<Source["outputs"]> {
  const transaction = await unlessUnknown(node.rpc(Spent, "getrawtransaction", [txid, true]));
  if (transaction) {
    const block = transaction.blockhash === undefined ? null : await headerOf(node, transaction.blockhash);
    return { outputs: outputsOf(transaction), block };
  }
  const numbers = Array.from({ length: outputsMax }, (_one, number) => number);
  const calls = numbers.map((number) => ({ method: "gettxout", params: [txid, number, false] }));
  const unspent = await node.rpcAll(z.nullable(Unspent), calls);
  const outputs = unspent.flatMap((one, number): Output[] => {
    if (!one) return [];
    const { value, scriptPubKey, coinbase } = one;
    return [{ txid, number, script: scriptPubKey.hex, amount: amountOf(value), isMined: coinbase === true }];
  });
  const any = unspent.find((one) => one !== null);
  if (any?.bestblock === undefined) return undefined;
  const best = await headerOf(node, any.bestblock);
  const [hash = ""] = await node.rpcAll(Hash, [
    { method: "getblockhash", params: [Number(best.height) - any.confirmations + 1] },
  ]);
  return { outputs, block: await headerOf(node, hash) };
}

function blockOf({ height, hash, time }: z.infer<typeof Header>) {
  return { height: BigInt(height), hash, at: new Date(time * 1000) };
}

function outputsOf({ txid, vin, vout }: z.infer<typeof Transaction>): Output[] {
  const isMined = vin?.some(({ coinbase }) => typeof coinbase === "string") ?? false;
  return vout.flatMap(({ n: number, value, scriptPubKey }) =>
    number === undefined || value === undefined || scriptPubKey === undefined
      ? []
      : [{ txid, number, script: scriptPubKey.hex, amount: amountOf(value), isMined }],
  );
}

const amountOf = (value: z.infer<typeof Coins>) => readCoins(plainDecimal(String(value)), "ltc");
