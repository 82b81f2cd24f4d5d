import fc from "fast-check";
import { expect, test } from "vitest";
import { isLink, nameOf, pathOf, thumbPathOf } from "./stories.links.ts";

const good = [
  "https://shop.example",
  "https://shop.example:8443/a?b=c#d",
  "HTTPS://shop.example/",
  "https://пример.example/путь",
  "/",
  "/en/payments/pay?x=1#top",
];
test.each(good)("a button may lead to %s", (link) => {
  expect(isLink(link)).toBe(true);
});

const bad = [
  "http://shop.example",
  "//e.example",
  "/\\e.example",
  "\\\\e.example",
  "/\t/e.example",
  "/\n/e.example",
  "https:e.example",
  "https:/e.example",
  "https://",
  "https://user:password@e.example",
  "https://user@e.example",
  "https://e.example/ a",
  " https://e.example",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)//https://",
  "data:text/html,<script>alert(1)</script>",
  "mailto:a@e.example",
  "en/docs",
  "?x",
  "#top",
  "https://e.example/\u202e",
];
test.each(bad)("a button does not lead to %j", (link) => {
  expect(isLink(link)).toBe(false);
});

const odds = fc.array(
  fc.oneof(
    fc.constantFrom(
      ..."/ // \\ . .. : @ ? # https: https:// javascript: e.example % \t \n \0 \u2028".split(" "),
      " ",
    ),
    fc.string({ unit: "binary" }),
  ),
  { maxLength: 8 },
);

test("whatever is taken leads to an https address or stays in the shop", () => {
  fc.assert(
    fc.property(odds, fc.constantFrom("", "/", "https://"), (parts, start) => {
      const link = start + parts.join("");
      if (!isLink(link)) return;
      const url = new URL(link, "http://shop.example/en/dashboard");
      expect(link.startsWith("/") ? url.origin : url.protocol).toBe(
        link.startsWith("/") ? "http://shop.example" : "https:",
      );
    }),
    { numRuns: 5_000 },
  );
});

const name = "0123456789abcdef0123456789abcdef";

test("the path of a picture names it, with a version or without", () => {
  for (const path of [pathOf(name), pathOf(name, 7n)]) expect(nameOf(path)).toBe(name);
  expect(pathOf(name, 7n)).toBe(`/media/${name}.webp?v=7`);
  expect(thumbPathOf(name, 7n)).toBe(`/media/${name}.thumb.webp?v=7`);
  expect([pathOf("", 7n), thumbPathOf("", 7n), nameOf("")]).toEqual(["", "", ""]);
});

test.each([
  `https://e.example/media/${name}.webp`,
  `/media/${name}.thumb.webp`,
  `/media/${name}.webp?v=x`,
  `/media/${name}.webp\n`,
  `/media/${name.toUpperCase()}.webp`,
  `/media/${name}.svg`,
  `/media/../${name}.webp`,
  name,
])("%j is no path of a picture", (path) => {
  expect(nameOf(path)).toBeUndefined();
});
