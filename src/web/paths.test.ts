import { expect, test } from "vitest";
import { inLanguage, pageOf, paths } from "./paths.ts";

test("a payment's address carries its id", () => {
  expect(paths.pay("ar", "9001")).toBe("/ar/payments/pay?id=9001");
});

test("the home page's choice travels to the dashboard", () => {
  expect(paths.dashboard("en", { from: "x", to: "letters.test" })).toBe(
    "/en/dashboard?from=x&to=letters.test",
  );
});

test("only an address that begins with one of our languages has a page", () => {
  expect(pageOf("/ru/docs/")).toBe("docs");
  expect(pageOf("/zh")).toBe("");
  expect(pageOf("/de/docs")).toBeUndefined();
  expect(pageOf("/constructor/docs")).toBeUndefined();
});

test("switching the language rewrites the first segment and nothing else", () => {
  expect(inLanguage("hi", "/en/payments/pay")).toBe("/hi/payments/pay");
  expect(inLanguage("hi", "/en")).toBe("/hi");
});
