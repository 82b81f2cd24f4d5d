// @module-tag slow
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { eventBodies } from "../../src/contract/events.ts";
import { listenTo } from "../kit/listener.ts";
import { openReceiver, type Receiver, verified } from "../kit/receiver.ts";
import { startShop, type TestShop } from "../kit/shop.ts";
import { soon } from "../kit/soon.ts";

// Webhooks from the order to the code without a poll. One process gets calls and letters, another sends.

let shop: TestShop;
let jobs: TestShop;
let program: Receiver;

beforeAll(async () => {
  program = await openReceiver();
  const settings = { WEBHOOK_PRIVATE: "127.0.0.1", WEBHOOK_PORTS: "1024-65535" };
  shop = await startShop({ ...settings, ROLES: "web,smtp" });
  jobs = await startShop({ ...settings, ROLES: "jobs" }, shop);
});
afterAll(async () => {
  await jobs.stop();
  await shop.stop();
  await program.close();
});

test("a program is sent the code of its letter, checks who sent it, and sees the delivery in the log", async () => {
  const token = await shop.buyer();
  const added = await shop.post("/user/webhooks/add", {
    token,
    url: `${program.url}/events`,
    events: "letter",
  });
  expect(added).toMatchObject({ status: "success", webhook: { events: ["letter"], enabled: true } });
  const { id } = added["webhook"] as { id: string };
  const secret = String(added["secret"]);

  const order = await shop.get("/email/order", { token, site: "instagram.com", domain: "all" });
  await shop.send({
    to: String(order["email"]),
    from: "Instagram <no-reply@mail.instagram.com>",
    subject: "Your code",
    text: "Your code is 493817.",
  });
  const [received] = await program.until(1);
  expect(verified(received!, secret)).toMatchObject({
    type: "letter",
    data: { activation_id: order["id"], email: order["email"], from: "instagram.com", code: "493817" },
  });
  await vi.waitFor(
    async () =>
      expect(await shop.get("/user/webhooks/deliveries", { token, id })).toMatchObject({
        data: [{ event: "letter", state: "delivered", tries: 1, http_status: 200 }],
        next_page: false,
      }),
    soon,
  );
  expect(await shop.get("/user/webhooks", { token })).not.toHaveProperty("data.0.secret");
  const metrics = await (await fetch(`${shop.url}/metrics`)).text();
  expect(metrics).toMatch(/^postern_webhooks\{state="on"\} 1$/m);
  expect(metrics).toMatch(/^postern_queue\{queue="webhooks",state="fresh"\} 0$/m);
  expect(metrics).toMatch(/^postern_queue_lag_seconds\{queue="webhooks"\} 0$/m);
  expect(metrics).not.toContain('queue="bot"');
});

test("the calls of webhooks: add, change, test, log page by page, redeliver, replace the secret, remove", async () => {
  const token = await shop.member();
  const call = (what: string, parameters = {}) =>
    shop.post(`/user/webhooks/${what}`, { token, ...parameters });
  expect(await call("add", { url: "http://10.0.0.1/" })).toMatchObject({ status: "error", value: "url" });
  expect(await call("add", { url: program.url, events: "mail" })).toMatchObject({ value: "events" });
  const added = await call("add", { url: program.url });
  const { id, events } = added["webhook"] as { id: string; events: string[] };
  expect(events).toEqual([
    "activation",
    "letter",
    "balance",
    "refund",
    "payment",
    "balance_low",
    "backorder",
  ]);

  program.heard.length = 0;
  for (let count = 0; count < 12; count++)
    expect(await call("test", { id })).toMatchObject({ delivery: { event: "test", state: "delivered" } });
  program.answer = () => 500;
  const failed = await call("test", { id });
  expect(failed).toMatchObject({
    delivery: { state: "failed", http_status: 500, failure: "The address answered with HTTP 500." },
  });
  program.answer = () => 200;
  const first = await shop.get("/user/webhooks/deliveries", { token, id });
  const second = await shop.get("/user/webhooks/deliveries", { token, id, page: 2 });
  expect([first["data"], second["data"]].map((page) => (page as unknown[]).length)).toEqual([10, 3]);
  expect([first["next_page"], second["next_page"]]).toEqual([true, false]);
  const delivery = (failed["delivery"] as { id: string }).id;
  expect(await call("redeliver", { id, delivery })).toMatchObject({
    delivery: { id: delivery, state: "delivered" },
  });
  expect(await call("redeliver", { id, delivery: "1" })).toMatchObject({ value: "no delivery" });

  const replaced = await call("secret", { id });
  expect(replaced["secret"]).not.toBe(added["secret"]);
  expect(await call("change", { id, events: "balance", enabled: 0 })).toMatchObject({
    webhook: { id, events: ["balance"], enabled: false },
  });
  const stranger = await shop.member();
  for (const what of ["change", "secret", "test", "remove", "redeliver"])
    expect(await shop.post(`/user/webhooks/${what}`, { token: stranger, id, delivery })).toMatchObject({
      value: "no webhook",
    });
  expect(await call("remove", { id })).toEqual({ status: "success" });
  expect(await shop.get("/user/webhooks", { token })).toEqual({ status: "success", data: [] });
});

test("a program is told of the price of an order that went back, in the words of the contract", async () => {
  const token = await shop.buyer("1");
  const url = `${program.url}/refunds`;
  const { webhook, secret } = await shop.post("/user/webhooks/add", { token, url, events: "refund" });
  expect(webhook).toMatchObject({ events: ["refund"] });
  const { id, email } = await shop.order(token);
  await shop.get("/email/cancel", { token, id });
  const sent = () => program.heard.filter(({ path }) => path === "/refunds");
  await vi.waitFor(() => expect(sent()).toHaveLength(1), soon);
  const message = verified(sent()[0]!, String(secret));
  expect(message).toMatchObject({ type: "refund" });
  expect(eventBodies.refund.parse(message.data)).toEqual({
    activation_id: id,
    from: "instagram.com",
    email,
    amount: "0.0035",
    balance: "1.0",
    reason: "canceled",
  });
});

test("a row of a kind that this release does not know stops nobody: what came before and after it is told", async () => {
  const token = await shop.buyer("1");
  const [{ userId } = {}] = await shop.db`select max(id) as "userId" from users`;
  await shop.post("/user/webhooks/add", { token, url: `${program.url}/newer` });
  const stream = await listenTo(shop.url, { token });
  onTestFinished(() => stream.close());
  // A newer release may add a value to the type, or write a name beside one of its values.
  await shop.db`alter type event_kind add value if not exists 'gift'`;
  await shop.db`insert into event (user_id, kind, balance) values (${userId as bigint}, 'gift', 1)`;
  await shop.db`insert into event (user_id, kind, name, balance) values (${userId as bigint}, 'balance', 'gift', 1)`;
  await shop.order(token);
  expect((await stream.hear("balance")).data).toEqual({ balance: "0.9965" });
  const sent = () => program.heard.filter(({ path }) => path === "/newer");
  await vi.waitFor(() => expect(sent()).toHaveLength(2), soon);
  const types = sent().map(({ body }) => (JSON.parse(body) as { type: string }).type);
  expect(types.toSorted()).toEqual(["activation", "balance"]);
  expect(stream.heard.map(({ name }) => name)).toEqual(["ready", "activation", "balance"]);
});
