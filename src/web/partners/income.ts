import { earningDays } from "../../contract/limits.ts";

/** A day of /stats/soft and /stats/referral: the date is YYYY-MM-DD, the money decimal text. */
export interface Day {
  date: string;
  earned: string;
  count: number;
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** The last 30 days up to today (UTC), oldest first; a day without a row is 0. Empty when nothing was earned. */
export function lastDays(series: readonly Day[], today: Date): Day[] {
  const known = new Map(series.map((day) => [day.date, day]));
  const days = Array.from({ length: earningDays }, (_, at) => {
    const date = new Date(today.getTime() - (earningDays - 1 - at) * dayMilliseconds)
      .toISOString()
      .slice(0, 10);
    return known.get(date) ?? { date, earned: "0", count: 0 };
  });
  return days.some(({ date }) => known.has(date)) ? days : [];
}

export const newestFirst = (series: readonly Day[]): Day[] =>
  series.toSorted((one, other) => (one.date < other.date ? 1 : -1));

const decimals = 8;

/** Adds decimal texts exactly; numbers would lose the last decimals. */
export function sum(amounts: readonly string[]): string {
  const total = amounts.reduce((all, amount) => all + units(amount), 0n);
  const digits = String(total).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

function units(amount: string): bigint {
  const [whole = "0", fraction = ""] = amount.replace("-", "").split(".");
  const value = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
  return amount.startsWith("-") ? -value : value;
}
