import fc from "fast-check";
import { expect, test } from "vitest";
import { percentOf, showUsd, usd, usdFromUnits, usdNumber } from "./money.ts";

test.each([
  ["1", "1.0"],
  ["1.50", "1.5"],
  ["0.0035", "0.0035"],
  ["0.00000001", "0.00000001"],
  ["-2.25", "-2.25"],
  ["100000", "100000.0"],
])("%s dollars are shown as %s", (text, shown) => {
  expect(showUsd(usd(text))).toBe(shown);
});

test.each(["", "abc", "1.123456789", "1,5", "1.", ".5", "1e3", "0x10", "NaN"])("%j is no amount", (text) => {
  expect(() => usd(text)).toThrow("not an amount of dollars");
});

test("any amount survives being written and read", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }), (units) => {
      expect(usd(showUsd(units))).toBe(units);
    }),
  );
});

test("a share is never more than its part, and the rest is less than one unit", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 15n }),
      fc.bigInt({ min: 0n, max: 100n }),
      (units, percent) => {
        const share = percentOf(usdFromUnits(units), percent);
        const rest = units * percent - share * 100n;
        expect(rest).toBeGreaterThanOrEqual(0n);
        expect(rest).toBeLessThan(100n);
      },
    ),
  );
});

test("five percent of the smallest price stays whole", () => {
  expect(showUsd(percentOf(usd("0.0035"), 5n))).toBe("0.000175");
});

test("a price is the same number for a client that reads JSON numbers", () => {
  expect(usdNumber(usd("0.0035"))).toBe(0.0035);
});
