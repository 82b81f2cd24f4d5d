// @module-tag slow
import { numberOf } from "../../../test/kit/numbers.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OfficeTable, type OfficeTableName, officeTables } from "../../contract/office/office.ts";
import * as users from "../users/users.ts";
import { usd } from "../platform/money.ts";
import { topUp } from "../../../test/kit/shelf.ts";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";

let shop: TestShop;
let admin: string;

beforeAll(async () => {
  shop = await startShop();
  admin = await shop.member("admin@example.com");
});
afterAll(() => shop.stop());

const tables = Object.entries(officeTables) as [OfficeTableName, OfficeTable][];
const table = (name: string, asked: Record<string, string> = {}) =>
  shop.get(`/api/admin/tables/${name}`, { token: admin, ...asked });
const rowsOf = (answer: Answer) => answer["rows"] as Record<string, unknown>[];

async function file(name: string, asked: Record<string, string> = {}, token = admin) {
  const response = await fetch(
    `${shop.url}/api/admin/tables/${name}/file.csv?${new URLSearchParams({ token, ...asked })}`,
  );
  return { text: await response.text(), headers: response.headers };
}

const example: Partial<Record<string, string>> = { flag: "1", id: "1", text: "operator" };

test.each(tables)(
  "%s: every order, filter and search that the contract names is answered",
  async (name, told) => {
    const sorts = Object.keys(told.columns).filter((column) => told.columns[column]?.sort);
    const filters = Object.entries(told.columns).flatMap(([column, { filter, kind, of }]) =>
      filter ? (of ?? [example[kind] ?? ""]).map((value) => `${column}:${value}`) : [],
    );
    const asks = [
      ...sorts.flatMap((sort) => [{ sort }, { sort: `-${sort}` }]),
      ...filters.map((one) => ({ filters: one })),
      ...(told.search ? [{ search: "letters" }, { search: "1" }, { search: "a@b.example" }] : []),
    ];
    for (const asked of asks) {
      expect(await table(name, asked), JSON.stringify(asked)).toMatchObject({ status: "success" });
      const { text } = await file(name, asked);
      expect(text.split("\r\n")[0]).toBe(
        Object.keys(told.columns)
          .filter((column) => !told.columns[column]?.hidden)
          .join(","),
      );
    }
    const [row] = rowsOf(await table(name));
    if (row) expect(Object.keys(row)).toEqual(Object.keys(told.columns));
  },
);

const calls = [
  "/api/admin/overview",
  ...tables.flatMap(([name]) => [`/api/admin/tables/${name}`, `/api/admin/tables/${name}/file.csv`]),
];

const answersTo = async (token: string | undefined) =>
  new Set(await Promise.all(calls.map(async (path) => (await shop.get(path, { token })).value)));

test("without the administrator's role there is no page, no file and no overview", async () => {
  expect(await answersTo(undefined)).toEqual(new Set(["token"]));
  expect(await answersTo("x".repeat(32))).toEqual(new Set(["token"]));
  expect(await answersTo(await shop.member())).toEqual(new Set(["no access"]));
});

test("a limited token of an administrator opens nothing of the back office", async () => {
  const { token } = await shop.post("/user/tokens/add", { token: admin, name: "checker" });
  expect(await answersTo(String(token))).toEqual(new Set(["token limit"]));
});

test("an administrator who is blocked sees nothing any more", async () => {
  const token = await shop.member("second@example.com");
  const user = await users.find(shop.db, "second@example.com");
  await users.grant(shop.db, user!.id, "admin");
  await expect.poll(async () => (await shop.get("/api/admin/overview", { token })).status).toBe("success");
  await users.block(shop.db, user!.id, true);
  await expect.poll(async () => (await shop.get("/api/admin/overview", { token })).value).toBe("token");
  expect(await answersTo(token)).toEqual(new Set(["token"]));
});

const fails: [string, Record<string, string>, string][] = [
  ["letters", {}, "table"],
  ["constructor", {}, "table"],
  ["users", { sort: "password_hash" }, "sort"],
  ["users", { sort: "created" }, "sort"],
  ["users", { sort: "--id" }, "sort"],
  ["users", { sort: "id; drop table users" }, "sort"],
  ["users", { filters: "email:a@b.example" }, "filters"],
  ["users", { filters: "blocked" }, "filters"],
  ["users", { filters: "blocked:yes" }, "filters"],
  ["users", { filters: "blocked:1,blocked:0" }, "filters"],
  ["users", { filters: "toString:1" }, "filters"],
  ["orders", { filters: "user:-1" }, "filters"],
  ["orders", { filters: "user:1e3" }, "filters"],
  ["orders", { filters: "state:lost" }, "filters"],
  ["journal", { filters: "by:" }, "filters"],
  ["jobs", { search: "expire" }, "search"],
  ["users", { search: "a".repeat(201) }, "search"],
  ["users", { search: "a\0b" }, "search"],
];

test.each(fails)("%s with %j is refused: %s", async (name, asked, value) => {
  expect(await table(name, asked)).toMatchObject({ status: "error", value, error: value });
  expect(await file(name, asked)).toMatchObject({ text: expect.stringContaining(`"value":"${value}"`) });
});

test("a page that is no number is refused, and one beyond the last is empty", async () => {
  expect(await table("users", { page: "x" })).toMatchObject({ value: "page" });
  expect(await table("users", { page: "1000000" })).toMatchObject({ status: "success", rows: [] });
});

test("an order, its letter and its price are in the tables and in the overview a moment later", async () => {
  const token = await shop.member("buyer@example.com");
  const { id: userId } = (await users.find(shop.db, "buyer@example.com"))!;
  await topUp(shop.db, userId, usd("5"));
  const asked = { token, site: "instagram.com", domain: "letters.test" };
  const { id, email } = await shop.get("/email/order", asked);
  const kept = await shop.get("/email/order", asked);
  const lost = await shop.get("/email/order", { ...asked, site: "discord.com" });
  await shop.get("/email/cancel", { token, id: String(lost["id"]) });
  await shop.send({
    to: String(email),
    from: "no-reply@mail.instagram.com",
    subject: "=1+1",
    text: "Your code is 482913.",
  });
  await shop.get("/email/getmessage", { token, id: String(id), wait: "60" });

  // The next order got the returned mailbox.
  const found = rowsOf(await table("orders", { search: String(email) }));
  expect(found).toMatchObject([
    { id: String(lost["id"]), email, site: "discord.com", state: "canceled" },
    { id: String(id), email, site: "instagram.com", state: "received" },
  ]);
  const user = String(userId);
  const own = rowsOf(await table("orders", { filters: `user:${user}` }));
  expect(own.map((row) => [row["id"], row["state"]])).toEqual([
    [String(lost["id"]), "canceled"],
    [String(kept["id"]), "pending"],
    [String(id), "received"],
  ]);
  expect(rowsOf(await table("orders", { filters: `user:${user},state:pending` }))).toMatchObject([
    { id: String(kept["id"]) },
  ]);
  const { text, headers } = await file("orders", { filters: `user:${user}`, sort: "id" });
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(
    text
      .trim()
      .split("\r\n")
      .map((line) => line.split(",")[0]),
  ).toEqual(["id", String(id), String(kept["id"]), String(lost["id"])]);

  const [today] = rowsOf(await table("days"));
  expect(today).toMatchObject({ orders: 3, received: 1, unserved: 1, letters: 1, top_ups: "5.0" });
  const price = String(found[0]?.["price"]);
  expect(today).toMatchObject({ revenue: price });
  await expect
    .poll(() => shop.get("/api/admin/overview", { token: admin }))
    .toMatchObject({
      living: 1,
      health: { down: [], failing: [] },
    });
  const { steps } = await shop.get("/api/admin/figures", { token: admin, period: "year" });
  expect((steps as { now: object }[]).at(-1)?.now).toMatchObject({
    orders: 3,
    letters: 1,
    revenue: price,
    top_ups: "5.0",
    refunds: 1,
  });
  expect(rowsOf(await table("sites", { search: "instagram" }))).toMatchObject([{ living: 1 }]);
});

test("an order is found by its address whatever became of it: canceled, served, ordered again", async () => {
  const token = await shop.member("again@example.com");
  await topUp(shop.db, (await users.find(shop.db, "again@example.com"))!.id, usd("5"));
  const asked = { token, domain: "post.test" };
  const lost = await shop.get("/email/order", { ...asked, site: "discord.com" });
  await shop.get("/email/cancel", { token, id: String(lost["id"]) });
  const email = String(lost["email"]);
  const found = async (search: string) =>
    rowsOf(await table("orders", { search })).map((row) => [row["id"], row["email"], row["state"]]);
  expect(await found(email)).toEqual([[lost["id"], email, "canceled"]]);
  expect(await found(email.toUpperCase())).toHaveLength(1);
  expect(await found(email.replace("@post.test", "@letters.test"))).toEqual([]);

  const [more] = await shop.db<{ ids: string[] }[]>`
    with made as (
      insert into orders (user_id, mailbox_id, price, created_at, expires_at, closed_at, site_id, domain_id, number, status, reorder_of)
      select user_id, mailbox_id, price, now(), now(), now(), site_id, domain_id, number + n,
             (array['received', 'expired', 'canceled'])[n]::order_status, case when n = 3 then id end
      from orders, generate_series(1, 3) n where id = ${await numberOf(shop.db, lost["id"])}::bigint order by n
      returning id)
    select array_agg(id::text order by id desc) as ids from made`;
  const numbers = await Promise.all(
    (await found(email)).map(async ([id, , state]) => [await numberOf(shop.db, id), state]),
  );
  expect(numbers).toEqual([
    [more?.ids[0], "canceled"],
    [more?.ids[1], "expired"],
    [more?.ids[2], "received"],
    [await numberOf(shop.db, lost["id"]), "canceled"],
  ]);
  await shop.db`delete from orders where id = any (${more?.ids ?? []}::bigint[])`;
});
