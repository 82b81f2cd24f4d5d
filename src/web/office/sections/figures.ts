import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import type { OfficeKey } from "../../../i18n/t.ts";

export type FiguresReply = Reply<Endpoints["officeFigures"]>;
export type Sums = FiguresReply["now"];
export type Period = "day" | "month" | "year";

export const periods: readonly Period[] = ["day", "month", "year"];

/** What is shown of a period. `success`: the part of the ended orders that got a letter. */
export const measures = [
  "orders",
  "revenue",
  "success",
  "seconds",
  "top_ups",
  "registrations",
  "letters",
  "refunded",
] as const;
export type Measure = (typeof measures)[number];

export const measureNames: Record<Measure, OfficeKey> = {
  orders: "office.column.orders",
  revenue: "office.column.revenue",
  success: "office.measure.success",
  seconds: "office.measure.seconds",
  top_ups: "office.column.top_ups",
  registrations: "office.column.registrations",
  letters: "office.column.letters",
  refunded: "office.measure.refunded",
};

/** As a number; null where there is nothing to tell: no order has ended, or no letter came. */
export function valueOf(measure: Measure, sums: Sums): number | null {
  if (measure === "success") return sums.ended === 0 ? null : sums.received / sums.ended;
  const value = sums[measure];
  return value === null ? null : Number(value);
}

export interface Change {
  readonly way: "more" | "less" | "same";
  /** Of the value before; of parts and times, and where it was 0, by how much. */
  readonly part: number | undefined;
  readonly by: number;
  /** Whether the shop would wish it; undefined where there is nothing to wish. */
  readonly isGood: boolean | undefined;
}

const lessIsBetter: readonly Measure[] = ["refunded", "seconds"];

/** How a value differs from the one before; undefined where one of them is not known. */
export function changeOf(measure: Measure, now: number | null, before: number | null): Change | undefined {
  if (now === null || before === null) return undefined;
  const by = now - before;
  if (by === 0) return { way: "same", part: undefined, by, isGood: undefined };
  const isOwnUnit = measure === "success" || measure === "seconds" || before === 0;
  return {
    way: by > 0 ? "more" : "less",
    part: isOwnUnit ? undefined : by / before,
    by,
    isGood: by > 0 !== lessIsBetter.includes(measure),
  };
}

/** The value before, of the whole period: of outcomes only if they were counted in all of it. */
export function beforeOf(
  measure: Measure,
  { before, before_outcomes: isKnown }: FiguresReply,
): number | null {
  if (before === null) return null;
  return isKnown || (measure !== "success" && measure !== "seconds") ? valueOf(measure, before) : null;
}
