import { expect, test } from "vitest";
import { showDocument, showLetter } from "./showing.ts";

const shown = (letter: Parameters<typeof showLetter>[0]) => showLetter(letter, "carried").html;

test("what is shown is clean HTML, or the text with its lines, or nothing of a letter that is no longer kept", () => {
  expect(shown({ html: "<b onclick=x()>Hi</b><script>1</script>", text: "Hi" })).toBe("<b>Hi</b>");
  expect(shown({ html: null, text: "1 < 2\n3" })).toMatch(/^<pre[^>]*>1 &lt; 2\n3<\/pre>$/);
  expect(shown({ html: null, text: "" })).not.toBe("");
  expect(shown({ html: null, text: null })).toBe("");
});

test("a letter that is shown again is not cleaned again, and never another one", () => {
  const html = `<p>${"x".repeat(50_000)}</p>`;
  const first = showLetter({ letterId: 1n, html, text: null }, "carried");
  expect(showLetter({ letterId: 1n, html, text: null }, "carried")).toBe(first);
  expect(shown({ letterId: 1n, html: "<p>other</p>", text: null })).toBe("<p>other</p>");
  expect(shown({ letterId: 1n, html: null, text: "plain" })).toContain("plain");
});

test("what is remembered is bounded by its length: the letter that was cleaned first is forgotten", () => {
  const letters = Array.from({ length: 40 }, (_, at) => ({
    letterId: BigInt(100 + at),
    html: `<p>${String(at).padStart(3, "0").repeat(80_000)}</p>`,
    text: null,
  }));
  const firsts = letters.map((letter) => showLetter(letter, "carried"));
  const isRemembered = (at: number) => showLetter(letters[at]!, "carried") === firsts[at];
  expect(isRemembered(39)).toBe(true);
  expect(isRemembered(0)).toBe(false);
});

test("a document begins with exactly the doctype and lets nothing run, load or be sent", () => {
  const letter = { html: "<p>x</p><img src='https://img.example.com/x.png'>", text: "x" };
  const { html, policy } = showDocument(letter, "carried");
  expect(html.startsWith("<!DOCTYPE html>")).toBe(true);
  expect(html).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy}">`);
  expect(html.indexOf(policy)).toBeLessThan(html.indexOf("<p>x</p>"));
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("form-action 'none'");
  expect(policy).toContain("img-src data:;");
  expect(policy).not.toContain("script");
  expect(html).not.toContain("img.example.com");
  const asked = showDocument(letter, "all");
  expect(asked.policy).toContain("img-src data: https:;");
  expect(asked.html).toContain('src="https://img.example.com/x.png"');
});

test("the document of a letter that is no longer kept says so", () => {
  expect(showDocument({ html: null, text: null }, "carried").html).toContain("no longer stored");
});
