import { expect, test } from "vitest";
import { cutTitle } from "./Thumbnails.tsx";

test("a title of up to 30 characters stands whole, a longer one is cut to 28 and an ellipsis", () => {
  expect(cutTitle("a".repeat(30))).toBe("a".repeat(30));
  expect(cutTitle("a".repeat(31))).toBe(`${"a".repeat(28)}…`);
  // Never splits a code point.
  expect(cutTitle("😀".repeat(31))).toBe(`${"😀".repeat(28)}…`);
});
