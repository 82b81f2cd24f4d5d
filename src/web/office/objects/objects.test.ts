import { expect, test } from "vitest";
import { objectNamed, objectOf, pageOfRow } from "./objects.ts";

test("every number of a user, an order, a payment, a batch or a letter leads to its page", () => {
  expect(objectOf("users", "id")).toBe("user");
  expect(objectOf("partners", "id")).toBe("user");
  expect(objectOf("complaints", "id")).toBe("order");
  expect(objectOf("money", "order")).toBe("order");
  expect(objectOf("money", "payment")).toBe("payment");
  expect(objectOf("turned_away", "letter")).toBe("letter");
  expect(objectOf("security", "by")).toBe("user");
  // Numbers of other things, and figures that are called like one.
  expect([objectOf("journal", "id"), objectOf("tokens", "id")]).toEqual([undefined, undefined]);
  expect(objectOf("domains", "name")).toBeUndefined();
});

test("what the journal names by its number leads to its page too", () => {
  expect(objectNamed("order 40000000061")).toEqual({ object: "order", id: "40000000061" });
  expect([objectNamed("letters.test"), objectNamed("host 7"), objectNamed("operator")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("a press on a row opens the row, else what it is about, else nothing", () => {
  expect(pageOfRow("en", "orders", { id: "4", user: "7" })).toBe("/en/admin/order?id=4");
  expect(pageOfRow("en", "shares", { id: "5 site.example", batch: "5" })).toBe("/en/admin/batch?id=5");
  expect(pageOfRow("ar", "journal", { id: "1", about: "user 17" })).toBe("/ar/admin/user?id=17");
  expect(pageOfRow("en", "turned_away", { id: "1 x", letter: null })).toBeUndefined();
});
