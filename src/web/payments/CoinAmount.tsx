import { currencies } from "../../contract/currencies.ts";
import { Exact } from "../ui/display/Exact.tsx";

export function coinOf(currency: string): string {
  return currencies.find(({ id }) => id === currency)?.coin ?? currency;
}

export function CoinAmount({ amount, currency }: { amount: string; currency: string }) {
  return <Exact dir="ltr">{`${amount} ${coinOf(currency)}`}</Exact>;
}
