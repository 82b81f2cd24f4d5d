// @module-tag slow
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { startShop, type TestShop } from "../../test/kit/shop.ts";
import { Postern, PosternError, verifyWebhook, WebhookError } from "./client.ts";

let shop: TestShop;
let token: string;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  shop = await startShop();
  token = await shop.buyer();
});
afterAll(() => shop.stop());
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const postern = (options: { url?: string; token?: string; retries?: number; timeoutSeconds?: number } = {}) =>
  new Postern({ url: shop.url, token, ...options });
const wanted = { site: "instagram.com", domain: "letters.test" };
const codeLetter = (to: string) =>
  shop.send({ to, from: "no-reply@instagram.com", subject: "Your code", text: "Your code is 493817" });

async function refusal(promise: Promise<unknown>): Promise<PosternError> {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(thrown instanceof PosternError)) throw new Error(`no refusal but ${String(thrown)}`);
  return thrown;
}

type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

async function between(handle: Handle): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      seen.push(`${request.url} ${body}`);
      void handle(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

async function forward({ url, method, headers }: IncomingMessage, body: string): Promise<Response> {
  return fetch(shop.url + String(url), {
    method: String(method),
    headers: {
      authorization: String(headers.authorization),
      "content-type": String(headers["content-type"] ?? "text/plain"),
    },
    ...(method === "POST" ? { body } : {}),
  });
}

async function pass(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
  const answer = await forward(request, body);
  response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
}

test("an address is ordered, its letter is waited for, and the code is in it", async () => {
  const client = postern();
  const before = Number(await client.balance());
  const offers = await client.quantity({ site: "instagram.com" });
  expect(offers["letters.test"]?.count).toBeGreaterThan(0);
  const order = await client.order(wanted);
  expect(order).toMatchObject({ site: "instagram.com", domain: "letters.test" });
  const waiting = order.waitForLetter({ timeoutSeconds: 60 });
  await codeLetter(order.email);
  expect(await waiting).toMatchObject({ code: "493817", sender: "no-reply@instagram.com" });
  expect(Number(await client.balance())).toBeCloseTo(before - order.price, 8);
});

test("a received address takes another letter, and the old one is not taken for it", async () => {
  const client = postern();
  const order = await client.order(wanted);
  await codeLetter(order.email);
  await order.waitForLetter();
  const again = await order.reorder();
  expect(again.email).toBe(order.email);
  expect((await refusal(again.waitForLetter({ timeoutSeconds: 0 }))).value).toBe("wait message");
  await codeLetter(order.email);
  expect(await again.waitForLetter()).toMatchObject({ code: "493817" });
});

test("a canceled order gives the price back and ends who waits", async () => {
  const client = postern();
  const before = await client.balance();
  const order = await client.order(wanted);
  const waiting = refusal(order.waitForLetter({ timeoutSeconds: 60 }));
  expect(await order.cancel()).toEqual({ balance: before });
  expect((await waiting).value).toBe("activation canceled");
  expect((await refusal(order.cancel())).value).toBe("activation already canceled");
  expect(await client.balance()).toBe(before);
});

test("several orders come together, and the history lists them", async () => {
  const client = postern();
  const { orders } = await client.orderSeveral({ ...wanted, quantity: 3 });
  expect(orders).toHaveLength(3);
  const listed = Object.values((await client.history()).data).flat();
  expect(listed.slice(0, 3).map((each) => each.id)).toEqual(orders.map((order) => order.id).toReversed());
});

test("an order whose answer was lost is asked for again and charged once", async () => {
  const made: unknown[] = [];
  const { url, seen } = await between(async (request, response, body) => {
    if (made.length > 0) return pass(request, response, body);
    made.push(await (await forward(request, body)).json());
    request.socket.destroy();
  });
  const before = Number(await postern().balance());
  const order = await postern({ url }).order(wanted);
  expect(order).toMatchObject({ id: (made[0] as { id: string }).id });
  expect(seen).toHaveLength(2);
  expect(seen[0]).toMatch(/client_order_id=[0-9a-f]{32}/);
  expect(seen[1]).toBe(seen[0]);
  expect(Number(await postern().balance())).toBeCloseTo(before - order.price, 8);
});

test("a cancel whose answer was lost is a success", async () => {
  let lost = false;
  const { url } = await between(async (request, response, body) => {
    if (lost) return pass(request, response, body);
    lost = true;
    await forward(request, body);
    request.socket.destroy();
  });
  const before = await postern().balance();
  const { id } = await postern().order(wanted);
  expect(await postern({ url }).cancel(id)).toEqual({ balance: before });
});

test("what may do a thing twice is not asked again", async () => {
  const { url, seen } = await between((request) => request.socket.destroy());
  const error = await refusal(postern({ url }).ask("createPayment", { wallet: "trx", amount: "10" }));
  expect(error.value).toBe("connection");
  expect(error.message).toContain(url);
  expect(seen).toHaveLength(1);
});

test("a shop that is busy is asked again when it said, and one that says much later is not", async () => {
  const at: number[] = [];
  let seconds = 1;
  const { url } = await between((request, response, body) => {
    if (at.push(performance.now()) === 2) return pass(request, response, body);
    const refused = { status: "error", value: "limit", retry_after: seconds };
    return response.writeHead(429, { "retry-after": String(seconds) }).end(JSON.stringify(refused));
  });
  await postern({ url }).balance();
  expect(Number(at[1]) - Number(at[0])).toBeGreaterThan(950);
  seconds = 3600;
  const error = await refusal(postern({ url }).balance());
  expect(error).toMatchObject({ value: "limit", more: { retry_after: 3600 }, tries: 1 });
});

test("a proxy before the shop that says it is busy is believed", async () => {
  const { url, seen } = await between((_, response) =>
    response.writeHead(429, { "retry-after": "120", "content-type": "text/html" }).end("<html>"),
  );
  const error = await refusal(postern({ url }).order(wanted));
  expect(error).toMatchObject({ value: "limit", more: { retry_after: 120 } });
  expect(seen).toHaveLength(1);
});

test("a fault of the shop is tried again so often, and told", async () => {
  const { url, seen } = await between((_, response) =>
    response.writeHead(500).end(JSON.stringify({ status: "error", value: "server" })),
  );
  expect(await refusal(postern({ url, retries: 2 }).balance())).toMatchObject({ value: "server", tries: 3 });
  expect(seen).toHaveLength(3);
});

test("who waits for a letter does not notice that the shop starts anew", async () => {
  const order = await postern().order(wanted);
  let asked = 0;
  const { url } = await between(async (request, response, body) => {
    asked++;
    if (asked === 1) request.socket.destroy();
    if (asked === 2) response.writeHead(502).end("<html>");
    if (asked === 3) response.end(JSON.stringify({ status: "error", value: "wait message" }));
    if (asked < 4) return;
    await codeLetter(order.email);
    await pass(request, response, body);
  });
  expect(await postern({ url }).waitForLetter(order.id)).toMatchObject({ code: "493817" });
  expect(asked).toBe(4);
});

test("a letter that does not come is waited for no longer than was said", async () => {
  const order = await postern().order(wanted);
  const since = performance.now();
  expect((await refusal(order.waitForLetter({ timeoutSeconds: 1 }))).value).toBe("wait message");
  expect(performance.now() - since).toBeGreaterThan(950);
});

test("an aborted signal ends a wait with its own reason", async () => {
  const order = await postern().order(wanted);
  const stop = new AbortController();
  const waiting = order.waitForLetter({ signal: stop.signal });
  const reason = new Error("the user went away");
  stop.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(order.cancel({ signal: stop.signal })).rejects.toBe(reason);
});

test("an order that was made is told, though the program gave up while it was answered", async () => {
  const stop = new AbortController();
  const giveUp: typeof fetch = async (...asked) => {
    const body = await (await fetch(...asked)).text();
    stop.abort();
    return new Response(body);
  };
  const order = await new Postern({ url: shop.url, token, fetch: giveUp }).order(wanted, {
    signal: stop.signal,
  });
  expect(order.email).toContain("@letters.test");
});

test("a shop that takes the question and never answers is given up", async () => {
  const { url } = await between(() => undefined);
  const error = await refusal(postern({ url, retries: 0, timeoutSeconds: 0.2 }).balance());
  expect(error).toMatchObject({ value: "connection" });
  expect(error.cause).toMatchObject({ name: "TimeoutError" });
});

test("a refusal says what the shop said, and the way out", async () => {
  const unknown = await refusal(postern({ token: "x".repeat(32) }).balance());
  expect(unknown.value).toBe("token");
  expect(unknown.message).toMatch(/^token: The token is missing/);
  const poor = await refusal(postern({ token: await shop.member() }).order(wanted));
  expect(poor).toMatchObject({ value: "no balance", more: { missing: "0.0035" } });
  const mistyped = await refusal(postern().order({ ...wanted, domain: "leters.test" }));
  expect(mistyped).toMatchObject({ value: "domain", more: { did_you_mean: "letters.test" } });
});

test("a redirect is told, for a POST would lose its parameters on the way", async () => {
  const { url } = await between((request, response) =>
    response.writeHead(301, { location: shop.url + String(request.url) }).end(),
  );
  expect(await refusal(postern({ url, retries: 0 }).order(wanted))).toMatchObject({ value: "connection" });
});

test("a client without a token or an address of the shop is a mistake of the program", () => {
  expect(() => postern({ token: "" })).toThrow(/token/);
  expect(() => postern({ url: "shop" })).toThrow(/url/);
});

test("a message to a webhook is believed when it is signed and fresh", async () => {
  const secret = `whsec_${btoa("a secret of twenty-four")}`;
  const body = JSON.stringify({
    type: "letter",
    timestamp: "2026-11-21T11:01:00Z",
    data: { code: "493817" },
  });
  const now = new Date("2026-11-21T11:01:00Z");
  const signature = new Webhook(secret).sign("msg_1", now, body);
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(now.getTime() / 1000),
    "webhook-signature": `v1,AAAA ${signature}`,
  };
  const verify = (change: object) => verifyWebhook({ secret, headers, body, now, ...change });
  expect(await verify({})).toMatchObject({ type: "letter", data: { code: "493817" } });
  expect(await verify({ headers: new Headers(headers) })).toMatchObject({ type: "letter" });
  const late = new Date(now.getTime() + 301_000);
  const wrong = [
    { body: `${body} ` },
    { now: late },
    { headers: {} },
    { secret: `whsec_${btoa("another")}` },
  ];
  for (const change of wrong) await expect(verify(change)).rejects.toThrow(WebhookError);
});
