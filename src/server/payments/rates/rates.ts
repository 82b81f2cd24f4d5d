// What a coin costs. A payment locks the rate of its moment; late and surplus coins are priced at the present one.
import { currencies, type CurrencyId } from "../../../contract/currencies.ts";
import { type Usd, usd } from "../../platform/money.ts";
import type { Coin, Weighed, Why } from "./rates.agree.ts";

/** The price of one whole coin, and where it was found. */
export interface Rate {
  readonly usd: Usd;
  readonly source: string;
}

/** Where rates come from. Undefined: there is none that can be trusted now, so the currency is not on sale. */
export interface Rates {
  rateOf(currency: CurrencyId): Promise<Rate | undefined>;
  /** Whether they change by themselves, so that they must be polled. */
  readonly isLive: boolean;
  /** Asks the sources anew. */
  poll(signal: AbortSignal): Promise<void>;
  list(): Promise<{ rates: RateView[]; sources: SourceView[] }>;
  /** Sells a coin again whose rate had jumped. `by` is written into the journal. */
  release(coin: Coin, by: string): Promise<"released" | "not held">;
}

/** A coin's rate as the operator sees it. */
export interface RateView {
  readonly coin: Coin;
  readonly usd: Usd | undefined;
  /** Why it has none. */
  readonly why: Why | undefined;
  /** Since when it is held, and what it jumped from and to. */
  readonly held: { readonly since: Date; readonly from: bigint; readonly to: bigint } | undefined;
  readonly quotes: readonly Pick<Weighed, "source" | "usd" | "toldAt" | "use">[];
}

/** How a source of rates is doing; the trouble is the last one, also when it is over. */
export interface SourceView {
  readonly name: string;
  readonly answeredAt: Date | null;
  readonly restsUntil: Date | null;
  readonly trouble: string | null;
  readonly troubleAt: Date | null;
}

// Plausible and frozen: a demonstration must give the same amount on every machine and without the internet.
const sandboxTable: Readonly<Record<Lowercase<Coin>, string>> = {
  usdt: "1",
  trx: "0.3",
  bnb: "640",
  ton: "3.2",
  ltc: "80",
  eth: "3000",
};

/** Rates of a table of decimal dollars by coin (`eth`, `bnb`, `usdt` …) or by currency id. Throws on a name that is neither. */
export function fixedRates(table: Readonly<Record<string, string>>): Rates {
  const known = new Set<string>(currencies.flatMap(({ id, coin }) => [id, coin.toLowerCase()]));
  const unknown = Object.keys(table).find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Error(`RATES names ${unknown}, but the coins are ${[...known].join(", ")}`);
  const priceOf = (id: string, coin: string) => table[id] ?? table[coin.toLowerCase()];
  return {
    isLive: false,
    rateOf: (id) => {
      const coin = currencies.find((currency) => currency.id === id)?.coin ?? id;
      const price = priceOf(id, coin);
      return Promise.resolve(price === undefined ? undefined : { usd: usd(price), source: "fixed" });
    },
    poll: () => Promise.resolve(),
    list: () =>
      Promise.resolve({
        rates: currencies.map(({ id, coin }) => viewOf(coin, priceOf(id, coin))),
        sources: [],
      }),
    release: () => Promise.resolve("not held"),
  };
}

function viewOf(coin: Coin, price: string | undefined): RateView {
  const view = { coin, held: undefined, quotes: [] };
  return price === undefined
    ? { ...view, usd: undefined, why: "few" }
    : { ...view, usd: usd(price), why: undefined };
}

/** The rates of the sandbox chain; `table` overrides some of them. */
export function sandboxRates(table: Readonly<Record<string, string>> = {}): Rates {
  return fixedRates({ ...sandboxTable, ...table });
}
