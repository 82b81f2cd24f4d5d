import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { balance, sendNewCode } from "../contract/users.ts";
import { answerUnknown, createHttp } from "./http.ts";
import { answer } from "./platform/http/answer.ts";
import { callMeters } from "./platform/http/told.ts";
import { readConfig } from "./platform/config/config.ts";
import { createLog } from "./platform/log.ts";

async function server(settings: Record<string, string> = {}) {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const meters = callMeters();
  const registry = new Registry();
  for (const meter of Object.values(meters)) registry.registerMetric(meter);
  const app = await createHttp({
    config: readConfig({ DEMO: "true", ...settings }),
    log,
    meters,
    routes: [
      answer(balance, async () => ({ balance: "1.0" })),
      answer(sendNewCode, async () => {
        log.info("deep within");
        throw new Error("ours");
      }),
    ],
    hooks: {
      callerOf: async (token) =>
        token === "x" ? { userId: 1n, active: true, admin: false, investor: false, token } : undefined,
      admit: async (key) => (key.startsWith("user") ? undefined : 7),
    },
  });
  onTestFinished(() => app.close());
  answerUnknown(app, (_request, reply) => reply.code(404).send());
  app.get("/healthz", (_request, reply) => reply.code(503).send());
  app.get("/a.js", () => "");
  app.get("/broken", (_request, reply) => reply.code(503).send());
  return {
    app,
    told: () => registry.metrics(),
    lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    written: () => lines.join(""),
  };
}

test("calls are counted by their route and by what they were answered, and pages and files together", async () => {
  const { app, told } = await server();
  const ask = (url: string) => app.inject({ url, headers: { host: "a" } });
  await ask(`${balance.path}?token=x`);
  await ask(`${balance.path}?token=x`);
  await ask(balance.path);
  await app.inject({ method: "PUT", url: balance.path });
  await app.inject({ method: "POST", url: sendNewCode.path, payload: "token=x", headers: form });
  await ask("/user/of-nobody-8c1f2d");
  await Promise.all(["/healthz", "/a.js", "/openapi.json", "/broken"].map(ask));
  const lines = (await told()).split("\n").filter((line) => /^postern_http_answers_total.* [^0]/.test(line));
  expect(lines.toSorted()).toEqual(
    [
      ["/healthz", "ok", 1],
      [balance.path, "limit", 1],
      [balance.path, "ok", 2],
      [balance.path, "refused", 1],
      [sendNewCode.path, "server", 1],
      ["files", "ok", 2],
      ["unknown", "refused", 1],
      ["pages", "server", 1],
    ]
      .map(([route, said, count]) => `postern_http_answers_total{route="${route}",answer="${said}"} ${count}`)
      .toSorted(),
  );
});

const form = { "content-type": "application/x-www-form-urlencoded" };

test("a route that was called tells its faults from then on, as 0: a rate sees no first one", async () => {
  const { app, told } = await server();
  await app.inject(`${balance.path}?token=x`);
  expect(await told()).toContain(`postern_http_answers_total{route="${balance.path}",answer="server"} 0\n`);
});

test("how long calls take is told by their route", async () => {
  const { app, told } = await server();
  await app.inject(`${balance.path}?token=x`);
  const text = await told();
  expect(text).toContain(`postern_http_seconds_bucket{le="+Inf",route="${balance.path}"} 1`);
  expect(text).toContain(`postern_http_seconds_count{route="${balance.path}"} 1`);
});

test("a call keeps the id that a trusted proxy gave it, if that is short and plain, and gets one else; the answer and each line of the log say it", async () => {
  const { app, lines } = await server({ TRUST_PROXY: "192.0.2.0/24" });
  const ask = async (given: string, remoteAddress: string) => {
    const answered = await app.inject({
      method: "POST",
      url: sendNewCode.path,
      payload: "token=x",
      headers: { ...form, "x-request-id": given },
      remoteAddress,
    });
    const id = String(answered.headers["x-request-id"]);
    const own = lines().filter((line) => line["request"] === id);
    expect(own.map(({ msg }) => msg)).toEqual(["deep within", "request failed"]);
    expect(answered.json()).toMatchObject({ value: "server", request_id: id });
    return id;
  };
  expect(await ask("proxy-1.a_B", "192.0.2.7")).toBe("proxy-1.a_B");
  const made = [
    await ask("proxy-1.a_B", "198.51.100.7"),
    await ask("a b", "192.0.2.7"),
    await ask('a"}', "192.0.2.7"),
    await ask("a".repeat(65), "192.0.2.7"),
  ];
  for (const id of made) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(new Set(made).size).toBe(made.length);
});

test("answers that no call is found for have an id, too", async () => {
  const { app } = await server();
  for (const url of ["/user/of-nobody-8c1f2d", `${balance.path}/%zz`, "/healthz", "/openapi.json"])
    expect((await app.inject(url)).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
});

test("with ACCESS_LOG each call is one line, without what its address and body hold, and without it none", async () => {
  const silent = await server();
  await silent.app.inject(`${balance.path}?token=x`);
  expect(silent.lines()).toEqual([]);
  const { app, lines, written } = await server({ ACCESS_LOG: "on" });
  const headers = { authorization: "Bearer x", "user-agent": "S3CRET", cookie: "a=S3CRET" };
  const answered = await app.inject({ url: `${balance.path}?token=S3CRET&email=S3CRET`, headers });
  expect(lines()).toEqual([
    {
      level: "info",
      time: expect.any(String),
      request: answered.headers["x-request-id"],
      method: "GET",
      path: balance.path,
      status: 200,
      answer: "ok",
      ms: expect.any(Number),
      address: "127.0.0.1",
      account: "user 1",
      msg: "answered",
    },
  ]);
  await app.inject("/user/S3CRET?S3CRET");
  expect(lines().at(-1)).toMatchObject({ path: "/user/…", status: 404, answer: "not found" });
  expect(written()).not.toContain("S3CRET");
});
