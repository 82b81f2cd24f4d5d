// What a coin costs. A payment locks the present rate; late and surplus coins get the rate of their time.
import { currencies, type CurrencyId } from "../../../contract/currencies.ts";
import { type Usd, usd } from "../../platform/money.ts";
import type { Coin, Weighed, Why } from "./rates.agree.ts";

export interface Rate {
  readonly usd: Usd;
  readonly source: string;
}

/** Undefined: no rate can be trusted now, so the currency is not on sale. */
export interface Rates {
  rateOf(currency: CurrencyId): Promise<Rate | undefined>;
  readonly isLive: boolean;
  poll(signal: AbortSignal): Promise<void>;
  list(): Promise<{ rates: RateView[]; sources: SourceView[] }>;
  release(coin: Coin, by: string): Promise<"released" | "not held">;
}

export interface RateView {
  readonly coin: Coin;
  readonly usd: Usd | undefined;
  readonly why: Why | undefined;
  readonly held: { readonly since: Date; readonly from: bigint; readonly to: bigint } | undefined;
  readonly quotes: readonly Pick<Weighed, "source" | "usd" | "quotedAt" | "use">[];
}

export interface SourceView {
  readonly name: string;
  readonly answeredAt: Date | null;
  readonly restsUntil: Date | null;
  readonly trouble: string | null;
  readonly troubleAt: Date | null;
}

// Frozen: a demo must give the same amount on every machine and offline.
const sandboxTable: Readonly<Record<Lowercase<Coin>, string>> = {
  usdt: "1",
  trx: "0.3",
  bnb: "640",
  ton: "3.2",
  ltc: "80",
  eth: "3000",
};

/** Rates of a table of decimal dollars by coin (`eth`, `bnb`, `usdt` …) or currency id. Throws on any other name. */
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

export function sandboxRates(table: Readonly<Record<string, string>> = {}): Rates {
  return fixedRates({ ...sandboxTable, ...table });
}
