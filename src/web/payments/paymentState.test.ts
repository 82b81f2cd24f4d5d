import { expect, test } from "vitest";
import {
  clock,
  statusFault,
  firstQr,
  isFinal,
  isToPay,
  shortId,
  spokenMinutes,
  stateOf,
  unwrap,
  viewOf,
} from "./paymentState.ts";

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
  ["no payment", undefined, "none"],
  ["server", undefined, "error"],
  [undefined, undefined, "nodata"],
  [undefined, {}, "unexpected"],
  [undefined, { payment_status: 0 }, undefined],
])("refusal %j with answer %j is told as %j", (refusal, answer, fault) => {
  expect(statusFault(refusal, answer)).toBe(fault);
});

test("a status is understood with and without the value that it may be wrapped in", () => {
  const status = { payment_status: 0, currency: "ltc", currency_amount: "0.01", wallet: "ltc1q" };
  expect(unwrap(status)).toBe(status);
  expect(unwrap({ status: "success", value: status })).toBe(status);
  expect(unwrap({ status: "success", value: "soon" })).toEqual({ status: "success", value: "soon" });
  expect(unwrap(null)).toBeNull();
});

test.each([
  [0, "awaiting", "pending", true],
  [0, "underpaid", "underpaid", true],
  [0, "confirming", "confirming", false],
  [0, "review", "review", false],
  [1, "credited", "confirmed", false],
  [-1, "expired", "expired", false],
  [-1, "expired_partial", "expired_partial", false],
  [-1, "rejected", "rejected", false],
  // The number wins: the specification defines it.
  [1, "expired", "confirmed", false],
  [0, undefined, "pending", true],
  [7, "review", "unknown", true],
] as const)("status %j in the state %s stands as %s, to be paid: %s", (status, state, stand, toPay) => {
  const found = stateOf({ payment_status: status, ...(state && { state }) });
  expect(found).toBe(stand);
  expect(isToPay(found)).toBe(toPay);
});

const wallet = "0x9858EfFD232B4033E47d90003D41EC34EcaEda94";

test.each([
  ["ltc1q", "litecoin:ltc1q?amount=0.01938", "whole"],
  [wallet, `ethereum:${wallet}@1?value=33334000000000000`, "whole"],
  ["UQabc", "ton://transfer/UQabc?amount=320000000", "whole"],
  // A scanner that takes the first address would send coins to the token's contract.
  [
    wallet,
    `ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=${wallet}&uint256=1`,
    "plain",
  ],
  // One without chain ids would send coins for BSC on Ethereum.
  [wallet, `ethereum:${wallet}@56?value=1`, "plain"],
  ["UQabc", "ton://transfer/UQabc?amount=1550000&jetton=EQCx", "plain"],
  ["TUEZ", undefined, "plain"],
])("the code for %s with %s holds the %s at first", (address, uri, content) => {
  expect(firstQr(uri, address)).toBe(content);
});

test("a long id is known by its ends", () => {
  expect(shortId("7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc")).toBe("7c2d4206…37facc");
  expect(shortId("sandbox-12")).toBe("sandbox-12");
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

test.each([
  [3000, undefined],
  [601, undefined],
  [600, 10],
  [301, 10],
  [300, 5],
  [60, 1],
  [1, 1],
  [0, 0],
])("with %j seconds left, %j minutes are spoken of", (seconds, minutes) => {
  expect(spokenMinutes(seconds)).toBe(minutes);
});
