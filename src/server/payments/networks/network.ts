import type { CurrencyId } from "../../../contract/currencies.ts";
import type { ChainConfig } from "../../platform/config/config.ts";
import type { Log } from "../../platform/log.ts";
import type { Usd } from "../../platform/money.ts";
import type { ChainName } from "../payments.terms.ts";
import type { Wallet } from "../wallets/wallets.ts";
import type { Token } from "./identity.ts";
import type { NodeHealth } from "./nodes/nodes.ts";

export interface Block {
  readonly height: bigint;
  readonly hash: string;
  readonly at: Date;
}

/** What a chain shows at one of our addresses. (chain, txid, index) is unique for ever: it is credited once. */
export interface ChainTransfer {
  readonly chain: ChainName;
  readonly txid: string;
  /** The part of the transaction: the ordinal of the log in it, an output number, or "native". */
  readonly index: string;
  readonly currency: CurrencyId;
  /** In the canonical spelling, as `address` gave it. */
  readonly address: string;
  /** Smallest units. */
  readonly amount: bigint;
  /** The sender in the canonical spelling, where the chain has one. */
  readonly from?: string;
  /** Null while it waits in the mempool. */
  readonly block: Block | null;
}

export interface Reading {
  /** Where the next reading goes on. */
  readonly cursor: string;
  readonly tip: Block;
  readonly transfers: readonly ChainTransfer[];
  /** The chain changed above this height: transfers there must be verified again. */
  readonly reorganisedAbove?: bigint;
  /**
   * Blocks between the end of the reading and the tip, after an outage: nothing expires until they are read. Left out at the tip.
   */
  readonly behind?: bigint;
}

/**
 * What the chain says of a transfer now. `isFinal`: by the rule of its chain. `depth`: confirmations now and wanted, where the
 * chain counts them.
 */
export type Verification =
  | { readonly found: false }
  | {
      readonly found: true;
      readonly amount: bigint;
      readonly isFinal: boolean;
      readonly depth?: { readonly now: number; readonly wanted: number };
    };

/**
 * Addresses with open payments, with payments that ended within the last week, or within the last month. Older ones are not
 * watched.
 */
export type WatchClass = "open" | "week" | "month";

/** Seconds between polls of each class, where a poll costs a request per address. */
export const watchEverySeconds: Readonly<Record<WatchClass, number>> = {
  open: 0,
  week: 5 * 60,
  month: 6 * 60 * 60,
};

/** Gives our addresses, of one class or of all. */
export type Watched = (which?: WatchClass) => Promise<ReadonlySet<string>>;

export interface ChainParts {
  readonly config: ChainConfig;
  readonly wallet: Wallet;
  readonly log: Log;
  readonly clock: () => Date;
  /** Replaces the tokens of the list of currencies. */
  readonly tokens?: readonly Token[];
}

/**
 * One chain: addresses made from public keys, and the transfers to them. No private key, no sending. Every function throws when
 * the node fails, lags or is of another chain: "nothing" never means "unknown", because on "nothing" a payment expires.
 */
export interface Network {
  readonly name: ChainName;
  readonly currencies: readonly CurrencyId[];
  /** Chains of one family share keys, and so the counter of addresses. */
  readonly family: string;
  readonly isSandbox: boolean;
  readonly pollSeconds: number;
  /** Another program makes a fresh address for each payment, so no restore of our database repeats one. */
  readonly isElsewhere?: boolean;
  /**
   * Address `index` of the family, as shown and in the canonical spelling. Throws NodeTrouble where another program makes
   * addresses and fails.
   */
  address(
    currency: CurrencyId,
    index: bigint,
    dollars?: Usd,
  ): Promise<{ address: string; canonical: string }>;
  /**
   * Transfers since the cursor; null starts where payments can first have been. Call `watched` once the end of the reading is
   * known, so that an address issued meanwhile is included. A chain polled by address asks by class, and keeps its progress in
   * the cursor.
   */
  transfers(since: string | null, watched: Watched, signal: AbortSignal): Promise<Reading>;
  /** Verifies one transfer right before it is credited. */
  verify(transfer: ChainTransfer, signal: AbortSignal): Promise<Verification>;
  /**
   * Everything received by a canonical address, by another way than `transfers`; asked before a payment expires. Undefined where
   * the node has no other way.
   */
  balance?(currency: CurrencyId, address: string, signal: AbortSignal): Promise<bigint | undefined>;
  /**
   * Which of these canonical addresses were ever used, in any coin; asked before the first address is issued. Without it
   * `balance` is asked, which misses spent coins.
   */
  used?(addresses: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Checks before any sale that the nodes are of the chain and know the tokens of the settings. */
  check?(signal: AbortSignal): Promise<void>;
  health?(): readonly NodeHealth[];
}
