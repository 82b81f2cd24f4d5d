import { expect, test } from "vitest";
import { letter } from "../../../test/kit/raw.ts";
import { parseLetter } from "./mime.ts";

test.each([
  ["\u202e", "in front of the address"],
  ["\u2067", "as an isolate that never ends"],
  ["\u202b\u202d", "nested"],
])("a sender's name turns no address around: %j %s", (marks) => {
  const name = `=?utf-8?B?${Buffer.from(`Shop${marks}`).toString("base64")}?=`;
  const { sender } = parseLetter(letter(`From: ${name} <moc.pohs@evil.test>`, "", "x"));
  expect(sender).toBe("Shop <moc.pohs@evil.test>");
});

test("a subject turns no code around", () => {
  const subject = `=?utf-8?B?${Buffer.from("Code \u202e519284\u202c of \u2067shop").toString("base64")}?=`;
  expect(parseLetter(letter("From: a@shop.test", `Subject: ${subject}`, "x")).subject).toBe(
    "Code 519284 of shop",
  );
});

test("a name that is written from the right keeps its marks of direction", () => {
  const name = `=?utf-8?B?${Buffer.from("\u200fمتجر (\u200eShop\u200f)").toString("base64")}?=`;
  expect(parseLetter(letter(`From: ${name} <a@shop.test>`, "", "x")).sender).toContain("\u200eShop\u200f");
});
