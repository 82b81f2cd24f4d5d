import { expect, test } from "vitest";
import { storyLink } from "./storyLink.ts";

test("an https address leads outside, a path to a page in the language of the reader", () => {
  expect(storyLink("https://sites.example/a?b=c", "ru")).toEqual({
    href: "https://sites.example/a?b=c",
    isOutside: true,
  });
  expect(storyLink("/docs?from=x#errors", "ru")).toEqual({
    href: "/ru/docs?from=x#errors",
    isOutside: false,
  });
  expect(storyLink("/en/docs", "ar")?.href).toBe("/ar/docs");
  expect(storyLink("/en", "ar")?.href).toBe("/ar");
  expect(storyLink("/", "ar")?.href).toBe("/ar");
});

test("what is neither leads nowhere", () => {
  for (const link of ["", "docs", "http://a.example", "javascript:alert(1)", "//a.example", "/\\a.example"])
    expect(storyLink(link, "en"), link).toBeUndefined();
});
