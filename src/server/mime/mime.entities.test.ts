// Character references as browsers read them (HTML Living Standard §13.2.5.73): in text and in attributes not alike.
import { expect, test } from "vitest";
import { findCode } from "../codes/codes.ts";
import { renderHtml } from "./mime.render.ts";

test.each([
  ["Tom &amp; Jerry &lt;3", "Tom & Jerry <3"],
  ["&#52;&#x38;2&ZeroWidthSpace;9&NoBreak;1&shy;3", "482\u200b9\u20601\u00ad3"],
  ["&rlm;12&lrm;", "\u200f12\u200e"],
  ["&Otilde;&yuml;&times;&frac12;&copy2024 &szlig;", "Õÿ×½©2024 ß"],
  ["AT&T &unknown; & &num &period", "AT&T &unknown; & &num &period"],
  ["&#0;&#xd800;&#x110000;", "\ufffd\ufffd\ufffd"],
  ["&#146;&constructor;&toString;", "’&constructor;&toString;"],
  ["&amp;lt; &check; &notin; &notit;", "&lt; ✓ ∉ ¬it;"],
])("%s is read as %j", (written, read) => {
  expect(renderHtml(written).text).toBe(read);
});

test("a code in pieces of references is one code", () => {
  const { text } = renderHtml("رمز التحقق: &rlm;&#1636;&#1640;٢&zwnj;٩&ZeroWidthSpace;١٣&lrm;");
  expect(findCode("", text)).toBe("482913");
});

// The names that may stand without a semicolon: those of Latin-1 in their order from nbsp, and eight more.
const latin =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot " +
  "cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml " +
  "Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig " +
  "agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute " +
  "ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const bare: [string, string][] = [
  ...latin.split(" ").map((name, index): [string, string] => [name, String.fromCharCode(0xa0 + index)]),
  ...["amp&", "AMP&", "lt<", "LT<", "gt>", "GT>", "copy©", "COPY©", "reg®", "REG®"].map(
    (pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)],
  ),
];
const closedOnly: [string, string][] = [
  ["num", "#"],
  ["period", "."],
  ["comma", ","],
  ["dollar", "$"],
  ["order", "ℴ"],
  ["lang", "⟨"],
  ["phone", "☎"],
  ["sigma", "σ"],
  ["image", "ℑ"],
  ["hash", "&hash;"],
];
const hrefOf = (html: string) => renderHtml(html).links[0]?.href;

test.each([...bare, ...closedOnly])("an address keeps its parameter &%s=", (name, sign) => {
  const start = "https://app.example/verify?a=1";
  for (const tail of [`&${name}=10`, `&${name}10`, `&${name}Id=3`, `&${name}=`]) {
    expect(hrefOf(`<a href="${start}${tail}">Verify</a>`)).toBe(start + tail);
    expect(hrefOf(`<a href='${start}${tail}'>Verify</a>`)).toBe(start + tail);
    expect(hrefOf(`<a href=${start}${tail}>Verify</a>`)).toBe(start + tail);
    expect(hrefOf(`<a href="${start}${tail.replace("&", "&amp;")}">Verify</a>`)).toBe(start + tail);
  }
  expect(hrefOf(`<a href="${start}&${name};">Verify</a>`)).toBe(`${start}${sign}`.trim());
});

test.each(bare)("in text &%s needs no semicolon", (name, sign) => {
  expect(renderHtml(`<pre>a&${name} b&${name};c</pre>`).text).toBe(
    `a${sign} b${sign}c`.replaceAll("\u00a0", " ").replace("  ", " "),
  );
});

test.each(closedOnly)("in text &%s without a semicolon is text", (name, sign) => {
  expect(renderHtml(`a&${name} b&${name};`).text).toBe(`a&${name} b${sign}`);
});
