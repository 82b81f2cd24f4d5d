// What the operator pays from a wallet of their own: to which address, how many coins, and whether a transaction does it.
import type { Currency, CurrencyId } from "../../../contract/currencies.ts";
import type { Db } from "../../platform/db/db.ts";
import type { Usd } from "../../platform/money.ts";
import type { ChainTransfer, Network } from "../networks/network.ts";
import { NodeTrouble } from "../networks/nodes/nodes.ts";
import { needOf } from "../payments.finality.ts";
import { coinsFor, currencyOf } from "../payments.terms.ts";
import type { Rates } from "../rates/rates.ts";
import { selectIsOwn } from "./payouts.sql.ts";
import { recipientOn, transactionOn } from "./recipients.ts";

export interface Payee {
  readonly currency: Currency;
  readonly address: string;
  readonly canonical: string;
}

export interface Quote {
  /** Smallest units. */
  readonly units: bigint;
  readonly rate: Usd;
}

/** A transaction that should pay so many units to an address. */
export interface Sought {
  readonly currency: CurrencyId;
  readonly txid: string;
  readonly canonical: string;
  readonly units: bigint;
  readonly usd: Usd;
}

/** "unwatched": the shop cannot ask this chain. */
export type Verdict =
  | "unwatched"
  | "unknown transaction"
  | "wrong recipient"
  | "wrong coin"
  | { readonly tooLittle: bigint }
  | "pending"
  | "final";

export interface Payouts {
  /** The currencies that a payout can be in now, with their rates. */
  offers(): Promise<{ readonly currency: Currency; readonly rate: Usd }[]>;
  /** Reads the address of a payee. "wallet": the shop does not sell this currency. "own address": payments to the shop come there. */
  payee(wallet: string, address: string): Promise<Payee | "wallet" | "address" | "own address">;
  /** What dollars buy now. */
  quote(currency: CurrencyId, dollars: Usd): Promise<Quote | "no rate">;
  /** The id of a transaction of the currency's chain, as nodes write it. */
  transactionOf(currency: CurrencyId, text: string): string | undefined;
  /** Asks the chain about a transaction. Throws NodeTrouble while no node answers: that says nothing of the transaction. */
  look(sought: Sought, signal: AbortSignal): Promise<Verdict>;
}

interface Parts {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly rates: Rates;
}

/** Whether a fault is that of the nodes of a chain. */
export const isOutage = (fault: unknown): fault is Error => fault instanceof NodeTrouble;

export function openPayouts({ db, networks, rates }: Parts): Payouts {
  const networkOf = (id: CurrencyId) => networks.find(({ currencies }) => currencies.includes(id));
  return {
    offers: async () => {
      const served = [...new Set(networks.flatMap(({ currencies }) => currencies))];
      const found = served.map(async (id) => {
        const rate = await rates.rateOf(id);
        const currency = currencyOf(id);
        return rate && currency ? [{ currency, rate: rate.usd }] : [];
      });
      return (await Promise.all(found)).flat();
    },
    payee: async (wallet, address) => {
      const currency = currencyOf(wallet);
      const network = currency && networkOf(currency.id);
      if (!currency || !network) return "wallet";
      const canonical = recipientOn(currency.chain, address, await firstOf(network, currency.id));
      if (canonical === undefined) return "address";
      const { isOwn } = await selectIsOwn(db, { address, canonical });
      return isOwn ? "own address" : { currency, address, canonical };
    },
    quote: async (id, dollars) => {
      const rate = await rates.rateOf(id);
      return rate ? { units: coinsFor(dollars, rate.usd, id), rate: rate.usd } : "no rate";
    },
    transactionOf: (id, text) => {
      // Play money is sent by nobody.
      if (networkOf(id)?.isSandbox === true) return text;
      const currency = currencyOf(id);
      return currency && transactionOn(currency.chain, text);
    },
    look: async (sought, signal) => {
      const network = networkOf(sought.currency);
      return network?.paid ? look(network, sought, signal) : "unwatched";
    },
  };
}

/** The first address of the wallet on the chain; undefined where another program makes a new one each time, and for play money. */
async function firstOf(network: Network, currency: CurrencyId): Promise<string | undefined> {
  if (network.isElsewhere === true || network.isSandbox) return undefined;
  return (await network.address(currency, 0n)).address;
}

async function look(network: Network, sought: Sought, signal: AbortSignal): Promise<Verdict> {
  const { txid, canonical, currency, units, usd } = sought;
  const paid = await network.paid?.(txid, canonical, signal);
  if (paid === undefined || paid === "unknown") return "unknown transaction";
  if (paid === "pending") return "pending";
  if (paid.length === 0) return "wrong recipient";
  const ours = paid.filter((one) => one.currency === currency);
  if (ours.length === 0) return "wrong coin";
  const sum = ours.reduce((total, { amount }) => total + amount, 0n);
  if (sum < units) return { tooLittle: sum };
  return (await areFinal(network, ours, { units, usd, signal })) ? "final" : "pending";
}

/** `verify` has the last word: where there is a second node, it is asked, too. */
async function areFinal(
  network: Network,
  transfers: readonly ChainTransfer[],
  { units, usd, signal }: { units: bigint; usd: Usd; signal: AbortSignal },
): Promise<boolean> {
  let sure = 0n;
  for (const transfer of transfers) {
    if (transfer.block === null) continue;
    const verified = await network.verify(transfer, needOf(network, usd), signal);
    if (verified.found && verified.isFinal) sure += verified.amount;
  }
  return sure >= units;
}
