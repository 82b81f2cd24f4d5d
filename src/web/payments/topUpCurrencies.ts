import { useQuery } from "@tanstack/react-query";
import { type Currency, type CurrencyId, currencies } from "../../contract/currencies.ts";
import { topUpMinDollars } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { dataOf } from "../serverState.tsx";

export interface TopUpCurrency {
  currency: Currency;
  off: "wallet" | "no rate" | undefined;
  /** The minimum in dollars. */
  min: number;
}

/** The currencies in order. All until the server says which are on sale; it refuses the rest. */
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

/** The chosen currency, else the first on sale; undefined without any. */
export function currencyToUse(
  offered: readonly TopUpCurrency[],
  chosen: CurrencyId | undefined,
): TopUpCurrency | undefined {
  const onSale = offered.filter(({ off }) => off === undefined);
  return onSale.find(({ currency }) => currency.id === chosen) ?? onSale[0];
}
