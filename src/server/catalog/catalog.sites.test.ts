import fc from "fast-check";
import { expect, test } from "vitest";
import { nearest } from "../platform/nearest.ts";
import { readSite } from "./catalog.sites.ts";

test.each([
  ["instagram.com", "instagram.com"],
  ["https://www.Instagram.com/accounts/login/?next=%2F", "instagram.com"],
  ["http://user:pass@m.facebook.com:8080/path", "facebook.com"],
  ["  WWW.ZOOM.US. ", "zoom.us"],
  ["mail.shop.example.co.uk", "example.co.uk"],
  ["почта.рф", "xn--80a1acny.xn--p1ai"],
  ["sub.example.test", "example.test"],
  ["x.com#top", "x.com"],
])("%s is the site %s", (text, domain) => {
  expect(readSite(text)).toEqual({ domain });
});

test.each(["instagram", "Google", "any", "localhost"])("%s is a short name, not a domain", (text) => {
  expect(readSite(text)).toEqual({ word: text.toLowerCase() });
});

test.each([
  "",
  " ",
  "http://",
  "co.uk",
  "127.0.0.1",
  "[::1]",
  "a b.com",
  "-.com",
  "exa mple",
  ".",
  "a..b",
  "пример@",
  "%00.com",
])("%j is no site", (text) => {
  expect(readSite(text)).toBeUndefined();
});

test("any text is read without a fault, and reading the answer again gives the same", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.webUrl(), fc.domain()), (text) => {
      const site = readSite(text);
      if (site && "domain" in site) expect(readSite(site.domain)).toEqual(site);
    }),
  );
});

test("a mistyped name is matched to the one that was meant, a strange one to none", () => {
  const names = ["instagram", "discord", "facebook"];
  expect(nearest("instagarm", names)).toBe("instagram");
  expect(nearest("facebok", names)).toBe("facebook");
  expect(nearest("qqqqqqqq", names)).toBeUndefined();
});
