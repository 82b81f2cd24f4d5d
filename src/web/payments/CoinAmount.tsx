import { currencies } from "../../contract/currencies.ts";

export function coinOf(currency: string): string {
  return currencies.find(({ id }) => id === currency)?.coin ?? currency;
}

export function CoinAmount({ amount, currency }: { amount: string; currency: string }) {
  return (
    <bdi dir="ltr">
      {amount} {coinOf(currency)}
    </bdi>
  );
}
