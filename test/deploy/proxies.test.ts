// @module-tag full
// The real nginx, Caddy and HAProxy with the files of deploy, in front of two processes of the shop (docs/deploy/proxies.md).
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { request, type RequestOptions } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import nodemailer from "nodemailer";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { certificateFor } from "../../src/server/platform/certificate.ts";
import { createDatabase } from "../kit/database.ts";
import { outboxCode } from "../kit/outbox.ts";
import { freePort } from "../kit/port.ts";
import { environment, ready, spawnShop } from "../kit/process.ts";
import { type Form, forms, type Places, programOf, type Proxy, startProxy } from "../kit/proxies.ts";
import { soon } from "../kit/soon.ts";

const host = "shop.example";
const { key, cert } = certificateFor(host);
const folder = await mkdtemp(join(tmpdir(), "postern-proxies-"));
const several = async (count: number) => Promise.all(Array.from({ length: count }, freePort));

async function end(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

const email = "buyer@example.com";
const password = "correct horse";
let token: string;
let log = "";
let settings: Record<string, string>;
let web: readonly [number, number];
let smtp: number;
let health: number;
let data: Awaited<ReturnType<typeof createDatabase>>;
const shops = new Map<number, ChildProcess>();

async function start(port: number, smtpPort: number, more: Record<string, string>): Promise<void> {
  const child = spawnShop({ ...environment({ port, smtpPort, dataDir: folder }), ...settings, ...more });
  shops.set(port, child);
  child.stdout.on("data", (chunk: Buffer) => (log += chunk.toString()));
  await ready(child);
}

beforeAll(async () => {
  const both = `${cert}${key}`;
  for (const [name, text] of Object.entries({ "cert.pem": cert, "key.pem": key, "both.pem": both }))
    await writeFile(join(folder, name), text, { mode: 0o600 });
  data = await createDatabase({ isStocked: true });
  settings = {
    DATABASE_URL: data.url,
    SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
    PUBLIC_URL: `https://${host}`,
    TRUST_PROXY: "127.0.0.1",
    SMTP_PROXY: "127.0.0.1",
    CAPTCHA: "off",
    DEMO: "true",
    OPEN_ORDERS: "1000000",
    LOG_LEVEL: "info",
  };
  const [one, two, reception, ofHealth] = await several(4);
  [web, smtp, health] = [[one!, two!], reception!, ofHealth!];
  await start(one!, await freePort(), { ROLES: "web" });
  await start(two!, await freePort(), { ROLES: "web" });
  await start(await freePort(), smtp, { ROLES: "smtp,jobs", HEALTH_PORT: String(health) });
  const at = `http://127.0.0.1:${one}`;
  const post = async (path: string, said: Record<string, string>) =>
    (await (await fetch(at + path, { method: "POST", body: new URLSearchParams(said) })).json()) as Answer;
  token = String((await post("/user/registration", { email, password, recaptcha: "off" }))["token"]);
  await post("/user/activate", { token, code: await outboxCode(folder, email) });
  await data.db`update users set is_investor = true where email = ${email}`;
  await data.db`update account set balance = balance + 1000 * 100000000::bigint
                where user_id = (select id from users where email = ${email}) and book = 'balance'`;
});

afterAll(async () => {
  for (const child of shops.values()) await end(child);
  await data?.drop();
  await rm(folder, { recursive: true, force: true });
});

type Answer = Record<string, unknown>;

/** A connection of its own. */
const apart: RequestOptions = { agent: false, ca: cert, servername: host };

function ask(
  https: number,
  path: string,
  { body, ...more }: RequestOptions & { body?: string | URLSearchParams } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const type = body instanceof URLSearchParams ? "application/x-www-form-urlencoded" : "text/plain";
    const sent = request({
      host: "127.0.0.1",
      port: https,
      path,
      ...apart,
      method: body === undefined ? "GET" : "POST",
      ...more,
      headers: { host, "content-type": type, ...(more.headers as Record<string, string>) },
    });
    sent.once("response", resolve);
    sent.once("error", reject);
    sent.end(body?.toString());
  });
}

async function textOf(answer: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  return text;
}

/** The answer of a call; throws for whatever is no answer of the shop. */
async function call(https: number, path: string, said: Record<string, string>) {
  const answer = await ask(https, path, { body: new URLSearchParams(said) });
  const text = await textOf(answer);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
  return JSON.parse(text) as Answer;
}

const wanted = { site: "instagram.com", domain: "letters.test" };

const missingOf = ({ name }: Form) =>
  programOf(name) === "" ? `SKIPPED: it is not here (node scripts/setup.mjs ${name} unpacks Debian's)` : "";

/** A proxy that passes calls on. */
async function open(form: Form): Promise<Proxy> {
  const [http, https, letters] = await several(3);
  const places = { folder, web, smtp, health, http: http!, https: https!, letters: letters! };
  const proxy = await startProxy(form, places);
  await vi.waitFor(async () => {
    if (proxy.process.exitCode !== null) throw new Error(`${form.title} has ended`);
    const { statusCode } = await ask(places.https, "/healthz");
    if (statusCode !== 200) throw new Error(`${form.title} answers ${statusCode}`);
  }, soon);
  return proxy;
}

describe.each(forms)("$title", (form) => {
  const program = programOf(form.name);
  const missing = missingOf(form);
  let proxy: Proxy;
  let ports: Places;

  beforeAll(async () => {
    if (program === "") return;
    proxy = await open(form);
    ports = proxy.places;
  });
  afterAll(() => (proxy ? end(proxy.process) : undefined));

  test.skipIf(program === "")(`pages come with HSTS, and http leads to https ${missing}`, async () => {
    const page = await ask(ports.https, "/en");
    expect(page.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "strict-transport-security": expect.stringContaining("max-age="),
    });
    expect(await textOf(page)).toContain("<html");
    const headers = { host };
    const [answer] = (await once(
      get({ host: "127.0.0.1", port: ports.http, path: "/en?a=b", headers }),
      "response",
    )) as [IncomingMessage];
    answer.resume();
    expect([301, 308]).toContain(answer.statusCode);
    expect(String(answer.headers.location).replace(`:${ports.https}`, "")).toBe(`https://${host}/en?a=b`);
  });

  test.skipIf(program === "")(`an event comes through a stream at once ${missing}`, async () => {
    const headers = { authorization: `Bearer ${token}` };
    const stream = await ask(ports.https, "/user/events", { headers });
    onTestFinished(() => void stream.destroy());
    let heard = "";
    stream.on("data", (chunk: Buffer) => (heard += chunk.toString()));
    await vi.waitFor(() => expect(heard).toContain("event: ready"), soon);
    const { id } = await call(ports.https, "/email/order", { token, ...wanted });
    await vi.waitFor(() => expect(heard).toContain(`"${String(id)}"`), soon);
  });

  test.skipIf(program === "")(`a file of two megabytes arrives ${missing}`, async () => {
    const lines = Array.from(
      { length: 50_000 },
      (_, at) => `${form.name}.mailbox.${at}@letters.test:of-a-test`,
    );
    const body = lines.join("\n");
    expect(body.length).toBeGreaterThan(2_000_000);
    const headers = { token, sites: "facebook.com" };
    const answer = await ask(ports.https, "/investor/upload", { body, headers });
    expect(JSON.parse(await textOf(answer))).toMatchObject({ status: "success", accepted: 50_000 });
  });

  test.skipIf(program === "")(
    `the shop learns who calls, and believes nobody who says another address ${missing}`,
    async () => {
      const said = { email: `${form.name}@example.com`, password: "wrong horse", captcha: "off" };
      const localAddress = "127.0.0.9";
      const before = log.length;
      const headers = { "x-forwarded-for": "192.0.2.66", "x-request-id": "of-the-caller" };
      const body = new URLSearchParams(said);
      const answer = await ask(ports.https, "/user/authorize", { body, localAddress, headers });
      expect(JSON.parse(await textOf(answer))).toMatchObject({ value: "user not found" });
      // The proxy's, and not the caller's.
      expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{32,36}$/);
      await vi.waitFor(() => expect(log.slice(before)).toMatch(/"kind":"login".*"refused"/), soon);
      expect(log.slice(before)).toContain(`"address":"${localAddress}"`);
    },
  );
});

const restarted = forms.filter(({ name, take }) => take !== undefined && programOf(name) !== "");

test.each(restarted)(
  "both processes behind $title are stopped and started, one by one: no call fails, and each order gets its letter",
  async (form) => {
    const proxy = await open(form);
    onTestFinished(() => end(proxy.process));
    const { https } = proxy.places;
    // From elsewhere: who connects from the address of the proxy has its header to say first.
    const way = { host: "127.0.0.1", port: smtp, localAddress: "127.0.0.8", ignoreTLS: true, pool: true };
    const sender = nodemailer.createTransport(way);
    onTestFinished(() => sender.close());
    let isOver = false;
    let calls = 0;
    const isSaid = async (path: string, said: Record<string, string>) => {
      calls++;
      return (await call(https, path, { token, ...said }))["status"] === "success";
    };
    const caller = async () => {
      while (!isOver) {
        const placed = await call(https, "/email/order", { token, ...wanted });
        expect(placed).toMatchObject({ status: "success" });
        const [id, to] = [String(placed["id"]), String(placed["email"])];
        await sender.sendMail({ to, from: "no-reply@mail.instagram.com", subject: "Code", text: "482913" });
        while (!(await isSaid("/email/getmessage", { id })));
        expect(await isSaid("/email/reorder", { id })).toBe(true);
      }
    };
    const callers = Promise.all(Array.from({ length: 6 }, caller));
    const restart = async () => {
      for (const port of web) {
        await form.take?.(proxy, port, "out");
        await end(shops.get(port)!);
        await start(port, await freePort(), { ROLES: "web" });
        await form.take?.(proxy, port, "in");
      }
    };
    await Promise.race([restart().finally(() => (isOver = true)), callers]);
    await callers;
    expect(calls).toBeGreaterThan(50);
  },
);

const balancer = forms.find(({ name }) => name === "haproxy")!;

test.skipIf(programOf("haproxy") === "")(
  `a letter through HAProxy has its sender's address ${missingOf(balancer)}`,
  async () => {
    const proxy = await open(balancer);
    onTestFinished(() => end(proxy.process));
    const { https, letters } = proxy.places;
    const { email: to } = await call(https, "/email/order", { token, ...wanted });
    const localAddress = "127.0.0.9";
    const way = { host: "127.0.0.1", port: letters, ignoreTLS: true, localAddress };
    const sender = nodemailer.createTransport(way);
    await sender.sendMail({
      from: "no-reply@mail.instagram.com",
      to: String(to),
      subject: "Code",
      text: "482913",
    });
    sender.close();
    // The letters of the restart above came from elsewhere.
    const [newest] = await data.db`select host(remote) as remote from letter order by id desc limit 1`;
    expect(newest).toEqual({ remote: localAddress });
  },
);
