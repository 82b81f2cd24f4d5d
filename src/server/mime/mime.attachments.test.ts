import { expect, test } from "vitest";
import { part, parted } from "../../../test/kit/raw.ts";
import { parseLetter } from "./mime.ts";

const letter = (...parts: string[][]) => parted("mixed", ...parts);
const attached = (...parts: string[][]) => parseLetter(letter(part("hello"), ...parts)).attachments;

test.each([
  ['attachment; filename="report.pdf"', "report.pdf"],
  ["attachment; filename=my report.pdf", "my report.pdf"],
  ["attachment; filename*=utf-8''na%C3%AFve%20r.pdf", "naïve r.pdf"],
  ["attachment; filename*=koi8-r'ru'%F0%D2%C9%D7.pdf", "Прив.pdf"],
  ["attachment; filename*0=long; filename*1=name.pdf", "longname.pdf"],
  ["attachment; filename*0*=utf-8''%D0; filename*1*=%9F.pdf", "П.pdf"],
  ["attachment; filename*1=b.pdf; filename*0=a", "ab.pdf"],
  ["attachment; filename=old.pdf; filename*=utf-8''new.pdf", "new.pdf"],
  ['attachment; filename="=?utf-8?B?0J8ucGRm?="', "П.pdf"],
  [`attachment; filename="${Buffer.from("П.pdf").toString("latin1")}"`, "П.pdf"],
  ['attachment; filename="a\\"b.pdf"', 'a"b.pdf'],
  ['attachment; filename="..\\..\\windows\\a.pdf"', "a.pdf"],
  ['attachment; filename="../../etc/passwd"', "passwd"],
  ['attachment; filename="C:\\\\x\\\\a.pdf"', "a.pdf"],
  ['attachment; filename=".."', "file"],
  ["attachment; filename*=utf-8''a%0D%0Ab%00.pdf", "a b .pdf"],
  ["attachment; filename*=utf-8''a%E2%80%AEfdp.exe", "afdp.exe"],
  [`attachment; filename="${"a".repeat(400)}.pdf"`, "a".repeat(255)],
  ["attachment", "file"],
])("a file of %s is called %j", (disposition, name) => {
  const found = attached(
    part("%PDF", "Content-Type: application/pdf", `Content-Disposition: ${disposition}`),
  );
  expect(found).toEqual([{ name, type: "application/pdf", size: 4 }]);
});

test.each([
  ["application/pdf; name=a.pdf", "a.pdf", "application/pdf"],
  ["image/jpeg", "picture.jpg", "image/jpeg"],
  ["text/calendar; method=REQUEST", "calendar.ics", "text/calendar"],
  ["application/ms-tnef; name=winmail.dat", "winmail.dat", "application/ms-tnef"],
  ["APPLICATION/PDF", "file", "application/pdf"],
  ["application/<b>", "file", "application/octet-stream"],
])("a part of type %s is listed", (type, name, shown) => {
  expect(attached(part("x", `Content-Type: ${type}`))).toEqual([{ name, type: shown, size: 1 }]);
});

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 7) % 256));
const lines = (text: string) => text.replaceAll(/.{75}/g, "$&\r\n");
const quoted = lines(
  [...bytes].map((byte) => `=${byte.toString(16).padStart(2, "0").toUpperCase()}`).join(""),
);

test.each([
  ["base64", lines(bytes.toString("base64"))],
  ["quoted-printable", quoted.replaceAll("\r\n", "=\r\n")],
  ["binary", bytes.toString("latin1").replaceAll(/[\r\n-]/g, "x")],
])("the size of a file in %s is that of its bytes", (encoding, body) => {
  const [file] = attached(
    part(body, "Content-Type: application/zip", `Content-Transfer-Encoding: ${encoding}`),
  );
  expect(file?.size).toBe(1000);
});

test("files of many megabytes are listed with their sizes, and not decoded", () => {
  const large = lines("QUJD".repeat(2_000_000));
  const fields = ["Content-Transfer-Encoding: base64", "Content-Type: application/zip"];
  const raw = letter(
    part("hello"),
    part(large, ...fields),
    part("JVBERg==", ...fields, "Content-Disposition: attachment; filename=z.zip"),
  );
  const before = process.memoryUsage().arrayBuffers;
  const parsed = parseLetter(raw);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2_000_000);
  expect(parsed.attachments).toEqual([
    { name: "file", type: "application/zip", size: 6_000_000 },
    { name: "z.zip", type: "application/zip", size: 4 },
  ]);
});

test("at most fifty files are listed", () => {
  const parts = Array.from({ length: 200 }, (_, index) =>
    part("x", `Content-Type: application/pdf; name=${index}`),
  );
  expect(attached(...parts).map(({ name }) => name)).toEqual(
    Array.from({ length: 50 }, (_, index) => String(index)),
  );
});

test("of several files in one text each has its own size", () => {
  const file = (name: string, line: string) => `begin 644 ${name}\r\n${line}\r\n\`\r\nend\r\n`;
  const text = `Hello\r\n${file("three", "#0V%T")}and\r\n${file("one", "!80``")}Bye`;
  expect(parseLetter(Buffer.from(`Subject: s\r\n\r\n${text}`)).attachments).toMatchObject([
    { name: "three", size: 3 },
    { name: "one", size: 1 },
  ]);
});

test("a file that stands uuencoded in the text is taken out of it and listed", () => {
  const text = "Hello\r\nbegin 644 cat.txt\r\n#0V%T\r\n`\r\nend\r\nBye";
  const { text: shown, attachments } = parseLetter(Buffer.from(`Subject: s\r\n\r\n${text}`));
  expect(shown).toBe("Hello\nBye");
  expect(attachments).toEqual([{ name: "cat.txt", type: "application/octet-stream", size: 3 }]);
  expect(parseLetter(Buffer.from("Subject: s\r\n\r\nbegin 644 to see it\r\nnow")).text).toBe(
    "begin 644 to see it\nnow",
  );
});
