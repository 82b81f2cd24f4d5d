import { useQuery } from "@tanstack/react-query";
import { type Coin, type Currency, type CurrencyId, currencies } from "../../contract/currencies.ts";
import { topUpMinDollars } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { dataOf } from "../serverState.tsx";

export interface TopUpCurrency {
  currency: Currency;
  off: "wallet" | "no rate" | undefined;
  /** The minimum in dollars. */
  min: number;
  /** What a transfer usually costs, in dollars, and how long it takes; undefined where unknown. */
  fee: number | undefined;
  seconds: number | undefined;
  /** From so many dollars on it takes longer. */
  larger: readonly { from: string; seconds: number }[];
}

/** The currencies, the cheapest first. All until the server says which are on sale; it refuses the rest. */
export function useTopUpCurrencies(): TopUpCurrency[] {
  const asked = useQuery({
    queryKey: ["currencies"],
    queryFn: async ({ signal }) => (await dataOf(api.paymentCurrencies({}, { signal }))).data,
    staleTime: 0,
  });
  const known = new Map(asked.data?.map((one) => [one.id, one]));
  const offered = currencies.map((currency) => {
    const { why, min, fee, seconds, larger = [] } = known.get(currency.id) ?? {};
    return {
      currency,
      off: why,
      min: Math.max(topUpMinDollars, Number(min ?? 0)),
      fee: fee === undefined ? undefined : Number(fee),
      seconds,
      larger,
    };
  });
  return offered.toSorted(byOfferThenFee);
}

/** How long until so many dollars are credited. */
export const secondsFor = ({ seconds, larger }: TopUpCurrency, amount: number): number | undefined =>
  larger.findLast(({ from }) => amount >= Number(from))?.seconds ?? seconds;

const costOf = ({ off, fee = Number.MAX_VALUE }: TopUpCurrency) => (off === undefined ? fee : Infinity);

/** On sale before what is not, cheap before dear and unknown; the order of the list otherwise. */
export const byOfferThenFee = (one: TopUpCurrency, other: TopUpCurrency): number =>
  Math.sign(costOf(one) - costOf(other)) || 0;

/** The network whose fee is known to be below that of each other one on sale. */
export function cheapestOf(networks: readonly TopUpCurrency[]): TopUpCurrency | undefined {
  const [first, ...others] = networks.filter(({ off }) => off === undefined).toSorted(byOfferThenFee);
  const fee = first?.fee;
  if (fee === undefined || others.length === 0) return undefined;
  return others.every((other) => other.fee !== undefined && other.fee > fee) ? first : undefined;
}

/** The chosen currency, else the first on sale; undefined without any. */
export function currencyToUse(
  offered: readonly TopUpCurrency[],
  chosen: CurrencyId | undefined,
): TopUpCurrency | undefined {
  const onSale = offered.filter(({ off }) => off === undefined);
  return onSale.find(({ currency }) => currency.id === chosen) ?? onSale[0];
}

export interface TopUpCoin {
  coin: Coin;
  /** The first is the one to choose with the coin. */
  networks: [TopUpCurrency, ...TopUpCurrency[]];
}

/** The coins in the order of their first currency, each with its networks. */
export function coinsOf(offered: readonly TopUpCurrency[]): TopUpCoin[] {
  const coins = new Map<Coin, TopUpCoin>();
  for (const one of offered) {
    const known = coins.get(one.currency.coin);
    if (known) known.networks.push(one);
    else coins.set(one.currency.coin, { coin: one.currency.coin, networks: [one] });
  }
  return [...coins.values()];
}
