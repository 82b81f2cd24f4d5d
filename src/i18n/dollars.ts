import { directionMarks } from "./direction.ts";
import type { Language } from "./languages.ts";

const formats = new Map<string, Intl.NumberFormat>();

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
  // Arabic output has direction marks and "US$". Our amounts are isolated (<bdi>) and read left to right.
  return format.format(amount).replaceAll(directionMarks, "").replace("US$", "$");
}

/** A price in dollars, 4 decimals (spec B §9). For display only, never for arithmetic. */
export const price = (language: Language, amount: number | string): string =>
  dollars(language, Number(amount), 4);

/** A balance or an earning in dollars, 5 decimals (spec B §9). Rounds down: never shows money that is not there. */
export const balance = (language: Language, amount: number | string): string =>
  dollars(language, cut(amount, 5), 5);

/** Truncates to so many decimals. Works on the text, to avoid binary rounding errors. */
export function cut(amount: number | string, decimals: number): number {
  const text = typeof amount === "number" ? amount.toFixed(8) : amount;
  const point = text.indexOf(".");
  return Number(point < 0 ? text : text.slice(0, point + 1 + decimals));
}

/** Isolates an amount inside a sentence of either direction. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;
