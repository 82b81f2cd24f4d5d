import type { Language } from "../i18n/languages.ts";

const formats = new Map<string, Intl.NumberFormat>();

function dollars(
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
  // Arabic begins with a mark that turns the amount round; our amounts stand isolated (<bdi>) and read left to right.
  return format.format(amount).replaceAll("\u200F", "");
}

/** A price in dollars, 4 decimals (spec B §9). Only shown, never reckoned with: numbers are good enough. */
export const price = (language: Language, amount: number | string): string =>
  dollars(language, Number(amount), 4);

/** A balance or an earning in dollars, 5 decimals (spec B §9). */
export const balance = (language: Language, amount: number | string): string =>
  dollars(language, Number(amount), 5);

/** An amount inside a sentence, which may run the other way. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;

/** An amount as it was set: 2 to 8 decimals. */
export const exactPrice = (language: Language, amount: string): string =>
  dollars(language, Number(amount), 2, { maximumFractionDigits: 8 });

/** A movement of money with its sign, to the last decimal that there is: 5 to 8. */
export const movement = (language: Language, amount: string): string =>
  dollars(language, Number(amount), 5, { maximumFractionDigits: 8, signDisplay: "exceptZero" }).replace(
    "-",
    "−",
  );

/** What was there after a movement, as exact as the movement. */
export const exactBalance = (language: Language, amount: string): string =>
  dollars(language, Number(amount), 5, { maximumFractionDigits: 8 });

/** A day as dd.mm.yyyy in every language (spec B §9); takes YYYY-MM-DD or anything that begins so. */
export const day = (iso: string): string => iso.slice(0, 10).split("-").toReversed().join(".");

/** A moment as dd.mm.yyyy hh:mm in the reader's time zone, to the second where steps follow each other closely; takes unix seconds. */
export function moment(unixSeconds: number, precision: "minutes" | "seconds" = "minutes"): string {
  const at = new Date(unixSeconds * 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const date = [two(at.getDate()), two(at.getMonth() + 1), at.getFullYear()].join(".");
  const seconds = precision === "seconds" ? `:${two(at.getSeconds())}` : "";
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

/** The size of a file: whole bytes, then at most one decimal. */
export function fileSize(language: Language, bytes: number): string {
  const steps = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const unit = (["byte", "kilobyte", "megabyte", "gigabyte"] as const)[steps];
  return new Intl.NumberFormat(`${language}-u-nu-latn`, {
    style: "unit",
    unit,
    unitDisplay: unit === "byte" ? "long" : "short",
    maximumFractionDigits: bytes / 1000 ** steps < 10 ? 1 : 0,
  }).format(bytes / 1000 ** steps);
}

/** So many seconds in the shortest words: seconds below two minutes, then minutes, then hours. */
export function spanText(language: Language, seconds: number): string {
  const [amount, unit] =
    seconds < 120
      ? [Math.max(1, Math.round(seconds)), "second"]
      : seconds < 7200
        ? [Math.round(seconds / 60), "minute"]
        : [Math.round(seconds / 3600), "hour"];
  return new Intl.NumberFormat(`${language}-u-nu-latn`, { style: "unit", unit, unitDisplay: "short" }).format(
    amount,
  );
}
