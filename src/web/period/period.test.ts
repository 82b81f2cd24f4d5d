import { expect, test } from "vitest";
import { withParameters } from "./addressQuery.ts";
import { instantsOf, lastDays, noPeriod, periodIn, presetOf } from "./period.ts";

test("a period survives the address bar, and what is malformed is none", () => {
  const address = withParameters("q=x&since=2026-01-01", { since: "", until: "2026-11-20" });
  expect(address).toBe("?q=x&until=2026-11-20");
  expect(periodIn(new URLSearchParams(address))).toEqual({ since: "", until: "2026-11-20" });
  expect(periodIn(new URLSearchParams("since=yesterday&until=2026-13-01"))).toEqual(noPeriod);
});

test("the last day counts as a whole, however long it is", () => {
  const { since = 0, until = 0 } = instantsOf({ since: "2026-03-29", until: "2026-03-29" });
  expect(new Date(since * 1000)).toEqual(new Date(2026, 2, 29));
  expect(new Date(until * 1000)).toEqual(new Date(2026, 2, 30));
  expect(instantsOf(noPeriod)).toEqual({});
});

test("seven days are today and the six before it, over the end of a month and a year", () => {
  const now = new Date(2027, 0, 3, 23, 59);
  expect(lastDays(1, now)).toEqual({ since: "2027-01-03", until: "" });
  expect(lastDays(7, now)).toEqual({ since: "2026-12-28", until: "" });
  expect(presetOf({ since: "2026-12-28", until: "" }, now)?.days).toBe(7);
  expect(presetOf({ since: "2026-12-28", until: "2027-01-03" }, now)).toBeUndefined();
  expect(presetOf(noPeriod, now)).toBeUndefined();
});
