import { expect, test } from "vitest";
import { findType, lackOf, offersOf, percentOf, totalOf } from "./offers.ts";

const offers = offersOf({
  "b.test": { count: 0, price: 0.001 },
  "mail.com": { count: 3, price: 0.009 },
  "letters.test": { count: 5, price: 0.0035 },
  "a.test": { count: 9, price: 0.0035 },
});

test("what can be bought stands first, the cheap before the dear, sold out last", () => {
  expect(offers.map((offer) => offer.type)).toEqual(["a.test", "letters.test", "mail.com", "b.test"]);
});

const none = { orders: 0 };
const often = { orders: 40, share: 0.5, seconds: 9 };
const always = { orders: 100, share: 1, seconds: 14 };

test("by the price of a letter the one that fails half of the time stands behind the dearer one that does not", () => {
  const data = {
    "cheap.test": { count: 9, price: 0.004, stats: { day: often, week: always, letter_price: 0.008 } },
    "sure.test": { count: 9, price: 0.005, stats: { day: none, week: always, letter_price: 0.005 } },
    "new.test": { count: 9, price: 0.001, stats: { day: none, week: none } },
    "newer.test": { count: 9, price: 0.002 },
    "gone.test": { count: 0, price: 0.001, stats: { day: always, week: always, letter_price: 0.001 } },
  };
  const types = (order: "price" | "letter") => offersOf(data, order).map((offer) => offer.type);
  expect(types("price")).toEqual(["new.test", "newer.test", "cheap.test", "sure.test", "gone.test"]);
  expect(types("letter")).toEqual(["sure.test", "cheap.test", "new.test", "newer.test", "gone.test"]);
});

test("a day of few orders says less than the week, and too few say nothing", () => {
  const outcomeOf = (stats: { day: typeof often | typeof none; week: typeof often | typeof none }) =>
    offersOf({ "a.test": { count: 1, price: 1, stats } })[0]?.outcome;
  expect(outcomeOf({ day: often, week: always })?.share).toBe(0.5);
  expect(outcomeOf({ day: { ...often, orders: 19 }, week: always })?.share).toBe(1);
  expect(outcomeOf({ day: { ...often, orders: 4 }, week: { ...often, orders: 4 } })).toBeUndefined();
  expect(outcomeOf({ day: none, week: none })).toBeUndefined();
});

test.each([
  [1, 100],
  [0.999, 99],
  [0.004, 1],
  [0.29, 29],
  [0, 0],
])("a share of %d is shown as %d percent", (share, percent) => {
  expect(percentOf(share)).toBe(percent);
});

test.each([
  ["MAIL", "mail.com"],
  ["mail.com", "mail.com"],
  ["Letters.Test", "letters.test"],
  ["letters.test.com", "letters.test"],
  ["letters", "letters.test"],
  ["a", "a.test"],
  ["nothing", undefined],
  ["", undefined],
])("the wanted type %j is %j", (wanted, type) => {
  expect(findType(offers, wanted)).toBe(type);
});

test("a total has no dust of floating point", () => {
  expect(totalOf(0.0035, 3)).toBe(0.0105);
  expect(totalOf(0.1, 3)).toBe(0.3);
  expect(lackOf(0.3, 0.2)).toBe(0.1);
  expect(lackOf(0.0035, 0.0035)).toBe(0);
  expect(lackOf(0.0035, 1)).toBe(0);
});
