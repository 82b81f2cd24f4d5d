import { expect, test } from "vitest";
import { amountFault, coveringAmount, sentAmount, typedAmount } from "./topUpAmount.ts";

test.each([
  ["1.55", "1.55"],
  ["1,5", "1.5"],
  ["$ 12.345", "12.34"],
  ["1.2.3", "1.23"],
  ["-4e2", "42"],
  ["", ""],
])("typing %j leaves %j", (typed, kept) => {
  expect(typedAmount(typed)).toBe(kept);
});

test.each([
  ["", "empty"],
  [".", "min"],
  ["0.99", "min"],
  ["1", undefined],
  ["100000", undefined],
  ["100000.01", "max"],
])("the amount %j is refused because of %j", (amount, fault) => {
  expect(amountFault(amount, 1)).toBe(fault);
});

test("a currency may want more than the least of all", () => {
  expect(amountFault("9.99", 10)).toBe("min of currency");
  expect(amountFault("0.5", 10)).toBe("min");
  expect(amountFault("10", 10)).toBeUndefined();
});

test("what is missing is covered in whole cents, at least by the least top-up", () => {
  expect(coveringAmount(0.0025)).toBe("1");
  expect(coveringAmount(1.501)).toBe("1.51");
  expect(coveringAmount(2.3)).toBe("2.3");
});

test("a trailing point is no part of the amount", () => {
  expect(sentAmount("1.")).toBe("1");
  expect(sentAmount("1.50")).toBe("1.5");
});
