import type { Row } from "../table/tableState.ts";

export const measures = ["orders", "letters", "revenue", "top_ups"] as const;
export type Measure = (typeof measures)[number];

const chartDays = 30;
const dayMilliseconds = 24 * 60 * 60 * 1000;

/** One figure of the last 30 days up to today (UTC), oldest first; a day without a row is 0. */
export function lastDays(
  rows: readonly Row<"days">[],
  measure: Measure,
  today: Date,
): { date: string; value: number }[] {
  const known = new Map(rows.map((row) => [row.day, Number(row[measure] ?? 0)]));
  return Array.from({ length: chartDays }, (_, at) => {
    const date = new Date(today.getTime() - (chartDays - 1 - at) * dayMilliseconds)
      .toISOString()
      .slice(0, 10);
    return { date, value: known.get(date) ?? 0 };
  });
}
