import { expect, test } from "vitest";
import { isWelcome } from "./imap.check.ts";

test("only a role of the provider writes a welcome", () => {
  const box = { login: "box@mail.example", host: "imap.provider.example" };
  const from = (address: string) => isWelcome([{ address }], box);
  expect(from("no-reply@mail.example")).toBe(true);
  expect(from("Welcome@provider.example")).toBe(true);
  expect(from("anna@mail.example")).toBe(false);
  expect(from("no-reply@shop.example")).toBe(false);
  expect(from("welcome@mail.example.evil.example")).toBe(false);
  expect(isWelcome(undefined, box)).toBe(false);
});
