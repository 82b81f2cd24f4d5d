import { expect, test } from "vitest";
import { findCode } from "../codes/codes.ts";
import { decodeEntities } from "./mime.entities.ts";

test.each([
  ["Tom &amp; Jerry &lt;3", "Tom & Jerry <3"],
  ["&#52;&#x38;2&ZeroWidthSpace;9&NoBreak;1&shy;3", "482\u200b9\u20601\u00ad3"],
  ["&rlm;12&lrm;", "\u200f12\u200e"],
  ["&nbsp;&Otilde;&yuml;&times;&frac12;&copy2024 &szlig;", "\u00a0Õÿ×½©2024 ß"],
  ["AT&T &unknown; &", "AT&T &unknown; &"],
  ["&#0;&#xd800;&#x110000;", "\ufffd\ufffd\ufffd"],
  ["&constructor;&toString;", "&constructor;&toString;"],
])("%s is read as %j", (written, read) => {
  expect(decodeEntities(written)).toBe(read);
});

test("a code in pieces of references is one code", () => {
  expect(findCode("", decodeEntities("رمز التحقق: &rlm;&#1636;&#1640;٢&zwnj;٩&ZeroWidthSpace;١٣&lrm;"))).toBe(
    "482913",
  );
});
