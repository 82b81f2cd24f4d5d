import fc from "fast-check";
import { expect, test } from "vitest";
import { earningDays } from "../../contract/limits.ts";
import { lastDays, newestFirst, sum } from "./income.ts";

const today = new Date("2026-03-01T00:30:00Z");

test("the chart has 30 days up to today, and a day without a row earned nothing", () => {
  const days = lastDays([{ date: "2026-02-28", earned: "0.5", count: 2 }], today);
  expect(days).toHaveLength(earningDays);
  expect(days[0]).toEqual({ date: "2026-01-31", earned: "0", count: 0 });
  expect(days.slice(-2)).toEqual([
    { date: "2026-02-28", earned: "0.5", count: 2 },
    { date: "2026-03-01", earned: "0", count: 0 },
  ]);
});

test("what was earned before these days is no point of the chart", () => {
  expect(lastDays([], today)).toEqual([]);
  expect(lastDays([{ date: "2026-01-30", earned: "7", count: 1 }], today)).toEqual([]);
});

test("the newest day stands first", () => {
  const series = ["2026-01-01", "2026-02-01", "2025-12-31"].map((date) => ({ date, earned: "1", count: 1 }));
  expect(newestFirst(series).map(({ date }) => date)).toEqual(["2026-02-01", "2026-01-01", "2025-12-31"]);
});

test("amounts are added to the last decimal", () => {
  expect(sum([])).toBe("0.00000000");
  expect(sum(["0.1", "0.2"])).toBe("0.30000000");
  expect(sum(["123456789.00000001", "0.00000001"])).toBe("123456789.00000002");
  const amount = fc.bigInt({ min: 0n, max: 10n ** 17n });
  const text = (units: bigint) => `${units / 100_000_000n}.${String(units % 100_000_000n).padStart(8, "0")}`;
  fc.assert(
    fc.property(fc.array(amount), (amounts) => {
      expect(sum(amounts.map(text))).toBe(text(amounts.reduce((all, one) => all + one, 0n)));
    }),
  );
});
