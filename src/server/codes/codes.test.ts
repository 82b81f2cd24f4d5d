import fc from "fast-check";
import { expect, test } from "vitest";
import { clockOfThread } from "../../../test/kit/thread.ts";
import { codeOf, findCode } from "./codes.ts";
import { findLink } from "./codes.link.ts";
import { parseLetter } from "../mime/mime.ts";
import { beside } from "../../../test/codes/beside.ts";
import { arabic, chinese, hindi } from "../../../test/codes/eastern.ts";
import { english } from "../../../test/codes/english.ts";
import { russian, spanish } from "../../../test/codes/european.ts";
import { lastHeldOut } from "../../../test/codes/heldout-last.ts";
import { heldOut, laterHeldOut } from "../../../test/codes/heldout.ts";
import { links } from "../../../test/codes/links.ts";
import { none } from "../../../test/codes/none.ts";
import { rawOf, type Language, type Sample } from "../../../test/codes/sample.ts";
import { shapes } from "../../../test/codes/shapes.ts";
import { wrapped } from "../../../test/codes/wrapped.ts";

const first = { english, russian, spanish, chinese, arabic, hindi };
const languages = Object.keys(first) as Language[];
const kinds = [first, shapes, beside, none, links, wrapped];

test.each(languages)("there are twelve and more realistic letters in %s", (language) => {
  expect(kinds.flatMap((kind) => kind[language]).length).toBeGreaterThanOrEqual(12);
});

const samples: [string, string, Sample][] = [
  ...languages.flatMap((language) =>
    kinds.flatMap((kind) =>
      kind[language].map((sample): [string, string, Sample] => [language, sample.name, sample]),
    ),
  ),
  ...[...heldOut, ...laterHeldOut, ...lastHeldOut].map((sample): [string, string, Sample] => [
    "some language",
    sample.name,
    sample,
  ]),
];

test.each(samples)("code and link of a letter in %s: %s", async (_language, _name, sample) => {
  const parsed = parseLetter(await rawOf(sample));
  expect({
    code: codeOf(parsed).value,
    link: findLink(parsed.links, parsed.subject),
  }).toEqual({ code: sample.code, link: sample.link });
});

test.each([
  ["Your code is 482913", "482913"],
  ["Your code is 482913.", "482913"],
  ["Your code: 482-913", "482913"],
  ["Your code: 4829 1305", "48291305"],
  ["Your code: 4 8 2 9 1 3", "482913"],
  ["Your code is (482913)", "482913"],
  ["code: A1B2C3", "A1B2C3"],
  ["Your PIN is 2024", "2024"],
  ["Your code is 12", undefined],
  ["Your code is 1234567890", undefined],
  ["Your code expires in 1440 minutes", undefined],
  ["Your code expires on 14.03.2025", undefined],
  ["Your code costs $4829", undefined],
  ["Your code costs 4829 USD", undefined],
  ["Your code has the colour #482913", undefined],
  ["The code https://example.test/482913 is old", undefined],
  ["The code of ann482913@example.test is old", undefined],
  ["Shopping at 482913 Main Street", undefined],
  ["The number 482913 stands for nothing", undefined],
  ["G-482913 is your code", "482913"],
  ["Your code: HTRB-KQWZ", "HTRB-KQWZ"],
  ["Your code: 7f3k-92pd-1xqe", "7f3k-92pd-1xqe"],
  ["Your code:\nKQWZTX", "KQWZTX"],
  ["Your code\nWELCOME", undefined],
  ["Your code for order 48213: 739201", "739201"],
  ["The code for your order: 7302", "7302"],
  ["Order 48201933, code follows", undefined],
  ["Your code will be sent. Case: 48201933", undefined],
  ["Your code will come between 10-18", undefined],
  ["Your code, made by us 2003-2025", undefined],
  ["Your code expires on 14-03-25", undefined],
  ["Your zip code is 80202", undefined],
  ["Error code 50300", undefined],
  ["Use code 482913 or a backup code", "482913"],
  ["Password: 4829", "4829"],
  ["Your password was changed at 4829", undefined],
  ["code: 2001:db8:4821::1", undefined],
  ["Your code\n4829-1305\n7302-4471\n9204-1188", undefined],
])("%s", (text, code) => {
  expect(findCode("Hello", text)).toBe(code);
});

test.each([
  ["Welcome", "Use 482913 to verify your account."],
  ["Welcome", "Enter 482913 to confirm your email address."],
  ["Добро пожаловать", "Введите 482913 на странице регистрации."],
  ["Hola", "Introduce 482913 para confirmar tu cuenta."],
  ["欢迎", "请输入 482913 完成注册。"],
  ["مرحبا", "استخدم 482913 لتأكيد حسابك."],
  ["स्वागत", "अपना खाता सत्यापित करने के लिए 482913 दर्ज करें।"],
  ["Verify it is you", "Hi Ann,\n\n482913\n\nThanks"],
  ["Hello", "Please type this number where you signed up:\n\n482913\n"],
  ["Confirm your email", "The following 6 digits finish your registration: 482913"],
  ["Вход", "Эти цифры нужны для входа:\n482913"],
  ["Aloha", "E kau i kēia ma ka pukaaniani:\n\n482913\n\nMahalo"],
])("a code that nobody calls so is told by what it is for: %s / %s", (subject, text) => {
  expect(findCode(subject, text)).toBe("482913");
});

test.each([
  ["Your order", "Your order 482913 is confirmed. Use the app to track."],
  ["Receipt", "Confirmed\nOrder\n48291301\nTotal 12.00"],
  ["Call us", "Call 5551234 to verify your account"],
  ["Digest", "Enter the 2025 contest to win. Sign in now"],
  ["Invoice", "Please confirm invoice 482913."],
  ["Welcome", "Use 20% off to complete your order 482913"],
  ["Your parcel", "Confirm your delivery\n\n12345678\n\nTracking"],
  ["Confirm your booking", "Booking number\n482913\n"],
  ["Verify your address", "12 Willow Road\n94025\nVerify your account"],
])("a number that something else is confirmed by is no code: %s / %s", (subject, text) => {
  expect(findCode(subject, text)).toBeUndefined();
});

test("a code that was sent again is the newest word of its letter, not the one quoted below", () => {
  expect(findCode("Re: code", "Your code is 482913\n\n> Your old text was 111")).toBe("482913");
  expect(findCode("Re: code", "A fresh one for you, code 482913\n\n> Your code is 739201")).toBe("482913");
  expect(findCode("Fwd: code", "See below\n\n> Your code is 739201")).toBe("739201");
  expect(findCode("", "Your previous code 739201 no longer works. Your new code is 482913.")).toBe("482913");
});

const big = (text: string) => `<div style="font-size: 32px">${text}</div>`;
const spaced = (text: string) => `<p style="letter-spacing:6px; font-size:14px"><b>${text}</b></p>`;
const boxes = "482913".replaceAll(/./g, '<td style="font-size:24pt">$&</td>');

test.each([
  [
    "a number with gaps, in words that say nothing of it",
    `<p>Hi Ann, here it comes.</p>${spaced("482913")}`,
    "482913",
  ],
  [
    "a gap between letters and digits",
    `<p>Here it comes.</p>${spaced("A7K-92Q")}<p>Order 48213</p>`,
    "A7K-92Q",
  ],
  ["large type, and valid for a while", `<p>Hello Ann</p>${big("7302")}<p>Valid for 10 minutes.</p>`, "7302"],
  ["boxes in large type", `<table><tr>${boxes}</tr></table><p>It expires soon.</p>`, "482913"],
  ["an unknown language, with a year", `<h1>591377</h1><p>Ohje</p><p>2019 rakennettu</p>`, "591377"],
  ["large type alone", `<p>Your account this month, visits and more</p>${big("48213")}`, undefined],
  ["an order number in large type", `<p>Your order</p>${big("48213")}<p>expires today</p>`, undefined],
  ["a year with gaps", `<p>Our best of</p>${spaced("2026")}`, undefined],
  ["a price with gaps", `<p>Today only</p>${spaced("$4829")}`, undefined],
])("the type of a letter: %s", async (_what, html, code) => {
  const letter = { name: "type", from: "no-reply@app.example", subject: "From App", html };
  expect(codeOf(parseLetter(await rawOf(letter))).value).toBe(code);
});

test("what mail programs show beside the subject or for pictures tells a code only where the text tells none", () => {
  const letter = { subject: "Welcome", text: "Hello", plain: "", unseen: "Your code is 482913" };
  expect(codeOf(letter).value).toBe("482913");
  expect(codeOf({ ...letter, plain: "Your code is 739201" }).value).toBe("739201");
  expect(codeOf({ ...letter, text: "Your code is 501773" }).value).toBe("501773");
});

const years = fc.integer({ min: 1950, max: 2090 });
const amounts = fc.integer({ min: 1000, max: 99_999_999 });

test("a year of a date or a copyright and an amount of money are no codes, whatever is said around them", () => {
  const about = fc.constantFrom(
    "Your code expires in",
    "Код ждёт вас с",
    "Tu código cuesta",
    "验证码",
    "رمز التحقق",
    "कोड",
  );
  fc.assert(
    fc.property(about, years, amounts, (words, year, amount) => {
      for (const text of [
        `${words}\n© ${year} Example`,
        `${words} 14/03/${year}`,
        `${words} ${year}-03-14`,
        `${words} ${year}–${year + 1}`,
        `${words} $${amount}`,
        `${words} ${amount} USD`,
        `${words} €${amount}.50`,
        `${words} ${amount}₽`,
        `${words} ₹${amount}`,
        `${words} ${amount}元`,
        `${words} ${amount} ريال`,
      ])
        expect(findCode("Hello", text)).toBeUndefined();
    }),
    { numRuns: 100 },
  );
});

test("a link that refuses or leads away is never the one that confirms", () => {
  const secret = "7f3a9c1e5b2d8846";
  const said = fc.constantFrom(
    "Unsubscribe",
    "This wasn't me",
    "Отписаться",
    "Это не я",
    "No fui yo",
    "退订",
    "不是我",
    "لست أنا",
    "रद्द करें",
  );
  fc.assert(
    fc.property(said, (text) => {
      expect(
        findLink([{ href: `https://a.test/confirm?token=${secret}`, text }], "Confirm your email"),
      ).toBeUndefined();
    }),
  );
});

const pieces = fc.constantFrom(
  "code",
  "код",
  "验证码",
  " ",
  "\n",
  ":",
  "1",
  "482913",
  "-",
  "A7",
  "#",
  ".",
  "http://",
  "½",
);

test("no text is too strange, and a code is always four to fourteen signs long", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 300 }), fc.string({ unit: "binary" }), (words, noise) => {
      const code = findCode(noise, words.join("") + noise);
      expect(code ?? "1234").toMatch(/^[A-Za-z0-9-]{4,14}$/);
    }),
    { numRuns: 60 },
  );
});

test.each([
  "1:",
  "code 2 on:",
  "1 ",
  "1-",
  "code ",
  "code 1234 ",
  "a1",
  "9",
  "code: A7-",
  "\n1",
  "a",
  "1\t",
  "A-1 ",
  "ab 12\n",
  "> 1\n",
])("a long text of %j is read in linear time", (piece) => {
  const time = (length: number) => {
    const text = piece.repeat(length / piece.length);
    const spent = clockOfThread();
    findCode(text, text);
    return spent();
  };
  time(10_000);
  expect(time(10_000_000)).toBeLessThan(1_500);
});
