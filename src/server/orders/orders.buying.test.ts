import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";

let shop: TestShop;

beforeAll(async () => {
  shop = await startShop({ OPEN_ORDERS: "300" });
});
afterAll(() => shop.stop());

const site = "instagram.com";
type Ordered = Record<"id" | "email" | "balance" | "site", string>;

const order = async (token: string, more: Record<string, string | number> = {}) =>
  shop.get("/email/order", { token, site, domain: "letters.test", ...more });
const listOf = (answer: Record<string, unknown>) => answer["data"] as Ordered[];

test("with a quantity the answer is a list, also of one; without it the single form stays", async () => {
  const token = await shop.buyer("1");
  const single = await order(token);
  expect(single).toMatchObject({ status: "success", site, domain: "letters.test", balance: "0.9965" });
  expect(single).not.toHaveProperty("data");
  const one = await order(token, { quantity: 1 });
  expect(listOf(one)).toMatchObject([{ site, domain: "letters.test", price: 0.0035, balance: "0.993" }]);
  const three = await order(token, { quantity: 3 });
  expect(three).toMatchObject({ status: "success", balance: "0.9825" });
  expect(three).not.toHaveProperty("refused");
  expect(new Set(listOf(three).map(({ email }) => email)).size).toBe(3);
  for (const quantity of ["0", "11", "1.5", "many"])
    expect(await order(token, { quantity })).toMatchObject({ status: "error", value: "quantity" });
});

test("a list that is shorter than was asked for says why; with nothing at all it is the usual refusal", async () => {
  const token = await shop.buyer("1");
  // 283 of the 285 that a dollar buys.
  for (let left = 283; left > 0; left -= 10) await order(token, { quantity: Math.min(left, 10) });
  const last = await order(token, { quantity: 5 });
  expect(last).toMatchObject({ status: "success", balance: "0.0025", refused: "no balance" });
  expect(listOf(last)).toHaveLength(2);
  expect(await order(token, { quantity: 5 })).toMatchObject({
    status: "error",
    value: "no balance",
    missing: "0.001",
  });
});

test("an account with too many open orders is told how many it has and may have", async () => {
  const token = await shop.buyer("2");
  for (let left = 295; left > 0; left -= 10) await order(token, { quantity: Math.min(left, 10) });
  const last = await order(token, { quantity: 10 });
  expect(last).toMatchObject({ status: "success", refused: "too many open" });
  expect(listOf(last)).toHaveLength(5);
  expect(await order(token)).toMatchObject({ value: "too many open", open: 300, open_max: 300 });
});

test("above max_price nothing is ordered, and the refusal names the lowest price there is", async () => {
  const token = await shop.buyer("1");
  const dear = { status: "error", value: "price too high", price: 0.0035 };
  expect(await order(token, { max_price: "0.00349999" })).toMatchObject(dear);
  expect(await order(token, { max_price: "0.001", quantity: 3 })).toMatchObject(dear);
  for (const wrong of ["0", "-1", "much"])
    expect(await order(token, { max_price: wrong })).toMatchObject({ value: "max_price" });
  expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "1.0" });
  const placed = await order(token, { max_price: "0.0035" });
  expect(placed).toMatchObject({ status: "success", price: 0.0035 });
  await shop.send({ to: String(placed["email"]), from: "no-reply@instagram.com", subject: "Code 123456" });
  await shop.get("/email/getmessage", { token, id: String(placed["id"]), wait: 10 });
  const again = (more: object) => shop.get("/email/reorder", { token, id: String(placed["id"]), ...more });
  const { price } = placed as unknown as { price: number };
  await shop.db`update mail_domain set price = price * 2 where name = 'letters.test'`;
  onTestFinished(
    async () => void (await shop.db`update mail_domain set price = price / 2 where name = 'letters.test'`),
  );
  expect(await again({ max_price: String(price) })).toMatchObject({
    value: "price too high",
    price: price * 2,
  });
  expect(await again({ max_price: String(price * 2) })).toMatchObject({
    status: "success",
    price: price * 2,
  });
});

type Listed = { id?: string; activation_id?: string; note?: string };

async function notesOf(token: string) {
  const { data: listed } = await shop.get<{ data: Listed[] }>("/user/activations", { token });
  const { data: days } = await shop.get<{ data: Record<string, Listed[]> }>("/email/history", { token });
  const notes = listed.map(({ note }) => note);
  expect(Object.values(days).flatMap((day) => day.map(({ note }) => note))).toEqual(notes);
  return notes;
}

test("an order has the words that its buyer gives it, in lists and the file, each of several too", async () => {
  const token = await shop.buyer("1");
  const words = "for Nora, “№ 7”";
  expect(await order(token, { note: ` ${words} ` })).toMatchObject({ status: "success" });
  await order(token, { note: "two", quantity: 2 });
  await order(token, { note: "" });
  expect(await notesOf(token)).toEqual([undefined, "two", "two", words]);
  const file = await (await fetch(`${shop.url}/email/history.csv?token=${token}`)).text();
  expect(file.split("\r\n").map((line) => line.slice(-5))).toEqual([
    ",note",
    ",,,,,",
    ",,two",
    ",,two",
    `№ 7”"`,
    "",
  ]);
  for (const wrong of ["x".repeat(61), "two\nlines", "a\u2028line", "\u0007"])
    expect(await order(token, { note: wrong })).toMatchObject({ status: "error", value: "note" });
});

test("a reorder has a note of its own, and a note is changed and removed by its buyer alone", async () => {
  const [token, other] = [await shop.buyer("1"), await shop.buyer("1")];
  const placed = await order(token, { note: "first" });
  const id = String(placed["id"]);
  await shop.send({ to: String(placed["email"]), from: "no-reply@instagram.com", subject: "Code 123456" });
  await shop.get("/email/getmessage", { token, id, wait: 10 });
  expect(await shop.get("/email/reorder", { token, id, note: "second" })).toMatchObject({
    status: "success",
  });
  expect(await notesOf(token)).toEqual(["second", "first"]);
  const change = (by: string, more: object) => shop.post("/email/note", { token: by, id, ...more });
  expect(await change(token, { note: " done " })).toMatchObject({ status: "success", id, note: "done" });
  expect(await notesOf(token)).toEqual(["second", "done"]);
  expect(await change(other, { note: "mine" })).toMatchObject({ value: "no activation" });
  expect(await change(token, { note: "x".repeat(61) })).toMatchObject({ value: "note" });
  expect(await notesOf(token)).toEqual(["second", "done"]);
  expect(await change(token, {})).not.toHaveProperty("note");
  expect(await notesOf(token)).toEqual(["second", undefined]);
});

test("an order that cannot be paid makes no site", async () => {
  const token = await shop.member();
  const asked = { site: "nobody-ordered-for-it.com" };
  expect(await order(token, asked)).toMatchObject({ value: "no balance", missing: "0.0035" });
  expect(await shop.db`select from site where name = ${asked.site}`).toEqual([]);
  const paying = await shop.buyer("1");
  expect(await order(paying, asked)).toMatchObject({ status: "success", site: asked.site });
});

test("a call for several that is repeated under its key answers the same and charges once", async () => {
  const token = await shop.buyer("1");
  const named = { quantity: 4, client_order_id: "my four" };
  expect(await order(token, named)).toMatchObject({ value: "client_order_id" });
  const [first, ...others] = await Promise.all(
    Array.from({ length: 4 }, () => order(token, { ...named, client_order_id: "four" })),
  );
  const ids = listOf(first!).map(({ id }) => id);
  expect(ids).toHaveLength(4);
  for (const other of others) expect(listOf(other).map(({ id }) => id)).toEqual(ids);
  expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "0.986" });
});

test("a cancel answers the balance, a reorder its site, without asking for either again", async () => {
  const token = await shop.buyer("1");
  const { id } = (await order(token)) as unknown as Ordered;
  expect(await shop.get("/email/cancel", { token, id })).toMatchObject({
    value: "activation canceled",
    balance: "1.0",
  });
  const { id: received, email } = (await order(token)) as unknown as Ordered;
  await shop.send({
    to: email,
    from: "no-reply@instagram.com",
    subject: "Hello",
    text: "Your code is 123456",
  });
  await expect
    .poll(async () => (await shop.get("/email/getmessage", { token, id: received })).status)
    .toBe("success");
  const again = await shop.get("/email/reorder", { token, email, site: "Instagram" });
  expect(again).toMatchObject({ status: "success", site, email, balance: "0.993" });
  expect(await shop.get("/email/reorder", { token, id: received, subject: "foo", regex: "x" })).toMatchObject(
    {
      value: "reorder waits",
      hint: expect.stringContaining("cancel it") as string,
      waiting: again["id"],
    },
  );
  expect(await shop.get("/email/cancel", { token, id: received })).toMatchObject({ balance: "0.993" });
  expect(await shop.get("/email/cancel", { token, id: received })).toMatchObject({
    value: "activation already canceled",
  });
});

test("a reorder at a mailbox that has died is answered `email banned`, and costs nothing", async () => {
  const token = await shop.buyer("1");
  const { id, email } = (await order(token)) as unknown as Ordered;
  await shop.send({
    to: email,
    from: "no-reply@instagram.com",
    subject: "Hello",
    text: "Your code is 123456",
  });
  expect(await shop.get("/email/getmessage", { token, id, wait: 20 })).toMatchObject({ status: "success" });
  await shop.db`
    select set_dead(array(select m.id from mailbox m join mail_domain d on d.id = m.domain_id
                          where m.local_part || '@' || d.name = ${email}), true)`;
  expect(await shop.get("/email/reorder", { token, id })).toMatchObject({
    status: "error",
    value: "email banned",
  });
  expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "0.9965" });
});

test("the list of activations says how many of the account wait, on whichever page", async () => {
  const token = await shop.buyer("1");
  await order(token, { quantity: 10 });
  const { data } = (await order(token, { quantity: 2 })) as unknown as { data: Ordered[] };
  await shop.get("/email/cancel", { token, id: data[0]?.id ?? "" });
  for (const page of [1, 2, 3])
    expect(await shop.get("/user/activations", { token, page })).toMatchObject({ pages: 2, waiting: 11 });
});

test("a key that names another order is refused with a value of its own, and what to do", async () => {
  const token = await shop.buyer("1");
  const named = { site: "zoom.us", client_order_id: "once" };
  const first = await order(token, named);
  for (const other of [{ site: "slack.com" }, { domain: "post.test" }, { subject: "x" }, { quantity: 2 }])
    expect(await order(token, { ...named, ...other })).toMatchObject({ status: "error", value: "key used" });
  expect(await order(token, named)).toMatchObject({ id: first["id"], site: "zoom.us" });
  expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "0.9965" });
});
