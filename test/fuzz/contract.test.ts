// @module-tag slow
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLog } from "../../src/server/platform/log.ts";
import { sayTo } from "../kit/command.ts";
import { holdToDescription } from "../kit/described.ts";
import { type NameServer, openNameServer } from "../kit/dns.ts";
import { secretKey } from "../kit/hosted.ts";
import { startShop, type TestShop } from "../kit/shop.ts";
import { talkTo } from "../kit/talk.ts";
import { callerNames, type CallerName, type Callers, openCallers, settings } from "./callers.ts";
import { rawCase, sendRaw, unclear } from "./raw.ts";
import {
  type Document,
  type Operation,
  operationsOf,
  type Plan,
  planOf,
  requestOf,
  secretMark,
} from "./requests.ts";

// Whatever anybody sends, the shop answers as its contract says, and nobody hears of another's objects or of a secret.
// FUZZ_REQUESTS=100000 FUZZ_SEED=7 npm run unit -- test/fuzz -t "many requests of all"

const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 31);
const requestsOfFull = Number(process.env["FUZZ_REQUESTS"] ?? 20_000);
const atOnce = 8;

let shop: TestShop;
let names: NameServer;
let callers: Callers;
let operations: Operation[];
/** Lines of the log that have a secret, whatever their level; and how many there were of each level. */
const leaks: string[] = [];
const lines = new Map<string, number>();
/** The first lines of faults, which tell why a request was answered with 500. */
const faultLines: string[] = [];

beforeAll(async () => {
  const log = createLog("trace", { write: watchLine });
  names = await openNameServer();
  shop = await startShop({ ...settings, DNS_SERVERS: names.address }, undefined, {}, log);
  callers = await openCallers(shop);
  const documents = ["/openapi.json", "/openapi.operator.json"].map(
    async (path) => (await (await fetch(shop.url + path)).json()) as Document,
  );
  // What ends an account's access comes last of what a caller asks.
  operations = operationsOf(await Promise.all(documents)).toSorted((a, b) => ending(a) - ending(b));
});
afterAll(async () => {
  await shop.stop();
  await names.stop();
});

const ending = ({ path }: Operation) =>
  Number(/users\/|replacetoken|changepassword|disown|remove/.test(path));

function watchLine(line: string): void {
  const { level } = JSON.parse(line) as { level: string };
  lines.set(level, (lines.get(level) ?? 0) + 1);
  if ((level === "error" || level === "fatal") && faultLines.length < 5) faultLines.push(line);
  const secrets = [secretMark, ...(callers?.secrets() ?? [])];
  if (secrets.some((secret) => line.includes(secret))) leaks.push(line);
}

/** What came of a run, for its line. */
interface Tally {
  requests: number;
  readonly outcomes: Map<string, number>;
  readonly succeeded: Set<string>;
  readonly faults: string[];
}

test("one request of each caller to each call keeps the contract, and tells nobody of others", () =>
  run(operations.length * callerNames.length, seed));

test(
  "many requests of all callers do, beside slow clients",
  { tags: ["full"], timeout: 7_200_000 },
  async () => {
    const slow = openSlow(shop.url);
    await run(requestsOfFull, seed + 1);
    expect(await slow()).not.toMatch(/^HTTP\/1\.1 5/m);
  },
);

const behind = "requests whose end is unclear are refused, and none is heard that hides behind them";
test(`some ${behind}`, { timeout: 60_000 }, () => hideBehind(2));
test(`many ${behind}`, { tags: ["full"], timeout: 600_000 }, () => hideBehind(200));

async function hideBehind(numRuns: number): Promise<void> {
  await callers.revive();
  const token = callers.tokenOf("buyer") ?? "";
  const order = (key: string) =>
    `GET /email/order?token=${token}&site=instagram.com&domain=letters.test&client_order_id=${key} HTTP/1.1\r\nhost: shop.test\r\nconnection: close\r\n\r\n`;
  const port = Number(new URL(shop.url).port);
  const ordered = async (key: string) =>
    (await shop.db`select from orders where idempotency_key = ${key}`).count;
  for (const [kind, way] of unclear.entries())
    for (const [place, each] of fc.sample(rawCase, { seed: seed + kind, numRuns }).entries()) {
      const key = `hidden${kind}.${place}`;
      const heard = await sendRaw({ port, request: order(key) }, way, each);
      const what = JSON.stringify({ way, each, heard, seed });
      expect(await ordered(key), what).toBe(0);
      // Where whole ones are still being answered, the connection ends behind their answers.
      const values = heard.map(({ status, value }) => `${status} ${value}`);
      const whole = Array.from({ length: each.before }, () => "error token");
      const last =
        values.length === whole.length && values.length > 0
          ? []
          : [expect.stringMatching(/^error (request|size)$/)];
      expect(values, what).toEqual([...whole, ...last]);
    }
  const seen = `seen${numRuns}`;
  const talk = talkTo(port);
  talk.send(order(seen));
  expect(await talk.bye()).toContain('"status":"success"');
  expect(await ordered(seen)).toBe(1);
}

/** Sends so many requests, each call and each caller in turn; then the books and the log are looked at. */
async function run(count: number, from: number): Promise<void> {
  const tally: Tally = { requests: 0, outcomes: new Map(), succeeded: new Set(), faults: [] };
  const round = operations.length * callerNames.length;
  for (let at = 0; at < count; at += round) {
    const plans = operations.map((operation, place) =>
      fc.sample(planOf(operation), { seed: from + at + place, numRuns: callerNames.length }),
    );
    for (const [place, name] of callerNames.entries()) {
      // Only an administrator takes anything from others.
      if (place === 0 || name.startsWith("administrator")) await callers.revive();
      const mine = plans
        .map((ofCall) => ofCall[place]!)
        .slice(0, count - tally.requests - tally.faults.length);
      await inParallel(mine, async (plan) => {
        await ask(name, plan, tally).catch((fault: unknown) => {
          tally.faults.push(String(fault));
          // A long run tells at once.
          process.stderr.write(`fuzz: ${String(fault)}\n`);
        });
      });
    }
    if (count > round) process.stderr.write(`fuzz: ${tally.requests} of ${count}\n`);
  }
  await callers.revive();
  const outcomes = [...tally.outcomes]
    .toSorted(([, a], [, b]) => b - a)
    .map(([outcome, times]) => `${outcome} ${times}`);
  const never = operations.filter(({ method, path }) => !tally.succeeded.has(`${method} ${path}`));
  const logged = [...lines].map(([level, times]) => `${times} ${level}`);
  process.stderr.write(
    `fuzz: ${tally.requests} requests with FUZZ_SEED=${seed}: ${outcomes.join(", ")}; lines of the log: ${logged.join(", ")}; never granted: ${never.map(({ method, path }) => `${method} ${path}`).join(", ") || "none"}\n`,
  );
  expect(faultLines).toEqual([]);
  expect(tally.faults.slice(0, 20)).toEqual([]);
  expect(tally.requests).toBe(count);
  expect(leaks.slice(0, 3)).toEqual([]);
  const audit = await sayTo(shop.db, ["audit", "--json"], { PUBLIC_URL: shop.url, SECRET_KEY: secretKey });
  expect(audit.status, audit.err).toBe(0);
}

async function inParallel<Each>(all: readonly Each[], work: (each: Each) => Promise<void>): Promise<void> {
  const rest = all.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const each of rest) await work(each);
    }),
  );
}

/** Makes one request and looks at its answer. */
async function ask(name: CallerName, plan: Plan, tally: Tally): Promise<void> {
  const { path, init, said } = requestOf(plan, callers.tokenOf(name), callers.knownTo(name));
  const what =
    `${name}: ${init.method} ${path} ${said} ${JSON.stringify([...new Headers(init.headers)])} (FUZZ_SEED=${seed})`.slice(
      0,
      3_000,
    );
  const headers = new Headers(init.headers);
  headers.set("x-forwarded-for", `2001:db8:${(tally.requests % 60_000).toString(16)}::1`);
  const response = await fetch(shop.url + path, { ...init, headers, redirect: "manual" });
  const type = response.headers.get("content-type") ?? "";
  const text = type.startsWith("text/event-stream") ? await beginningOf(response) : await response.text();
  tally.requests += 1;
  const call = `${plan.operation.method} ${plan.operation.path}`;
  const answer = type.startsWith("application/json")
    ? (JSON.parse(text) as Record<string, unknown>)
    : undefined;
  const granted = response.status === 200 && answer?.["status"] !== "error";
  const outcome = granted ? "granted" : response.status === 200 ? "refused" : String(response.status);
  tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
  if (granted) tally.succeeded.add(call);
  expect(response.status, what).toBeLessThan(500);
  // An empty or endless value makes a path of no call.
  if (response.status === 404 || response.status === 405)
    expect(answer, what).toMatchObject({
      status: "error",
      value: response.status === 404 ? "not found" : "method",
    });
  else if (answer) {
    await holdToDescription(`${init.method} ${path.replace(/\?.*/s, "")}`, response.status, answer).catch(
      (fault: unknown) => expect.fail(`${what}: ${String(fault)}`),
    );
    callers.learn(name, plan.operation.path, answer);
  } else expect([type, response.status], what).toEqual(kindOf(type, response.status));
  const heard = callers.foreignTo(name).filter((each) => text.includes(each) && !said.includes(each));
  expect(heard, `${what} answered ${text.slice(0, 1_000)}`).toEqual([]);
}

/** Of what is no JSON: nothing, or a file, a letter or a stream that was granted. */
function kindOf(type: string, status: number): [string, number] {
  if (status === 304) return ["", 304];
  return [/^text\/(csv|plain|html|event-stream)\b/.test(type) ? type : "one that the contract names", 200];
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body!.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return Buffer.from(value ?? []).toString();
}

/** Connections that say little or nothing while others are served; answers what they heard. */
function openSlow(url: string): () => Promise<string> {
  const port = Number(new URL(url).port);
  const begun = [
    "",
    "GET /user/balance HTTP/1.1\r\nhost: x\r\n",
    "POST /user/authorize HTTP/1.1\r\nhost: x\r\ncontent-length: 50\r\n\r\n",
  ];
  const talks = Array.from({ length: 60 }, (_, place) => {
    const talk = talkTo(port);
    let heard = "";
    talk.socket.on("data", (text: string) => (heard += text));
    talk.send(begun[place % begun.length] ?? "");
    return { talk, heard: () => heard };
  });
  const drip = setInterval(() => {
    for (const { talk } of talks) if (!talk.socket.destroyed) talk.send("x");
  }, 1_000);
  return async () => {
    clearInterval(drip);
    for (const { talk } of talks) talk.close();
    return talks.map(({ heard }) => heard()).join("\n");
  };
}
