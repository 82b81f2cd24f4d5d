// What a coin costs. A payment locks the rate of its moment; late and surplus coins are priced at the present one.
import { currencies, type CurrencyId } from "../../contract/currencies.ts";
import { type Usd, usd } from "../kit/money.ts";

/** The price of one whole coin, and where it was found. */
export interface Rate {
  readonly usd: Usd;
  readonly source: string;
}

/** Where rates come from. Undefined: there is none that can be trusted now, so the currency is not on sale. */
export interface Rates {
  rateOf(currency: CurrencyId): Promise<Rate | undefined>;
}

// Plausible and frozen: a demonstration must give the same amount on every machine and without the internet.
const sandboxTable: Readonly<Record<string, string>> = {
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
  return {
    rateOf: (id) => {
      const coin = currencies.find((currency) => currency.id === id)?.coin.toLowerCase() ?? id;
      const price = table[id] ?? table[coin];
      return Promise.resolve(price === undefined ? undefined : { usd: usd(price), source: "fixed" });
    },
  };
}

/** The rates of the sandbox chain; `table` overrides some of them. */
export function sandboxRates(table: Readonly<Record<string, string>> = {}): Rates {
  return fixedRates({ ...sandboxTable, ...table });
}
