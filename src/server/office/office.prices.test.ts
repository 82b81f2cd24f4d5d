// @module-tag slow
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BackOffice, openBackOffice } from "../../../test/kit/backoffice.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";

let shop: TestShop;
let office: BackOffice;

beforeAll(async () => {
  shop = await startShop();
  office = await openBackOffice(shop);
  for (const [name, kind] of [
    ["one.example", "own"],
    ["two.example", "hosted"],
  ] as const)
    await office.act("domains/add", { name, price: "0.01", kind });
});
afterAll(() => shop.stop());

const ask = { how: "percent", amount: "10", reason: "dearer" };
const rowsOf = async (table: string, search: string) => {
  const { rows } = await shop.get(`/api/admin/tables/${table}`, { token: office.token, search });
  return rows as Record<string, unknown>[];
};

test("a rule for a site from a moment on is shown before, waits, stands in the history and is undone", async () => {
  const from = "4102444800";
  const wanted = { ...ask, prices: "shop.example/hosted,two.example", from, key: "rule" };
  const { id, count } = await office.act("prices/change", wanted);
  expect(count).toBe(2);
  expect(await office.act("prices/change", wanted)).toMatchObject({ id, count: 2, repeated: true });
  expect(
    await shop.get("/api/admin/prices/preview", {
      token: office.token,
      prices: "two.example",
      how: "to",
      amount: "0.5",
    }),
  ).toMatchObject({
    count: 1,
    letters: 0,
    data: [{ domain: "two.example", before: "0.01", after: "0.5", letters: 0 }],
  });
  expect(await rowsOf("prices", "two.example")).toMatchObject([
    { name: "two.example", site: "", price: "0.01", next_price: "0.011", next_at: Number(from) },
  ]);
  const change = { number: id, domain: "two.example", before: "0.01", after: "0.011", state: "waits" };
  expect(await rowsOf("price_changes", "two.example")).toMatchObject([
    { ...change, site: "", starts: Number(from), reason: "dearer", by: office.by },
    { ...change, site: "shop.example" },
  ]);
  expect(await office.act("prices/undo", { id: String(id), reason: "by mistake" })).toMatchObject({
    count: 2,
  });
  expect(await rowsOf("price_changes", "shop.example")).toMatchObject([{ ...change, state: "undone" }]);
  expect(await office.written("shop.example/two.example, two.example")).toMatchObject([
    { did: "prices undo", by: office.by, reason: "by mistake" },
  ]);
});

test("the history names what applies and what was replaced, and the prices of sites stand below those of all", async () => {
  await office.act("prices/change", { ...ask, prices: "one.example", key: "first" });
  await office.act("prices/change", { ...ask, prices: "shop.example/one.example", key: "own" });
  await office.act("domains/set", { name: "one.example", price: "0.02" });
  expect(await rowsOf("prices", "one.example")).toMatchObject([
    { name: "one.example", site: "", price: "0.02" },
    { name: "shop.example/one.example", site: "shop.example", price: "0.0121" },
  ]);
  expect(await rowsOf("domains", "one.example")).toMatchObject([{ price: "0.02" }]);
  expect(await rowsOf("price_changes", "one.example")).toMatchObject([
    { site: "", before: "0.011", after: "0.02", state: "applies", reason: null },
    { site: "shop.example", before: "0.011", after: "0.0121", state: "applies" },
    { site: "", before: "0.01", after: "0.011", state: "replaced" },
  ]);
});

test("what names no price, or none that can be, is refused", async () => {
  const whole = { ...ask, prices: "one.example", key: "refused" };
  await office.refusesAll("prices/change", [
    [{ ...whole, prices: "" }, "prices"],
    [{ ...whole, prices: "nowhere.example" }, "no domain"],
    [{ ...whole, prices: "nosite/one.example" }, "site"],
    [{ ...whole, how: "double" }, "how"],
    [{ ...whole, amount: "0" }, "change"],
    [{ ...whole, amount: "-100" }, "price"],
    [{ ...whole, from: "1" }, "from"],
    [{ ...whole, how: "general" }, "nothing to change"],
  ]);
  await office.refusesAll("prices/undo", [[{ id: "1", reason: "none" }, "no price change"]]);
});
