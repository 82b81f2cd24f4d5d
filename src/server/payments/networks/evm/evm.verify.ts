import type { EvmChain } from "./evm.chains.ts";
import { coinMoved, isRise } from "./evm.coins.ts";
import type { ReadingParts } from "./evm.reading.ts";
import {
  changed,
  finalHead,
  headAt,
  newestHead,
  type Receipt,
  receiptsOf,
  transactionOf,
} from "./evm.rpc.ts";
import { tokenMoved } from "./evm.tokens.ts";
import type { Need } from "../../payments.finality.ts";
import type { ChainTransfer, Verification } from "../network.ts";
import { type Node, NodeTrouble } from "../nodes/nodes.ts";

/** What this node says of a transfer. Throws NodeTrouble when it contradicts itself or lags behind. */
export async function verify(
  node: Node,
  parts: VerifyParts,
  { transfer, need }: { transfer: ChainTransfer; need: Need },
): Promise<Verification> {
  const stood = transfer.block;
  if (!stood) throw new Error(`the transfer ${transfer.txid} stands in no block`);
  const tip = await newestHead(node);
  if (tip.number < stood.height)
    throw new NodeTrouble(`it lags behind: it has ${tip.number} blocks, but ${stood.height} were read`);
  if (isRise(transfer)) {
    const head = await headAt(node, stood.height);
    if (head.hash !== stood.hash) return { found: false };
    return finality(node, parts, {
      transfer,
      need,
      height: stood.height,
      tip: tip.number,
      amount: transfer.amount,
    });
  }
  const [receipt] = await receiptsOf(node, [transfer.txid]);
  if (!receipt) {
    const head = await headAt(node, stood.height);
    if (head.hash === stood.hash)
      throw new NodeTrouble("it has a block, but not the receipts of its transactions");
    return { found: false };
  }
  const head = await headAt(node, receipt.blockNumber);
  if (head.hash !== receipt.blockHash) throw changed();
  const amount = await movedTo(node, parts, transfer, receipt);
  if (amount === undefined) return { found: false };
  return finality(node, parts, { transfer, need, height: receipt.blockNumber, tip: tip.number, amount });
}

export type VerifyParts = Pick<ReadingParts, "chain" | "tokens" | "remarks">;

async function movedTo(node: Node, { tokens }: VerifyParts, transfer: ChainTransfer, receipt: Receipt) {
  if (transfer.index !== "native") {
    const moved = tokenMoved(receipt, Number(transfer.index), tokens);
    const isSame = moved?.to === transfer.address && moved.currency === transfer.currency;
    return isSame ? moved.amount : undefined;
  }
  const transaction = await transactionOf(node, transfer.txid);
  if (!transaction) throw changed();
  const amount = coinMoved(receipt, transaction);
  return transaction.to === transfer.address && amount > 0n ? amount : undefined;
}

async function finality(
  node: Node,
  { chain, remarks }: VerifyParts,
  seen: { transfer: ChainTransfer; need: Need; height: bigint; tip: bigint; amount: bigint },
): Promise<Verification> {
  const { transfer, need, height, tip, amount } = seen;
  const depth = { now: Number(tip - height) + 1, wanted: Math.max(need.blocks, 1) };
  const isDeep = depth.now >= depth.wanted;
  if (!isDeep || !need.final) return { found: true, amount, isFinal: isDeep, depth };
  // Deep enough but not final: no depth is shown, because a full count would look like a mistake.
  const final = await finalHead(node);
  const isFinal = final !== undefined && final.number >= height;
  if (final === undefined) node.warns(cannotTellFinal(chain));
  if (!isFinal && depth.now >= depth.wanted * overdueTimes)
    remarks.once(
      `not final ${transfer.txid}`,
      {
        node: node.name,
        transfer: transfer.txid,
        blocks: depth.now,
        final: String(final?.number ?? "unknown"),
      },
      `a transfer is ${overdueTimes} times as deep as its chain needs and no node calls it final; ${wayOut(chain)}`,
    );
  return { found: true, amount, isFinal, ...(isFinal ? { depth } : {}) };
}

const overdueTimes = 10;

const wayOut = ({ setting }: EvmChain) =>
  `name another node first in CHAIN_${setting}_URLS, or set CHAIN_${setting}_CONFIRMATIONS`;

/** What the operator is told of a node that does not know what is final. */
export const cannotTellFinal = (chain: EvmChain) =>
  `it cannot tell which blocks are final, so payments stay unconfirmed: ${wayOut(chain)}`;

/** What the operator is told of a node for which the first block alone is final. */
export const nothingFinal = (chain: EvmChain, height: bigint) =>
  `it has ${height} blocks and calls none of them final, so payments stay unconfirmed: ${wayOut(chain)}`;
