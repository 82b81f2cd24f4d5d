import { expect, test } from "vitest";
import { clockOfThread } from "../../../test/kit/thread.ts";
import { checkPattern, fit, type Judged, type WaitingOrder } from "./letters.match.ts";

const at = (second: number) => new Date(Date.UTC(2025, 0, 1, 0, 0, second));

const letter: Judged = {
  senderDomain: "instagram.com",
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
  ["65[0-9]{4}", undefined],
  ["^$", undefined],
  ["(", undefined],
])("the pattern %s finds %j", (regex, value) => {
  const found = fit(letter, { ...order, regex }, senders);
  expect(found).toEqual(value === undefined ? { missed: "regex" } : { value });
});

test("of several things that a letter lacks the first is told: the sender before what it says", () => {
  const asked = { ...order, subject: "facebook", regex: "^$" };
  expect(fit({ ...letter, senderDomain: "spam.test" }, asked, senders)).toEqual({ missed: "sender" });
  expect(fit(letter, asked, senders)).toEqual({ missed: "subject" });
  expect(fit(letter, { ...asked, subject: null }, senders)).toEqual({ missed: "regex" });
});

test.each(["(", "[a", "a{1001}", "(?=a)", "(?<!a)b", "\\1", "*", "((a{100}){100}){100}", "a".repeat(501)])(
  "%s is no pattern, and that is said when it is ordered",
  (pattern) => {
    expect(checkPattern(pattern)).toBe("regex");
  },
);

test.each(["[0-9]{6}", "a".repeat(500), "(?i)код: (\\d+)", "\\p{Han}+", ""])("%s is a pattern", (pattern) => {
  expect(checkPattern(pattern)).toBeUndefined();
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
