import { expect, test } from "vitest";
import { lastDays } from "./dailyFigures.ts";

const row = {
  day: "2026-02-28",
  registrations: 1,
  orders: 7,
  received: 5,
  unserved: 2,
  letters: 9,
  revenue: "0.05",
  top_ups: "3",
};

test("the chart has the 30 days up to today, and nothing happened on a day without a row", () => {
  const days = lastDays([row], "orders", new Date("2026-03-01T00:30:00Z"));
  expect(days).toHaveLength(30);
  expect(days[0]).toEqual({ date: "2026-01-31", value: 0 });
  expect(days.slice(-2)).toEqual([
    { date: "2026-02-28", value: 7 },
    { date: "2026-03-01", value: 0 },
  ]);
});

test("money is a number there, for the height of its bar", () => {
  expect(lastDays([row], "revenue", new Date("2026-02-28T12:00:00Z")).at(-1)?.value).toBe(0.05);
});
