import { expect, test } from "vitest";
import { optimisticItems } from "./optimisticItems.ts";

const begun = optimisticItems([], {
  do: "start",
  items: [
    { key: "a", site: "x.com", email: "" },
    { key: "b", site: "x.com", email: "" },
  ],
});

test("an order is there at once and waits", () => {
  expect(begun.map(({ key, state, id }) => ({ key, state, id }))).toEqual([
    { key: "a", state: "wait", id: undefined },
    { key: "b", state: "wait", id: undefined },
  ]);
});

test("an answered order has its address and is processed", () => {
  const change = {
    do: "accept",
    key: "b",
    id: "7",
    email: "m@letters.test",
    price: 0.0035,
    expiresAt: 9,
    at: 5,
  } as const;
  const row = optimisticItems(begun, change)[1];
  expect(row).toMatchObject({
    key: "7",
    id: "7",
    email: "m@letters.test",
    state: "processing",
    acceptedAt: 5,
  });
});

test("a refused order goes away", () => {
  expect(optimisticItems(begun, { do: "drop", key: "a" }).map((row) => row.key)).toEqual(["b"]);
});
