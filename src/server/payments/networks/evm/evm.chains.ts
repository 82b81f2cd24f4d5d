// The fixed rules of each EVM chain. Heights and spans are in blocks.
import type { CurrencyId } from "../../../../contract/currencies.ts";

/** The rules of one chain; `confirmations` in the settings replaces its finality. */
export interface EvmChain {
  readonly name: "ethereum" | "bsc";
  /** Its word in the names of settings. */
  readonly setting: "ETH" | "BSC";
  readonly coin: CurrencyId;
  readonly pollSeconds: number;
  readonly blockSeconds: number;
  /** A node whose newest block is older than this has stopped. */
  readonly staleSeconds: number;
  readonly confirmations: number;
  /** From this amount on (smallest units, whole tokens) the block must be `finalized`, however deep it is. */
  readonly finalFrom: { readonly coin: bigint; readonly token: bigint };
  readonly readsBlocks: boolean;
  /** Blocks searched again for tokens at each poll, in case a node behind the address lagged. */
  readonly overlap: bigint;
  readonly logSpan: bigint;
  readonly balanceCalls: number;
}

const ether = 10n ** 18n;

export const evmChains: Readonly<Record<EvmChain["name"], EvmChain>> = {
  ethereum: {
    name: "ethereum",
    setting: "ETH",
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
    setting: "BSC",
    coin: "bep20",
    pollSeconds: 6,
    blockSeconds: 0.45,
    staleSeconds: 60,
    confirmations: 15,
    // Two blocks are final here, so every amount waits for that.
    finalFrom: { coin: 0n, token: 0n },
    readsBlocks: false,
    overlap: 30n,
    logSpan: 200n,
    balanceCalls: 1,
  },
};
