// Reads Esplora's REST interface (electrs and compatible explorers), which knows addresses; litecoind does not.
import { z } from "zod/mini";
import { feeBlocks, Hex, type Output, type Source } from "./litecoin.source.ts";
import { type Node, NodeTrouble } from "../nodes/nodes.ts";

const pageSize = 25;

// A value that is unknown or too large for a number comes as a bigint.
const Units = z.pipe(
  z.union([z.int(), z.bigint()]),
  z.transform((units: number | bigint) => BigInt(units)),
);
const Header = z.object({
  id: Hex,
  height: z.int(),
  timestamp: z.int(),
  tx_count: z.int(),
  previousblockhash: z.nullish(Hex),
});
const Transaction = z.object({
  txid: Hex,
  vin: z.nullish(z.array(z.object({ is_coinbase: z.nullish(z.boolean()) }))),
  vout: z.array(z.object({ scriptpubkey: z.nullish(Hex), value: z.nullish(Units) })),
  status: z.object({
    confirmed: z.boolean(),
    block_height: z.nullish(z.int()),
    block_hash: z.nullish(Hex),
  }),
});
const Sums = z.object({ funded_txo_sum: Units });
// Per virtual byte by the number of blocks to wait; fractions come as text.
const Estimates = z.record(z.string(), z.union([z.string(), z.int()]));
const Account = z.object({ chain_stats: Sums, mempool_stats: Sums });

export function esploraSource(node: Node): Source {
  const blocksFrom = (height: string) => node.get(z.array(Header), `/blocks${height}`);
  const tip = async () => {
    const [newest] = await blocksFrom("");
    if (!newest) throw new NodeTrouble("it has no blocks");
    return blockOf(newest);
  };
  return {
    tip,
    hashes: async (from, to) => {
      const hashes: string[] = [];
      while (BigInt(hashes.length) <= to - from) {
        const height = to - BigInt(hashes.length);
        const page = await blocksFrom(`/${height}`);
        if (page[0] === undefined || BigInt(page[0].height) !== height)
          throw new NodeTrouble(`it has no block ${height}`);
        hashes.push(...page.map(({ id }) => id));
      }
      return hashes.slice(0, Number(to - from) + 1).toReversed();
    },
    block: async (hash) => {
      const header = await node.get(Header, `/block/${hash}`);
      const outputs: Output[] = [];
      for (let from = 0; from < header.tx_count; from += pageSize) {
        const page = await node.get(z.array(Transaction), `/block/${hash}/txs/${from}`);
        if (page.length < Math.min(pageSize, header.tx_count - from))
          throw new NodeTrouble(
            `it has ${page.length} of ${header.tx_count} transactions from ${from} of ${hash}`,
          );
        outputs.push(...page.flatMap(outputsOf));
      }
      return { block: blockOf(header), previous: header.previousblockhash ?? undefined, outputs };
    },
    mempool: () => node.get(z.array(Hex), "/mempool/txids"),
    waiting: async (txid) => {
      const tx = await transaction(node, txid);
      return tx && outputsOf(tx);
    },
    outputs: (txid) => outputsIn(node, txid),
    find: async ({ txid, index, address }) => {
      const tx = await transaction(node, txid);
      const output = tx && outputsOf(tx).find((one) => String(one.number) === index);
      if (!output || output.script !== address) return undefined;
      const { confirmed, block_height: height } = tx.status;
      if (!confirmed || height === undefined || height === null) return { output, confirmations: 0 };
      return { output, confirmations: Number((await tip()).height) - height + 1 };
    },
    received: async (address) => {
      const { chain_stats: mined, mempool_stats: waiting } = await node.get(Account, `/address/${address}`);
      return mined.funded_txo_sum + waiting.funded_txo_sum;
    },
    feeRate: async () => {
      const rate = (await node.get(Estimates, "/fee-estimates"))[feeBlocks];
      return rate === undefined ? undefined : BigInt(Math.round(Number(rate) * 1000));
    },
  };
}

async function outputsIn(node: Node, txid: string): ReturnType<Source["outputs"]> {
  const tx = await transaction(node, txid);
  if (!tx) return undefined;
  const hash = tx.status.confirmed ? tx.status.block_hash : undefined;
  const block = typeof hash === "string" ? blockOf(await node.get(Header, `/block/${hash}`)) : null;
  return { outputs: outputsOf(tx), block };
}

async function transaction(node: Node, txid: string): Promise<z.infer<typeof Transaction> | undefined> {
  try {
    return await node.get(Transaction, `/tx/${txid}`);
  } catch (fault) {
    if (fault instanceof NodeTrouble && fault.code === 404) return undefined;
    throw fault;
  }
}

function blockOf({ height, id, timestamp }: z.infer<typeof Header>) {
  return { height: BigInt(height), hash: id, at: new Date(timestamp * 1000) };
}

function outputsOf({ txid, vin, vout }: z.infer<typeof Transaction>): Output[] {
  const isMined = vin?.some(({ is_coinbase: isCoinbase }) => isCoinbase === true) ?? false;
  return vout.flatMap(({ scriptpubkey: script, value: amount }, number) =>
    typeof script === "string" ? [{ txid, number, script, amount: amount ?? undefined, isMined }] : [],
  );
}
