import { expect, test } from "vitest";
import { clock, faultOf, isFinal, isSome, viewOf } from "./paymentView.ts";

test.each([
  [0, "pending", false],
  ["1", "confirmed", true],
  [-1, "rejected", true],
  [5, "unknown", false],
  [undefined, "unknown", false],
])("status %j is %s, final: %s", (status, view, final) => {
  expect(viewOf(status)).toBe(view);
  expect(isFinal(viewOf(status))).toBe(final);
});

test.each([
  ["connection", undefined, "network"],
  ["no payment", undefined, "error"],
  [undefined, undefined, "nodata"],
  [undefined, {}, "unexpected"],
  [undefined, { payment_status: 0 }, undefined],
])("refusal %j with answer %j is told as %j", (refusal, answer, fault) => {
  expect(faultOf(refusal, answer)).toBe(fault);
});

test("zero in any writing is nothing", () => {
  expect(["0", "0.0", "0.00000000", "0.1"].map(isSome)).toEqual([false, false, false, true]);
});

test.each([
  [0, "0:00"],
  [9, "0:09"],
  [65, "1:05"],
  [600, "10:00"],
  [3609, "1:00:09"],
])("%i seconds are written %s", (seconds, text) => {
  expect(clock(seconds)).toBe(text);
});
