// @module-tag slow
import { numberOf } from "../kit/numbers.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Answer, startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";

// One order from payment to letter over HTTP, SMTP and the outbox.

let shop: TestShop;

beforeAll(async () => {
  shop = await startShop({ OPEN_ORDERS: "1000" });
});
afterAll(() => shop.stop());

const site = "instagram.com";

async function order(token: string, more: Record<string, string> = {}) {
  const placed = await shop.get("/email/order", { token, site, domain: "letters.test", ...more });
  return { answer: placed, id: String(placed["id"]), email: String(placed["email"]) };
}

const codeLetter = (to: string, code: string, from = "no-reply@mail.instagram.com") => ({
  to,
  from,
  subject: "Welcome, confirm your address",
  text: `Your code is ${code}. It is valid until 2027.`,
});

const received = (token: string, id: string): Promise<Answer> =>
  vi.waitFor(async () => {
    const answer = await shop.get("/email/getmessage", { token, id });
    if (answer.value === "wait message") throw new Error("not yet");
    return answer;
  }, soon);

test("a buyer orders, waits, reads the code, and pays the price that was shown", async () => {
  const token = await shop.buyer("10");
  expect(await shop.get("/user/balance", { token })).toMatchObject({ status: "success", balance: "10.0" });
  const offered = await shop.get("/email/quantity", { token, site: "https://www.instagram.com/accounts" });
  expect(offered["data"]).toMatchObject({ "letters.test": { count: 1000, price: 0.0035 } });

  const { answer, id, email } = await order(token, { site: "Instagram" });
  expect(answer).toMatchObject({ status: "success", site, domain: "letters.test", balance: "9.9965" });
  expect(id).toMatch(/^\d{11,}$/);
  expect(email).toMatch(/^[a-z0-9._-]+@letters\.test$/);
  expect(await shop.get("/email/getmessage", { token, id })).toMatchObject({
    status: "error",
    value: "wait message",
  });
  const after = await shop.get("/email/quantity", { token, site });
  expect(after["data"]).toMatchObject({ "letters.test": { count: 999 } });

  await shop.send(codeLetter(email, "482915"));
  const letter = await received(token, id);
  expect(letter).toMatchObject({
    status: "success",
    code: "482915",
    subject: "Welcome, confirm your address",
    messages: 1,
  });
  expect(letter["message"]).toContain("482915");
  const again = await shop.get("/email/getmessage", { token, id });
  expect(again).toEqual(letter);
});

test("preview=1 is the letter as a document, and before the letter the usual JSON", async () => {
  const token = await shop.buyer("1");
  const { id, email } = await order(token);
  const url = `${shop.url}/email/getmessage?${new URLSearchParams({ token, id, preview: "1" })}`;
  expect(await (await fetch(url)).json()).toMatchObject({ status: "error", value: "wait message" });
  await shop.send({
    ...codeLetter(email, "482915"),
    html: `<p onclick="x()">Code <b>482915</b></p><script>x()</script>`,
  });
  await received(token, id);
  const page = await fetch(url);
  const document = await page.text();
  expect(document.startsWith("<!DOCTYPE html>")).toBe(true);
  expect(document).toContain("482915");
  expect(document).not.toMatch(/<script|onclick/);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toMatch(/sandbox .*default-src 'none'/);
});

test("letters of another site, for another subject, or without the pattern are never shown", async () => {
  const token = await shop.buyer("1");
  const { id, email } = await order(token, { subject: "reset password", regex: "PIN (\\d{4})" });
  await shop.send(codeLetter(email, "111111", "no-reply@evil.example"));
  await shop.send(codeLetter(email, "222222"));
  await shop.send({ to: email, from: "no-reply@instagram.com", subject: "RESET it", text: "no pin here" });
  await shop.send({
    to: email,
    from: "no-reply@instagram.com",
    subject: "Reset it",
    text: "PIN 4711 is yours",
  });
  const letter = await received(token, id);
  expect(letter).toMatchObject({ status: "success", value: "4711", messages: 1 });
});

test("an order that is not wanted is refunded at once, and its address may be sold again", async () => {
  const token = await shop.buyer("1");
  const { id } = await order(token);
  expect(await shop.get("/email/cancel", { token, id })).toMatchObject({
    status: "success",
    value: "activation canceled",
    balance: "1.0",
  });
  expect(await shop.get("/email/cancel", { token, id })).toMatchObject({
    status: "error",
    value: "activation already canceled",
  });
  expect(await shop.get("/email/getmessage", { token, id })).toMatchObject({
    status: "error",
    value: "activation canceled",
  });
  const { data } = await shop.get<{ data: unknown[] }>("/user/activations", { token });
  expect(data).toEqual([]);
});

test("an order without a letter expires and is refunded by itself", async () => {
  const token = await shop.buyer("1");
  const { id } = await order(token);
  await shop.db`update orders set expires_at = clock_timestamp() where id = ${await numberOf(shop.db, id)}`;
  await vi.waitFor(async () => {
    expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "1.0" });
  }, soon);
  expect(await shop.get("/email/getmessage", { token, id })).toMatchObject({ value: "activation canceled" });
});

test("an address that received a letter can be ordered again, by id and by address; only newer letters count", async () => {
  const token = await shop.buyer("1");
  const first = await order(token);
  expect(await shop.get("/email/reorder", { token, id: first.id })).toMatchObject({ value: "no activation" });
  await shop.send(codeLetter(first.email, "111111"));
  await received(token, first.id);
  const again = await shop.get("/email/reorder", { token, email: first.email, site });
  expect(again).toMatchObject({ status: "success", email: first.email, site });
  expect(again["id"]).not.toBe(first.id);
  expect(await shop.get("/email/getmessage", { token, id: String(again["id"]) })).toMatchObject({
    value: "wait message",
  });
  await shop.send(codeLetter(first.email, "222222"));
  expect(await received(token, String(again["id"]))).toMatchObject({ code: "222222", messages: 1 });
});

test("the same Idempotency-Key answers the same order and charges once, in the header and in the query", async () => {
  const token = await shop.buyer("1");
  const url = `${shop.url}/email/order?${new URLSearchParams({ token, site, domain: "letters.test" })}`;
  const headers = { "idempotency-key": "my order 1".replaceAll(" ", "-") };
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => (await fetch(url, { headers })).json() as Promise<Answer>),
  );
  answers.push(
    await shop.get("/email/order", { token, site, domain: "letters.test", client_order_id: "my-order-1" }),
  );
  expect(new Set(answers.map((answer) => answer["id"])).size).toBe(1);
  expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "0.9965" });
  const wrong = await fetch(url, { headers: { "idempotency-key": "k".repeat(256) } });
  expect(await wrong.json()).toMatchObject({ value: "client_order_id" });
});

test("a pattern that cannot be used is refused before anything is charged, and what is wrong with it is said", async () => {
  const token = await shop.buyer("1");
  const asked = { token, site, domain: "letters.test" };
  const refused = { status: "error", value: "regex" };
  for (const form of [{}, { quantity: "3" }, { client_order_id: "broken-pattern" }]) {
    const answer = await shop.get("/email/order", { ...asked, ...form, regex: "(?<=code )[0-9]+" });
    expect(answer).toMatchObject({ ...refused, reason: expect.stringContaining("no lookbehind") });
  }
  for (const regex of ["(", "a".repeat(501), "(?:[a-z]{1,100}x){9}", "\\1"])
    expect(await shop.get("/email/order", { ...asked, regex })).toMatchObject(refused);
  expect(await shop.get("/email/reorder", { token, id: "1", regex: "[0-9" })).toMatchObject(refused);
  expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "1.0" });
  expect(await shop.get("/email/order", { ...asked, client_order_id: "broken-pattern" })).toMatchObject({
    status: "success",
  });
});

test("refusals show the way out: what else there is, what is missing, what was meant", async () => {
  const poor = await shop.member();
  expect(await shop.get("/email/order", { token: poor, site, domain: "letters" })).toMatchObject({
    status: "error",
    value: "no balance",
    missing: "0.0035",
  });
  const token = await shop.buyer("1");
  expect(await shop.get("/email/order", { token, site: "instagarm", domain: "all" })).toMatchObject({
    value: "site",
    did_you_mean: "instagram",
  });
  expect(await shop.get("/email/order", { token, site, domain: "leters.test" })).toMatchObject({
    value: "domain",
    did_you_mean: "letters.test",
  });
  expect(await shop.get("/email/order", { token, site, domain: "all", regex: "(" })).toMatchObject({
    value: "regex",
  });
  await shop.db`select set_dead(array(select m.id from mailbox m join mail_domain d on d.id = m.domain_id where d.name = 'quill.test'), true)`;
  const soldOut = await shop.get("/email/order", { token, site, domain: "quill.test" });
  expect(soldOut).toMatchObject({ value: "no emails" });
  expect(soldOut["alternatives"]).toEqual(
    expect.arrayContaining([expect.objectContaining({ domain: "letters.test", price: 0.0035 })]),
  );
});

test("one user's activation does not exist for another", async () => {
  const [owner, other] = [await shop.buyer("1"), await shop.buyer("1")];
  const { id } = await order(owner);
  for (const path of ["/email/getmessage", "/email/cancel", "/email/reorder"]) {
    expect(await shop.get(path, { token: other, id })).toMatchObject({
      status: "error",
      value: "no activation",
    });
  }
  expect(await shop.get("/email/getmessage", { token: owner, id })).toMatchObject({ value: "wait message" });
});

test("an account that is not activated sees no stock and orders nothing, but may look at itself", async () => {
  const answer = await shop.post("/user/registration", {
    email: "later@example.com",
    password: "correct horse",
    recaptcha: "off",
  });
  const token = String(answer["token"]);
  expect(await shop.get("/email/quantity", { token, site })).toMatchObject({ value: "token" });
  expect(await shop.get("/email/order", { token, site, domain: "all" })).toMatchObject({ value: "token" });
  expect(await shop.get("/user/information", { token })).toMatchObject({
    status: "success",
    data: { active: false },
  });
});

test("lists are ten a page, newest first; the history is grouped by day and keeps what was canceled", async () => {
  const token = await shop.buyer("1");
  const ids: string[] = [];
  for (let count = 0; count < 12; count++) ids.push((await order(token)).id);
  const [oldest = "", second = ""] = ids;
  await shop.get("/email/cancel", { token, id: oldest });
  type Page = { data: { activation_id: string; status: number; from: string }[]; pages: number };
  const first = await shop.get<Page>("/user/activations", { token, page: 1 });
  expect(first.pages).toBe(2);
  expect(first.data.map((row) => row.activation_id)).toEqual(ids.toReversed().slice(0, 10));
  expect(first.data[0]).toMatchObject({ status: 0, from: site });
  const last = await shop.get<Page>("/user/activations", { token, page: 2 });
  expect(last.data.map((row) => row.activation_id)).toEqual([second]);
  type History = {
    data: Record<string, { id: string; status: string; messages: string[] }[]>;
    next_page: boolean;
  };
  const history = await shop.get<History>("/email/history", { token, offset: 2 });
  expect(Object.keys(history.data)).toEqual([new Date().toISOString().slice(0, 10)]);
  expect(Object.values(history.data).flat()).toMatchObject([
    { id: second, status: "wait" },
    { id: oldest, status: "cancel", messages: [] },
  ]);
  expect(history.next_page).toBe(false);
});

test("sixty-four clients at once never get one address twice, and hear why there is no more", async () => {
  const token = await shop.buyer("1");
  await shop.db`select set_dead(array(select m.id from mailbox m join mail_domain d on d.id = m.domain_id where d.name = 'envelope.test' order by m.id offset 40), true)`;
  const ask = () => shop.get("/email/order", { token, site: "discord", domain: "envelope.test" });
  const answers = await Promise.all(Array.from({ length: 64 }, ask));
  const placed = answers.filter((answer) => answer.status === "success");
  expect(new Set(placed.map((answer) => answer["email"])).size).toBe(40);
  expect(answers.filter((answer) => answer.value === "no emails")).toHaveLength(24);

  const poor = await shop.buyer("1");
  const dear = await Promise.all(
    Array.from({ length: 128 }, () =>
      shop.get("/email/order", { token: poor, site: "reddit", domain: "inbox.test" }),
    ),
  );
  expect(dear.filter((answer) => answer.status === "success")).toHaveLength(111);
  expect(dear.filter((answer) => answer.value === "no balance")).toHaveLength(17);
  expect(await shop.get("/user/balance", { token: poor })).toMatchObject({ balance: "0.001" });
});

test("mail for strangers is refused at the door", async () => {
  await expect(shop.send(codeLetter("nobody.here@letters.test", "1"))).rejects.toThrow("550 5.1.1");
  await expect(shop.send(codeLetter("somebody@elsewhere.example", "1"))).rejects.toThrow(/550 5\.7\.1/);
});

test("after all of this every invariant of ledger, orders and stock holds", async () => {
  const { audit } = await import("../../src/server/orders/orders.audit.ts");
  expect((await audit(shop.db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
});
