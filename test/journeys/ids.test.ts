// @module-tag slow
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { listenTo } from "../kit/listener.ts";
import { numberOf } from "../kit/numbers.ts";
import { sayTo } from "../kit/command.ts";
import { startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";

// An id is the same wherever it is told, and does not tell how much the shop has sold.

let shop: TestShop;
let admin: string;

beforeAll(async () => {
  shop = await startShop({ ADMIN_EMAILS: "admin@example.com,boss@example.com" });
  admin = await shop.member("boss@example.com");
});
afterAll(() => shop.stop());

const text = async (path: string, asked: Record<string, string>) =>
  (await fetch(`${shop.url}${path}?${new URLSearchParams(asked)}`)).text();

test("an order has one id in lists, files, events, the statement, the back office and searches", async () => {
  const token = await shop.buyer("1");
  const stream = await listenTo(shop.url, { token });
  const { id, email } = await shop.order(token);
  expect(id).toMatch(/^4\d{10}$/);
  expect(id).not.toBe(await numberOf(shop.db, id));

  await vi.waitFor(
    () =>
      expect(stream.heard.map(({ data }) => data)).toContainEqual(
        expect.objectContaining({ activation_id: id }),
      ),
    soon,
  );
  stream.close();
  const listed = { data: [expect.objectContaining({ activation_id: id, email })] };
  expect(await shop.get("/user/activations", { token })).toMatchObject(listed);
  expect(await shop.get("/user/activations", { token, search: id })).toMatchObject(listed);
  expect(await shop.get("/user/activations", { token, search: `#${id}` })).toMatchObject(listed);
  const number = await numberOf(shop.db, id);
  expect(await text("/email/history.csv", { token })).toContain(`\n${id},`);
  expect(await shop.get("/user/statement", { token })).toMatchObject({
    data: [{ kind: "hold", activation_id: id, site: "instagram.com", email }, {}],
  });
  expect(await text("/user/statement.csv", { token })).toContain(`,${id},,instagram.com,${email},`);
  const table = { token: admin, search: id };
  expect(await shop.get("/api/admin/tables/orders", table)).toMatchObject({ rows: [{ id, email }] });
  expect(await text("/api/admin/tables/orders/file.csv", table)).toContain(`\n${id},`);
  expect(await shop.get("/email/cancel", { token, id: number })).toMatchObject({ value: "no activation" });
  expect(await shop.get("/email/cancel", { token, id })).toMatchObject({ status: "success" });
});

test("a stream goes on after the id of an event, in its address or its header", async () => {
  const token = await shop.buyer("1");
  const stream = await listenTo(shop.url, { token });
  const { id } = await shop.order(token);
  await vi.waitFor(() => expect(stream.heard.at(-1)?.name).toBe("balance"), soon);
  stream.close();
  const [activation] = stream.heard.filter(({ name }) => name === "activation");
  for (const after of [{ after: activation?.id ?? "" }]) {
    const later = await listenTo(shop.url, { token, ...after });
    await vi.waitFor(() => expect(later.heard.map(({ name }) => name)).toEqual(["ready", "balance"]), soon);
    later.close();
  }
  const query = new URLSearchParams({ token, last_event_id: activation?.id ?? "" });
  const response = await fetch(`${shop.url}/user/events?${query}`);
  const reader = response.body!.getReader();
  let said = "";
  while (!said.includes("event: balance")) said += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  expect(said).toContain("event: ready");
  expect(said).not.toContain(id);
});

test("a payment has one id for its buyer, the operator and the journal", async () => {
  const token = await shop.buyer();
  const { id } = await shop.get<{ id: string }>("/payments/create", { token, wallet: "trx", amount: "25" });
  expect(id).toMatch(/^3\d{10}$/);
  const number = await numberOf(shop.db, id);
  expect(await shop.get("/user/payments", { token })).toMatchObject({ data: [{ id }, {}] });
  const shown = await sayTo(shop.db, ["payments", "show", id]);
  expect(shown.out).toMatch(new RegExp(`payment +${id}\\n.*in the log +${number}\\n`));
  expect((await sayTo(shop.db, ["payments", "confirm", id])).out).toContain(`The payment ${id} is confirmed`);
  expect(await shop.get("/payments/status", { token, id })).toMatchObject({ payment_status: 1 });
  for (const asked of [{ search: `payment ${id}` }, { filters: `about:payment ${id}` }])
    expect(await shop.get("/api/admin/tables/journal", { token: admin, ...asked })).toMatchObject({
      rows: [{ about: `payment ${id}` }],
    });
});

test("from two orders nobody reads how many were placed between them", async () => {
  const token = await shop.buyer("10");
  const ids: number[] = [];
  for (let nth = 0; nth < 12; nth++) ids.push(Number((await shop.order(token)).id));
  const gaps = ids.slice(1).map((id, nth) => Math.abs(id - ids[nth]!));
  expect(Math.min(...gaps)).toBeGreaterThan(100_000);
  expect(new Set(gaps).size).toBe(gaps.length);
});
