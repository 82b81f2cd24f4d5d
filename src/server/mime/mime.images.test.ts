import { expect, test } from "vitest";
import { part, parted } from "../../../test/kit/raw.ts";
import { parseLetter } from "./mime.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const html = (text: string) => part(text, "Content-Type: text/html");
const picture = (id: string, bytes = png, type = "image/png") =>
  part(
    bytes.toString("base64"),
    `Content-Type: ${type}`,
    `Content-ID: <${id}>`,
    "Content-Transfer-Encoding: base64",
    "Content-Disposition: inline; filename=logo.png",
  );
const letter = (...parts: string[][]) => parseLetter(parted("related", ...parts));
const data = (bytes = png, type = "image/png") => `data:${type};base64,${bytes.toString("base64")}`;

test.each([
  ['<img src="cid:a@b">', '<img src="*">'],
  ["<img alt=x SRC = 'CID:a@b' width=1>", "<img alt=x SRC = '*' width=1>"],
  ["<img src=cid:a@b>", "<img src=*>"],
  ['<img src="cid:A%40b">', '<img src="*">'],
  ['<img src="cid:a&#64;b">', '<img src="*">'],
  ['<td background="cid:a@b">', '<td background="*">'],
  ["<p style=\"background:url('cid:a@b') no-repeat\">", "<p style=\"background:url('*') no-repeat\">"],
  ["<p style='background:url(cid:a@b)'>", "<p style='background:url(*)'>"],
  ['<p style="background:url(&quot;cid:a@b&quot;)">', '<p style="background:url(&quot;*&quot;)">'],
  ["<style>p{background:url( cid:a@b )}</style>", "<style>p{background:url( * )}</style>"],
])("the picture of %s is put in its place", (source, placed) => {
  const { html: shown, attachments } = letter(html(source), picture("a@b"));
  expect(shown).toBe(placed.replace("*", data()));
  expect(attachments).toEqual([]);
});

test("a picture is found by its location too", () => {
  const fields = [
    "Content-Type: image/png",
    "Content-Location: http://a.test/logo.png",
    "Content-Transfer-Encoding: base64",
  ];
  const { html: shown } = letter(
    html('<img src="http://a.test/logo.png">'),
    part(png.toString("base64"), ...fields),
  );
  expect(shown).toBe(`<img src="${data()}">`);
});

test.each([
  ["image/jpeg", "ffd8ffe000104a464946"],
  ["image/gif", "47494638396101000100"],
  ["image/webp", "524946460000000057454250"],
  ["image/bmp", `424d${"00".repeat(30)}`],
])("a picture is %s by its bytes, whatever its header says", (type, hex) => {
  const bytes = Buffer.from(hex, "hex");
  expect(letter(html("<img src=cid:a>"), picture("a", bytes, "image/svg+xml")).html).toBe(
    `<img src=${data(bytes, type)}>`,
  );
});

test("what is no picture is never shown as one, but listed", () => {
  const script = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>");
  const { html: shown, attachments } = letter(
    html('<img src="cid:a"><img src="cid:none">'),
    picture("a", script, "image/svg+xml"),
  );
  expect(shown).toBe('<img src=""><img src="">');
  expect(attachments).toEqual([{ name: "logo.png", type: "image/svg+xml", size: script.length }]);
});

test("a picture that the HTML does not show is listed", () => {
  expect(letter(html("<p>hello"), picture("a")).attachments).toHaveLength(1);
  expect(letter(part("hello"), picture("a")).attachments).toHaveLength(1);
});

test("pictures beyond what a letter may show are listed instead", () => {
  const large = Buffer.concat([png, Buffer.alloc(100 * 1024)]);
  const { html: shown = "", attachments } = letter(
    html("<img src=cid:1><img src=cid:2><img src=cid:3><img src=cid:4>"),
    ...["1", "2", "3"].map((id) => picture(id, large)),
    picture("4"),
  );
  expect(shown.match(/src=data:/g)).toHaveLength(3);
  expect(shown).toContain("<img src=>");
  expect(attachments.map(({ size }) => size)).toEqual([large.length]);
  const many = letter(html("<img src=cid:1>".repeat(1_000)), picture("1"));
  expect(many.html?.match(/data:/g)).toHaveLength(100);
  expect(letter(html("<img src=cid:1>".repeat(50)), picture("1", large)).html?.length).toBeLessThan(400_000);
});

test("pictures are no text, and no link of the letter is touched", () => {
  const parsed = letter(
    html('<a href="https://b.test/x?src=cid:a">Go</a><img src="cid:a" alt="">'),
    picture("a"),
  );
  expect(parsed).toMatchObject({ text: "Go", links: [{ href: "https://b.test/x?src=cid:a" }] });
  expect(parsed.html).toContain('href="https://b.test/x?src=cid:a"');
});
