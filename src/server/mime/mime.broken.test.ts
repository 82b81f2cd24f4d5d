import { expect, test } from "vitest";
import { letter, part } from "../../../test/kit/raw.ts";
import { parseLetter } from "./mime.ts";

const raw = (text: string) => Buffer.from(text).toString("latin1");

const mixed = (...parts: string[][]) =>
  letter("From: a@b.test", "Subject: s", "Content-Type: multipart/mixed; boundary=b", "", ...parts.flat());

test.each([
  ["without an end", mixed(part("one"), part("two"))],
  ["with an end that is not the last line", mixed(part("one"), part("two"), ["--b--", "", "behind"])],
  ["with spaces behind its boundary", mixed(part("one"), ["--b \t", "", "two"], ["--b--  "])],
  ["without a line break before its end", mixed(part("one"), part("two--b--"), ["  "])],
  ["with words before the first part", mixed(["nobody reads this"], part("one"), part("two"), ["--b--"])],
  ["with a part without headers or empty line", mixed(part("one"), ["--b", "two"], ["--b--"])],
  ["with lines that begin like its boundary", mixed(part("one"), ["--bb", "--b-", "--", ""], part("two"))],
])("a multipart %s is read", (_what, bytes) => {
  const { text } = parseLetter(bytes);
  expect(text).toMatch(/^one/);
  expect(text).toMatch(/two$/);
});

test.each([
  ['boundary="b c"', "--b c"],
  ["boundary='b'", "--b"],
  ['boundary="b "', "--b"],
  ["boundary=b; boundary=c", "--b"],
  ["BOUNDARY=b", "--b"],
  ["charset=utf-8 ; boundary = b", "--b"],
  ["(a comment) boundary=b", "--b"],
  ["boundary*0=b; boundary*1=c", "--bc"],
  ["boundary=other", "--b"],
  ["x=y", "--b"],
])("a multipart with %s is taken apart at %s", (parameters, line) => {
  const bytes = letter(
    "From: a@b.test",
    `Content-Type: multipart/alternative; ${parameters}`,
    "",
    line,
    "",
    "plain",
    line,
    "Content-Type: text/html",
    "",
    "<p>seen</p>",
    `${line}--`,
  );
  expect(parseLetter(bytes)).toMatchObject({ text: "seen", plain: "plain" });
});

test("a boundary may begin with another", () => {
  const bytes = letter(
    "From: a@b.test",
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    "Content-Type: multipart/alternative; boundary=b2",
    "",
    "--b2",
    "",
    "plain",
    "--b2",
    "Content-Type: text/html",
    "",
    "seen",
    "--b2--",
    "--b",
    "",
    "footer",
    "--b--",
  );
  expect(parseLetter(bytes)).toMatchObject({ text: "seen\n\nfooter", plain: "plain\nfooter" });
});

test.each([
  [
    "an mbox line before the headers",
    ["From someone@b.test Mon Jan  1 00:00:00 2024", "Subject: s", "", "x"],
  ],
  ["a byte order mark before the headers", [`${raw("\ufeff")}Subject: s`, "", "x"]],
  ["no empty line", ["Subject: s", "x"]],
  ["a line of spaces for the empty line", ["Subject: s", "  ", "x"]],
  ["a folded header without its space", ["Subject: s", "X-A: one", "two three", "From: a@b.test", "", "x"]],
  ["a header twice", ["Subject: s", "Subject: other", "", "x"]],
  ["names in odd case", ["SUBJECT : s", "CONTENT-TYPE: TEXT/PLAIN; CHARSET=UTF-8", "", "x"]],
  ["no type that anybody knows", ["Subject: s", "Content-Type: text", "", "x"]],
  ["a type that says nothing", ["Subject: s", "Content-Type: ;;;=", "", "x"]],
  ["an encoding that nobody knows", ["Subject: s", "Content-Transfer-Encoding: x-none", "", "x"]],
  ["NUL bytes", ["Subject: \0s", "", "\0x\0"]],
])("a letter with %s is read", (_what, lines) => {
  expect(parseLetter(letter(...lines))).toMatchObject({ subject: "s", text: "x" });
});

test("lines may end in LF or in CR alone", () => {
  for (const end of ["\n", "\r"])
    expect(parseLetter(Buffer.from(["Subject: s", "", "x"].join(end)))).toMatchObject({
      subject: "s",
      text: "x",
    });
});

test.each([0, 1, 2, 3])("a letter of %i bytes is read", (length) => {
  expect(parseLetter(Buffer.alloc(length, "\r\n")).text).toBe("");
});

test.each([
  ["base64", "R3XDqSBjb2Rl", "Gué code"],
  ["base64", "R3XDqSBj\r\nb2Rl", "Gué code"],
  ["base64", "R3XDqQ==\r\nIGNvZGU=", "Gué code"],
  ["base64", "R3XDqSBjb2Rl== ignored", "Gué code"],
  ["base64", " R3XD qSBj!b2R\tl", "Gué code"],
  ["BASE-64, or Base64", "R3XDqSBjb2Rl", "Gué code"],
  ["quoted-printable", "Gu=C3=A9 co=\r\nde", "Gué code"],
  ["quoted-printable", "Gu=c3=a9 co=  \r\nde", "Gué code"],
  ["quoted-printable", raw("Gué co=\r\nde"), "Gué code"],
  ["quoted-printable", "a=b =XY =", "a=b =XY"],
  ["(comment) quoted-printable", "Gu=C3=A9 code", "Gué code"],
])("a body in %s: %j", (encoding, body, text) => {
  const bytes = letter(
    "Content-Type: text/plain; charset=utf-8",
    `Content-Transfer-Encoding: ${encoding}`,
    "",
    body,
  );
  expect(parseLetter(bytes).text).toBe(text);
});

test.each([
  ["text/plain; format=flowed", "one \r\ntwo\r\nthree", "one two\nthree"],
  ["text/plain; format=flowed; delsp=yes", "one \r\ntwo\r\n three", "onetwo\nthree"],
  ["text/enriched", "<bold>one</bold> <<\r\ntwo\r\n\r\nthree", "one < two\nthree"],
  ["text/markdown", "# one", "# one"],
  ["text/x-odd", "one", "one"],
])("a letter of %s is text", (type, body, text) => {
  expect(parseLetter(letter(`Content-Type: ${type}`, "", body)).text).toBe(text);
});

test("texts in a row are all shown, beside HTML as HTML", () => {
  const html = part("<b>two</b>", "Content-Type: text/html");
  expect(parseLetter(mixed(part("one"), html, part("three\r\n\r\n<4>")))).toMatchObject({
    html: "<p>one</p><br/>\n<b>two</b><br/>\n<p>three</p>\n<p>&lt;4&gt;</p>",
    plain: "one\ntwo\nthree\n\n<4>",
  });
});

test("the parts of a choice stand for one another, in whatever order", () => {
  const bytes = letter(
    "Content-Type: multipart/alternative; boundary=b",
    "",
    ...part("<p>seen</p>", "Content-Type: text/html"),
    ...part("<p>amp</p>", "Content-Type: text/x-amp-html"),
    ...part("BEGIN:VCALENDAR", "Content-Type: text/calendar; method=REQUEST"),
    ...part("plain"),
    "--b--",
  );
  expect(parseLetter(bytes)).toMatchObject({
    text: "seen",
    plain: "plain",
    attachments: [{ name: "calendar.ics", type: "text/calendar", size: 15 }],
  });
});

test("HTML that is only attached is shown, and listed", () => {
  const file = part(
    "<p>seen</p>",
    "Content-Type: text/html",
    'Content-Disposition: attachment; filename="a.html"',
  );
  expect(parseLetter(mixed(file))).toMatchObject({
    text: "seen",
    attachments: [{ name: "a.html", size: 11 }],
  });
  expect(parseLetter(mixed(part("hello"), file)).text).toBe("hello");
});

test("a letter in a letter is listed by its subject, and read when nothing else is there", () => {
  const inner = part(
    "Subject: =?utf-8?q?caf=C3=A9?=\r\n\r\nYour code is 1234",
    "Content-Type: message/rfc822",
  );
  expect(parseLetter(mixed(part("see below"), inner))).toMatchObject({
    text: "see below",
    attachments: [{ name: "café.eml", type: "message/rfc822" }],
  });
  expect(parseLetter(mixed(inner)).text).toBe("Subject: café\n\nYour code is 1234");
});

test("what came back undelivered is read in its own words, the rest is listed", () => {
  const bytes = letter(
    "Content-Type: multipart/report; boundary=b",
    "",
    ...part("It was not delivered"),
    ...part("Reporting-MTA: dns; a.test", "Content-Type: message/delivery-status"),
    ...part("Subject: mine\r\n\r\nhello", "Content-Type: message/rfc822"),
    "--b--",
  );
  expect(parseLetter(bytes).text).toBe("It was not delivered");
  expect(parseLetter(bytes).attachments.map(({ type }) => type)).toEqual([
    "message/delivery-status",
    "message/rfc822",
  ]);
});

test("a letter inside its own signature is read", () => {
  const inner = Buffer.from("Content-Type: text/plain\r\n\r\nYour code is 482913");
  const pieces = Buffer.concat(
    [inner.subarray(0, 20), inner.subarray(20)].map((piece) =>
      Buffer.concat([Buffer.from([0x04, piece.length]), piece]),
    ),
  );
  const data = Buffer.from("06092a864886f70d010701", "hex");
  const octets = [Buffer.from([0xa0, 0x80, 0x24, 0x80]), pieces, Buffer.alloc(4)];
  const bytes = letter(
    "From: a@b.test",
    "Content-Type: application/pkcs7-mime; smime-type=signed-data",
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.concat([Buffer.from("3080", "hex"), data, ...octets]).toString("base64"),
  );
  expect(parseLetter(bytes)).toMatchObject({ text: "Your code is 482913", senderDomain: "b.test" });
});

test.each([
  ["From", "Bank <a@bank.test>", "Shop <a@shop.test>"],
  ["Subject", "Another", "The one"],
])(
  "of two %s fields the first counts, and in a signed letter the last, wherever the signature stands",
  (name, first, last) => {
    const twice = [`${name}: ${first}`, `${name}: ${last}`, "X: y"];
    const read = (...fields: string[]) => {
      const { sender, subject } = parseLetter(letter(...fields, "", "x"));
      return name === "From" ? sender : subject;
    };
    const signature = "DKIM-Signature: v=1; a=rsa-sha256; d=shop.test; s=s; h=from:subject; bh=x; b=x";
    expect(read(...twice)).toBe(first);
    for (let at = 0; at <= twice.length; at++) expect(read(...twice.toSpliced(at, 0, signature))).toBe(last);
  },
);

const alternatives = [
  "--b",
  "Content-Type: text/plain",
  "",
  "482915",
  "--b",
  "Content-Type: text/html",
  "",
  "<p>Your <b>code</b>: 482915</p>",
  "--b--",
  "",
];

test.each([
  ["of another boundary", 'Content-Type: multipart/alternative; boundary="unused"'],
  ["of another type", "Content-Type: text/plain"],
])("a letter with a second Content-Type %s is read by its parts", (_what, first) => {
  const second = "Content-Type: multipart/alternative; boundary=b";
  for (const more of [[], ["DKIM-Signature: v=1"]])
    for (const fields of [[first, second], [first]]) {
      const raw = letter(...more, ...fields, "Subject: s", "", ...alternatives);
      expect(parseLetter(raw)).toMatchObject({ subject: "s", text: "Your code: 482915" });
    }
});

test("lines that end with one CR more, or with CR alone within a text, are lines", () => {
  const raw = letter("Subject: s", "Content-Type: multipart/alternative; boundary=b", "", ...alternatives);
  const doubled = Buffer.from(raw.toString("latin1").replaceAll("\r\n", "\r\r\n"), "latin1");
  expect(parseLetter(doubled)).toEqual(parseLetter(raw));
  expect(parseLetter(letter("Subject: s", "", "Your code:\r482915\rBye")).plain).toBe(
    "Your code:\n482915\nBye",
  );
});

test("a letter of blank lines and a letter in it is read in that", () => {
  const inner = [
    "Content-Type: message/rfc822",
    "",
    "From: a@b.test",
    "Subject: inner",
    "",
    "Your code: 482915",
  ];
  const raw = (text: string) =>
    letter("Content-Type: multipart/mixed; boundary=b", "", "--b", "", text, "--b", ...inner, "--b--");
  expect(parseLetter(raw(" ")).text).toContain("Your code: 482915");
  expect(parseLetter(raw("See below.")).text).toBe("See below.");
});

test("an encoded word without a charset is read", () => {
  expect(parseLetter(letter("Subject: =??B?Q29kZSA0ODI5MTU=?=", "", "x")).subject).toBe("Code 482915");
});
