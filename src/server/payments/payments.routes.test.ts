import fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { createLog } from "../platform/log.ts";
import { registerRoutes } from "../platform/http/register.ts";
import { openSandbox } from "./networks/sandbox.ts";
import { openPayments } from "./payments.ts";
import { fixedRates, sandboxRates } from "./rates/rates.ts";
import { paymentRoutes } from "./payments.routes.ts";
import { actRoutes, type ActServices } from "../office/office.ts";

const users = [
  { token: "buyer", userId: 7n, admin: false },
  { token: "other", userId: 8n, admin: false },
  { token: "admin", userId: 1n, admin: true },
];

async function server(rates = sandboxRates(), demo = true) {
  const { db, drop } = await createDatabase();
  const now = () => new Date("2030-01-01T00:00:00Z");
  const networks = [openSandbox(db, now)];
  const minimums = { erc: "25" };
  const payments = openPayments({ db, networks, rates, minimums, log: createLog("silent"), clock: now });
  const app = fastify();
  const acts = actRoutes({ db, payments } as unknown as ActServices);
  registerRoutes(app, [...paymentRoutes({ payments, demo }), ...acts], {
    callerOf: (token) => {
      const user = users.find((one) => one.token === token);
      const session = { id: 1n, provedAt: new Date() };
      return Promise.resolve(user && { ...user, active: true, investor: false, session });
    },
    admit: () => Promise.resolve(undefined),
  });
  onTestFinished(async () => {
    await app.close();
    await drop();
  });
  return async (path: string, method: "GET" | "POST" = "GET") => {
    const answer = await app.inject({ method, url: path });
    return { http: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
}

test("a payment is asked for, seen by its owner, confirmed by an administrator, and seen confirmed", async () => {
  const call = await server();
  const { body } = await call("/payments/create?token=buyer&wallet=ETH&amount=100");
  expect(body).toEqual({ status: "success", id: "30000000001" });
  const waiting = {
    status: "success",
    id: "30000000001",
    payment_status: 0,
    state: "awaiting",
    currency: "eth",
    currency_name: "Ethereum",
    currency_amount: "0.033334",
    wallet: expect.stringMatching(/^sandbox-0x[0-9a-f]{32}$/),
    network: "Ethereum",
    amount: "100.0",
    credited: "0.0",
    received: "0",
    missing: "0.033334",
    transfers: [],
    sandbox: true,
    created_at: 1893456000,
    expires_at: 1893459600,
  };
  expect((await call("/payments/status?token=buyer&id=30000000001")).body).toEqual(waiting);
  const paid = {
    ...waiting,
    payment_status: 1,
    state: "credited",
    credited: "100.0",
    received: "0.033334",
    missing: "0",
    transfers: [
      { amount: "0.033334", currency: "eth", status: "credited", at: 1893456000, txid: expect.any(String) },
    ],
  };
  expect((await call("/api/admin/payments/confirm/30000000001?token=admin", "POST")).body).toEqual(paid);
  expect((await call("/payments/status?token=buyer&id=30000000001")).body).toEqual(paid);
});

test.each([
  ["/payments/create?wallet=eth&amount=5", "token"],
  ["/payments/create?token=buyer&wallet=doge&amount=5", "wallet"],
  ["/payments/create?token=buyer&amount=5", "wallet"],
  ["/payments/create?token=buyer&wallet=eth&amount=0.99", "amount"],
  ["/payments/create?token=buyer&wallet=eth&amount=1e3", "amount"],
  ["/payments/create?token=buyer&wallet=eth", "amount"],
  ["/payments/status?id=30000000001", "token"],
  ["/payments/status?token=buyer", "no payment"],
  ["/payments/status?token=buyer&id=1", "no payment"],
])("%s is answered %s", async (path, value) => {
  const call = await server();
  expect(await call(path)).toMatchObject({ http: 200, body: { status: "error", value } });
});

test("another user's payment does not exist, and only an administrator confirms, once", async () => {
  const call = await server();
  await call("/payments/create?token=buyer&wallet=ton&amount=1.55");
  const confirm = "/api/admin/payments/confirm/30000000001";
  expect((await call("/payments/status?token=other&id=30000000001")).body).toMatchObject({
    value: "no payment",
  });
  expect((await call(`${confirm}?token=buyer`, "POST")).body).toMatchObject({ value: "no access" });
  expect((await call(`${confirm}9?token=admin`, "POST")).body).toMatchObject({ value: "no payment" });
  expect((await call(`${confirm}?token=admin`, "POST")).body).toMatchObject({ status: "success" });
  expect((await call(`${confirm}?token=admin`, "POST")).body).toMatchObject({ value: "payment closed" });
});

test("only its buyer has what came of a payment credited, and only where something can be", async () => {
  const call = await server();
  await call("/payments/create?token=buyer&wallet=ton&amount=1.55");
  const credit = (token: string) => call(`/payments/credit?token=${token}&id=30000000001`, "POST");
  expect((await credit("other")).body).toMatchObject({ value: "no payment" });
  expect((await credit("buyer")).body).toMatchObject({ value: "nothing to credit" });
});

test("only an administrator decides, about what waits for it, and says why", async () => {
  const call = await server();
  await call("/payments/create?token=buyer&wallet=ton&amount=1.55");
  const decide = (query: string) => call(`/api/admin/payments/decide/30000000001?${query}`, "POST");
  const right = "verdict=credit&reason=he%20wrote";
  expect((await decide(`token=buyer&${right}`)).body).toMatchObject({ value: "no access" });
  expect((await decide("token=admin&verdict=burn&reason=x")).body).toMatchObject({ value: "verdict" });
  expect((await decide("token=admin&verdict=credit&reason=")).body).toMatchObject({ value: "reason" });
  expect((await decide(`token=admin&${right}`)).body).toMatchObject({ value: "no review" });
});

test("what can be paid in now is told, with the least that is taken, and why another cannot", async () => {
  const call = await server(fixedRates({ usdt: "1" }));
  const { body } = await call("/payments/currencies?token=buyer");
  const data = body["data"] as object[];
  expect(data).toHaveLength(9);
  expect(data).toContainEqual({
    id: "erc",
    name: "ERC20",
    network: "Ethereum (ERC20)",
    on_sale: true,
    min: "25.0",
    decimals: 2,
  });
  expect((await call("/payments/create?token=buyer&wallet=erc&amount=24.99")).body).toMatchObject({
    value: "amount",
    min: "25.0",
  });
  expect(data).toContainEqual(expect.objectContaining({ id: "eth", on_sale: false, why: "no rate" }));
});

test("without a rate a payment is refused, and too many open ones must wait", async () => {
  const bare = await server(fixedRates({}));
  expect((await bare("/payments/create?token=buyer&wallet=eth&amount=5")).body).toMatchObject({
    value: "no rate",
  });
  const call = await server();
  for (let asked = 0; asked < 50; asked++) await call("/payments/create?token=buyer&wallet=trx&amount=1");
  const answer = await call("/payments/create?token=buyer&wallet=trx&amount=1");
  expect(answer).toMatchObject({ http: 429, body: { value: "limit" } });
});

test("an account's payments are listed, the newest first, ten a page, and nobody else's", async () => {
  const call = await server();
  for (let asked = 0; asked < 11; asked++) await call("/payments/create?token=buyer&wallet=trx&amount=1");
  await call("/payments/create?token=other&wallet=trx&amount=1");
  await call("/api/admin/payments/confirm/30000000011?token=admin", "POST");
  const ids = (body: Record<string, unknown>) => (body["data"] as { id: string }[]).map(({ id }) => id);
  const { body: first } = await call("/user/payments?token=buyer");
  expect(first).toMatchObject({
    next_page: true,
    pages: 2,
    data: [
      { id: "30000000011", payment_status: 1, state: "credited", credited: "1.0", missing: "0" },
      { id: "30000000010", payment_status: 0, state: "awaiting", currency: "trx", expires_at: 1893459600 },
      ...Array.from({ length: 8 }, () => ({})),
    ],
  });
  const { body: last } = await call("/user/payments?token=buyer&offset=2");
  expect(last).toMatchObject({ next_page: false, pages: 2 });
  expect([ids(first).length, ids(last)]).toEqual([10, ["30000000001"]]);
  expect((await call("/user/payments?token=admin")).body).toMatchObject({ data: [], pages: 0 });
  expect((await call("/user/payments?token=buyer&offset=x")).body).toMatchObject({ value: "offset" });
});

test("in a demonstration a buyer pays their own sandbox payments with play money, once, and no others", async () => {
  const call = await server();
  await call("/payments/create?token=buyer&wallet=ltc&amount=5");
  const play = (token: string) => call(`/payments/play?token=${token}&id=30000000001`, "POST");
  expect((await play("other")).body).toMatchObject({ value: "no payment" });
  expect((await play("buyer")).body).toMatchObject({ state: "credited", credited: "5.0", sandbox: true });
  expect((await play("buyer")).body).toMatchObject({ value: "payment closed" });
});

test("where money is real nobody pays with play money, though the sandbox be there", async () => {
  const call = await server(sandboxRates(), false);
  await call("/payments/create?token=buyer&wallet=ltc&amount=5");
  expect((await call("/payments/play?token=buyer&id=30000000001", "POST")).body).toMatchObject({
    value: "no payment",
  });
  expect((await call("/payments/status?token=buyer&id=30000000001")).body).toMatchObject({
    state: "awaiting",
  });
});
