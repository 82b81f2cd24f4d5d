import { topUpMaxDollars, topUpMinDollars } from "../../contract/limits.ts";

/** What may stand in the amount field: digits with an optional decimal point and two decimals (spec B §5). */
export function typedAmount(text: string): string {
  const [whole = "", ...rest] = text
    .replace(/[,٫]/g, ".")
    .replace(/[^0-9.]/g, "")
    .split(".");
  return rest.length === 0 ? whole : `${whole}.${rest.join("").slice(0, 2)}`;
}

export type AmountFault = "empty" | "min" | "min of currency" | "max";

/** Why an amount cannot be topped up; undefined when it can. `currencyMin`: the least of the chosen currency, in dollars. */
export function amountFault(text: string, currencyMin: number): AmountFault | undefined {
  if (text.trim() === "") return "empty";
  const amount = Number(text);
  if (!Number.isFinite(amount) || amount < topUpMinDollars) return "min";
  if (amount < currencyMin) return "min of currency";
  return amount > topUpMaxDollars ? "max" : undefined;
}

/** The amount to offer when so many dollars are missing: whole cents upwards, never below the least top-up. */
export function coveringAmount(missing: number): string {
  const cents = Math.ceil(Math.round(missing * 1e8) / 1e6);
  return String(Math.max(topUpMinDollars, cents / 100));
}

/** As the server takes it: "1." is 1. */
export function sentAmount(text: string): string {
  return String(Number(text));
}
