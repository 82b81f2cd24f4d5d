import { expect, test } from "vitest";
import {
  balance,
  chartMoney,
  coins,
  day,
  fileSize,
  movement,
  price,
  spanText,
  wholeDollars,
} from "./format.ts";

test("prices have four decimals and balances five", () => {
  expect(price("en", 0.0035)).toBe("$0.0035");
  expect(balance("en", "12.5")).toBe("$12.50000");
});

test("what is due or available is never told as more than it is", () => {
  expect(balance("en", "0.000175")).toBe("$0.00017");
  expect(balance("en", "0.00000999")).toBe("$0.00000");
  expect(balance("en", "0.29")).toBe("$0.29000");
  expect(balance("en", 0.1 + 0.2)).toBe("$0.30000");
  expect(balance("en", 1.00001)).toBe("$1.00001");
  expect(balance("en", "-0.000175")).toBe("-$0.00017");
  expect(chartMoney("en", "0.0000019")).toBe("$0.000001");
});

test("whole dollars stand with their sign where the language puts it", () => {
  expect(wholeDollars("en", "25")).toBe("$25");
  expect(wholeDollars("ru", "25")).toBe("25\u00A0$");
});

test("amounts are written with Latin digits in Arabic and Hindi too", () => {
  expect(price("ar", 0.008)).toBe("0.0080\u00A0$");
  expect(movement("ar", "-0.008")).toBe("−0.00800\u00A0$");
  expect(balance("hi", 1)).toContain("1.00000");
});

test("an amount of coins keeps its decimals and has the decimal mark of dollars", () => {
  expect(
    ["en", "ru", "es", "zh", "ar", "hi"].map((language) => coins(language as "en", "0.0133340")),
  ).toEqual(["0.0133340", "0,0133340", "0,0133340", "0.0133340", "0.0133340", "0.0133340"]);
  expect(coins("ru", "25000")).toBe("25000");
});

test("dates are day.month.year", () => {
  expect(day("2026-11-02")).toBe("02.11.2026");
  expect(day("2026-11-02T10:00:00Z")).toBe("02.11.2026");
});

test.each([
  [0.2, "1 sec"],
  [12.4, "12 sec"],
  [119, "119 sec"],
  [150, "3 min"],
  [7300, "2 hr"],
])("%d seconds are said as %j", (seconds, text) => {
  expect(spanText("en", seconds)).toBe(text);
});

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1_400, "1.4 kB"],
  [183_422, "183 kB"],
  [1_400_000, "1.4 MB"],
  [25_000_000, "25 MB"],
])("a file of %d bytes has %j", (bytes, text) => {
  expect(fileSize("en", bytes)).toBe(text);
});
