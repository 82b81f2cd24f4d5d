import { currencies } from "../../contract/currencies.ts";

/** The coin of a currency: its sign on exchanges. */
export function coinOf(currency: string): string {
  return currencies.find(({ id }) => id === currency)?.coin ?? currency;
}

/** So many coins; read from left to right in every language. */
export function CoinAmount({ amount, currency }: { amount: string; currency: string }) {
  return (
    <bdi dir="ltr">
      {amount} {coinOf(currency)}
    </bdi>
  );
}
