import { expect, test } from "vitest";
import { domainOf, rememberType } from "./mailType.ts";

test("the last mail type of a site is remembered, the newest site first", () => {
  const types = rememberType({ "x.com": "a.test", "zoom.us": "b.test" }, "zoom.us", "c.test");
  expect(Object.entries(types)).toEqual([
    ["zoom.us", "c.test"],
    ["x.com", "a.test"],
  ]);
});

test("of many sites the oldest is forgotten", () => {
  let types: Record<string, string> = {};
  for (let at = 0; at < 40; at++) types = rememberType(types, `site${at}.test`, "a.test");
  expect(Object.keys(types)).toHaveLength(30);
  expect(types["site39.test"]).toBe("a.test");
  expect(types["site9.test"]).toBeUndefined();
});

test("the mail type of an address is its domain", () => {
  expect(domainOf("ann.lee@letters.test")).toBe("letters.test");
});
