// The fixed rules of each EVM chain. Heights and spans are in blocks.
import type { CurrencyId } from "../../../../contract/currencies.ts";

/** The rules of one chain beside those of payments.finality.ts. */
export interface EvmChain {
  readonly name: "ethereum" | "bsc";
  /** Its word in the names of settings. */
  readonly setting: "ETH" | "BSC";
  readonly coin: CurrencyId;
  readonly pollSeconds: number;
  /** A node whose newest block is older than this has stopped. */
  readonly staleSeconds: number;
  readonly readsBlocks: boolean;
  /** Blocks searched again for tokens at each poll, in case a node behind the address lagged. */
  readonly overlap: bigint;
  readonly logSpan: bigint;
  readonly balanceCalls: number;
}

export const evmChains: Readonly<Record<EvmChain["name"], EvmChain>> = {
  ethereum: {
    name: "ethereum",
    setting: "ETH",
    coin: "eth",
    pollSeconds: 12,
    staleSeconds: 120,
    readsBlocks: true,
    overlap: 12n,
    logSpan: 100n,
    balanceCalls: 2,
  },
  bsc: {
    name: "bsc",
    setting: "BSC",
    coin: "bep20",
    pollSeconds: 6,
    staleSeconds: 60,
    readsBlocks: false,
    overlap: 30n,
    logSpan: 200n,
    balanceCalls: 1,
  },
};
