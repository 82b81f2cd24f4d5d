import { directionMarks } from "./direction.ts";
import type { Language } from "./languages.ts";

const formats = new Map<string, Intl.NumberFormat>();

/** Dollars as a language writes them, with so many decimals. */
export function dollars(
  language: Language,
  amount: number,
  decimals: number,
  more: Pick<Intl.NumberFormatOptions, "maximumFractionDigits" | "signDisplay"> = {},
): string {
  const key = `${language}${decimals}${JSON.stringify(more)}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(`${language}-u-nu-latn`, {
      style: "currency",
      currency: "USD",
      currencyDisplay: "narrowSymbol",
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      ...more,
    });
  formats.set(key, format);
  // Arabic has marks that turn the amount round, and "US$" where every other language has "$"; our amounts stand
  // isolated (<bdi>) and read left to right.
  return format.format(amount).replaceAll(directionMarks, "").replace("US$", "$");
}

/** A price in dollars, 4 decimals (spec B §9). Only shown, never reckoned with: numbers are good enough. */
export const price = (language: Language, amount: number | string): string =>
  dollars(language, Number(amount), 4);

/** A balance or an earning in dollars, 5 decimals (spec B §9). Rounded down: what is not there cannot be spent or paid out. */
export const balance = (language: Language, amount: number | string): string =>
  dollars(language, cut(amount, 5), 5);

/** So many decimals of an amount, without the rest. Of its text, which has no errors of binary fractions. */
export function cut(amount: number | string, decimals: number): number {
  const text = typeof amount === "number" ? amount.toFixed(8) : amount;
  const point = text.indexOf(".");
  return Number(point < 0 ? text : text.slice(0, point + 1 + decimals));
}

/** An amount inside a sentence, which may run the other way. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;
