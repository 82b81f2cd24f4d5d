import { gunzipSync } from "node:zlib";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { talkTo } from "../../test/kit/talk.ts";
import { events } from "../contract/events.ts";
import { uploadBatch } from "../contract/investors.ts";
import { balance, sendNewCode } from "../contract/users.ts";
import { answerUnknown, createHttp } from "./http.ts";
import { answer, Streamed } from "./platform/http/answer.ts";
import { readConfig } from "./platform/config/config.ts";
import { createLog } from "./platform/log.ts";

const patienceSeconds = 0.3;
const files = { silenceSeconds: 0.3, fileSeconds: 1.5 };
let app: FastifyInstance;
const heard: number[] = [];
beforeAll(async () => {
  app = await createHttp({
    config: readConfig({ DEMO: "true" }),
    log: createLog("silent"),
    routes: [
      answer(balance, async () => ({ balance: "1.0" })),
      answer(uploadBatch, async ({ request, refuse }) => {
        for await (const piece of request.file ?? []) heard.push(piece.length);
        return refuse("type");
      }),
      answer(sendNewCode, async () => {
        throw new Error("ours");
      }),
    ],
    hooks: {
      callerOf: async () => ({ userId: 1n, active: true, admin: false, investor: false, token: "x" }),
      admit: async () => undefined,
    },
    patienceSeconds,
    files,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

const field = '--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nx\r\n';

async function post(type: string, payload: string) {
  const response = await app.inject({
    method: "POST",
    url: sendNewCode.path,
    headers: { "content-type": type },
    payload,
  });
  return [response.statusCode, response.json<{ value: string }>().value];
}

test("a form that is broken is the client's error, and a fault of ours stays ours", async () => {
  expect(await post("multipart/form-data", field)).toEqual([200, "request"]);
  expect(await post("multipart/form-data; boundary=b", field)).toEqual([200, "request"]);
  expect(await post("multipart/form-data; boundary=b", `${field}--b--\r\n`)).toEqual([500, "server"]);
});

test("HEAD is answered as GET without its body where a call only reads, and is refused where it would act", async () => {
  const ask = (method: "GET" | "HEAD", url: string) => app.inject({ method, url, headers: { token: "x" } });
  for (const url of [balance.path, "/openapi.json"]) {
    const [get, head] = [await ask("GET", url), await ask("HEAD", url)];
    expect([head.statusCode, head.body]).toEqual([200, ""]);
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
  }
  expect((await ask("HEAD", sendNewCode.path)).statusCode).toBe(405);
});

test("the description of the API is packed, and known by its tag", async () => {
  const ask = (headers: Record<string, string>) => app.inject({ url: "/openapi.json", headers });
  const plain = await ask({});
  const packed = await ask({ "accept-encoding": "gzip, br" });
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
  for (const tag of [String(plain.headers["etag"]), "*", `"x", ${String(plain.headers["etag"])}`])
    expect((await ask({ "if-none-match": tag })).statusCode).toBe(304);
  expect((await ask({ "if-none-match": '"x"' })).statusCode).toBe(200);
});

test("an address that cannot be read is answered in the envelope, for any origin", async () => {
  const response = await app.inject({ url: `${balance.path}/%zz` });
  expect(response.statusCode).toBe(404);
  expect(response.headers).toMatchObject({
    "content-type": "application/json",
    "access-control-allow-origin": "*",
  });
  expect(response.json()).toMatchObject({ status: "error", value: "not found" });
});

test.each([
  ["half of a form", `POST ${sendNewCode.path}`, "content-length: 100", "token="],
  ["a form in pieces", `POST ${sendNewCode.path}`, "transfer-encoding: chunked", "6\r\ntoken=\r\n"],
  ["a body that nobody reads", `GET ${balance.path}`, "content-length: 100", "token="],
  ["a file by a wrong method", `PUT ${uploadBatch.path}`, "content-length: 100", "token="],
  ["a body for no call at all", "POST /nowhere", "content-length: 100", "token="],
])("%s that never ends is hung up on", async (_what, head, length, body) => {
  const talk = talkTo((app.server.address() as AddressInfo).port);
  const type = "content-type: application/x-www-form-urlencoded";
  talk.send(`${head} HTTP/1.1\r\nhost: shop.test\r\n${type}\r\n${length}\r\n\r\n${body}`);
  await talk.bye();
});

test.each([
  ["nothing", ""],
  ["half of a head", `GET ${balance.path} HTTP/1.1\r\nhost: shop.test\r\n`],
])("a connection that says %s is hung up on", async (_what, said) => {
  const talk = talkTo((app.server.address() as AddressInfo).port);
  talk.send(said);
  expect(await talk.bye()).toMatch(/^HTTP\/1.1 408 /);
});

const fileHead = `POST ${uploadBatch.path} HTTP/1.1\r\nhost: shop.test\r\ntoken: x\r\ncontent-type: text/plain\r\n`;
const since = (start: number) => (performance.now() - start) / 1_000;

test("a file that falls silent is hung up on, and so is one that goes on a little at a time beyond its time", async () => {
  const talks = [0, 1].map(() => talkTo((app.server.address() as AddressInfo).port));
  const start = performance.now();
  for (const talk of talks) talk.send(`${fileHead}content-length: 1000000\r\n\r\na@b.test:c\r\n`);
  const drip = setInterval(() => talks[1]?.send("a@b.test:c\r\n"), 50);
  onTestFinished(() => clearInterval(drip));
  let isOver = false;
  const over = talks[1]?.bye().then(() => (isOver = true));
  await talks[0]?.bye();
  expect(isOver).toBe(false);
  await over;
  expect(since(start)).toBeGreaterThanOrEqual(files.fileSeconds - 0.1);
  expect(heard.length).toBeGreaterThan(5);
});

test.each([
  ["true", "10.0.0.1", "127.0.0.1, 203.0.113.9", "203.0.113.9"],
  ["loopback", "127.0.0.1", "127.0.0.1, 203.0.113.9", "203.0.113.9"],
  ["10.0.0.0/8,loopback", "10.0.0.1", "127.0.0.1, 203.0.113.9, 10.0.0.7", "203.0.113.9"],
  ["loopback", "203.0.113.9", "127.0.0.1", "203.0.113.9"],
  ["loopback", "127.0.0.1", "203.0.113.9:1234", "203.0.113.9"],
  ["loopback", "127.0.0.1", "[2001:db8::9]:1234", "2001:db8::9"],
  ["loopback", "127.0.0.1", "[2001:db8::9]", "2001:db8::9"],
  ["loopback", "127.0.0.1", "somebody", "0.0.0.0"],
  ["loopback", "127.0.0.1", "203.0.113.9:x", "0.0.0.0"],
  ["10.0.0.1", "127.0.0.1", "203.0.113.9", "0.0.0.0"],
  ["false", "127.0.0.1", "203.0.113.9", "0.0.0.0"],
  ["false", "::1", "203.0.113.10", "0.0.0.0"],
  ["false", "10.0.0.1", "127.0.0.1", "10.0.0.1"],
])(
  "with TRUST_PROXY=%s a call from %s that says %s is counted for %s",
  async (trusted, from, said, counted) => {
    const keys: string[] = [];
    const behind = await createHttp({
      config: readConfig({ DEMO: "true", TRUST_PROXY: trusted }),
      log: createLog("silent"),
      routes: [answer(balance, async () => ({ balance: "1.0" }))],
      hooks: { callerOf: async () => undefined, admit: async (key) => void keys.push(key) },
    });
    onTestFinished(() => behind.close());
    await behind.inject({ url: balance.path, remoteAddress: from, headers: { "x-forwarded-for": said } });
    expect(keys).toEqual([`address ${counted}`]);
  },
);

test("a proxy that is not trusted is told of once, by the setting that is missing, and no stranger makes it so", async () => {
  const lines: string[] = [];
  const behind = await createHttp({
    config: readConfig({ DEMO: "true" }),
    log: createLog("info", { write: (line) => void lines.push(line) }),
    routes: [answer(balance, async () => ({ balance: "1.0" }))],
    hooks: { callerOf: async () => undefined, admit: async () => undefined },
  });
  onTestFinished(() => behind.close());
  const ask = (remoteAddress: string, headers = {}) =>
    behind.inject({ url: balance.path, remoteAddress, headers });
  await ask("127.0.0.1");
  await ask("203.0.113.9", { "x-forwarded-for": "203.0.113.10" });
  expect(lines).toEqual([]);
  for (let n = 0; n < 3; n++) await ask("172.17.0.1", { forwarded: "for=203.0.113.9" });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", setting: "TRUST_PROXY", proxy: "172.17.0.1" },
  ]);
});

test.each([
  ["loopback", 0],
  ["false", 1],
])("a shop of https with TRUST_PROXY=%s warns at its start %i times", async (trusted, times) => {
  const lines: string[] = [];
  const own = await createHttp({
    config: readConfig({ DEMO: "true", PUBLIC_URL: "https://shop.test", TRUST_PROXY: trusted }),
    log: createLog("info", { write: (line) => void lines.push(line) }),
    routes: [],
    hooks: { callerOf: async () => undefined, admit: async () => undefined },
  });
  onTestFinished(() => own.close());
  expect(lines.filter((line) => line.includes("TRUST_PROXY"))).toHaveLength(times);
});

test.each([
  ["an address that is too long", `GET ${balance.path}?site=${"x".repeat(20_000)} HTTP/1.1`, 431, "size"],
  ["bytes that are no HTTP", "\u0016\u0003\u0001", 400, "request"],
])("%s is answered in the envelope, for any origin", async (_what, line, status, value) => {
  const talk = talkTo((app.server.address() as AddressInfo).port);
  talk.send(`${line}\r\nhost: shop.test\r\n\r\n`);
  const [head = "", body = ""] = (await talk.bye()).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(/^content-type: application\/json$/m);
  expect(head).toMatch(/^access-control-allow-origin: \*$/m);
  expect(JSON.parse(body)).toMatchObject({ status: "error", value });
});

test("TRACE is no method here, and says nothing back of what it was sent", async () => {
  const talk = talkTo((app.server.address() as AddressInfo).port);
  talk.send(
    `TRACE ${balance.path} HTTP/1.1\r\nhost: shop.test\r\nx-secret: mine\r\nconnection: close\r\n\r\n`,
  );
  const heard = await talk.bye();
  expect(heard).toMatch(/^HTTP\/1.1 40[45] /);
  expect(heard).not.toContain("mine");
});

/** A shop over HTTPS that holds the answers of balance and stream until released. */
async function heldShop(settings: Record<string, string> = {}) {
  const held = Promise.withResolvers<void>();
  const own = await createHttp({
    config: readConfig({
      DEMO: "false",
      DATABASE_URL: "postgres://nowhere.test/x",
      SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
      PUBLIC_URL: "https://shop.test",
      SMTP_NAME: "mx.shop.test",
      ...settings,
    }),
    log: createLog("silent"),
    routes: [
      answer(balance, async () => held.promise.then(() => ({ balance: "1.0" }))),
      answer(uploadBatch, async ({ refuse }) => refuse("type")),
      answer(events, () => {
        return new Streamed({ "content-type": "text/event-stream" }, async (response) => {
          response.write("event: ready\n\n");
          await held.promise;
          response.end("event: letter\n\n");
        });
      }),
    ],
    hooks: {
      callerOf: async () => ({ userId: 1n, active: true, admin: false, investor: true, token: "x" }),
      admit: async () => undefined,
    },
  });
  answerUnknown(own, (_request, reply) => reply.send("a page"));
  onTestFinished(() => own.close());
  await own.listen({ host: "127.0.0.1", port: 0 });
  return { own, held, talk: () => talkTo((own.server.address() as AddressInfo).port) };
}

const call = (path: string) => `GET ${path}?token=x HTTP/1.1\r\nhost: shop.test\r\n\r\n`;
const garbage = "\u0016\u0003\u0001 this is no HTTP\r\n\r\n";

test("answers under way are finished before the connection ends for what cannot be read behind them", async () => {
  const { held, talk } = await heldShop();
  const one = talk();
  one.send(`${call(balance.path)}${call(balance.path)}${garbage}`);
  one.send(garbage);
  const stream = talk();
  stream.send(call(events.path));
  const begun = new Promise((resolve) => void stream.socket.once("data", resolve));
  await begun;
  for (let count = 0; count < 3; count++) stream.send(garbage);
  const other = talk();
  other.send(garbage);
  expect(await other.bye()).toMatch(/^HTTP\/1.1 400 /);
  held.resolve();
  const heard = await one.bye();
  expect(heard.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200"]);
  expect(heard.match(/"balance":"1.0"/g)).toHaveLength(2);
  const told = await stream.bye();
  expect(told.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
  expect(told).toContain("event: letter");
});

test("every answer says how it may be read and by whom it may be told, also those before a call is found", async () => {
  const { held, talk } = await heldShop({ HSTS_SUBDOMAINS: "true" });
  held.resolve();
  const heads = [
    call(balance.path),
    call(events.path),
    call("/openapi.json"),
    call("/email/nothing"),
    call(`${balance.path}/%zz`),
    `OPTIONS ${balance.path} HTTP/1.1\r\nhost: shop.test\r\n\r\n`,
    `PUT ${balance.path} HTTP/1.1\r\nhost: shop.test\r\n\r\n`,
    `POST ${uploadBatch.path} HTTP/1.1\r\nhost: shop.test\r\ntoken: x\r\ncontent-length: 999999999\r\n\r\n`,
    garbage,
    `GET ${balance.path} HTTP/1.1\r\n\r\n`,
    `GET ${balance.path} HTTP/1.1\r\nhost: shop.test\r\nHost: other.test\r\n\r\n`,
    `POST ${balance.path} HTTP/1.0\r\nhost: shop.test\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
    `GET ${balance.path} HTTP/1.1\r\nhost: shop.test\r\nexpect: a miracle\r\n\r\n`,
    call(balance.path + "x".repeat(20_000)),
  ];
  const statuses: string[] = [];
  for (const head of heads) {
    const one = talk();
    let heard = "";
    one.socket.on("data", (text: string) => (heard += text));
    one.send(head.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n"));
    // Refused ones end with the envelope; the others may be cut.
    await expect.poll(() => heard).toMatch(/ [23]\d\d .*\r\n\r\n|\}$/s);
    one.close();
    const [said = "", body = ""] = heard.split("\r\n\r\n");
    const status = said.slice(9, 12);
    statuses.push(status);
    expect(said).toMatch(/^x-content-type-options: nosniff$/im);
    expect(said).toMatch(/^referrer-policy: no-referrer$/im);
    expect(said).toMatch(/^content-security-policy: default-src 'none'; frame-ancestors 'none'$/im);
    expect(said).toMatch(/^strict-transport-security: max-age=31536000; includeSubDomains$/im);
    if (Number(status) >= 400) expect(JSON.parse(body)).toMatchObject({ status: "error" });
  }
  expect(statuses).toEqual([
    "200",
    "200",
    "200",
    "404",
    "404",
    "204",
    "405",
    "413",
    "400",
    "400",
    "400",
    "400",
    "417",
    "431",
  ]);
});

test("a token in a misspelt address is not in the log", async () => {
  const lines: string[] = [];
  const own = await createHttp({
    config: readConfig({ DEMO: "true" }),
    log: createLog("debug", { write: (line) => void lines.push(line) }),
    routes: [answer(balance, async () => ({ balance: "1.0" }))],
    hooks: { callerOf: async () => undefined, admit: async () => undefined },
  });
  onTestFinished(() => own.close());
  for (const rest of [
    "?token=T0KEN",
    "?token%20=T0KEN",
    ";token=T0KEN",
    "/T0KEN",
    "?T0KEN",
    "?tokn=T0KEN&site=x.com",
  ])
    await own.inject({ url: `${balance.path}${rest}` });
  const urls = lines.map((line) => (JSON.parse(line) as { url: string }).url);
  expect(urls).toHaveLength(6);
  expect(lines.join("")).not.toContain("T0KEN");
  expect(urls[0]).toBe("/user/balance?token=…");
  expect(urls[5]).toBe("/user/balance?…&site=x.com");
});
