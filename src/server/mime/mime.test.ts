import fc from "fast-check";
import MailComposer from "nodemailer/lib/mail-composer/index.js";
import type Mail from "nodemailer/lib/mailer/index.js";
import { expect, test } from "vitest";
import { letter } from "../../../test/kit/raw.ts";
import { clockOfThread } from "../../../test/kit/thread.ts";
import { parseLetter } from "./mime.ts";
import { renderHtml, renderPlain } from "./mime.render.ts";

const rawOfMailer = (mail: Mail.Options) => new MailComposer(mail).compile().build();
const hex = (text: string) => Buffer.from(text, "hex").toString("latin1");

test("sender, subject and text are read from a plain letter", () => {
  const parsed = parseLetter(
    letter(
      "From: =?utf-8?B?0JjQvNGP?= <No-Reply@Mail.Shop.CO.UK>",
      "Subject: =?utf-8?Q?Caf=C3=A9?=",
      " =?utf-8?Q?_code?=",
      "",
      "line one",
      "line two",
    ),
  );
  expect(parsed).toMatchObject({
    sender: "Имя <No-Reply@Mail.Shop.CO.UK>",
    senderDomain: "shop.co.uk",
    subject: "Café code",
    html: undefined,
    text: "line one\nline two",
  });
});

test.each([
  ["koi8-r", "f0d2c9d7c5d4", "Привет"],
  ["windows-1251", "cff0e8e2e5f2", "Привет"],
  ["gb18030", "d1e9d6a4c2eb", "验证码"],
  ["big5", "c5e7c3d2bd58", "驗證碼"],
  ["windows-1256", "d1e3d2", "رمز"],
  ["iso-2022-jp", "1b244247273e5a1b2842", "認証"],
  ["shift_jis", "8352815b8368", "コード"],
  ["iso-8859-1", "43f36469676f", "Código"],
  ["utf-8", "e0a495e0a58be0a4a1", "कोड"],
])("a letter in %s is read", (charset, bytes, text) => {
  const parsed = parseLetter(
    letter("From: a@b.test", `Content-Type: text/plain; charset=${charset}`, "", hex(bytes)),
  );
  expect(parsed.text).toBe(text);
});

test.each([
  ["From: a@sub.example.com", "example.com"],
  ["From: Name <a@xn--bcher-kva.example>", "xn--bcher-kva.example"],
  ["From: a@BÜCHER.example".replace("Ü", hex("c39c")), "xn--bcher-kva.example"],
  ["From: team: a@one.test, b@two.test;", "one.test"],
  ["From: a@[192.0.2.1]", ""],
  ["From: nobody", ""],
  ["From:", ""],
  ["To: a@b.test", ""],
])("%s is from %j", (from, domain) => {
  expect(parseLetter(letter(from, "", "x")).senderDomain).toBe(domain);
});

test("the HTML part is what a person reads, with its links", () => {
  const parsed = parseLetter(
    letter(
      "From: a@b.test",
      'Content-Type: multipart/alternative; boundary="x"',
      "",
      "--x",
      "",
      "plain words",
      "--x",
      "Content-Type: text/html; charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      '<style>p{color:#202123}</style><p>Your c=C3=B3digo</p><a href=3D"https://b.test/v?t=3D1">Go</a>',
      "--x--",
    ),
  );
  expect(parsed.text).toBe("Your código\n\nGo");
  expect(parsed.plain.trim()).toBe("plain words");
  expect(parsed.links).toEqual([{ href: "https://b.test/v?t=1", text: "Go" }]);
});

test("a letter whose HTML shows nothing is read in its plain part", () => {
  const parsed = parseLetter(
    letter(
      "From: a@b.test",
      'Content-Type: multipart/alternative; boundary="x"',
      "",
      "--x",
      "",
      "Sign in: https://b.test/signin",
      "--x",
      "Content-Type: text/html",
      "",
      "<img src=x>",
      "--x--",
    ),
  );
  expect(parsed.text.trim()).toBe("Sign in: https://b.test/signin");
  expect(parsed.links).toEqual([{ href: "https://b.test/signin", text: "Sign in:" }]);
});

const nested = (depth: number) => {
  const lines = ["From: Deep <a@deep.test>", "Subject: deep"];
  for (let level = 0; level < depth; level++)
    lines.push(`Content-Type: multipart/mixed; boundary="b${level}"`, "", `--b${level}`);
  return letter(...lines, "", "bottom");
};

test.each([
  ["a hundred multiparts in one another", nested(100)],
  [
    "ten thousand parts",
    letter(
      "From: Deep <a@deep.test>",
      "Subject: deep",
      "Content-Type: multipart/mixed; boundary=b",
      "",
      ...Array<string>(10_000).fill("--b\r\n\r\nbottom"),
    ),
  ],
  [
    "a megabyte of headers",
    letter(
      "From: Deep <a@deep.test>",
      "Subject: deep",
      ...Array<string>(20_000).fill(`X-A: ${"a".repeat(50)}`),
      "",
      "bottom",
    ),
  ],
])("%s: the letter becomes text from its raw bytes, quickly", (_name, raw) => {
  const spent = clockOfThread();
  const parsed = parseLetter(raw);
  expect(spent()).toBeLessThan(1_000);
  expect(parsed).toMatchObject({ senderDomain: "deep.test", subject: "deep", html: undefined });
  expect(parsed.text).toContain("From: Deep");
});

const megabyte = 1024 * 1024;
const fill = (piece: string, bytes: number) => piece.repeat(Math.ceil(bytes / piece.length));
const page = (html: string) => letter("Content-Type: text/html", "", html);

test.each<[string, () => Buffer]>([
  [
    "lines like boundaries at each of many levels",
    () => letter(nested(28).toString("latin1"), fill("\r\n--", 8 * megabyte)),
  ],
  [
    "multiparts without boundaries",
    () =>
      letter(
        nested(28)
          .toString("latin1")
          .replaceAll(/; boundary=\w+/g, ""),
        fill("\r\n--q", megabyte),
      ),
  ],
  [
    "a hundred thousand recipients",
    () => letter("From: a@b.test", `To: ${fill("a@b.test, ", megabyte)}`, "", "x"),
  ],
  [
    "comments in comments in an address",
    () => letter(`From: ${fill("(", 200_000)}`, `Sender: ${fill("(a) <", 200_000)}`, "", "x"),
  ],
  [
    "a flood of encoded words",
    () => letter(`Subject: ${fill("=?utf-8?q?a?= ", 250_000)}`, `From: ${fill("=?a?q?", 200_000)}`, "", "x"),
  ],
  ["a flood of parameters", () => letter(`Content-Type: text/plain${fill(";a*1*=x", 250_000)}`, "", "x")],
  [
    "a line of ten megabytes",
    () => letter("Content-Type: text/plain; format=flowed", "", fill("a ", 10 * megabyte)),
  ],
  [
    "soft breaks without end",
    () => letter("Content-Transfer-Encoding: quoted-printable", "", fill("= =\r\n", 10 * megabyte)),
  ],
  [
    "padding without end",
    () => letter("Content-Transfer-Encoding: base64", "", fill("QQ==\r\n", 10 * megabyte)),
  ],
  ["beginnings of files", () => letter("", fill("begin 644 a\r\n", 10 * megabyte))],
  [
    "shifts between charsets",
    () => letter("Content-Type: text/plain; charset=iso-2022-kr", "", fill("\x0e\x0f~{", 10 * megabyte)),
  ],
  [
    "UTF-7 without end",
    () => letter("Content-Type: text/plain; charset=utf-7", "", fill("+AA", 10 * megabyte)),
  ],
  ["pictures that are nowhere", () => page(fill("<img src='cid:a'><i style=url(cid:b", 2 * megabyte))],
  ["metas without end", () => page(fill("<meta charset", 2 * megabyte))],
])("%s cost a thread far less than it may take", (_what, make) => {
  const raw = make();
  const spent = clockOfThread();
  const parsed = parseLetter(raw);
  expect(spent()).toBeLessThan(2_500);
  expect(JSON.stringify(parsed).length).toBeLessThan(20_000_000);
});

test("the largest letter with the most lines that are parsed takes less than a second", () => {
  const raw = Buffer.concat([
    letter("From: a@b.test", "", ""),
    Buffer.alloc(10 * 1024 * 1024, `${"x".repeat(76)}\r\n`),
  ]);
  const spent = clockOfThread();
  const parsed = parseLetter(raw);
  expect(spent()).toBeLessThan(1_000);
  expect(parsed.text.length).toBeLessThanOrEqual(2_000_000);
});

const heads = [
  "",
  "From: a\0b@c.test\r\nSubject: \0\xff\xfe\r\n\r\n",
  "Content-Type: text/html; charset=utf-16le\r\n\r\n",
  "Content-Type: text/html\r\n\r\n&#0;&#xD800;&#55296;",
  "Subject: =?utf-16le?B?ANg=?=\r\n\r\n",
  "Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n",
  "Content-Type: message/rfc822\r\n\r\n",
  "Content-Type: application/pkcs7-mime\r\n\r\n\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01\xa0\x80\x24\x80",
  "Content-Type: text/plain; charset=utf-7\r\n\r\n+2AA-",
  "Content-Type: text/plain; charset=iso-2022-kr\r\n\r\n\x1b$)C\x0e",
  "Content-Type: text/plain; format=flowed\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=",
  "Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename*0*=utf-8''%",
  "Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 a\r\n",
  "Content-Type: multipart/related; boundary=a\r\n\r\n--a\r\nContent-Type: text/html\r\n\r\n<img src=cid:a>\r\n--a\r\nContent-ID: a\r\n\r\nGIF89a",
];

test("any bytes are read, and what is stored of them is valid UTF-8 without NUL", () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .constantFrom(...heads, "\r\n", "\r\n--a\r\n", "--a--", ": ", "=?utf-8?q?", "?=", "\r\n\r\n", "=\r\n")
      .map((text) => Buffer.from(text, "latin1")),
  );
  fc.assert(
    fc.property(fc.constantFrom(...heads), fc.array(piece, { maxLength: 8 }), (head, pieces) => {
      const parsed = parseLetter(Buffer.concat([Buffer.from(head, "latin1"), ...pieces]));
      const { sender, senderDomain, subject, html, text, plain, links, attachments } = parsed;
      const names = attachments.flatMap(({ name, type }) => [name, type]);
      const all = [sender, senderDomain, subject, html ?? "", text, plain, ...links.map(({ href }) => href)];
      for (const stored of [...all, ...names])
        expect(stored.isWellFormed() && !stored.includes("\0")).toBe(true);
      expect(/[\r\n]/.test([subject, sender, ...names].join(""))).toBe(false);
      for (const { size } of attachments) expect(size).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 300 },
  );
});

test("what a mailer writes is read as it was meant", async () => {
  const word = fc.string({
    unit: fc.constantFrom(...Array.from("aZ é=?_<>&\"';,.-()№验😀ع\t")),
    maxLength: 40,
  });
  const line = fc.string({ unit: fc.constantFrom(...Array.from("ab cé=.-> №验😀")), maxLength: 120 });
  const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join("\n"));
  const flat = (said: string) => said.replaceAll(/\s+/g, " ").trim();
  await fc.assert(
    fc.asyncProperty(
      word,
      text,
      text,
      fc.array(word, { maxLength: 3 }),
      async (subject, plain, html, names) => {
        const files = names.map((name, index) => ({
          filename: `f${index} ${name}.pdf`,
          content: "x".repeat(index * 50),
        }));
        const raw = await rawOfMailer({
          from: { name: subject, address: "a@b.test" },
          subject,
          text: plain,
          html: `<p>${plainText(html)}</p>`,
          attachments: files,
        });
        const parsed = parseLetter(raw);
        expect(parsed.subject).toBe(flat(subject));
        expect(parsed.senderDomain).toBe("b.test");
        expect(parsed.plain.trim()).toBe(plain.trim());
        expect(flat(parsed.html ?? "")).toBe(flat(`<p>${plainText(html)}</p>`));
        expect(parsed.attachments).toEqual(
          files.map(({ filename, content }) => ({
            name: flat(filename),
            type: "application/pdf",
            size: content.length,
          })),
        );
      },
    ),
    { numRuns: 100 },
  );
});

const plainText = (text: string) => text.replaceAll(/[<>]/g, "");

test.each([
  ["<p>One</p><p>Two</p>", "One\n\nTwo"],
  ["a<br>b<br/>c", "a\nb\nc"],
  ["<div>a</div><div>b</div>", "a\nb"],
  ["<table><tr><td>1<td>2<tr><td>3</table>", "1\t2\n3"],
  ["<ul><li>a<li>b</ul>", "a\nb"],
  ["  a \n b&nbsp;&amp;&#32;c&#x41;&bogus;  ", "a b & cA&bogus;"],
  ["<pre>a\n  b</pre>", "a\nb"],
  ["x<style>.a{color:#123456}</style>y<script>if (a<b) 1</script>z", "xyz"],
  ["a<!-- <b>hidden</b> -->b<!--[if mso]>c<![endif]-->", "ab"],
  ["a<![if !mso]>b<![endif]>c", "abc"],
  ['<div style="display: none">hidden<p>too</p></div>seen', "seen"],
  ['<div style="font-size:0px"><span style="font-size:14px">seen</span>hidden</div>', "seen"],
  ['<p style="max-height:0;overflow:hidden">hidden<p>seen', "seen"],
  ["<span hidden>no</span>yes", "yes"],
  ["1 < 2 > 1 <3", "1 < 2 > 1 <3"],
  ["<b title='a>b' data-x=\"<i>\">ok</b>", "ok"],
  ["unfinished <a href='", "unfinished"],
  ["unfinished <!-- comment", "unfinished"],
  ["unfinished <style> p{}", "unfinished"],
  ["<title>no</title><textarea>no</textarea>yes", "yes"],
])("%s reads %j", (html, text) => {
  expect(renderHtml(html).text).toBe(text);
});

test("links are what can be opened, each with what is written on it", () => {
  const html =
    '<a href="https://a.test/?x=1&amp;y=2">One</a><a href="javascript:alert(1)">Two</a><a href=" HTTP://b.test ">T<b>hr</b>ee</a>' +
    '<a href="https://c.test"><img alt="Four"></a><a name=x>Five</a><a href="/relative">Six</a>' +
    // A button in a cell without a size has one of its own.
    '<p style="font-size:0px"><a href="https://d.test" style="font-size:13px">Seven</a><a href="https://e.test">0</a></p>';
  expect(renderHtml(html).links).toMatchObject([
    { href: "https://a.test/?x=1&y=2", text: "One" },
    { href: "HTTP://b.test", text: "Three" },
    { href: "https://c.test", text: "Four" },
    { href: "https://d.test", text: "Seven" },
  ]);
  expect(renderPlain("Open\nhttps://a.test/x.\nor <https://b.test/y> now (https://c.test/z)").links).toEqual([
    { href: "https://a.test/x", text: "Open" },
    { href: "https://b.test/y", text: "or <", above: "Open" },
    { href: "https://c.test/z", text: "> now (", above: "Open" },
  ]);
});

test("no HTML is too strange to be read", () => {
  const piece = fc.constantFrom(
    "<",
    ">",
    "</",
    "a",
    " href=",
    '"',
    "'",
    "<!--",
    "-->",
    "<style>",
    "</style",
    "=",
    "/",
    "&#",
    ";",
    "<p>",
    "<td>",
    "\0",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.string({ unit: "binary" }), (pieces, noise) => {
      const { text } = renderHtml(pieces.join("") + noise);
      expect(text).toBe(text.trim());
    }),
    { numRuns: 60 },
  );
});

test.each([
  "<",
  "<a ",
  "<a b='",
  "<!--",
  "<style>",
  "</",
  "<a href=https://x.test>",
  "<p><div>",
  "&",
  "&#",
  "<td>",
  '<b style="',
  "https://",
  "http://a ",
  "</style",
])("a million characters of %j are read in linear time", (piece) => {
  const text = piece.repeat(1_000_000 / piece.length);
  const spent = clockOfThread();
  renderHtml(text);
  renderHtml(`<style>${text}`);
  renderPlain(text);
  expect(spent()).toBeLessThan(2_500);
});
