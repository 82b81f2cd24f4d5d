import { directionMarks } from "../i18n/direction.ts";
import { cut, dollars } from "../i18n/dollars.ts";
import type { Language } from "../i18n/languages.ts";

export { balance, isolated, price } from "../i18n/dollars.ts";

/** A value of a chart, 6 decimals (spec O §9), rounded down; `least` 0 trims zeros, for the scale. */
export const chartMoney = (language: Language, amount: number | string, least: 0 | 6 = 6): string =>
  dollars(language, cut(amount, 6), least, { maximumFractionDigits: 6 });

export const wholeDollars = (language: Language, amount: string): string =>
  dollars(language, Number(amount), 0);

/** An estimate: cents below ten dollars, whole dollars above. */
export const roughPrice = (language: Language, amount: number): string =>
  dollars(language, amount, amount < 10 ? 2 : 0);

/** An amount as it was set: `least` to 8 decimals. */
export const exactPrice = (language: Language, amount: string, least = 2): string =>
  dollars(language, Number(amount), least, { maximumFractionDigits: 8 });

/** Decimal text with all its decimals, by the decimal mark of the language. */
export const coins = (language: Language, amount: string): string =>
  amount.replace(".", new Intl.NumberFormat(`${language}-u-nu-latn`).format(0.5).replaceAll(/\d/g, ""));

/** A movement of money with its sign, 5 to 8 decimals. */
export const movement = (language: Language, amount: string): string =>
  dollars(language, Number(amount), 5, { maximumFractionDigits: 8, signDisplay: "exceptZero" }).replace(
    "-",
    "−",
  );

/** A balance after a movement, as exact as the movement. */
export const exactBalance = (language: Language, amount: string): string =>
  dollars(language, Number(amount), 5, { maximumFractionDigits: 8 });

/** A day as dd.mm.yyyy in every language (spec B §9); takes a text that begins with YYYY-MM-DD. */
export const day = (iso: string): string => iso.slice(0, 10).split("-").toReversed().join(".");

/** A time as dd.mm.yyyy hh:mm, or to the second, in the reader's time zone; takes unix seconds. */
export function moment(unixSeconds: number, precision: "minutes" | "seconds" = "minutes"): string {
  const at = new Date(unixSeconds * 1000);
  const two = (number: number) => String(number).padStart(2, "0");
  const date = [two(at.getDate()), two(at.getMonth() + 1), at.getFullYear()].join(".");
  const seconds = precision === "seconds" ? `:${two(at.getSeconds())}` : "";
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}${seconds}`;
}

/** A day as dd.mm.yyyy in the reader's time zone; takes unix seconds. */
export const dayOf = (unixSeconds: number): string => moment(unixSeconds).slice(0, 10);

/** A fraction as a percentage, at most two decimals. */
export const percent = (language: Language, part: number): string =>
  new Intl.NumberFormat(`${language}-u-nu-latn`, { style: "percent", maximumFractionDigits: 2 })
    .format(part)
    .replaceAll(directionMarks, "");

/** A file size: whole bytes, or larger units with at most one decimal. */
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

/** A duration: seconds below two minutes, then minutes, then hours. */
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

/** Groups rows by the reader's days; keeps their order. */
export function byDay<Row>(
  rows: readonly Row[],
  unixSecondsOf: (row: Row) => number,
  dayOfMoment: (unixSeconds: number) => string = dayOf,
): [day: string, rows: Row[]][] {
  const days = new Map<string, Row[]>();
  for (const row of rows) {
    const at = dayOfMoment(unixSecondsOf(row));
    const known = days.get(at);
    if (known) known.push(row);
    else days.set(at, [row]);
  }
  return [...days];
}
