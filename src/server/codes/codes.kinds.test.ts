// Every way in which a code is set, hidden or placed, by the whole kind: signs between digits, scripts, boxes, styles.
import { expect, test } from "vitest";
import { parseLetter } from "../mime/mime.ts";
import { codeOf, findCode } from "./codes.ts";

/** What is read in a letter of HTML. */
function read(html: string, subject = "Hello") {
  const head = [
    "From: App <no-reply@app.example>",
    `Subject: =?utf-8?B?${Buffer.from(subject).toString("base64")}?=`,
    "MIME-Version: 1.0",
    "Content-Type: text/html; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
  ];
  return codeOf(parseLetter(Buffer.from(`${head.join("\r\n")}\r\n\r\n${html}`)));
}
const sureOf = (html: string, subject?: string) => {
  const { value, confidence } = read(html, subject);
  return confidence === "sure" ? value : `${String(value)}, ${String(confidence)}`;
};

const blanks = {
  "a blank": " ",
  "two blanks": "  ",
  "a no-break blank": "\u00a0",
  "an en blank": "\u2002",
  "an em blank": "\u2003",
  "a figure blank": "\u2007",
  "a punctuation blank": "\u2008",
  "a thin blank": "\u2009",
  "a hair blank": "\u200a",
  "a narrow blank": "\u202f",
  "an ideographic blank": "\u3000",
};
const dashes = {
  "a hyphen": "-",
  "a true hyphen": "‐",
  "a no-break hyphen": "‑",
  "a figure dash": "‒",
  "an en dash": "–",
  "an em dash": "—",
  "a minus": "−",
  "a full-width hyphen": "－",
};
const dots = { "a middle dot": "·", "a bullet": "•", "a katakana dot": "・" };
const commas = {
  "a comma": ",",
  "a point": ".",
  "an Arabic comma": "،",
  "Arabic thousands": "٬",
  "a full-width comma": "，",
};
const scripts = {
  Latin: "0",
  "Arabic-Indic": "٠",
  Persian: "۰",
  Devanagari: "०",
  Bengali: "০",
  Gurmukhi: "੦",
  Gujarati: "૦",
  Tamil: "௦",
  Telugu: "౦",
  Kannada: "೦",
  Malayalam: "൦",
  Thai: "๐",
  Lao: "໐",
  Tibetan: "༠",
  Burmese: "၀",
  Khmer: "០",
  "full-width": "０",
  "bold mathematical": "𝟎",
  "sans-serif mathematical": "𝟬",
  monospace: "𝟶",
};
const inScript = (digits: string, zero: string) =>
  digits.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));
const every = (...tables: Readonly<Record<string, string>>[]) =>
  tables.flatMap((table) => Object.entries(table));

test.each(
  Object.entries(scripts).flatMap(([script, zero]) =>
    every(blanks, dashes, dots, commas).map(([name, sign]) => [script, name, zero, sign] as const),
  ),
)("digits that are %s and set apart by %s are one code", (_script, _name, zero, sign) => {
  const isOnlyInThrees = Object.values(commas).includes(sign);
  const forms = isOnlyInThrees ? ["482913"] : ["482913", "48291305", "4829", "60382"];
  for (const code of forms)
    for (const each of isOnlyInThrees ? [3] : [1, 2, 3, 4]) {
      if (
        code.length % each !== 0 ||
        (each > 1 && code.length / each < 2) ||
        (each === 2 && code.length === 4)
      )
        continue;
      const written = inScript(code.match(new RegExp(`.{${each}}`, "g"))?.join(sign) ?? "", zero);
      expect(sureOf(`<p>Your verification code is <b>${written}</b>.</p>`), written).toBe(code);
      expect(sureOf(`<p>Your code:</p><p>${written}</p><p>It expires soon.</p>`), written).toBe(code);
      expect(findCode(`${written} is your code`, "Hello"), written).toBe(code);
    }
});

test.each(every(blanks, dashes))(
  "pieces of letters and digits set apart by %s are one code",
  (_name, sign) => {
    const joint = Object.values(dashes).includes(sign) ? "-" : "";
    for (const [first, second] of [
      ["A7K", "9Q2"],
      ["K7M2", "9XQ4"],
    ]) {
      const code = `${String(first)}${joint}${String(second)}`;
      expect(sureOf(`<p>Your code is <b>${String(first)}${sign}${String(second)}</b></p>`)).toBe(code);
      expect(sureOf(`<p>Your code:</p><p>${String(first)}${sign}${String(second)}</p>`)).toBe(code);
    }
  },
);

test.each([
  ["amounts", "You have 482,915 points left. Your code will come by telephone."],
  ["an amount with cents", "Your code costs 482,915.50"],
  ["a larger amount", "Your code is worth 1,482,915"],
  ["an amount of money", "Your code: $482,915"],
  ["an amount of followers", "Your code was shown to 482.915 people"],
  ["an address", "Your code was asked for from 192.168.101.202"],
  ["a telephone number", "Your code will be told by phone: 482 915 337"],
  ["a postal code", "We will send your code.\nToronto, ON M5V 3L9"],
  ["a postal code on its own line", "If you did not ask for a code, ignore this.\nN16 8QP"],
  ["a list of numbers", "Your code comes soon\n120\n340\n560"],
  ["keys that number steps", "1️⃣ Open the app\n2️⃣ Enter your code\n3️⃣ Done"],
  ["steps on keys", "Your code comes by telephone: 1️⃣ 2️⃣ 3️⃣ 4️⃣"],
  ["a word in capitals in large type", "Your code comes soon\nTHANKS"],
  ["a date", "Your code is valid, as every code, until and with 20251108"],
  ["a word with a dash", "Your code is for non-EEA users of 2019"],
])("no code: %s", (_name, text) => {
  expect(findCode("Hello", text)).toBeUndefined();
});

const invisibles = {
  "a soft hyphen": "\u00ad",
  "a grapheme joiner": "\u034f",
  "an Arabic mark": "\u061c",
  "a Hangul filler": "\u115f",
  "a Mongolian separator": "\u180e",
  "a zero-width blank": "\u200b",
  "a zero-width non-joiner": "\u200c",
  "a zero-width joiner": "\u200d",
  "a left-to-right mark": "\u200e",
  "an isolate": "\u2068",
  "a word joiner": "\u2060",
  "an invisible separator": "\u2063",
  "a variation selector": "\ufe0f",
  "a byte order mark": "\ufeff",
  "a tag": "\u{e0031}",
  "<wbr>": "<wbr>",
  "a comment": "<!-- 77 -->",
  "an empty tag": "<b></b>",
  "&shy;": "&shy;",
  "&zwnj;": "&zwnj;",
};

test.each(every(invisibles))("%s inside a code is not read", (_name, sign) => {
  for (const code of ["482913", "A7K92Q"]) {
    expect(sureOf(`<p>Your code is <b>${code.slice(0, 3)}${sign}${code.slice(3)}</b></p>`)).toBe(code);
    expect(sureOf(`<p>Your code:</p><h1>${Array.from(code).join(sign)}</h1>`)).toBe(code);
  }
});

const boxes: Readonly<Record<string, (sign: string) => string>> = {
  "cells of a table": (sign) => `<td>${sign}</td>`,
  "cells with blanks": (sign) => `<td>&nbsp;${sign}&nbsp;</td>\n`,
  "cells with gaps between": (sign) => `<td>${sign}</td><td>&nbsp;</td>`,
  "cells with tables": (sign) => `<td><table><tr><td>${sign}</td></tr></table></td>`,
  "cells with paragraphs": (sign) => `<td><p style="margin:0">${sign}</p></td>`,
  "items of a list": (sign) => `<li>\n${sign}\n</li>`,
  spans: (sign) => `<span style="margin:4px">${sign}</span>`,
  "spans on lines of their own": (sign) => `<span>${sign}</span>\n`,
  divisions: (sign) => `<div style="display:inline-block">${sign}</div>`,
};

test.each(Object.entries(boxes))("a code in %s is one code", (_name, box) => {
  for (const code of ["482913", "7302", "A7K92Q", "a8k9x5"]) {
    const row = Array.from(code, box).join("");
    const isSpaced = /[\s>]$/.test(box("1")) && box("1").startsWith("<span>") && /[a-z]/.test(code);
    if (isSpaced) continue;
    const table = box("1").startsWith("<td>") ? `<table><tr>${row}</tr></table>` : `<div>${row}</div>`;
    expect(read(`<p>Your code:</p>${table}<p>It expires soon.</p>`).value, code).toBe(code);
  }
});

test.each([
  ["two halves", "<p>Your code is<br>482<br>913</p>", "482913"],
  ["two paragraphs", "<p>Your code:</p><p>482</p><p>913</p><p>Bye</p>", "482913"],
  ["two rows of boxes", "<p>Your code:</p><p>4 8 2</p><p>9 1 3</p>", "482913"],
  ["two longer halves", "<p>Your code:</p><p>4829</p><p>1305</p><p>Bye</p>", "48291305"],
  ["two longer halves with letters", "<p>Your code:</p><p>K7M2</p><p>9XQ4</p><p>Bye</p>", "K7M29XQ4"],
  ["two halves with letters", "<p>Your code:</p><p>A7K</p><p>9Q2</p>", "A7K9Q2"],
  ["a half at the end of a line", "<pre>Your code is 482\n913 and expires.</pre>", "482913"],
  ["a dash at the end of a line", "<pre>Your code: 482-\n913</pre>", "482913"],
  ["a dash between letters and digits", "<pre>Your code: A7K-\n9Q2</pre>", "A7K-9Q2"],
  ["two cells", "<p>Your code:</p><table><tr><td>482</td><td>913</td></tr></table>", "482913"],
])("a code over two lines: %s", (_name, html, code) => {
  expect(sureOf(html)).toBe(code);
});

test.each(["AbC-d3F", "abc-D3F", "a7k-9Q2", "abc-DEF", "ABC-def", "A7k9-q2Xz", "KqWx-8h2M", "kqwx-8h2m"])(
  "groups in upper and lower case: %s",
  (code) => {
    expect(sureOf(`<p>Your code is <b>${code}</b></p>`)).toBe(code);
    expect(sureOf(`<p>Your code:</p><p>${code}</p>`)).toBe(code);
  },
);

test.each([
  ["only the subject", "<p>Welcome.</p>", "482913 is your code", "482913, sure"],
  ["a picture", '<p>Your code is</p><img src="a.png" alt="482913">', "Welcome", "482913, sure"],
  [
    "a picture of each digit",
    `<p>Your code is</p>${Array.from("482913", (digit) => `<img src="${digit}.png" alt="${digit}">`).join("")}<p>Bye</p>`,
    "Welcome",
    "482913, sure",
  ],
  [
    "a picture in a letter about its code",
    '<p>Welcome.</p><img src="a.png" alt="482913">',
    "Your code",
    "482913, sure",
  ],
  ["a field", '<p>Your code:</p><input type="text" readonly value="482913">', "Welcome", "482913, sure"],
  ["a field without a type", '<p>Your code:</p><input value="482913">', "Welcome", "482913, sure"],
  [
    "a button is no field",
    '<p>Your code</p><input type="submit" value="482913">',
    "Welcome",
    "undefined, undefined",
  ],
  ...["code", "otp", "pin", "token", "verification_code", "passcode"].map(
    (name): [string, string, string, string] => [
      `an address with ${name}=`,
      `<a href="https://app.example/verify?email=a&${name}=482913">Verify</a>`,
      "Welcome",
      "482913, likely",
    ],
  ),
  [
    "the end of an address",
    '<a href="https://app.example/verify/482913">Verify</a>',
    "Welcome",
    "482913, likely",
  ],
  [
    "an address with letters",
    '<a href="https://app.example/v?code=A7K92Q">Verify</a>',
    "Hi",
    "A7K92Q, likely",
  ],
  [
    "not where the text has one",
    '<p>Your code: 7302</p><a href="https://app.example/v?code=482913">Verify</a>',
    "Hi",
    "7302, sure",
  ],
  [
    "not an offer",
    '<a href="https://app.example/verify?promo_code=SAVE20">Verify</a>',
    "Hi",
    "undefined, undefined",
  ],
  [
    "not a link that confirms nothing",
    '<a href="https://app.example/?code=482913">Blog</a>',
    "Hi",
    "undefined, undefined",
  ],
  [
    "not a long secret",
    '<a href="https://app.example/verify?code=7f3a9c1e5b2d8846">Verify</a>',
    "Hi",
    "undefined, undefined",
  ],
])("where else a code is: %s", (_name, html, subject, expected) => {
  const { value, confidence } = read(html, subject);
  expect(`${String(value)}, ${String(confidence)}`).toBe(expected);
});

test.each([
  "Your verification code (XX4471) is 925508.",
  "Code for your account (XX4471): 925508",
  "Код подтверждения (XX4471): 925508",
  "Tu código (XX4471) es 925508.",
  "您的验证码（XX4471）是 925508。",
  "رمز التحقق (XX4471) هو 925508.",
  "आपका कोड (XX4471) 925508 है।",
  "925508 is your code (XX4471)",
])("what is in brackets beside a code is not the code: %s", (text) => {
  expect(sureOf(`<p>${text}</p>`)).toBe("925508");
});

test.each([
  ["Your code", "4 8 2 9 1 3 — do not share it"],
  ["Verify", "482913 – never share this with anyone"],
  ["Hello", "482913 — do not share it with anyone"],
  ["Код", "4 8 2 9 1 3 — никому не сообщайте"],
  ["Hola", "482913 — no lo compartas con nadie"],
])("a code that begins a sentence which asks for silence: %s / %s", (subject, text) => {
  expect(findCode(subject, text)).toBe("482913");
});

test.each([
  ["keys", "<p>Your code is 4️⃣8️⃣2️⃣9️⃣1️⃣3️⃣</p>", "482913"],
  ["keys with blanks", "<p>Your code is 4️⃣ 8️⃣ 2️⃣ 9️⃣ 1️⃣ 3️⃣</p>", "482913"],
  ["circles", "<p>Your code is ④⑧②⑨①③</p>", "482913"],
  ["full-width letters", "<p>Your code is Ａ７Ｋ９２Ｑ</p>", "A7K92Q"],
  ["Vietnamese without its marks", "<p>Ma xac nhan cua ban la 482913</p>", "482913"],
  ["nine digits", "<p>Your code is 482915337</p>", "482915337"],
  ["eight digits like a date", "<p>Your code: 20251108</p>", "20251108"],
  ["capitals that are no word", "<p>Your code</p><h1>KQWZT</h1><p>Bye</p>", "KQWZT"],
])("rare forms: %s", (_name, html, code) => {
  expect(read(html).value).toBe(code);
});
