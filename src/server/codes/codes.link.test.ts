// Where the address of a confirming link stands, and what ends it, by the whole kind.
import { expect, test } from "vitest";
import { parseLetter } from "../mime/mime.ts";
import { findLink } from "./codes.link.ts";

const address = "https://app.example/x/Zm9vYmFy0123456789abcdef";
const linksOf = (format: "html" | "plain", body: string) =>
  parseLetter(Buffer.from(`Content-Type: text/${format}; charset=utf-8\r\n\r\n${body}`)).links;
const inHtml = (html: string, subject = "Hello") => findLink(linksOf("html", html), subject);
const inPlain = (text: string, subject = "Hello") => findLink(linksOf("plain", text), subject);

const sentences = [
  "Click the link below to verify your e-mail address.",
  "To activate your account, open this address:",
  "Чтобы подтвердить адрес, откройте ссылку:",
  "Para confirmar tu cuenta, abre este enlace:",
  "请点击以下链接验证您的邮箱：",
  "لتأكيد بريدك افتح الرابط التالي:",
  "अपना ईमेल सत्यापित करने के लिए यह लिंक खोलें:",
];
const others = [
  "To unsubscribe, open this address:",
  "If you did not request this, cancel it here:",
  "Чтобы отписаться, откройте ссылку:",
  "Para cancelar, abre este enlace:",
  "如非本人操作，请点击以下链接：",
];
const labels: Readonly<Record<string, string>> = {
  "the whole address": address,
  "the address with its middle cut": "https://app.example/x/Zm9v…cdef",
  "the address with its end cut": "https://app.example/x/Zm9vYmFy01...",
  "the address without its scheme": address.slice(8),
  "another address than where it leads": "https://app.example/confirm",
};
const places: Readonly<Record<string, (sentence: string, link: string) => string>> = {
  "in the next paragraph": (sentence, link) => `<p>${sentence}</p><p>${link}</p>`,
  "in the same line": (sentence, link) => `<p>${sentence} ${link}</p>`,
  "behind a line break": (sentence, link) => `<div>Hi Ann!<br>${sentence}<br>\n${link}<br>Bye</div>`,
  "in the next row": (sentence, link) =>
    `<table><tr><td>${sentence}</td></tr><tr><td>${link}</td></tr></table>`,
};

test.each(
  Object.entries(places).flatMap(([place, written]) =>
    sentences.map((said) => [place, said, written] as const),
  ),
)("an address %s confirms as its sentence says: %s", (_place, sentence, written) => {
  for (const [name, label] of Object.entries(labels)) {
    const html = written(sentence, `<a href="${address}">${label}</a>`);
    expect(inHtml(html), name).toBe(address);
    expect(linksOf("html", html), name).toHaveLength(1);
  }
  expect(inHtml(written(sentence, address)), "without a link").toBe(address);
  expect(inHtml(written(sentence, `&lt;${address}&gt;`)), "in brackets").toBe(address);
  expect(inPlain(`${sentence}\n\n${address}\n`), "in plain text").toBe(address);
});

test.each(
  Object.entries(places).flatMap(([place, written]) => others.map((said) => [place, said, written] as const)),
)("an address %s does not confirm when its sentence says otherwise: %s", (_place, sentence, written) => {
  for (const label of Object.values(labels))
    expect(
      inHtml(written(sentence, `<a href="${address}">${label}</a>`), "Verify your account"),
    ).toBeUndefined();
  expect(inHtml(written(sentence, address), "Verify your account")).toBeUndefined();
});

const behind = {
  "a Chinese stop": "。",
  "a Chinese comma": "，请勿转发",
  "Chinese words": "请在24小时内点击",
  "Chinese brackets": "）",
  "a Chinese bracket that opens": "（哇哇）",
  "Chinese quotes": "」",
  "Japanese words": "をクリックしてください",
  katakana: "リンク",
  "Korean words": "를 눌러 주세요",
  "Thai words": "เพื่อยืนยัน",
  "a full-width colon": "：",
  "an ideographic blank": "　请",
  "an Arabic comma": "، ثم",
  "a stop": ".",
  "a stop and a bracket": ".)",
  "an angle": "»",
  "a quote": "”",
  dots: "…",
  "a zero-width blank": "\u200b请",
  "a mark of direction": "\u200f",
};
const ends = [
  "https://app.example/verify?token=7f3a9c1e5b2d8846",
  "https://app.example/verify/7f3a9c1e5b2d8846/",
];

test.each(Object.entries(behind))("an address ends before %s", (_name, sign) => {
  for (const href of ends) {
    expect(inPlain(`验证：${href}${sign}`), "in plain text").toBe(href);
    expect(inHtml(`<p>验证：${href}${sign}</p>`), "in HTML").toBe(href);
  }
  expect(linksOf("plain", `https://app.example${sign}`)[0]?.href).toBe("https://app.example");
});

test.each([
  "https://例え.テスト/verify/7f3a9c1e5b2d8846",
  "https://app.例え.example/verify/7f3a9c1e5b2d8846",
  "https://пример.рф/подтвердить/7f3a9c1e5b2d8846",
  "https://münchen.example/bestätigen/7f3a9c1e5b2d8846",
  "https://app.example/(a)/7f3a9c1e5b2d8846?x=1,2;y=a:b@c",
])("an address keeps the signs of its own: %s", (href) => {
  expect(linksOf("plain", `Verify: ${href} now`)[0]?.href).toBe(href);
});

test.each([
  ["over two lines", `<${address.slice(0, 25)}\n${address.slice(25)}>`],
  ["over two lines with blanks", `<${address.slice(0, 25)} \r\n   ${address.slice(25)}>`],
  ["over many lines", `<${address.match(/.{1,12}/g)?.join("\n") ?? ""}\n>`],
  ["with its mark", `<URL:${address.slice(0, 25)}\n${address.slice(25)}>`],
])("an address within angle brackets goes on %s", (_name, written) => {
  expect(inPlain(`To confirm your account visit\n${written}\nThanks`)).toBe(address);
});

test("an address without brackets ends with its line", () => {
  expect(
    linksOf("plain", "To confirm:\nhttps://app.example/a\nbcd> or <https://app.example/b\n").map(
      ({ href }) => href,
    ),
  ).toEqual(["https://app.example/a", "https://app.example/b"]);
});

test.each([
  "Verify your address by the link below.\n\nIf you did not request this e-mail, you can safely ignore it.",
  "To log in, follow the link.\nIf you did not request to log in, please disregard this e-mail.",
  "Для подтверждения почты перейдите по ссылке.\n\nЕсли вы не запрашивали письмо, проигнорируйте его.",
  "Confirma tu cuenta con este enlace.\n\nSi no fuiste tú, ignora este mensaje.",
  "请验证您的邮箱。\n\n如非本人操作，请忽略此邮件。",
  "To confirm your address, please open the following page in a browser\nwithin the next twenty-four hours:",
])("what to do with a letter that one did not ask for says nothing of the link below it: %s", (text) => {
  expect(inPlain(`${text}\n\n${address}`)).toBe(address);
});

test.each([
  "Your password was changed. If you did not request it, click this link to cancel:",
  "Verify your account in the app.\n\nTo unsubscribe, use this link:",
  "Thanks for your order!\n\nIf you did not request this e-mail, you can safely ignore it.",
])("a link of another kind stays so, whatever is said above it: %s", (text) => {
  expect(inPlain(`${text}\n\n${address}`)).toBeUndefined();
});

test("addresses in the text of a letter that links have anyway are no further links", () => {
  const label = "https://app.example/verify/7f3a9c1e5b2d8846";
  const html = `<p>Verify:</p><a href="https://go.example/c/AAv91kqTz04hLm7">${label}</a><p>${label}</p><p>${address}</p>`;
  expect(linksOf("html", html).map(({ href }) => href)).toEqual([
    "https://go.example/c/AAv91kqTz04hLm7",
    address,
  ]);
});

// wp-calypso#86573 and roundcubemail#9312: a template for HTML wrote the plain text, too.
test("an address in plain text with &amp; is read as its sender meant it", () => {
  const href = "https://app.example/bar/?stat=a&bin=b&signature=4596dde656bfa1e4";
  expect(inPlain(`Confirm your subscription:\n${href.replaceAll("&", "&amp;")}\n`)).toBe(href);
});

// roundcubemail#9542: the plain text has no blank behind the address.
test("the links of the HTML count where the plain text differs", () => {
  const href = "https://app.example/c/4596dde656bfa1e4";
  const letter = `Content-Type: multipart/alternative; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nConfirm: ${href}Thanks\r\n--b\r\nContent-Type: text/html\r\n\r\n<a href="${href}">Confirm</a>\r\n--b--\r\n`;
  expect(findLink(parseLetter(Buffer.from(letter)).links)).toBe(href);
});
