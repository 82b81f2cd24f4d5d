// What is fixed for each chain that speaks as Ethereum does. Heights and spans are in blocks.
import type { CurrencyId } from "../../../../contract/currencies.ts";

/** The rules of one chain; a number in the settings replaces those of its finality. */
export interface EvmChain {
  readonly name: "ethereum" | "bsc";
  readonly coin: CurrencyId;
  readonly pollSeconds: number;
  readonly blockSeconds: number;
  /** A tip older than this is a node that stands still, not a chain without news. */
  readonly staleSeconds: number;
  readonly confirmations: number;
  /** From this amount on, in smallest units or in whole tokens, the chain must have called a block final, however deep it is. */
  readonly finalFrom: { readonly coin: bigint; readonly token: bigint };
  /** Whether every block is read whole; else only those in which the balance of an address of ours rose. */
  readonly readsBlocks: boolean;
  /** How many blocks are asked for tokens once more at each poll, in case a node behind the address had lagged. */
  readonly overlap: bigint;
  /** How many blocks of token transfers are asked for at once. */
  readonly logSpan: bigint;
  /** How many calls for balances a new block may cost. */
  readonly balanceCalls: number;
}

const ether = 10n ** 18n;

export const evmChains: Readonly<Record<EvmChain["name"], EvmChain>> = {
  ethereum: {
    name: "ethereum",
    coin: "eth",
    pollSeconds: 12,
    blockSeconds: 12,
    staleSeconds: 120,
    confirmations: 12,
    finalFrom: { coin: (ether * 2n) / 5n, token: 1000n },
    readsBlocks: true,
    overlap: 12n,
    logSpan: 100n,
    balanceCalls: 2,
  },
  bsc: {
    name: "bsc",
    coin: "bep20",
    // A block each 0.45 s: the blocks themselves would be half a megabyte a second.
    pollSeconds: 6,
    blockSeconds: 0.45,
    staleSeconds: 60,
    confirmations: 15,
    // Final is two blocks away here, so it is asked for every amount.
    finalFrom: { coin: 0n, token: 0n },
    readsBlocks: false,
    overlap: 30n,
    logSpan: 200n,
    balanceCalls: 1,
  },
};
