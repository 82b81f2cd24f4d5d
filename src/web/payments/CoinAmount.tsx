import { currencies } from "../../contract/currencies.ts";
import type { Language } from "../../i18n/languages.ts";
import { coins } from "../format.ts";
import { useLanguage } from "../language.tsx";
import { Exact } from "../ui/display/Exact.tsx";

export function coinOf(currency: string): string {
  return currencies.find(({ id }) => id === currency)?.coin ?? currency;
}

/** An amount of coins as a sentence or a list says it. */
export const coinText = (language: Language, amount: string, currency: string): string =>
  `${coins(language, amount)} ${coinOf(currency)}`;

interface CoinAmountProps {
  amount: string;
  currency: string;
  /** As wallets write it: of what is to be sent. */
  asSent?: boolean;
}

export function CoinAmount({ amount, currency, asSent }: CoinAmountProps) {
  const language = useLanguage();
  return (
    <Exact dir="ltr">{asSent ? `${amount} ${coinOf(currency)}` : coinText(language, amount, currency)}</Exact>
  );
}
