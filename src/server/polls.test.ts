import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../test/kit/database.ts";
import { letter, mailboxOf, shelf, site, topUp } from "../../test/kit/shelf.ts";
import { soon } from "../../test/kit/soon.ts";
import { openCatalog } from "./catalog/catalog.ts";
import { type Events, openEvents } from "./events/events.ts";
import { createHttp } from "./http.ts";
import { readConfig } from "./platform/config/config.ts";
import type { Db } from "./platform/db/db.ts";
import { createLog } from "./platform/log.ts";
import { openLimits } from "./platform/http/rate-limits.ts";
import { usd } from "./platform/money.ts";
import { createSeal } from "./platform/seal.ts";
import { openCaptcha } from "./platform/http/captcha.ts";
import { openPartners } from "./partners/partners.ts";
import { userRoutes } from "./users/users.routes.ts";
import { openPasswords, openUsers } from "./users/users.ts";
import { orderRoutes } from "./orders/orders.routes.ts";
import { openSandbox } from "./orders/orders.sandbox.ts";
import { deliver, openOrders, type Placed } from "./orders/orders.ts";

const { db } = await createDatabase();
let queries = 0;
const counted = new Proxy(db, {
  apply: (target, _self, given: Parameters<Db>) => {
    queries++;
    return target(...given);
  },
}) as Db;
const seal = createSeal(Buffer.alloc(32, 9));
const orders = openOrders(counted, { ttlSeconds: 1200 });
const open = new AsyncDisposableStack();
let events: Events;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  events = await openEvents(counted);
  open.defer(() => events.close());
  const users = await openUsers({ db: counted, seal, adminEmails: new Set() });
  open.defer(() => users.close());
  const catalog = await openCatalog(counted);
  open.defer(() => catalog.close());
  const limits = openLimits(counted, seal);
  const captcha = openCaptcha({ setting: { kind: "off" }, seal, db: counted });
  const sandbox = openSandbox(db, async () => undefined);
  const partners = openPartners({ db: counted, publicUrl: "https://shop.example" });
  const passwords = openPasswords({ names: async () => [], log: createLog("silent") });
  const accounts = { users, limits, captcha, passwords };
  const services = { db: counted, partners, events, orders, catalog, sandbox, ...accounts };
  app = await createHttp({
    config: readConfig({ DATA_DIR: "/nonexistent", DEMO: "true" }),
    log: createLog("silent"),
    routes: [...orderRoutes(services), ...userRoutes(services)],
    hooks: { callerOf: (token) => users.callerOf(token), admit: limits.admit, changed: events.changed },
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  open.defer(() => app.close());
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(() => open.disposeAsync());

async function buyer() {
  const token = randomBytes(16).toString("hex");
  const [row] = await db<{ id: bigint }[]>`
    insert into users (email, name, password_hash, token_hash, token_sealed, activated_at)
    values (${`${token}@buyers.test`}, 'buyer', 'none', ${seal.hash("token", token)}, ${seal.seal(token)}, now()) returning id`;
  const userId = row?.id ?? 0n;
  await topUp(db, userId, usd("1"));
  const [siteId, { domainId }] = [await site(db), await shelf(db, 20)];
  const place = async () => (await orders.place({ userId, siteId, domainIds: [domainId] })) as Placed;
  const { orderId } = await place();
  const ask = (path: string, known?: string) =>
    fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...(known ? { "if-none-match": known } : {}) },
    });
  return { userId, orderId, place, ask };
}

const heard = (userId: bigint, revision: bigint) =>
  vi.waitFor(async () => expect(await events.revision(userId)).not.toBe(revision), soon);

test("a list that did not change is answered without a single query, page by page", async () => {
  const { ask } = await buyer();
  const paths = ["/user/activations", "/user/activations?page=2", "/email/history", "/user/balance"];
  const tags = await Promise.all(paths.map(async (path) => (await ask(path)).headers.get("etag") ?? ""));
  expect(new Set(tags).size).toBe(paths.length - 1);
  queries = 0;
  for (let poll = 0; poll < 5; poll++) {
    for (const [index, path] of paths.entries()) {
      const answered = await ask(path, tags[index]);
      expect([answered.status, answered.headers.get("cache-control")]).toEqual([304, "no-store"]);
    }
  }
  expect(queries).toBe(0);
  expect((await ask("/user/activations?page=2", tags[0])).status).toBe(200);
});

test("programs that know nothing of versions wait for a letter without a single query, and get it", async () => {
  const { ask, userId, orderId } = await buyer();
  const path = `/email/getmessage?id=${orderId}`;
  const poll = async () => (await (await ask(path)).json()) as { value?: string; message?: string };
  expect(await poll()).toMatchObject({ value: "wait message" });
  queries = 0;
  for (let n = 0; n < 5; n++) expect(await poll()).toMatchObject({ value: "wait message" });
  expect(queries).toBe(0);
  const revision = await events.revision(userId);
  const letterId = await letter(db, [await mailboxOf(db, orderId)]);
  await deliver(db, [{ letterId, orderId }]);
  await heard(userId, revision);
  const received = await ask(path);
  expect(await received.json()).toMatchObject({ message: "<p>hello</p>", messages: 1 });
  const tag = received.headers.get("etag") ?? "";
  queries = 0;
  expect((await ask(path, tag)).status).toBe(304);
  expect(queries).toBe(0);
  expect((await ask(`${path}&preview=1`, tag)).headers.get("content-type")).toContain("text/html");
});

test("another account's order is none, however often its owner asked for it", async () => {
  const [owner, stranger] = [await buyer(), await buyer()];
  const path = `/email/getmessage?id=${owner.orderId}`;
  for (let n = 0; n < 2; n++) {
    expect(await (await owner.ask(path)).json()).toMatchObject({ value: "wait message" });
    expect(await (await stranger.ask(path)).json()).toMatchObject({ value: "no activation" });
  }
});

test("a caller sees his own change in his next poll, though word of it is still on its way", async () => {
  const { ask, orderId } = await buyer();
  for (const [path, act] of [
    ["/user/balance", `/email/cancel?id=${orderId}`],
    ["/user/activations", `/email/cancel?id=${orderId}`],
  ] as const) {
    const tag = (await ask(path)).headers.get("etag") ?? "";
    expect((await ask(path, tag)).status).toBe(304);
    const acted = (await (await ask(act)).json()) as { status: string };
    expect((await ask(path, tag)).status).toBe(acted.status === "success" ? 200 : 304);
  }
});

test("every change of the account ends the validity of what was answered before", async () => {
  const { ask, userId, orderId, place } = await buyer();
  const changes = {
    "an order": place,
    "a letter": async () =>
      deliver(db, [{ letterId: await letter(db, [await mailboxOf(db, orderId)]), orderId }]),
    "a hidden order": () => orders.cancel({ userId, orderId }),
    "a top-up": () => topUp(db, userId, usd("0.5")),
  };
  for (const [name, change] of Object.entries(changes)) {
    const tag = (await ask("/email/history")).headers.get("etag") ?? "";
    const revision = await events.revision(userId);
    await change();
    await heard(userId, revision);
    expect([name, (await ask("/email/history", tag)).status]).toEqual([name, 200]);
  }
});

test("a call that waits is answered before the minute after which proxies give up", async () => {
  const { orderId, ask } = await buyer();
  const until = vi.spyOn(events.waits, "until").mockResolvedValue(undefined);
  onTestFinished(() => until.mockRestore());
  for (const wait of [60, 10])
    expect(await (await ask(`/email/getmessage?id=${orderId}&wait=${wait}`)).json()).toMatchObject({
      value: "wait message",
    });
  expect(until.mock.calls.map(([{ seconds }]) => seconds)).toEqual([55, 10]);
});
