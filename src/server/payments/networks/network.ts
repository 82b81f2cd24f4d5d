import type { CurrencyId } from "../../../contract/currencies.ts";
import type { ChainConfig } from "../../platform/config/config.ts";
import type { Log } from "../../platform/log.ts";
import type { Usd } from "../../platform/money.ts";
import type { Need } from "../payments.finality.ts";
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
  readonly cursor: string;
  readonly tip: Block;
  readonly transfers: readonly ChainTransfer[];
  /** The chain changed above this height: transfers there must be verified again. */
  readonly reorganisedAbove?: bigint;
  /** Blocks from the end of the reading to the tip; nothing expires until they are read. Left out at the tip. */
  readonly behind?: bigint;
}

/** The state of a transfer. `isFinal`: it has what it needs. `depth`: where the chain counts confirmations. */
export type Verification =
  | { readonly found: false }
  | {
      readonly found: true;
      readonly amount: bigint;
      readonly isFinal: boolean;
      readonly depth?: { readonly now: number; readonly wanted: number };
    };

/** Addresses of open payments, and of those that ended within a week or a month. Older ones are not watched. */
export type WatchClass = "open" | "week" | "month";

/** Seconds between polls of each class, where a poll costs a request per address. */
export const watchEverySeconds: Readonly<Record<WatchClass, number>> = {
  open: 0,
  week: 5 * 60,
  month: 6 * 60 * 60,
};

export type Watched = (which?: WatchClass) => Promise<ReadonlySet<string>>;

export interface ChainParts {
  readonly config: ChainConfig;
  readonly wallet: Wallet;
  readonly log: Log;
  readonly clock: () => Date;
  readonly tokens?: readonly Token[];
}

/** One chain, without private keys. Functions throw when the node fails or lags: on "nothing" a payment expires. */
export interface Network {
  readonly name: ChainName;
  readonly currencies: readonly CurrencyId[];
  /** Chains of one family share keys, and so the counter of addresses. */
  readonly family: string;
  readonly isSandbox: boolean;
  readonly pollSeconds: number;
  /** Another program makes a fresh address for each payment, so a restore repeats none. */
  readonly isElsewhere?: boolean;
  /** The address `index` of the family, shown and canonical. Throws NodeTrouble where another program fails to make it. */
  address(
    currency: CurrencyId,
    index: bigint,
    dollars?: Usd,
  ): Promise<{ address: string; canonical: string }>;
  /**
   * Transfers since the cursor (null: from the first payments). Call `watched` once the end of the reading is known, so that an
   * address issued meanwhile is included. A chain polled by address asks by class.
   */
  transfers(since: string | null, watched: Watched, signal: AbortSignal): Promise<Reading>;
  /**
   * What a transaction pays to anybody's address (in the canonical spelling), in each coin of the chain, as `verify` takes it. "unknown": no
   * node shows the transaction; "pending": it is in no block. Left out where the shop watches no chain itself.
   */
  paid?(
    txid: string,
    to: string,
    signal: AbortSignal,
  ): Promise<readonly ChainTransfer[] | "unknown" | "pending">;
  verify(transfer: ChainTransfer, need: Need, signal: AbortSignal): Promise<Verification>;
  /**
   * What stands at addresses, or all that ever came where the node counts that, in their order: by other calls than `transfers`, and
   * by another node where there is one. Undefined where the nodes know no balances.
   */
  balances?(
    currency: CurrencyId,
    addresses: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly bigint[] | undefined>;
  /** How many addresses `balances` answers with a few calls; 1 without it. */
  readonly balancesAtOnce?: number;
  /** Searches the chain for the transfers to one address since a time, without the cursor of `transfers`. */
  search?(address: string, since: Date, signal: AbortSignal): Promise<readonly ChainTransfer[]>;
  /** Which addresses were ever used; asked before the first one is issued. Without it, `balances` misses spent coins. */
  used?(addresses: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>>;
  /** Checks before any sale that the nodes are of the chain and know the tokens of the settings. */
  check?(signal: AbortSignal): Promise<void>;
  health?(): readonly NodeHealth[];
  /** Blocks by the settings, in place of the rules of payments.finality.ts. */
  readonly confirmations?: number | undefined;
  /** What a transfer to a fresh address costs its sender now, by the nodes. Undefined where they do not tell. */
  fee?(currency: CurrencyId, signal: AbortSignal): Promise<Fee | undefined>;
}

/** Smallest units of the chain's own coin. */
export interface Fee {
  readonly units: bigint;
  readonly coin: CurrencyId;
}
