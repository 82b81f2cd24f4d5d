import { expect, test } from "vitest";
import { findType, offersOf, totalOf } from "./offers.ts";

const offers = offersOf({
  "b.test": { count: 0, price: 0.001 },
  "mail.com": { count: 3, price: 0.009 },
  "letters.test": { count: 5, price: 0.0035 },
  "a.test": { count: 9, price: 0.0035 },
});

test("what can be bought stands first, the cheap before the dear, sold out last", () => {
  expect(offers.map((offer) => offer.type)).toEqual(["a.test", "letters.test", "mail.com", "b.test"]);
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
});
