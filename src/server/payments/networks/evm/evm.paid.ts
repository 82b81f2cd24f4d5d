import type { ChainTransfer } from "../network.ts";
import type { Node } from "../nodes/nodes.ts";
import { coinMoved, paidBy } from "./evm.coins.ts";
import { freshTip, type ReadingParts } from "./evm.reading.ts";
import { changed, headsAt, receiptsOf, transactionOf } from "./evm.rpc.ts";
import { transfersIn } from "./evm.tokens.ts";

/**
 * What a transaction pays to an address by itself and by the events of its tokens; what a contract sends of the chain's own coin is in
 * neither. A transaction that failed pays nothing.
 */
export async function paidTo(
  node: Node,
  parts: ReadingParts,
  { txid, to }: { txid: string; to: string },
): Promise<readonly ChainTransfer[] | "unknown" | "pending"> {
  await freshTip(node, parts);
  const transaction = await transactionOf(node, txid);
  const [receipt] = await receiptsOf(node, [txid]);
  if (!transaction && receipt) throw changed();
  if (!transaction) return "unknown";
  if (!receipt) return "pending";
  const [head] = await headsAt(node, [receipt.blockNumber]);
  if (head?.hash !== receipt.blockHash) throw changed();
  const { chain, tokens } = parts;
  const isPaid = transaction.to === to && coinMoved(receipt, transaction) > 0n;
  const own = isPaid ? [paidBy(chain, transaction, head)] : [];
  return [...own, ...transfersIn(receipt, head, { chain, tokens, ours: new Set([to]) })];
}
