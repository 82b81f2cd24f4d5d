import { topUpMaxDollars, topUpMinDollars } from "../../contract/limits.ts";

/** The valid part of typed text: digits, an optional point, two decimals (spec B §5). */
export function typedAmount(text: string): string {
  const [whole = "", ...rest] = text
    .replace(/[,٫]/g, ".")
    .replace(/[^0-9.]/g, "")
    .split(".");
  return rest.length === 0 ? whole : `${whole}.${rest.join("").slice(0, 2)}`;
}

export type AmountFault = "empty" | "min" | "min of currency" | "max";

/** Why an amount is invalid; undefined if valid. `currencyMin`: the currency's minimum in dollars. */
export function amountFault(text: string, currencyMin: number): AmountFault | undefined {
  if (text.trim() === "") return "empty";
  const amount = Number(text);
  if (!Number.isFinite(amount) || amount < topUpMinDollars) return "min";
  if (amount < currencyMin) return "min of currency";
  return amount > topUpMaxDollars ? "max" : undefined;
}

/** The amount to offer for a shortfall in dollars: rounded up to cents, at least the minimum top-up. */
export function coveringAmount(missing: number): string {
  const cents = Math.ceil(Math.round(missing * 1e8) / 1e6);
  return String(Math.max(topUpMinDollars, cents / 100));
}

export function sentAmount(text: string): string {
  return String(Number(text));
}
