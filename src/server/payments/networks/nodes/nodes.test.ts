import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod/mini";
import { certificateFor } from "../../../platform/certificate.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { freePort } from "../../../../../test/kit/port.ts";
import { openReceiver } from "../../../../../test/kit/receiver.ts";
import { type Node, NodeTrouble, openNodes, plainDecimal } from "./nodes.ts";

interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}
type Said = string | { status: number; text: string; headers?: Record<string, string> };

async function serve(answer: (asked: Asked) => Said) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      const one = { path: request.url ?? "", headers: request.headers, body };
      asked.push(one);
      const said = answer(one);
      const whole = typeof said === "string" ? { status: 200, text: said } : said;
      response.writeHead(whole.status, whole.headers).end(whole.text);
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.address() as AddressInfo;
  return { asked, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}` };
}

const result = (value: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, result: value });
const never = new AbortController().signal;
const height = (node: Node) => node.rpc(z.string(), "height", []);
const fast = { requestsPerSecond: 10_000 };

function clockOf() {
  let now = new Date("2030-01-01T00:00:00Z");
  return { clock: () => now, later: (seconds: number) => (now = secondsAfter(now, seconds)) };
}

test("the first node that is well is asked; an ill one is passed over, left alone, and asked again later", async () => {
  let isIll = true;
  const first = await serve(() => (isIll ? { status: 503, text: "busy" } : result("0x1")));
  const second = await serve(() => result("0x2"));
  const { clock, later } = clockOf();
  const nodes = openNodes({ urls: [first.url, second.url], clock, ...fast });
  expect(await nodes.with(height, never)).toBe("0x2");
  expect(nodes.health()).toMatchObject([
    { name: first.host, isInUse: false, trouble: { text: "it answers 503: busy", at: clock() } },
    { name: second.host, isInUse: true, answeredAt: clock(), trouble: undefined },
  ]);
  expect(await nodes.with(height, never)).toBe("0x2");
  expect(first.asked).toHaveLength(1);
  isIll = false;
  later(1);
  expect(await nodes.with(height, never)).toBe("0x1");
  expect(nodes.health()).toMatchObject([{ isInUse: true, restsUntil: undefined }, { isInUse: false }]);
});

test("a node with a certificate that is not trusted is told no key, and another is asked", async () => {
  const told = await openReceiver(certificateFor("localhost"));
  onTestFinished(() => told.close());
  const second = await serve(() => result("0x2"));
  const nodes = openNodes({ urls: [told.url.replace("//", "//key@"), second.url], ...fast });
  expect(await nodes.with(height, never)).toBe("0x2");
  expect(nodes.health()[0]?.trouble?.text).toBe("it does not answer (DEPTH_ZERO_SELF_SIGNED_CERT)");
  expect(told.heard).toEqual([]);
});

test("a node that stays ill is left alone for longer each time, at most a minute", async () => {
  const port = await freePort();
  const { clock, later } = clockOf();
  const nodes = openNodes({ urls: [`http://127.0.0.1:${port}`], clock, ...fast });
  const rests: number[] = [];
  for (let times = 0; times < 9; times++) {
    await expect(nodes.with(height, never)).rejects.toThrow(
      `no node answers (127.0.0.1:${port}: it does not answer (ECONNREFUSED))`,
    );
    rests.push((nodes.health()[0]?.restsUntil?.getTime() ?? 0) - clock().getTime());
    later(60);
  }
  rests.forEach((rest, times) => {
    const longest = Math.min(2 ** times, 60) * 1000;
    expect(rest).toBeGreaterThanOrEqual(longest / 2);
    expect(rest).toBeLessThanOrEqual(longest);
  });
});

test("a node that names how long it wants to rest is left alone so long", async () => {
  const limited = await serve(() => ({ status: 429, text: "slow down", headers: { "retry-after": "30" } }));
  const { clock, later } = clockOf();
  const nodes = openNodes({ urls: [limited.url], clock, ...fast });
  await expect(nodes.with(height, never)).rejects.toThrow("it answers 429: slow down");
  later(29);
  await expect(nodes.with(height, never)).rejects.toThrow(NodeTrouble);
  expect(limited.asked).toHaveLength(1);
});

test("work that fails in its middle is done from its beginning by the next node", async () => {
  const first = await serve(({ body }) =>
    (body as { method: string }).method === "height" ? result("0x1") : { status: 500, text: "oh" },
  );
  const second = await serve(() => result("0x2"));
  const nodes = openNodes({ urls: [first.url, second.url], ...fast });
  const both = (node: Node) =>
    Promise.resolve()
      .then(() => height(node))
      .then(async (one) => [one, await node.rpc(z.string(), "other", [])]);
  expect(await nodes.with(both, never)).toEqual(["0x2", "0x2"]);
});

test("a fault of the work itself is not a node's, and is not repeated", async () => {
  const first = await serve(() => result("0x1"));
  const second = await serve(() => result("0x2"));
  const nodes = openNodes({ urls: [first.url, second.url], ...fast });
  await expect(nodes.with(() => Promise.reject(new Error("ours")), never)).rejects.toThrow("ours");
  expect(nodes.health()[0]?.trouble).toBeUndefined();
  expect(second.asked).toEqual([]);
});

test("a second opinion is that of another node where there is one", async () => {
  const first = await serve(() => result("0x1"));
  const second = await serve(() => result("0x2"));
  const nodes = openNodes({ urls: [first.url, second.url], ...fast });
  await nodes.with(height, never);
  expect(await nodes.with(height, never, { second: true })).toBe("0x2");
  expect(nodes.health()[0]?.isInUse).toBe(true);
  const alone = openNodes({ urls: [first.url], ...fast });
  await alone.with(height, never);
  expect(await alone.with(height, never, { second: true })).toBe("0x1");
});

test("requests are spread over the second, and each call of a batch counts", async () => {
  const node = await serve(({ body }) =>
    Array.isArray(body) ? JSON.stringify(body.map(({ id }) => ({ id, result: "0x1" }))) : result("0x1"),
  );
  const nodes = openNodes({ urls: [node.url], requestsPerSecond: 50 });
  const began = performance.now();
  const calls = Array.from({ length: 10 }, () => ({ method: "height", params: [] }));
  await nodes.with((one) => one.rpcAll(z.string(), calls), never);
  await nodes.with(height, never);
  // A lower bound holds on a busy machine too.
  expect(performance.now() - began).toBeGreaterThanOrEqual(199);
});

test("a batch that is too long for a node is asked in shorter ones, and the answers keep the order of the calls", async () => {
  const node = await serve(({ body }) => {
    if (!Array.isArray(body)) return JSON.stringify(doubled(body as Asking));
    if (body.length > 8) return { status: 413, text: "too large" };
    // Some nodes return the ids as text.
    const answers = (body as Asking[]).map((one) => ({ ...doubled(one), id: String(one.id) }));
    return JSON.stringify(answers.toReversed());
  });
  const nodes = openNodes({ urls: [node.url], ...fast });
  const calls = Array.from({ length: 50 }, (_, n) => ({ method: "double", params: [n] }));
  const ask = () => nodes.with((one) => one.rpcAll(z.int(), calls), never);
  expect(await ask()).toEqual(calls.map(({ params: [n] }) => (n ?? 0) * 2));
  const before = node.asked.length;
  expect(await ask()).toHaveLength(50);
  expect(node.asked.length - before).toBe(Math.ceil(50 / 7));
});

interface Asking {
  id: number;
  params: [number];
}
const doubled = ({ id, params: [n] }: Asking) => ({ jsonrpc: "2.0", id, result: n * 2 });
const refused = (id: number | null, code: number, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

test.each<[string, (batch: Asking[]) => Said]>([
  [
    "one answer with a code above zero",
    () => JSON.stringify(refused(1, 31, "batch of more than 3 is not allowed")),
  ],
  ["an answer without an id in a list", () => JSON.stringify([refused(null, -32_600, "batch too large")])],
  [
    "each call alone",
    (batch) => JSON.stringify(batch.map(({ id }) => refused(id, -32_005, "too many requests"))),
  ],
  ["status 403", () => ({ status: 403, text: "forbidden: batches are for paying customers" })],
  ["status 429", () => ({ status: 429, text: "too many requests" })],
])("a node that refuses batches of more than three by %s is asked in short ones", async (_how, refusal) => {
  const node = await serve(({ body }) => {
    if (!Array.isArray(body)) return JSON.stringify(doubled(body as Asking));
    return body.length > 3 ? refusal(body as Asking[]) : JSON.stringify((body as Asking[]).map(doubled));
  });
  const nodes = openNodes({ urls: [node.url], ...fast });
  const calls = Array.from({ length: 20 }, (_, n) => ({ method: "double", params: [n] }));
  const said = await nodes.with((one) => one.rpcAll(z.int(), calls), never);
  expect(said).toEqual(calls.map((_, n) => n * 2));
  expect(nodes.health()[0]?.trouble).toBeUndefined();
});

test("a node that takes no batch at all is asked call by call", async () => {
  const node = await serve(({ body }) =>
    Array.isArray(body)
      ? { status: 400, text: "an object is expected" }
      : JSON.stringify(doubled(body as Asking)),
  );
  const calls = [1, 2, 3].map((n) => ({ method: "double", params: [n] }));
  const nodes = openNodes({ urls: [node.url], ...fast });
  expect(await nodes.with((one) => one.rpcAll(z.int(), calls), never)).toEqual([2, 4, 6]);
});

test("after a busy hour a node gets long batches again", async () => {
  let isBusy = true;
  const node = await serve(({ body }) => {
    if (Array.isArray(body) && isBusy) return { status: 429, text: "too many requests" };
    return JSON.stringify(Array.isArray(body) ? (body as Asking[]).map(doubled) : doubled(body as Asking));
  });
  const calls = Array.from({ length: 10 }, (_, n) => ({ method: "double", params: [n] }));
  const nodes = openNodes({ urls: [node.url], ...fast });
  const ask = () => nodes.with((one) => one.rpcAll(z.int(), calls), never);
  await ask();
  isBusy = false;
  for (let times = 0; times < 100; times++) await ask();
  const before = node.asked.length;
  await ask();
  expect(node.asked.length - before).toBe(1);
});

test.each([
  ["1.5", "1.5"],
  ["5E-1", "0.5"],
  ["1.25e-7", "0.000000125"],
  ["12e3", "12000"],
  ["1.2345e2", "123.45"],
  ["none", "none"],
])("%s is the decimal number %s", (text, plain) => expect(plainDecimal(text)).toBe(plain));

test.each([
  [
    "one refused call of a batch",
    [
      { id: 0, result: "0x1" },
      { id: 1, error: { code: -32000, message: "pruned" } },
    ],
    "call is refused: -32000 pruned",
  ],
  ["a call of a batch that is not answered", [{ id: 0, result: "0x1" }], "call is not answered"],
  [
    "one answer for a batch",
    { id: null, error: { code: -32600, message: "no batches" } },
    "call is refused: -32600 no batches",
  ],
])("%s is trouble", async (_what, said, text) => {
  const node = await serve(({ body }) => {
    if (Array.isArray(body) || !Array.isArray(said)) return JSON.stringify(said);
    return JSON.stringify(said[(body as Asking).params[0] - 1] ?? { id: 1 });
  });
  const nodes = openNodes({ urls: [node.url], ...fast });
  const calls = [1, 2].map((n) => ({ method: "call", params: [n] }));
  const asked = nodes.with((one) => one.rpcAll(z.string(), calls), never);
  await expect(asked).rejects.toThrow(text);
});

test("an error of JSON-RPC is trouble with its code, whatever the status", async () => {
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -5, message: "unknown" } });
  for (const status of [200, 500]) {
    const node = await serve(() => ({ status, text }));
    const nodes = openNodes({ urls: [node.url], ...fast });
    const code = await nodes.with((one) => height(one).catch((fault: NodeTrouble) => fault.code), never);
    expect(code).toBe(-5);
  }
});

test.each([
  ["no JSON", "<html>", "its answer is no JSON: <html>"],
  ["another shape", result({ a: 1 }), "its answer is of another shape"],
  ["no result", JSON.stringify({ id: 1 }), "height is not answered"],
])("an answer of %s is trouble", async (_what, said, text) => {
  const node = await serve(() => said);
  await expect(openNodes({ urls: [node.url], ...fast }).with(height, never)).rejects.toThrow(text);
});

test("no digit of a number is lost", async () => {
  const node = await serve(
    () =>
      `{"big": 123456789012345678901234567890, "part": 0.10000000000000000001, "small": -7, "round": 1e3}`,
  );
  const shape = z.object({ big: z.bigint(), part: z.string(), small: z.int(), round: z.string() });
  const read = await openNodes({ urls: [node.url], ...fast }).with(
    (one) => one.get(shape, "/numbers"),
    never,
  );
  expect(read).toEqual({
    big: 123456789012345678901234567890n,
    part: "0.10000000000000000001",
    small: -7,
    round: "1e3",
  });
});

const secret = "s3cr3t-K3Y-0123456789";
const basic = Buffer.from(`user:${secret}`).toString("base64");

test.each([
  [
    "before the host",
    (host: string) => `http://${secret}@${host}/rpc`,
    "",
    "/rpc",
    { authorization: `Bearer ${secret}` },
  ],
  [
    "as a password",
    (host: string) => `http://user:${secret}@${host}`,
    "",
    "/",
    { authorization: `Basic ${basic}` },
  ],
  ["in the path", (host: string) => `http://${host}/v3/${secret}/`, "", `/v3/${secret}/`, {}],
  [
    "in the path, before ours",
    (host: string) => `http://${host}/v3/${secret}/`,
    "/block",
    `/v3/${secret}/block`,
    {},
  ],
  [
    "in the query",
    (host: string) => `http://${host}/api?api_key=${secret}`,
    "/block?limit=5",
    `/api/block?api_key=${secret}&limit=5`,
    {},
  ],
])("a key %s goes with each request and is never shown", async (_where, url, path, whole, headers) => {
  // Careless nodes repeat the request in the refusal.
  const node = await serve((asked) => ({
    status: 403,
    text: `refused ${asked.path} ${asked.headers.authorization}`,
  }));
  const nodes = openNodes({ urls: [url(node.host)], ...fast });
  const fault = await nodes.with((one) => one.get(z.string(), path), never).catch((one: Error) => one);
  expect(node.asked).toMatchObject([{ path: whole, headers }]);
  const shown = JSON.stringify([String(fault), (fault as Error).stack, nodes.health()]);
  expect(shown).toContain("it answers 403: refused");
  expect(shown).toContain(node.host);
  for (const hidden of [secret, basic]) expect(shown).not.toContain(hidden);
});

test("a key goes into the header that its provider reads", async () => {
  const node = await serve(() => result("0x1"));
  const nodes = openNodes({ urls: [`http://${secret}@${node.host}`], keyHeader: "x-api-key", ...fast });
  await nodes.with(height, never);
  expect(node.asked[0]?.headers).toMatchObject({ "x-api-key": secret });
  expect(node.asked[0]?.headers.authorization).toBeUndefined();
});

test("each address has its own pace, and JSON-RPC its own path below it", async () => {
  const node = await serve(() => result("0x1"));
  const paces: string[] = [];
  const requestsPerSecond = ({ pathname }: URL) => paces.push(pathname) * 10_000;
  const nodes = openNodes({
    urls: [`${node.url}/a`, `${node.url}/b`],
    requestsPerSecond,
    rpcPath: "/jsonrpc",
  });
  await nodes.with(height, never);
  await nodes.with((one) => one.get(z.unknown(), "/wallet"), never);
  expect(node.asked.map(({ path }) => path)).toEqual(["/a/jsonrpc", "/a/wallet"]);
  expect(paces).toEqual(["/a", "/b"]);
});

test("a node that sends us elsewhere is in trouble: the key goes only where the operator said", async () => {
  const elsewhere = await serve(() => result("0x1"));
  const node = await serve(() => ({ status: 307, text: "", headers: { location: elsewhere.url } }));
  await expect(openNodes({ urls: [node.url], ...fast }).with(height, never)).rejects.toThrow("redirect");
  expect(elsewhere.asked).toEqual([]);
});

test("nodes of one host are told apart", async () => {
  const node = await serve(() => result("0x1"));
  const nodes = openNodes({ urls: [`${node.url}/eth`, `${node.url}/bsc`], ...fast });
  expect(nodes.health().map(({ name }) => name)).toEqual([node.host, `${node.host} (2)`]);
});

test("who stops the work is not told of nodes, and no node is blamed", async () => {
  const stop = new AbortController();
  const node = await serve(() => {
    stop.abort(new Error("the shop stops"));
    return result("0x1");
  });
  const nodes = openNodes({ urls: [node.url], requestsPerSecond: 1 });
  const twice = async (one: Node) => [await height(one), await height(one)];
  await expect(nodes.with(twice, stop.signal)).rejects.not.toBeInstanceOf(NodeTrouble);
  expect(nodes.health()[0]?.trouble).toBeUndefined();
});
