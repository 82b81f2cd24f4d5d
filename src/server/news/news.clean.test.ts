import fc from "fast-check";
import { expect, test } from "vitest";
import { newsLineLengthMax } from "../../contract/limits.ts";
import { cleanLine } from "./news.clean.ts";

const external = 'target="_blank" rel="noopener noreferrer nofollow"';
const dressing = "b|strong|i|em|u|s|code";

/** The allowed output: text without brackets, inline tags without attributes, and links of one form. */
const harmless = new RegExp(
  `^(?:[^<>]|</?(?:${dressing})>|<br />|</a>|<a href="(?:https://|mailto:)[^"<>\\s]*" ${external}>)*$`,
);

function isBalanced(html: string): boolean {
  const open: string[] = [];
  for (const [, end, name = ""] of html.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
    if (name === "br") continue;
    if (end === "") open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}

const shown: [written: string, shown: string][] = [
  ["now <b>0.0035</b> & less", "now <b>0.0035</b> &amp; less"],
  ["<i>a</i><em>b</em><u>c</u><s>d</s><code>e</code><strong>f</strong><br>g", ""],
  ["[docs](https://shop.example/docs)", `<a href="https://shop.example/docs" ${external}>docs</a>`],
  ["[us](mailto:help@shop.example)", `<a href="mailto:help@shop.example" ${external}>us</a>`],
  [
    "[a](https://e.example/?b=1&c=2), [d](https://e.example/f_(g))",
    `<a href="https://e.example/?b=1&amp;c=2" ${external}>a</a>, <a href="https://e.example/f_(g)" ${external}>d</a>`,
  ],
  [
    '<a href="https://e.example" target="_top" rel="opener" class="x">e</a>',
    `<a href="https://e.example/" ${external}>e</a>`,
  ],
  ["[<b>bold</b>](https://e.example)", `<a href="https://e.example/" ${external}><b>bold</b></a>`],
  ["1 < 2 > 0", "1 &lt; 2 &gt; 0"],
];

test.each(shown)("what is meant well is shown: %s", (written, wanted) => {
  const html = cleanLine(written);
  expect(html).toBe(wanted === "" ? written.replace("<br>", "<br />") : wanted);
  expect(html).toMatch(harmless);
});

const hostile: [written: string, shown: string][] = [
  ["a<script>alert(1)</script>b", "ab"],
  ["<img src=x onerror=alert(1)>hello", "hello"],
  ['<b onclick="alert(1)" style="position:fixed">b</b>', "<b>b</b>"],
  ["<svg><script>alert(1)</script></svg>end", "end"],
  ['<a href="javascript:alert(1)">a</a>', "a"],
  ['<a href="JaVa\tScRiPt:alert(1)">a</a>', "a"],
  ['<a href="&#106;avascript:alert(1)">a</a>', "a"],
  ['<a href="data:text/html,<script>alert(1)</script>">a</a>', "a"],
  ['<a href="http://e.example">a</a>', "a"],
  ['<a href="//e.example">a</a>', "a"],
  ['<a href="/api/admin/check">a</a>', "a"],
  ["[a](javascript:alert(1))", "[a](javascript:alert(1))"],
  ["[a](data:text/html,x)", "[a](data:text/html,x)"],
  ["[a](//e.example)", "[a](//e.example)"],
  ['[a](https://e.example"onclick="alert(1))', '[a](https://e.example"onclick="alert(1))'],
  ["[<img src=x onerror=alert(1)>](https://e.example)", `<a href="https://e.example/" ${external}></a>`],
  ['<iframe src="https://e.example"></iframe>c', "c"],
  ["<style>*{display:none}</style>d", "d"],
  ["<b>never closed", "<b>never closed</b>"],
  ["</p></section><h1>big</h1>", "big"],
  [
    '<a href="/in">b</a><a href="https://e.example/">x</a>',
    `b<a href="https://e.example/" ${external}>x</a>`,
  ],
];

test.each(hostile)("what is meant ill is harmless: %s", (written, wanted) => {
  const html = cleanLine(written);
  expect(html).toBe(wanted);
  expect(html).toMatch(harmless);
});

const pieces = fc.constantFrom(
  ..."< > \" ' ` = / & ; : ( ) [ ] \\ \0 \t \n".split(" "),
  " ",
  ..."<a <b <img <svg <math <script <style <!-- --> <![CDATA[ </ /> <br> </a> </script> <noscript> <template>".split(
    " ",
  ),
  "href=",
  'href="',
  "onerror=alert(1)",
  " onclick='x'",
  "style=",
  "srcdoc=",
  "](",
  "[x](https://e.example/",
  "[x](javascript:",
  ..."javascript: data:text/html, https:// https://e.example http:// mailto:a@b.example vbscript: &#x6a; &lt; &quot; &Tab; \u202e \u2028 ünï 中".split(
    " ",
  ),
);
const lines = fc.oneof(
  fc.array(fc.oneof({ weight: 6, arbitrary: pieces }, fc.string({ unit: "binary" })), { maxLength: 40 }),
  fc.array(pieces, { maxLength: 40 }),
);

test("whatever is written, nothing comes out but text, what dresses it, and links to elsewhere", () => {
  fc.assert(
    fc.property(lines, (parts) => {
      const html = cleanLine(parts.join(""));
      expect(html).toMatch(harmless);
      expect(isBalanced(html)).toBe(true);
      // Idempotent: a line that is read back and saved stays the same.
      expect(cleanLine(html)).toMatch(harmless);
    }),
    { numRuns: 2_000 },
  );
});

test.each(["[", "[a](https://(", "<a href=", "<b>", "&", "](("])(
  "a long line of nothing but %s is read",
  (part) => {
    expect(cleanLine(part.repeat(newsLineLengthMax / part.length))).toMatch(harmless);
  },
);
