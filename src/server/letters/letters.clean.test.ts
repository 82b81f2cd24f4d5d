import fc from "fast-check";
import { expect, test } from "vitest";
import { clockOfThread } from "../../../test/kit/thread.ts";
import { cleanHtml, cleanText, page } from "./letters.clean.ts";

const clean = (html: string) => cleanHtml(html, { remoteImages: false });

test.each([
  ["<script>alert(1)</script>", ""],
  ["<scr<script>ipt>alert(1)</script>", "ipt&gt;alert(1)"],
  ["<img src=x onerror=alert(1)>", "<img />"],
  ["<svg onload=alert(1)><circle/></svg>", ""],
  ["<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>", ""],
  ["<iframe src=https://evil.test></iframe>", ""],
  ["<object data=x></object><embed src=x>", ""],
  ["<form action=https://evil.test><input name=a><button>Go</button></form>", "Go"],
  ["<base href=https://evil.test/>", ""],
  ["<meta http-equiv=refresh content='0;url=https://evil.test'>", ""],
  ["<link rel=stylesheet href=https://evil.test/a.css>", ""],
  ["<style>@import url(https://evil.test)</style>", ""],
  ["<div class=a id=b onclick=c data-d=e>x</div>", "<div>x</div>"],
  ["<title>no</title><noscript><p>no</p></noscript>yes", "yes"],
  [
    "<table background=https://evil.test/a.png><tr><td>x</td></tr></table>",
    "<table><tr><td>x</td></tr></table>",
  ],
  ["<video src=https://evil.test poster=https://evil.test></video>", ""],
  ["<!--[if IE]><script>alert(1)</script><![endif]-->", ""],
])("%s is shown as %j", (html, shown) => {
  expect(clean(html)).toBe(shown);
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "&#106;avascript:alert(1)",
  " \u0001javascript:alert(1)",
  "vbscript:x",
  "data:text/html,<script>alert(1)</script>",
  "//evil.test/x",
  "file:///etc/passwd",
  "blob:https://a.test/1",
])("a link to %s leads nowhere", (href) => {
  expect(clean(`<a href="${href}">x</a>`)).not.toMatch(/href/i);
});

test("a link opens apart, and does not tell where it was clicked", () => {
  expect(
    clean('<a href="https://a.test/?a=1&amp;b=2" target=_top rel=opener ping=https://evil.test>x</a>'),
  ).toBe('<a href="https://a.test/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer nofollow">x</a>');
});

test("pictures from elsewhere are shown only when asked for; those inside of the letter are shown", () => {
  const remote =
    '<img src="https://a.test/pixel.png" alt="Logo" width="1" srcset="https://a.test/2x.png 2x" />';
  expect(clean(remote)).toBe('<img alt="Logo" width="1" />');
  expect(cleanHtml(remote, { remoteImages: true })).toBe(
    '<img alt="Logo" width="1" src="https://a.test/pixel.png" />',
  );
  const inside = '<img src="data:image/png;base64,iVBORw0KGgo=" />';
  expect(clean(inside)).toBe(inside);
  expect(clean('<img src="data:image/svg+xml;base64,PHN2Zz4=">')).toBe("<img />");
  expect(clean('<img src="cid:logo">')).toBe("<img />");
});

test.each([
  ["color:#fff;padding:1px 2px", "color:#fff;padding:1px 2px"],
  ["COLOR: rgba(1, 2, 3, .5) !important", "color:rgba(1, 2, 3, .5) !important"],
  ["font-family:Arial, 'Segoe UI', sans-serif", "font-family:Arial, 'Segoe UI', sans-serif"],
  ["background:url(https://evil.test)", ""],
  ["background-color:url(https://evil.test)", ""],
  ["color:expression(alert(1))", ""],
  ["position:fixed;top:0;z-index:9", ""],
  ["color:red;width:\\75rl(x)", "color:red"],
  ["width:calc(1px + 2px)", ""],
  ["behavior:url(x)", ""],
  ["color:red}body{display:none", ""],
  ["color:re/**/d", ""],
])("the style %s is kept as %j", (style, kept) => {
  expect(clean(`<p style="${style}">x</p>`)).toBe(kept === "" ? "<p>x</p>" : `<p style="${kept}">x</p>`);
});

test("a plain text is shown as it is, lines and all", () => {
  expect(cleanText("<b>1 & 2</b>\n  'x' \"y\"")).toContain(
    ">&lt;b&gt;1 &amp; 2&lt;/b&gt;\n  &#39;x&#39; &quot;y&quot;</pre>",
  );
});

test("a document begins with exactly the doctype and lets nothing run, load or be sent", () => {
  const document = page("<p>x</p>");
  expect(document.startsWith("<!DOCTYPE html>")).toBe(true);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(document)?.[1];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'none'");
  expect(policy).toContain("img-src data:;");
  expect(policy).not.toContain("script");
  expect(page("", { remoteImages: true })).toContain("img-src data: https: http:;");
});

const hostile = fc.constantFrom(
  "<",
  ">",
  "script",
  "</script>",
  "<img src=",
  "x",
  '"',
  "'",
  " onerror=",
  "alert(1)",
  "<svg",
  "/",
  "<a href=",
  "java",
  "script:",
  "<style>",
  "<!--",
  "-->",
  "\0",
  "&#106;",
  "<noscript>",
  "<p title='",
);

const part =
  /<(?<closing>\/?)(?<name>[a-z][a-z0-9]*)(?<attributes>(?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>|[^<]+/gy;

/** Reads clean HTML by a grammar so narrow that a browser cannot read it otherwise; throws on what does not fit it. */
function tagsOf(html: string): { name: string; attributes: [name: string, value: string][] }[] {
  const parts = [...html.matchAll(part)];
  expect(parts.map(([text]) => text).join("")).toBe(html);
  return parts.flatMap(({ groups }) => {
    if (groups?.["name"] === undefined) return [];
    const found = (groups["attributes"] ?? "").matchAll(/([a-z-]+)(?:="([^"]*)")?/g);
    return [
      {
        name: groups["name"],
        attributes: [...found].map(([, name = "", value = ""]) => [name, value] as [string, string]),
      },
    ];
  });
}

test("nothing that is put together from hostile pieces runs, and cleaning twice changes nothing more", () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 40 }), (pieces) => {
      const once = clean(pieces.join(""));
      for (const { name, attributes } of tagsOf(once)) {
        expect(name).not.toMatch(/^(?:script|svg|style|iframe|form|noscript)$/);
        for (const [attribute, value] of attributes) {
          expect(attribute).not.toMatch(/^on/);
          if (attribute === "href" || attribute === "src") expect(value).not.toMatch(/^\s*javascript\s*:/i);
        }
      }
      expect(clean(once)).toBe(once);
    }),
    {
      numRuns: 200,
      // What stands inside the quotes of an attribute is only text.
      examples: [
        [["<p title='", " onerror=", "'", ">"]],
        [["<p title='", "<a href=", "java", "script:", "'", ">"]],
      ],
    },
  );
});

test.each([
  "<b>",
  "<div><p>",
  "<a href=x>",
  "<table><tr><td>",
  "<",
  "<p style='color:red;",
  "&amp;",
  "<!--",
  "</p>",
])("half a million characters of %j are cleaned in time", (piece) => {
  const spent = clockOfThread();
  clean(piece.repeat(500_000 / piece.length));
  expect(spent()).toBeLessThan(2_000);
});
