import { expect, test } from "vitest";
import { askOf, filtersIn, isNarrowed, queryOf, withQuery } from "./listQuery.ts";

test("a query survives the address bar, and other parameters stay", () => {
  const change = {
    search: "anna & co",
    state: "received",
    site: "x.com",
    since: "2026-11-20",
    until: "2026-11-22",
    size: 50,
  } as const;
  const address = withQuery("?from=x", change);
  expect(new URLSearchParams(address).get("from")).toBe("x");
  expect(queryOf(address)).toEqual({ ...change, domain: "" });
  expect(withQuery(address, { search: "", state: "", site: "", since: "", until: "", size: 10 })).toBe(
    "?from=x",
  );
});

test("a malformed address is no query", () => {
  const query = queryOf("?state=lost&rows=7&since=yesterday&site=https://www.X.com/login");
  expect(query).toEqual({ search: "", state: "", site: "x.com", domain: "", since: "", until: "", size: 10 });
  expect([filtersIn(query), isNarrowed(query), isNarrowed(queryOf("?q=%20"))]).toEqual([1, true, false]);
});

test("without a query the lists are asked as always; long pages come without texts", () => {
  expect(askOf(queryOf(""))).toEqual({});
  expect(askOf(queryOf("?q=482910&rows=100&mail=Letters.test"))).toEqual({
    search: "482910",
    domain: "letters.test",
    size: "100",
    brief: 1,
  });
  const days = queryOf("?since=2026-11-20&until=2026-11-22");
  expect(filtersIn(days)).toBe(1);
  expect(askOf(days)).toEqual({
    since: new Date(2026, 10, 20).getTime() / 1000,
    until: new Date(2026, 10, 23).getTime() / 1000,
  });
});
