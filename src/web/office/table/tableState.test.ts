import { expect, test } from "vitest";
import {
  columnsOf,
  decimalsOf,
  filtersOf,
  headingOf,
  queryOf,
  readState,
  tableOf,
  nextSort,
} from "./tableState.ts";

const users = tableOf("users");

test("what an address asks of a table comes back from the address that is made of it", () => {
  const state = {
    sort: "email",
    search: "somebody+1",
    filters: { blocked: "1", admin: "0" },
    since: "2026-11-01",
    until: "",
    page: 3,
  };
  expect(readState(users, queryOf(users, state))).toEqual(state);
  expect(filtersOf(state)).toBe("blocked:1,admin:0");
});

test("a table that is shown as it comes needs no query", () => {
  expect(queryOf(users, readState(users, ""))).toBe("");
});

test("what makes no sense in an address is left out", () => {
  const asked = readState(
    users,
    "?sort=-password&filters=email:x,blocked:,admin&page=-7&search=x&since=soon",
  );
  expect(asked).toEqual({ sort: users.sort, search: "x", filters: {}, since: "", until: "", page: 1 });
  expect(readState(tableOf("jobs"), "?search=x&since=2026-11-01")).toMatchObject({ search: "", since: "" });
});

test("a heading turns its order with each press", () => {
  expect(nextSort("-id", "email")).toBe("email");
  expect(nextSort("email", "email")).toBe("-email");
  expect(nextSort("-email", "email")).toBe("email");
});

test("the amounts of a column have one number of decimals, two at least, and prices four", () => {
  const rows = [{ balance: "28.8", price: "0.75" }, { balance: "26.983", price: null }, { balance: "40.0" }];
  expect(decimalsOf(rows, "balance")).toBe(3);
  expect(decimalsOf(rows, "price")).toBe(4);
  expect(decimalsOf([{ balance: "71.07397872" }, ...rows], "balance")).toBe(8);
  expect(decimalsOf([{ balance: "40.0" }], "balance")).toBe(2);
});

test("a key that says nothing to people is not shown, and the first column names the row", () => {
  const turnedAway = tableOf("turned_away");
  expect(columnsOf(turnedAway).map(([id]) => id)).not.toContain(turnedAway.key);
  expect(headingOf(turnedAway)).toBe("sender");
  expect(headingOf(users)).toBe("id");
});
