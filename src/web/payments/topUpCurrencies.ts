import { useQuery } from "@tanstack/react-query";
import { type Currency, type CurrencyId, currencies } from "../../contract/currencies.ts";
import { topUpMinDollars } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { dataOf } from "../serverState.tsx";

/** A currency as a top-up offers it. */
export interface TopUpCurrency {
  currency: Currency;
  /** Why it cannot be chosen now. */
  off: "wallet" | "no rate" | undefined;
  /** The least top-up in it, in dollars. */
  min: number;
}

/** The currencies in their order. While it is not known what is on sale all are offered: the server refuses the rest. */
export function useTopUpCurrencies(): TopUpCurrency[] {
  const asked = useQuery({
    queryKey: ["currencies"],
    queryFn: async ({ signal }) => (await dataOf(api.paymentCurrencies({}, { signal }))).data,
    staleTime: 0,
  });
  const known = new Map(asked.data?.map((one) => [one.id, one]));
  return currencies.map((currency) => {
    const { why, min } = known.get(currency.id) ?? {};
    return { currency, off: why, min: Math.max(topUpMinDollars, Number(min ?? 0)) };
  });
}

/** The one that is meant: what was chosen, else the first that is on sale. Undefined when nothing is. */
export function currencyToUse(
  offered: readonly TopUpCurrency[],
  chosen: CurrencyId | undefined,
): TopUpCurrency | undefined {
  const onSale = offered.filter(({ off }) => off === undefined);
  return onSale.find(({ currency }) => currency.id === chosen) ?? onSale[0];
}
