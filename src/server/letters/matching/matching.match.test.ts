import fc from "fast-check";
import { expect, test } from "vitest";
import { clockOfThread } from "../../../../test/kit/thread.ts";
import { checkPattern, fit, folded, valueOf, type MatchInput, type WaitingOrder } from "./matching.match.ts";

const at = (second: number) => new Date(Date.UTC(2025, 0, 1, 0, 0, second));

const letter: MatchInput = {
  senderDomain: "instagram.com",
  otherAuthors: [],
  dkimDomains: [],
  subject: "482913 is your Instagram CÓDIGO",
  text: "Hi ann,\nyour code: 482913\nsent to ann@letters.test",
  plain: "plain words only here",
  links: [{ href: "https://instagram.com/confirm/a1b2c3?x=654321", text: "Confirm" }],
  arrivedAt: at(10),
};

const order: WaitingOrder = {
  orderId: 1n,
  userId: 1n,
  mailboxId: 1n,
  siteId: 1,
  site: "instagram.com",
  subject: null,
  regex: null,
  createdAt: at(0),
  expiresAt: at(20),
};
const senders = new Set(["instagram.com", "facebookmail.com"]);
const fits = { value: undefined };

test("a letter of the site is for its order, from any of the site's sender domains", () => {
  expect(fit(letter, order, senders)).toEqual(fits);
  expect(fit({ ...letter, senderDomain: "facebookmail.com" }, order, senders)).toEqual(fits);
  for (const senderDomain of ["instagram.com.evil.test", ""])
    expect(fit({ ...letter, senderDomain }, order, senders)).toEqual({ missed: "sender" });
});

test("a domain that signed the letter counts as its sender", () => {
  expect(
    fit({ ...letter, senderDomain: "mailer.test", dkimDomains: ["instagram.com"] }, order, senders),
  ).toEqual(fits);
});

test("the site any takes every sender", () => {
  expect(fit({ ...letter, senderDomain: "" }, order, undefined)).toEqual(fits);
});

test.each([
  [0, true],
  [19, true],
  [20, false],
  [-1, false],
])("a letter of second %i fits an order of the seconds 0 to 20: %s", (second, isFitting) => {
  expect(fit({ ...letter, arrivedAt: at(second) }, order, senders)).toEqual(
    isFitting ? fits : { missed: "time" },
  );
});

test.each([
  ["instagram", true],
  ["INSTAGRAM", true],
  ["código", true],
  ["facebook", false],
  ["482913", true],
  ["ınstagram", true],
  ["İNSTAGRAM", true],
  ["ｉｎｓｔａｇｒａｍ", true],
  ["co\u0301digo", true],
  ["codigo", false],
  ["in\u00adsta\u200bgram", true],
])("the subject word %s: %s", (subject, isFitting) => {
  const found = fit(letter, { ...order, subject }, senders);
  expect(found).toEqual(isFitting ? fits : { missed: "subject" });
});

test.each([
  ["code: ([0-9]{6})", "482913"],
  ["[0-9]{6}", "482913"],
  ["(?i)YOUR CODE", "your code"],
  ["code: (?P<code>[0-9]+)", "482913"],
  ["(x)?your", "your"],
  ["only (here)", "here"],
  ["https://instagram\\.com/confirm/\\S+", "https://instagram.com/confirm/a1b2c3?x=654321"],
  ["is your Instagram (\\S+)", "CÓDIGO"],
  ["\\A482913", "482913"],
  ["65[0-9]{4}", undefined],
  ["^$", undefined],
  ["(", undefined],
])("the pattern %s finds %j", (regex, value) => {
  const found = fit(letter, { ...order, regex }, senders);
  expect(found).toEqual(value === undefined ? { missed: "regex" } : { value });
});

const asRead: MatchInput = {
  ...letter,
  subject: "Sign–in to Discord",
  text: "Hi ann, here’s your code:\n\n  482915\u00a0\n\nIt is valid for ten\nminutes. Don’t share it.",
  plain: "",
  links: [{ href: "https://discord.com/v/77120?num=10&token=ab12", text: "Confirm" }],
};

test.each([
  ["^\\d{6}$", "482915"],
  ["^(\\d{6})$", "482915"],
  ["^\\d{3}(\\d{3})", "915"],
  ["for (ten minutes)", "ten minutes"],
  ["here's your (code)", "code"],
  ["here’s your (code)", "code"],
  ["don't share", undefined],
  ["(?i)don't share", "Don't share"],
  ["Sign-in to (\\w+)", "Discord"],
  ["discord.com/v/(\\d+)", "77120"],
  ["discord\\.com\\/v\\/(\\d+)", "77120"],
  ["/v/(\\d+)", "77120"],
  ["[?&]token=(\\w+)", "ab12"],
  ["\\b\\d{5}\\b", undefined],
  ["code: (\\d+)", "482915"],
  ["code: (\\d+) It is", "482915"],
  ["code: .*(\\d{6})", undefined],
  ["ten .*share", "ten minutes. Don't share"],
  ["^$", undefined],
])("the pattern %s finds %j as one reads the letter", (regex, value) => {
  const found = fit(asRead, { ...order, regex }, senders);
  expect(found).toEqual(value === undefined ? { missed: "regex" } : { value });
});

test.each([
  ["/(\\d{6})/", "482915"],
  ["/YOUR CODE:\\s+(\\d{6})/i", "482915"],
  ["/^(\\d{6})$/gm", "482915"],
  ["/code.+?(\\d{6})/su", "482915"],
  ["/discord\\.com\\/v\\/(\\d+)/", "77120"],
  ["/v/(\\d+)", "77120"],
  ['"(\\d{6})"', "482915"],
  ["'(\\d{6})'", "482915"],
  ["`(\\d{6})`", "482915"],
  ['r"(\\d{6})"', "482915"],
  ['"/(\\d{6})/"', "482915"],
  ["\\\\b(\\\\d{6})\\\\b", "482915"],
  ["\\d{6}\r\n", "482915"],
])("the pattern %s is taken as it is meant and finds %s", (regex, value) => {
  expect(checkPattern(regex)).toBeUndefined();
  expect(fit(asRead, { ...order, regex }, senders)).toEqual({ value });
});

test.each(["/(?=a)/", "'(\\d{6}'", "/[a/"])(
  "what is wrong with %s is said before it costs anything",
  (regex) => {
    expect(checkPattern(regex)).toBeDefined();
  },
);

test.each([
  ["Ваш КОД подтверждения", "код"],
  ["Подтвердите ВХОД", "вход"],
  ["Straße 5", "STRASSE"],
  ["straße 5", "STRAẞE"],
  ["GRÜSSE AUS KÖLN", "grüße"],
  ["Ο ΚΩΔΙΚΌΣ ΣΑΣ", "κωδικός"],
  ["Ο κωδικός σας", "ΚΩΔΙΚΌΣ"],
  ["DOĞRULAMA KODUNUZ İÇİN", "için"],
  ["doğrulama kodunuz ışık", "IŞIK"],
  ["doğrulama i\u0307çin", "İÇİN"],
  ["ＶＥＲＩＦＩＣＡＴＩＯＮ", "verification"],
  ["您的验证码", "验证码"],
  ["رمز\u200f التحقق", "رمز"],
  ["सत्यापन क\u093cोड", "\u0958ोड"],
])("the subject %s holds the word %s", (subject, word) => {
  expect(fit({ ...letter, subject }, { ...order, subject: word }, senders)).toEqual(fits);
});

test.each([
  ["Here’s your code", "Here's"],
  ["Here's your code", "Here´s"],
  ["Here‘s your code", "here’s"],
  ["Your Sign‑in code", "Sign-in"],
  ["Your sign–in code", "sign-in"],
  ["Your sign-in code", "Sign—in"],
  ["Подтвердите «вход»", '"вход"'],
  ["Your “magic” link", '"magic"'],
  ["Code\u00a0482913", "code"],
])("the subject %s holds the word %s as it is typed", (subject, word) => {
  expect(fit({ ...letter, subject }, { ...order, subject: word }, senders)).toEqual(fits);
});

test("a word is held by every subject that is made of it, in capitals, small letters or another normal form", () => {
  const word = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 10 })
    .filter((text) => folded(text) !== "");
  const forms = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => text.normalize("NFD"),
    (text) => text.normalize("NFC"),
  );
  fc.assert(
    fc.property(word, forms, (text, form) => {
      expect(folded(folded(text))).toBe(folded(text));
      const subject = `- ${form(text)} -`;
      expect(fit({ ...letter, subject }, { ...order, subject: text }, senders)).toEqual(fits);
    }),
    // A Greek accent whose normal form is that of ASCII.
    { examples: [["\u1fef ", (text) => text.normalize("NFC")]] },
  );
});

test("of several things that a letter lacks the first is told: the sender before what it says", () => {
  const asked = { ...order, subject: "facebook", regex: "^$" };
  expect(fit({ ...letter, senderDomain: "spam.test" }, asked, senders)).toEqual({ missed: "sender" });
  expect(fit(letter, asked, senders)).toEqual({ missed: "subject" });
  expect(fit(letter, { ...asked, subject: null }, senders)).toEqual({ missed: "regex" });
});

test.each([
  ["(", "missing closing )"],
  ["[a", "missing closing ]"],
  ["a{1001}", "invalid repeat count"],
  ["x{1000}{1000}", "invalid nested repetition"],
  ["(?=a)", "no lookahead"],
  ["(?<=code )[0-9]+", "no lookahead and no lookbehind"],
  ["(?<!a)b", "no lookahead and no lookbehind"],
  ["code(?!s)", "no lookahead"],
  ["\\1", "invalid escape"],
  ["*", "missing argument"],
  ["((a{100}){100}){100}", "invalid repeat"],
  ["[\\s\\S]{0,300}code", "too large"],
  ["(?:\\w{1,50}\\s){1,18}", "too large"],
  ["a".repeat(501), "longer than 500"],
  ["\\pL|".repeat(100), "Unicode classes"],
  ["(?i)[\\x{80}-\\x{10FFFF}]".repeat(15), "wide ranges"],
  [`(?i)[${"\u0100-\u{1ffff}".repeat(100)}]`, "wide ranges"],
])("%s is no pattern, and what is wrong with it is said", (pattern, wrong) => {
  expect(checkPattern(pattern)).toContain(wrong);
});

test.each([
  "[0-9]{6}",
  "a".repeat(480),
  "(?i)код: (\\d+)",
  "\\p{Han}+",
  "(?s)code.{0,200}?([0-9]{4,8})",
  "[а-яёА-ЯЁ]+ [\u4e00-\u9fff]+",
  "^Your code is (?<code>\\d+)$",
  "",
])("%s is a pattern", (pattern) => {
  expect(checkPattern(pattern)).toBeUndefined();
});

test.each([
  ["many classes", "[\\pN\\PL]".repeat(15)],
  ["wide ranges without case", `(?i)${"[\u0100-\u{1ffff}]".repeat(8)}`],
  ["negated classes without case", `(?i)${"[^a-z]".repeat(70)}`],
  ["long repeats", "(?:\\pL?){160}\\pS"],
  ["many groups", `(?:${"(a?)".repeat(40)}){3}[b-z]$`],
  ["nothing but groups", "()".repeat(240)],
  ["depth", `${"(?:".repeat(120)}a${")*".repeat(120)}`],
])("a pattern of %s, made to be dear, is compiled and tried soon or refused", (_name, pattern) => {
  const text = "aaab ".repeat(20_000);
  const spent = clockOfThread();
  checkPattern(pattern);
  valueOf(pattern, { ...letter, text, plain: text });
  expect(spent()).toBeLessThan(2_000);
});

test.each([
  "(a+)+$",
  "(a|a)*b",
  "(?:a?){250}a{250}b",
  "((.?){30}){30}[0-9]",
  "(?:[a-z ]{0,900})[0-9]",
  "(.*)*x",
])("the pattern %s, made to hang us, is done soon", (regex) => {
  const text = "aaa ".repeat(250_000);
  const spent = clockOfThread();
  expect(fit({ ...letter, text, plain: text }, { ...order, regex }, senders)).toEqual({ missed: "regex" });
  expect(spent()).toBeLessThan(5_000);
});
