import { expect, test } from "vitest";
import { firstWord, rememberPattern, rememberSubject, patternError } from "./filterPresets.ts";

test("only the first word of a subject is kept", () => {
  expect(firstWord("  welcome to us")).toBe("welcome");
  expect(firstWord("код подтверждения")).toBe("код");
  expect(firstWord("   ")).toBe("");
});

test("five own subject words are remembered, the newest first, the built-in ones not", () => {
  const words = ["e", "d", "c", "b", "a"];
  expect(rememberSubject(words, "f")).toEqual(["f", "e", "d", "c", "b"]);
  expect(rememberSubject(words, "b")).toEqual(["b", "e", "d", "c", "a"]);
  expect(rememberSubject(words, "welcome")).toEqual(words);
  expect(rememberSubject(words, "")).toEqual(words);
});

test("three patterns are remembered at most", () => {
  expect(rememberPattern(["c", "b", "a"], "\\d{6}")).toEqual(["\\d{6}", "c", "b"]);
});

test("pausing while typing does not fill the memory with beginnings", () => {
  expect(rememberPattern(["\\d", "a"], "\\d{6}")).toEqual(["\\d{6}", "a"]);
});

test("a half-typed group is no pattern yet", async () => {
  expect(await patternError("(\\d+")).toContain("missing closing )");
  expect(await patternError("(\\d+)")).toBe("");
});

test("the page knows what the server takes: what RE2 has beyond browsers, and what it lacks", async () => {
  expect(await patternError("(?i)(?P<code>\\pN+)")).toBe("");
  expect(await patternError("(?<=code )\\d+")).toContain("no lookbehind");
});
