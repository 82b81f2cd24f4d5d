import { z } from "zod/mini";
import type { Block, ChainTransfer } from "../network.ts";
import { NodeTrouble } from "../nodes/nodes.ts";

export interface Output {
  readonly txid: string;
  readonly number: number;
  /** Lower-case hexadecimal digits. */
  readonly script: string;
  /** 10⁻⁸ litecoin; undefined when the node does not report it exactly. */
  readonly amount: bigint | undefined;
  /** Made by a miner: it can be spent after a hundred blocks. */
  readonly isMined: boolean;
}

/** Hexadecimal digits, in lower case. */
export const Hex = z.pipe(
  z.string(),
  z.transform((digits: string) => digits.toLowerCase()),
);

/** The blocks to wait for that fees are estimated for. */
export const feeBlocks = 2;

/** A Litecoin node of either kind. Every function throws NodeTrouble. */
export interface Source {
  tip(): Promise<Block>;
  /** The hashes of the best chain between two heights, both included, the lowest first. */
  hashes(from: bigint, to: bigint): Promise<string[]>;
  block(hash: string): Promise<{ block: Block; previous: string | undefined; outputs: Output[] }>;
  mempool(): Promise<string[]>;
  waiting(txid: string): Promise<Output[] | undefined>;
  /** The outputs of a transaction, as far as the node knows them, and its block; null: it waits. Undefined: it knows none. */
  outputs(txid: string): Promise<{ outputs: Output[]; block: Block | null } | undefined>;
  /** An output of the best chain (with its confirmations) or of the mempool. */
  find(transfer: ChainTransfer): Promise<{ output: Output; confirmations: number } | undefined>;
  /** Everything received by an address, 10⁻⁸ litecoin, where the node indexes addresses. */
  received?(address: string): Promise<bigint>;
  /** What a thousand virtual bytes cost to be in one of the next blocks, 10⁻⁸ litecoin. Undefined while unknown. */
  feeRate(): Promise<bigint | undefined>;
}

/** The amount of an output, 10⁻⁸ litecoin. Throws NodeTrouble when the node does not report it exactly. */
export function unitsOf({ txid, number, amount }: Output): bigint {
  if (amount === undefined) throw new NodeTrouble(`it does not say exactly what ${txid}:${number} pays`);
  return amount;
}
