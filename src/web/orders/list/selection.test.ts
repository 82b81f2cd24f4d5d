import { expect, test } from "vitest";
import type { Item } from "./activations.ts";
import { addressesOf, codesOf, fileOf, refundable } from "./selection.ts";

const item = (id: string, more: Partial<Item>): Item => ({
  key: id,
  id,
  site: "x.com",
  email: `box${id}@letters.test`,
  state: "received",
  code: undefined,
  link: undefined,
  value: undefined,
  price: 0.0035,
  expiresAt: 9,
  ...more,
});

const items = [
  item("1", { code: "482910", subject: 'Your "code", now' }),
  item("2", { state: "pending" }),
  item("3", { value: "=1+1", code: "7" }),
];

test("what is copied of selected rows: every address, and the codes that came", () => {
  expect(addressesOf(items)).toBe("box1@letters.test\nbox2@letters.test\nbox3@letters.test");
  expect(codesOf(items)).toBe("box1@letters.test:482910\nbox3@letters.test:=1+1");
});

test("only rows that wait are canceled together", () => {
  expect(refundable(items).map(({ id }) => id)).toEqual(["2"]);
});

test("the file of selected rows keeps quotes and runs no formula", () => {
  const lines = fileOf(items).split("\r\n");
  expect(lines[1]).toBe('"1","x.com","box1@letters.test","received","482910","","Your ""code"", now"');
  expect(lines[3]).toContain(`"'=1+1"`);
  expect(lines).toHaveLength(5);
});
