import { expect, test } from "vitest";
import { translator } from "./t.ts";

const seconds = {
  one: "{count} секунда",
  few: "{count} секунды",
  many: "{count} секунд",
  other: "{count} секунды",
};

test("a plural text takes the form of its language", () => {
  const t = translator("ru", { left: seconds });
  expect([1, 2, 5, 21].map((count) => t("left", { count }))).toEqual([
    "1 секунда",
    "2 секунды",
    "5 секунд",
    "21 секунда",
  ]);
});

test("holes are filled, numbers with Latin digits in every language", () => {
  const t = translator("ar", { page: "الصفحة {page} {name}" });
  expect(t("page", { page: 12, name: "x" })).toBe("الصفحة 12 x");
});

test("a hole without a value stays visible instead of vanishing", () => {
  expect(translator("en", { hello: "Hello {name}" })("hello")).toBe("Hello {name}");
});
