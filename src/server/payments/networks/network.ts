import type { CurrencyId } from "../../../contract/currencies.ts";
import type { ChainName } from "../payments.terms.ts";

/** A place in a chain. */
export interface Block {
  readonly height: bigint;
  readonly hash: string;
  readonly at: Date;
}

/** What a chain shows at one of our addresses. (chain, txid, index) is its name for ever: it is credited once by it. */
export interface ChainTransfer {
  readonly chain: ChainName;
  readonly txid: string;
  /** Which part of the transaction: the ordinal of the log inside it, an output number, or "native". */
  readonly index: string;
  readonly currency: CurrencyId;
  /** The canonical spelling, as `address` gave it. */
  readonly address: string;
  /** Smallest units. */
  readonly amount: bigint;
  /** Null while it waits in the mempool. */
  readonly block: Block | null;
}

export interface Reading {
  /** Where the next reading goes on. */
  readonly cursor: string;
  readonly tip: Block;
  readonly transfers: readonly ChainTransfer[];
  /** The chain changed above this height: what was seen there must be verified again. */
  readonly reorganisedAbove?: bigint;
}

/** What the chain says of one transfer now. `isFinal`: it can no longer go, by the rule of its chain. */
export type Verification =
  | { readonly found: false }
  | { readonly found: true; readonly amount: bigint; readonly isFinal: boolean };

/**
 * One chain as the shop sees it: addresses made from public keys, and what arrives at them. No private key, no sending.
 * Every function throws when the node is in trouble, lags behind or is of another chain: "nothing" is never said for
 * "don't know", because on "nothing" a payment expires.
 */
export interface Network {
  readonly name: ChainName;
  readonly currencies: readonly CurrencyId[];
  /** The key family: chains of one family share keys, and so the counter of addresses. */
  readonly family: string;
  readonly isSandbox: boolean;
  readonly pollSeconds: number;
  /** The address number `index` of the family, for people and in the one spelling that transfers are compared with. */
  address(currency: CurrencyId, index: bigint): Promise<{ address: string; canonical: string }>;
  /**
   * What happened at our addresses since the cursor; null reads from where payments can first have been. `watched` gives
   * the addresses: call it once the end of the reading is known, so that an address given away meanwhile is among them.
   */
  transfers(
    since: string | null,
    watched: () => Promise<ReadonlySet<string>>,
    signal: AbortSignal,
  ): Promise<Reading>;
  /** Looks at one transfer again, right before it is credited. */
  verify(transfer: ChainTransfer, signal: AbortSignal): Promise<Verification>;
  /** What ever came to a canonical address, told by another way than `transfers`: asked before a payment expires. */
  balance?(currency: CurrencyId, address: string, signal: AbortSignal): Promise<bigint>;
}
