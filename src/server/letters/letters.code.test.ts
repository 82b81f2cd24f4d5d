import fc from "fast-check";
import { expect, test } from "vitest";
import { clockOfThread } from "../../../test/kit/thread.ts";
import { findCode } from "./letters.code.ts";
import { findLink } from "./letters.link.ts";
import { parseLetter } from "./letters.parse.ts";
import { arabic, chinese, hindi } from "./samples/eastern.ts";
import { english } from "./samples/english.ts";
import { russian, spanish } from "./samples/european.ts";
import { rawOf, type Sample } from "./samples/sample.ts";

const samples: [string, string, Sample][] = Object.entries({
  english,
  russian,
  spanish,
  chinese,
  arabic,
  hindi,
}).flatMap(([language, list]) =>
  list.map((sample): [string, string, Sample] => [language, sample.name, sample]),
);

test("there are forty and more realistic letters", () => {
  expect(samples.length).toBeGreaterThanOrEqual(40);
});

test.each(samples)("code and link of a letter in %s: %s", async (_language, _name, sample) => {
  const parsed = await parseLetter(await rawOf(sample));
  expect({
    code: findCode(parsed.subject, parsed.text),
    link: findLink(parsed.links),
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
  ["Your code is 123456789", undefined],
  ["Your code expires in 1440 minutes", undefined],
  ["Your code expires on 14.03.2025", undefined],
  ["Your code costs $4829", undefined],
  ["Your code costs 4829 USD", undefined],
  ["Your code has the colour #482913", undefined],
  ["The code https://example.test/482913 is old", undefined],
  ["The code of ann482913@example.test is old", undefined],
  ["Shopping at 482913 Main Street", undefined],
  ["The number 482913 stands for nothing", undefined],
])("%s", (text, code) => {
  expect(findCode("Hello", text)).toBe(code);
});

test("a code that was sent again is the newest word of its letter, not the one quoted below", () => {
  expect(findCode("Re: code", "Your code is 482913\n\n> Your old text was 111")).toBe("482913");
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

test("no text is too strange, and a code is always four to eleven signs long", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 300 }), fc.string({ unit: "binary" }), (words, noise) => {
      const code = findCode(noise, words.join("") + noise);
      expect(code ?? "1234").toMatch(/^[A-Za-z0-9-]{4,11}$/);
    }),
    { numRuns: 60 },
  );
});

test.each(["1 ", "1-", "code ", "code 1234 ", "a1", "9", "code: A7-", "\n1", "a", "1\t"])(
  "a long text of %j is read in linear time",
  (piece) => {
    const time = (length: number) => {
      const text = piece.repeat(length / piece.length);
      const spent = clockOfThread();
      findCode(text, text);
      return spent();
    };
    time(10_000);
    expect(time(10_000_000)).toBeLessThan(1_500);
  },
);
