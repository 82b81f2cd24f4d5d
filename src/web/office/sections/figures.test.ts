import { expect, test } from "vitest";
import { beforeOf, changeOf, type Sums, type FiguresReply, valueOf } from "./figures.ts";

const sums: Sums = {
  orders: 40,
  letters: 9,
  registrations: 0,
  revenue: "0.07",
  top_ups: "3",
  refunds: 2,
  refunded: "0.01",
  ended: 20,
  received: 15,
  seconds: 12.5,
};

test("a value that nobody can tell is none: of orders that did not end, of letters that did not come", () => {
  expect([valueOf("orders", sums), valueOf("revenue", sums), valueOf("success", sums)]).toEqual([
    40, 0.07, 0.75,
  ]);
  const quiet = { ...sums, ended: 0, received: 0, seconds: null };
  expect([valueOf("success", quiet), valueOf("seconds", quiet), valueOf("letters", quiet)]).toEqual([
    null,
    null,
    9,
  ]);
});

test("a change is a part of what was before, of parts and times and from nothing the difference itself", () => {
  expect(changeOf("orders", 12, 10)).toEqual({ way: "more", part: 0.2, by: 2, isGood: true });
  expect(changeOf("orders", 8, 10)).toEqual({ way: "less", part: -0.2, by: -2, isGood: false });
  expect(changeOf("orders", 3, 0)).toEqual({ way: "more", part: undefined, by: 3, isGood: true });
  expect(changeOf("success", 0.75, 0.5)).toEqual({ way: "more", part: undefined, by: 0.25, isGood: true });
  expect(changeOf("seconds", 20, 15)).toMatchObject({ part: undefined, by: 5, isGood: false });
  expect(changeOf("refunded", 1, 2)).toMatchObject({ part: -0.5, isGood: true });
  expect(changeOf("letters", 4, 4)).toMatchObject({ way: "same", isGood: undefined });
  expect(changeOf("seconds", null, 4)).toBeUndefined();
});

test("outcomes are compared only where they were counted in all of the time before", () => {
  const told: FiguresReply = {
    since: 0,
    until: 0,
    now: sums,
    before: sums,
    before_outcomes: false,
    steps: [],
  };
  expect([beforeOf("orders", told), beforeOf("success", told), beforeOf("seconds", told)]).toEqual([
    40,
    null,
    null,
  ]);
  expect(beforeOf("success", { ...told, before_outcomes: true })).toBe(0.75);
  expect(beforeOf("orders", { ...told, before: null })).toBeNull();
});
