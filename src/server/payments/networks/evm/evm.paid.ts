import type { ChainTransfer } from "../network.ts";
import type { Node } from "../nodes/nodes.ts";
import { coinMoved, isForgotten, paidBy, risen, riseTransfer } from "./evm.coins.ts";
import { markOf } from "./evm.cursor.ts";
import { freshTip, type ReadingParts } from "./evm.reading.ts";
import { changed, type Head, headAt, type Receipt, receiptsOf, transactionOf } from "./evm.rpc.ts";
import { transfersIn } from "./evm.tokens.ts";

/**
 * What a transaction pays to an address by itself, by the events of its tokens, or, where it is in neither, by a contract. A transaction
 * that failed pays nothing.
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
  const head = await headAt(node, receipt.blockNumber);
  if (head.hash !== receipt.blockHash) throw changed();
  const { chain, tokens } = parts;
  const isPaid = transaction.to === to && coinMoved(receipt, transaction) > 0n;
  const own = isPaid ? [paidBy(chain, transaction, head)] : [];
  const found = [...own, ...transfersIn(receipt, head, { chain, tokens, ours: new Set([to]) })];
  return found.length > 0 || !mayCall(receipt) ? found : paidByContract(node, parts, { head, to });
}

/** What the simplest transaction uses, which calls no contract. */
const plainGas = 21_000n;

const mayCall = ({ status, gasUsed }: Receipt) => status === 1n && gasUsed > plainGas;

/** Of the chain's own coin that contracts send only balances tell: what that of the address rose by in the block, beyond what transactions pay. */
async function paidByContract(
  node: Node,
  { chain }: ReadingParts,
  { head, to }: { head: Head; to: string },
): Promise<readonly ChainTransfer[]> {
  const before = await headAt(node, head.number - 1n);
  try {
    const query = { chain, ours: new Set([to]), from: markOf(before), last: head, known: undefined };
    const { rises } = await risen(node, query);
    return rises.map((rise) => riseTransfer(chain, rise));
  } catch (fault) {
    // A node without an archive knows the balances of some minutes.
    if (isForgotten(fault)) return [];
    throw fault;
  }
}
