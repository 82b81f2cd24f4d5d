import type { Endpoints } from "../../contract/api.ts";
import type { Asking, Reply } from "../../contract/endpoint.ts";

export type StatementLine = Reply<Endpoints["statement"]>["data"][number];

/** One of the account's purses; most buyers have only their balance. */
export type Book = NonNullable<Asking<Endpoints["statement"]>["book"]>;

export const books: readonly Book[] = ["balance", "referrals", "soft", "investor"];

/** The lines under the reader's own days, in the order in which they came. */
export function byDay(
  lines: readonly StatementLine[],
  dayOf: (unixSeconds: number) => string,
): { day: string; lines: StatementLine[] }[] {
  const days: { day: string; lines: StatementLine[] }[] = [];
  for (const line of lines) {
    const day = dayOf(line.at);
    const last = days.at(-1);
    if (last?.day === day) last.lines.push(line);
    else days.push({ day, lines: [line] });
  }
  return days;
}

/** Did the money come, and not go? */
export const isIncoming = ({ amount }: StatementLine): boolean => !amount.startsWith("-");
