// Searches the chain for what came to one address: asked when its balance rose and no transfer that was read explains that.
import { most } from "../../../platform/bigints.ts";
import { heightBefore } from "../height.ts";
import type { ChainTransfer } from "../network.ts";
import type { Node } from "../nodes/nodes.ts";
import { isForgotten, riseTransfer, risen } from "./evm.coins.ts";
import { markOf } from "./evm.cursor.ts";
import { freshTip, lagOf, type ReadingParts } from "./evm.reading.ts";
import { headAt } from "./evm.rpc.ts";
import { tokenTransfers } from "./evm.tokens.ts";

// Nodes without an archive know the balances of the last 128 blocks.
const rememberedBlocks = 100n;

/** Token events, and rises of the coin that are deep enough to be credited. Names are those of the reading: nothing counts twice. */
export async function searchOf(
  node: Node,
  parts: ReadingParts,
  { address, since }: { address: string; since: Date },
): Promise<ChainTransfer[]> {
  const { chain, tokens, leastDepth } = parts;
  const tip = (await freshTip(node, parts)).number;
  const ours = new Set([address]);
  const timeOf = async (height: bigint) => new Date(Number((await headAt(node, height)).timestamp) * 1000);
  const first = await heightBefore(timeOf, since, tip);
  const last = await headAt(node, most(tip - lagOf(parts), 0n));
  const sent = await tokenTransfers(node, { chain, tokens, ours, first, last, reported: new Set() });
  const deep = tip - BigInt(leastDepth) + 1n;
  const coins = deep > first ? await coinsBetween(node, parts, { ours, first, deep }) : [];
  return [...sent.transfers, ...coins];
}

async function coinsBetween(
  node: Node,
  { chain }: ReadingParts,
  { ours, first, deep }: { ours: ReadonlySet<string>; first: bigint; deep: bigint },
): Promise<ChainTransfer[]> {
  const last = await headAt(node, deep);
  const starts = [first, deep - rememberedBlocks].filter((start) => start >= first);
  for (const start of starts) {
    const from = markOf(await headAt(node, start));
    try {
      const { transfers, rises } = await risen(node, { chain, ours, from, last, known: undefined });
      return [...transfers, ...rises.map((rise) => riseTransfer(chain, rise))];
    } catch (fault) {
      if (!isForgotten(fault)) throw fault;
    }
  }
  return [];
}
