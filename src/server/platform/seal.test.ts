import { expect, test } from "vitest";
import { createSeal } from "./seal.ts";

const seal = createSeal(Buffer.alloc(32, 7));

test("what was sealed can be opened, and never looks the same twice", () => {
  const [first, second] = [seal.seal("Пароль 🔑"), seal.seal("Пароль 🔑")];
  expect(seal.open(first)).toBe("Пароль 🔑");
  expect(first.equals(second)).toBe(false);
});

test("a changed or foreign sealed text is refused", () => {
  const sealed = seal.seal("token");
  sealed[14] = (sealed[14] ?? 0) ^ 1;
  expect(() => seal.open(sealed)).toThrow();
  expect(() => createSeal(Buffer.alloc(32, 8)).open(seal.seal("token"))).toThrow();
});

test("hashes of one text differ by purpose and by key", () => {
  expect(seal.hash("token", "a").equals(seal.hash("code", "a"))).toBe(false);
  expect(seal.hash("token", "a").equals(createSeal(Buffer.alloc(32, 8)).hash("token", "a"))).toBe(false);
  expect(seal.hash("token", "a").equals(seal.hash("token", "a"))).toBe(true);
});

test("what was sealed with the cipher of before is opened still, and refused when it was changed", () => {
  const sealed = Buffer.from(
    "000102030405060708090a0b8e677873c8e55940a464753f79bbc97d24aa283c2d68c459faa405dda42a96c5b3",
    "hex",
  );
  expect(seal.open(sealed)).toBe("Пароль 🔑");
  sealed[14] = (sealed[14] ?? 0) ^ 1;
  expect(() => seal.open(sealed)).toThrow();
});

test("with a key before, what that one sealed opens and is looked up; without one a look-up says one hash", () => {
  const [before, both] = [
    createSeal(Buffer.alloc(32, 8)),
    createSeal(Buffer.alloc(32, 7), Buffer.alloc(32, 8)),
  ];
  expect(both.open(before.seal("token"))).toBe("token");
  expect(() => both.openOwn(before.seal("token"))).toThrow();
  expect(seal.open(both.seal("token"))).toBe("token");
  expect(both.hash("token", "a")).toEqual(seal.hash("token", "a"));
  expect(both.hashes("token", "a")).toEqual([seal.hash("token", "a"), before.hash("token", "a")]);
  expect(seal.hashes("token", "a")).toEqual([seal.hash("token", "a")]);
});
