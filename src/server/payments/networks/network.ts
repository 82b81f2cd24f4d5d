import type { CurrencyId } from "../../../contract/currencies.ts";
import type { ChainConfig } from "../../platform/config/config.ts";
import type { Log } from "../../platform/log.ts";
import type { Usd } from "../../platform/money.ts";
import type { ChainName } from "../payments.terms.ts";
import type { Wallet } from "../wallets/wallets.ts";
import type { Token } from "./identity.ts";
import type { NodeHealth } from "./nodes/nodes.ts";

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
  /** Who sent it, in the canonical spelling, where the chain says it of one sender. */
  readonly from?: string;
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
  /**
   * How many blocks below the tip the reading ended, after an outage: there is more to read at once, and until then nothing
   * expires. Left out at the tip.
   */
  readonly behind?: bigint;
}

/**
 * What the chain says of one transfer now. `isFinal`: it can no longer go, by the rule of its chain. `depth`: how many blocks
 * confirm it and how many make it final, for the eyes of who waits; a chain that counts none leaves it out.
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
 * Which of our addresses: those where money is expected now, those of payments that ended within the last week, and within the
 * last month. Nobody looks at older ones.
 */
export type WatchClass = "open" | "week" | "month";

/** How often each class needs a poll where a poll costs a request for each address. */
export const watchEverySeconds: Readonly<Record<WatchClass, number>> = {
  open: 0,
  week: 5 * 60,
  month: 6 * 60 * 60,
};

/** Gives our addresses, of one class or all of them. */
export type Watched = (which?: WatchClass) => Promise<ReadonlySet<string>>;

/** What the watcher of one chain is made of. */
export interface ChainParts {
  readonly config: ChainConfig;
  readonly wallet: Wallet;
  readonly log: Log;
  readonly clock: () => Date;
  /** In place of those of the list of currencies. */
  readonly tokens?: readonly Token[];
}

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
  /**
   * Another program makes its addresses, a new one each time and only with the dollars that are asked for: no restore of
   * our database gives one twice, so nobody asks which were used.
   */
  readonly isElsewhere?: boolean;
  /**
   * The address number `index` of the family, for people and in the one spelling that transfers are compared with. A payment
   * says how many `dollars` it asks for. Throws NodeTrouble where another program makes addresses and does not now.
   */
  address(
    currency: CurrencyId,
    index: bigint,
    dollars?: Usd,
  ): Promise<{ address: string; canonical: string }>;
  /**
   * What happened at our addresses since the cursor; null reads from where payments can first have been. `watched` gives
   * the addresses: call it once the end of the reading is known, so that an address given away meanwhile is among them.
   * A chain that must be asked for each address by itself asks by class, and keeps in its cursor up to when it read each.
   */
  transfers(since: string | null, watched: Watched, signal: AbortSignal): Promise<Reading>;
  /** Looks at one transfer again, right before it is credited. */
  verify(transfer: ChainTransfer, signal: AbortSignal): Promise<Verification>;
  /**
   * What ever came to a canonical address, told by another way than `transfers`: asked before a payment expires. Undefined
   * where the node in use has no other way.
   */
  balance?(currency: CurrencyId, address: string, signal: AbortSignal): Promise<bigint | undefined>;
  /**
   * Which of these canonical addresses (of its first currency) ever got or sent anything, in any of its coins: asked once,
   * before the first address is given away. Without it `balance` is asked, which does not know what was spent.
   */
  used?(addresses: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Asks, before anything is sold, whether the nodes are of the chain and know the tokens that the settings name. */
  check?(signal: AbortSignal): Promise<void>;
  /** How its nodes are doing, for the operator. */
  health?(): readonly NodeHealth[];
}
