// @module-tag slow
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { outliveProofs, tokenOfPrograms } from "../../../test/kit/proofs.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";

let shop: TestShop;
let admin: string;
const address = "TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH";

beforeAll(async () => {
  shop = await startShop({ WITHDRAWALS: "on", WITHDRAWAL_LIMITS: "5,50,60" });
  admin = await shop.member("admin@example.com");
});
afterAll(() => shop.stop());

const proveAdmin = () => shop.post("/user/prove", { token: admin, password: "correct horse" });

async function partner(dollars: string, email?: string) {
  const token = await shop.member(email);
  const { data } = await shop.get<{ data: { id: string } }>("/user/information", { token });
  await proveAdmin();
  const change = { user: data.id, book: "soft", amount: dollars, reason: "test", key: data.id };
  expect(await shop.post("/api/admin/users/adjust", { token: admin, ...change })).toMatchObject({
    status: "success",
  });
  return { token, id: data.id };
}

const ask = (token: string, amount: string, more: Record<string, string> = {}) =>
  shop.post("/user/withdrawals/add", { token, way: "soft", amount, wallet: "trx", address, ...more });
const listed = (token: string, of: Pick<TestShop, "get"> = shop) =>
  of.get<{ data: { id: string; state: string }[]; pages: number; terms?: object }>("/user/withdrawals", {
    token,
  });
const idOf = (answer: Record<string, unknown>) => (answer["withdrawal"] as { id: string }).id;
const dueOf = async (token: string) =>
  (await shop.get<{ data: { soft: Record<string, string> } }>("/user/information", { token })).data.soft;

test("a person who proved who it is asks, and is told the terms; what is out of them is refused with the sum that is not", async () => {
  const { token } = await partner("100");
  expect((await listed(token)).terms).toMatchObject({ least: "5.0", most: "50.0", left_today: "60.0" });
  expect(await ask(token, "4.99")).toMatchObject({ value: "too small", least: "5.0" });
  expect(await ask(token, "50.01")).toMatchObject({ value: "too large", most: "50.0" });
  expect(await ask(token, "40")).toMatchObject({
    withdrawal: { state: "waiting", amount: "40.0", wallet: "trx", address },
  });
  expect(await ask(token, "30")).toMatchObject({ value: "too large", most: "20.0" });
  expect(await dueOf(token)).toMatchObject({ earned: "100.0", payed: "0.0", to_withdraw: "60.0" });
  expect(await ask(await tokenOfPrograms(shop, token), "10")).toMatchObject({ value: "session" });
  await outliveProofs(shop, token);
  expect(await ask(token, "10")).toMatchObject({ value: "proof", next: "/user/prove" });
});

test("the office sees what waits, enters the transaction, and no second time; the command refuses with a reason", async () => {
  const { token } = await partner("100", "asker@example.com");
  const [paid, refused] = [idOf(await ask(token, "10")), idOf(await ask(token, "20"))];
  const overview = await shop.get<{ waiting: { withdrawals: number } }>("/api/admin/overview", {
    token: admin,
  });
  expect(overview.waiting.withdrawals).toBeGreaterThanOrEqual(2);
  const entered = { token: admin, id: paid, transaction: "play 7" };
  const pay = (more: Record<string, string> = {}) =>
    shop.post("/api/admin/withdrawals/pay", { ...entered, ...more });
  for (const answer of await Promise.all([pay(), pay()]))
    expect(answer).toMatchObject({ status: "success", state: "paid", checked: false, amount: "10.0" });
  expect(await pay({ transaction: "play 8" })).toMatchObject({ value: "withdrawal decided" });
  expect(await pay({ id: refused })).toMatchObject({ value: "transaction used" });
  const settings = { SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602" };
  const demo = { ...settings, DATABASE_URL: shop.databaseUrl, DEMO: "true", DATA_DIR: shop.dataDir };
  const words = ["withdrawals", "refuse", refused, "--reason", "Write to us first."];
  expect(await sayTo(shop.db, words, demo, shop.databaseUrl)).toMatchObject({
    status: 0,
    out: `The withdrawal ${refused} is refused: 20.0 dollars are back in the earnings.\n`,
  });
  expect(await dueOf(token)).toMatchObject({ earned: "100.0", payed: "10.0", to_withdraw: "90.0" });
  const metrics = await (await fetch(`${shop.url}/metrics`)).text();
  expect(metrics).toMatch(/^postern_withdrawals\{state="waiting"\} \d+$/m);
  expect(metrics).toMatch(/^postern_withdrawal_oldest_seconds \d/m);
});

test("when support ends all access to an account, what waits is canceled: who asked is not known", async () => {
  const { token, id } = await partner("100");
  await ask(token, "40");
  const reset = { token: admin, user: id, reason: "somebody else was there" };
  expect(await shop.post("/api/admin/users/reset", reset)).toMatchObject({ status: "success" });
  const states = await shop.db`select state from withdrawal where user_id = ${BigInt(id)}`;
  expect(states).toEqual([{ state: "canceled" }]);
});

test("an account with a withdrawal that is not paid stays open, and its data have it", async () => {
  const { token } = await partner("20");
  const id = idOf(await ask(token, "20"));
  const closing = await shop.get<{ data: { open: object } }>("/user/closing", { token });
  expect(closing.data.open).toEqual({ withdrawals: 1 });
  const data = await (await fetch(`${shop.url}/user/data.json?token=${token}`)).json();
  expect(data).toMatchObject({ withdrawals: [{ id, state: "waiting", amount: "20.0" }] });
  expect(await shop.post("/user/withdrawals/cancel", { token, id })).toMatchObject({
    withdrawal: { state: "canceled" },
  });
});

test("switched off, the shop takes no new ones; those that wait are shown and canceled", async () => {
  const { token } = await partner("40");
  const id = idOf(await ask(token, "10"));
  const off = await startShop({}, shop);
  onTestFinished(() => off.stop());
  const { data, terms } = await listed(token, off);
  expect([data.map(({ state }) => state), terms]).toEqual([["waiting"], undefined]);
  const more = { token, way: "soft", amount: "10", wallet: "trx", address };
  expect(await off.post("/user/withdrawals/add", more)).toMatchObject({ value: "no withdrawals" });
  expect(await off.post("/user/withdrawals/cancel", { token, id })).toMatchObject({ status: "success" });
});
