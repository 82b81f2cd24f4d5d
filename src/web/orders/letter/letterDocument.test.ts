import { expect, test } from "vitest";
import { frameOf, isHtml } from "./letterDocument.ts";

test("the policy stands before anything that a letter says", () => {
  const html = frameOf("<p>Hello</p><img src='https://spy.test/1.gif'>");
  expect(html.indexOf("default-src 'none'")).toBeLessThan(html.indexOf("<p>Hello</p>"));
  expect(html).toContain("<p>Hello</p>");
});

test("plain text is escaped and preformatted", () => {
  expect(frameOf("1 < 2 & code\n482910")).toContain('<pre dir="auto">1 &lt; 2 &amp; code\n482910</pre>');
});

test.each([
  ["<p>x</p>", true],
  ["<!DOCTYPE html><html></html>", true],
  ["text<br/>text", true],
  ["1 < 2 and 3 > 2", false],
  ["write to <anna@letters.test>", false],
])("is %j HTML? %s", (text, html) => {
  expect(isHtml(text)).toBe(html);
});
