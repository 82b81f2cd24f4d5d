// From one day of the reader to another, as it stands in the address bar and as calls take it.

/** Days as YYYY-MM-DD; empty where it has no beginning or no end. The last day is part of it. */
export interface Period {
  readonly since: string;
  readonly until: string;
}

export const noPeriod: Period = { since: "", until: "" };

export const hasPeriod = ({ since, until }: Period): boolean => since !== "" || until !== "";

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Reads the address; what is malformed counts as absent. */
export function periodIn(address: URLSearchParams): Period {
  const day = (name: keyof Period) => {
    const text = address.get(name) ?? "";
    return isDay(text) ? text : "";
  };
  return { since: day("since"), until: day("until") };
}

/** The instants of calls, in unix seconds: from the beginning of the first day to the end of the last, where the reader is. */
export function instantsOf({ since, until }: Period): { since?: number; until?: number } {
  return {
    ...(since !== "" && { since: beginOf(since) }),
    ...(until !== "" && { until: beginOf(until, 1) }),
  };
}

/** A day may be 23 or 25 hours long. */
function beginOf(day: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).getTime() / 1000;
}

/** Today and the days before it, so many in all. */
export function lastDays(count: number, now: Date = new Date()): Period {
  const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - count + 1);
  const two = (number: number) => String(number).padStart(2, "0");
  return {
    since: [first.getFullYear(), two(first.getMonth() + 1), two(first.getDate())].join("-"),
    until: "",
  };
}

export const presets = [
  { days: 1, text: "period.today" },
  { days: 7, text: "period.week" },
  { days: 30, text: "period.month" },
] as const;

/** The preset that a period is today. */
export const presetOf = ({ since, until }: Period, now?: Date) =>
  presets.find(({ days }) => until === "" && since !== "" && lastDays(days, now).since === since);
