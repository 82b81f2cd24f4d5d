import { expect, test } from "vitest";
import type { Fit, WaitingOrder } from "./matching.match.ts";
import { mismatchesOf } from "./matching.mismatches.ts";

const at = new Date(0);
const order = (orderId: bigint, userId: bigint): WaitingOrder => ({
  orderId,
  userId,
  mailboxId: 1n,
  siteId: 1,
  site: "instagram.com",
  subject: null,
  regex: null,
  createdAt: at,
  expiresAt: at,
});
const [ann, bob] = [1n, 2n];
const fits: Fit = { value: undefined };

function result(orderId: bigint, userId: bigint, found: Fit, isOfSite: boolean, letterId = 7n) {
  return { letterId, order: order(orderId, userId), found, isOfSite };
}

test("why a letter did not fit is told to each order whose site it is of", () => {
  expect(
    mismatchesOf([
      result(1n, ann, { missed: "regex" }, true),
      result(2n, ann, { missed: "sender" }, false),
      result(3n, ann, { missed: "subject" }, true),
    ]),
  ).toEqual([
    { letterId: 7n, orderId: 1n, reason: "regex" },
    { letterId: 7n, orderId: 3n, reason: "subject" },
  ]);
});

test("an order for another site is told of no letter that is of somebody's site, be it the buyer's own", () => {
  const another = (orderId: bigint) => result(orderId, ann, { missed: "sender" }, false);
  expect(mismatchesOf([result(1n, ann, fits, true), another(2n), another(3n)])).toEqual([]);
  expect(mismatchesOf([result(1n, bob, { missed: "regex" }, true), another(2n)])).toHaveLength(1);
});

test("a letter from nobody's site is told to all of a mailbox", () => {
  const results = [
    result(1n, ann, { missed: "sender" }, false),
    result(2n, bob, { missed: "sender" }, false),
  ];
  expect(mismatchesOf(results)).toHaveLength(2);
});

test("a letter that fits, or came before or after an order, missed nothing", () => {
  expect(mismatchesOf([result(1n, ann, fits, true), result(2n, ann, { missed: "time" }, false)])).toEqual([]);
});

const another: Fit = { missed: "sender" };

test.each<[string, Fit, boolean]>([
  ["another site", another, false],
  ["the same sender", { missed: "regex" }, true],
  ["any sender", { missed: "subject" }, false],
])("a letter that another buyer gets is not told to who waits for %s", (_who, found, isOfSite) => {
  expect(mismatchesOf([result(1n, bob, fits, true), result(2n, ann, found, isOfSite)])).toEqual([]);
  const own = mismatchesOf([result(1n, ann, fits, true), result(2n, ann, found, isOfSite)]);
  expect(own).toHaveLength(found === another ? 0 : 1);
});

test.each<[string, Fit]>([
  ["another site", { missed: "sender" }],
  ["any sender", { missed: "regex" }],
])("a letter of the site of another buyer's order is not told to who waits for %s", (_who, found) => {
  const results = [result(1n, bob, { missed: "regex" }, true), result(2n, ann, found, false)];
  expect(mismatchesOf(results)).toEqual([{ letterId: 7n, orderId: 1n, reason: "regex" }]);
});

test("one letter says nothing of another", () => {
  const results = [result(1n, bob, fits, true, 7n), result(2n, ann, { missed: "sender" }, false, 8n)];
  expect(mismatchesOf(results)).toEqual([{ letterId: 8n, orderId: 2n, reason: "sender" }]);
});
