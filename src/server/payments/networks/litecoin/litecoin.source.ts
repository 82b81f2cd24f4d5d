import type { Block, ChainTransfer } from "../network.ts";
import { NodeTrouble } from "../nodes/nodes.ts";

/** What a transaction pays to a script. */
export interface Output {
  readonly txid: string;
  /** Its number in the transaction. */
  readonly number: number;
  /** The script in lower-case hexadecimal digits. */
  readonly script: string;
  /** 10⁻⁸ litecoin; undefined when the node says it in a way that cannot be read exactly. */
  readonly amount: bigint | undefined;
}

/** A node of Litecoin, whichever way it speaks. Every function throws NodeTrouble. */
export interface Source {
  /** The height of the tip, with its hash and time. */
  tip(): Promise<Block>;
  /** The hashes of the best chain from one height to another, both included, the lowest first. */
  hashes(from: bigint, to: bigint): Promise<string[]>;
  block(hash: string): Promise<{ block: Block; previous: string | undefined; outputs: Output[] }>;
  /** The ids of all transactions that wait for a block. */
  mempool(): Promise<string[]>;
  /** What one of them pays; undefined when it waits no longer, or cannot be told. */
  waiting(txid: string): Promise<Output[] | undefined>;
  /** One output, if it is in the best chain (then with the number of blocks that confirm it) or waits for a block. */
  find(transfer: ChainTransfer): Promise<{ output: Output; confirmations: number } | undefined>;
  /** What ever came to an address, 10⁻⁸ litecoin, where the node keeps account of addresses. */
  received?(address: string): Promise<bigint>;
}

/** The amount of an output, 10⁻⁸ litecoin. Throws NodeTrouble when the node does not say it exactly: a guess would be money. */
export function unitsOf({ txid, number, amount }: Output): bigint {
  if (amount === undefined) throw new NodeTrouble(`it does not say exactly what ${txid}:${number} pays`);
  return amount;
}
