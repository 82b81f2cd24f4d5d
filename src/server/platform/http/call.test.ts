import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/mini";
import { endpoint } from "../../../contract/endpoint.ts";
import { ClientOrderId, Offset } from "../../../contract/fields.ts";
import { answer, type Caller, Refused, type Route, Streamed } from "./answer.ts";
import type { CallHooks } from "./call.ts";
import { registerRoutes } from "./register.ts";
import { release } from "./etag.ts";
import { soon } from "../../../../test/kit/soon.ts";

const reply = z.object({ told: z.string() });
const list = endpoint({
  name: "list",
  method: "GET",
  path: "/list",
  access: "user",
  summary: "",
  ask: { offset: Offset },
  reply,
  refusals: ["offset", "wait message"],
});
const act = endpoint({ ...list, name: "act", alsoPost: true, path: "/act" });
const keyed = endpoint({ ...act, name: "keyed", path: "/keyed", ask: { client_order_id: ClientOrderId } });
const own = (userId: bigint): Caller => ({ userId, active: true, admin: false, investor: false, token: "" });

test("a token and a parameter count without the line end that was copied with them", async () => {
  const { ask, url } = await serve([answer(list, async ({ asked }) => ({ told: String(asked.offset) }))]);
  expect(await (await ask("/list?offset=%09%202%0A")).json()).toMatchObject({ told: "2" });
  expect(await (await fetch(`${url}/list?offset=2&token=%0A7%0D%0A`)).json()).toMatchObject({ told: "2" });
  expect(await (await fetch(`${url}/list?token=7%207`)).json()).toMatchObject({ value: "token" });
});

async function serve(routes: Route[], hooks: Partial<CallHooks> = {}) {
  const app = Fastify({ forceCloseConnections: "idle" });
  const callerOf = async (token: string) => (/^\d+$/.test(token) ? own(BigInt(token)) : undefined);
  registerRoutes(app, routes, { callerOf, admit: async () => undefined, ...hooks });
  await app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.close());
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { headers: { authorization: "Bearer 7", ...headers } });
  return { app, url, ask };
}

test("what a caller has already is not made again, and nobody's list is taken for another's", async () => {
  let revision = 1;
  const handler = vi.fn<() => { told: string }>(() => ({ told: `state ${revision}` }));
  const route = answer(list, handler, {
    version: async ({ offset }, { userId }) => `${userId}.${revision}.${offset ?? 1}`,
  });
  const { ask } = await serve([route]);
  const first = await ask("/list");
  const tag = first.headers.get("etag") ?? "";
  expect(first.headers.get("cache-control")).toBe("no-store");
  expect(tag).toContain(release);
  for (const known of [tag, tag.slice(2), `"other", ${tag}`]) {
    const again = await ask("/list", { "if-none-match": known });
    expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, tag, ""]);
    expect(again.headers.get("access-control-expose-headers")).toContain("etag");
  }
  expect(handler).toHaveBeenCalledTimes(1);
  expect((await ask("/list?offset=2", { "if-none-match": tag })).status).toBe(200);
  expect((await ask("/list", { "if-none-match": tag, authorization: "Bearer 8" })).status).toBe(200);
  expect((await ask("/list", { "if-none-match": '"*"' })).status).toBe(200);
  revision++;
  const changed = await ask("/list", { "if-none-match": tag });
  expect([changed.status, await changed.json()]).toMatchObject([200, { told: "state 2" }]);
});

test("an answer that nothing foretells is named by what it says: made each time, sent when it is another", async () => {
  let told = "first";
  const handler = vi.fn<() => { told: string }>(() => ({ told }));
  const { ask } = await serve([answer(list, handler, { version: "digest" })]);
  const tag = (await ask("/list")).headers.get("etag") ?? "";
  const again = await ask("/list", { "if-none-match": tag });
  expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, tag, ""]);
  expect(handler).toHaveBeenCalledTimes(2);
  told = "second";
  const changed = await ask("/list", { "if-none-match": tag });
  expect([changed.status, await changed.json()]).toMatchObject([200, { told: "second" }]);
});

test("a refusal has no version: it is answered each time", async () => {
  const route = answer(list, () => new Refused("wait message"), { version: async () => "1" });
  const { ask } = await serve([route]);
  const refused = await ask("/list");
  expect([refused.status, refused.headers.get("etag")]).toEqual([200, null]);
});

test("who calls what may change something is told of before he is answered, even when it fails", async () => {
  const changed: bigint[] = [];
  let fails = false;
  const handler = () => {
    if (fails) throw new Error("broken after the commit");
    return { told: "" };
  };
  const { ask } = await serve([answer(act, handler), answer(list, handler)], {
    changed: (userId) => void changed.push(userId),
  });
  await ask("/list");
  expect(changed).toEqual([]);
  await ask("/act");
  fails = true;
  expect((await ask("/act")).status).toBe(500);
  expect(changed).toEqual([7n, 7n]);
});

test("a call that names its work is run again when the database was lost under it, any other is told", async () => {
  const lost = Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" });
  const faults: Error[] = [];
  const handler = vi.fn<() => { told: string }>(() => {
    const fault = faults.shift();
    if (fault) throw fault;
    return { told: "done" };
  });
  const { ask } = await serve([answer(keyed, handler), answer(act, handler)]);
  const said = async (path: string, headers: Record<string, string>, ...thrown: Error[]) => {
    handler.mockClear();
    faults.splice(0, faults.length, ...thrown);
    return [(await ask(path, headers)).status, handler.mock.calls.length];
  };
  const key = { "idempotency-key": "one" };
  expect(await said("/keyed?client_order_id=one", {}, lost)).toEqual([200, 2]);
  expect(await said("/keyed", key, lost, lost)).toEqual([200, 3]);
  expect(await said("/keyed", {}, lost)).toEqual([500, 1]);
  expect(await said("/act", key, lost)).toEqual([500, 1]);
  expect(await said("/keyed", key, new Error("of another kind"))).toEqual([500, 1]);
});

const endless = (route: (response: Parameters<Streamed["write"]>[0]) => Promise<void>) =>
  answer(list, () => new Streamed({ "content-type": "text/csv" }, route));

const responseTo = async (url: string, agent?: Agent): Promise<IncomingMessage> => {
  const request = get(url, { headers: { authorization: "Bearer 7" }, ...(agent ? { agent } : {}) });
  request.on("error", () => undefined);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => undefined);
  return response;
};

test("a streamed answer is sent as it is written, and half of one never looks whole", async () => {
  const whole = await serve([
    endless(async (response) => {
      response.write("a,b\n");
      response.end("1,2\n");
    }),
  ]);
  const file = await whole.ask("/list");
  expect([file.headers.get("content-type"), await file.text()]).toEqual(["text/csv", "a,b\n1,2\n"]);
  expect(file.headers.get("access-control-allow-origin")).toBe("*");

  const half = await serve([
    endless(async (response) => {
      response.write("a,b\n");
      throw new Error("the database went away");
    }),
  ]);
  await expect(half.ask("/list").then((response) => response.text())).rejects.toThrow();
});

test("whoever goes away is noticed, on a connection that many requests share too", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const signals: AbortSignal[] = [];
  let wait: Promise<void> = Promise.resolve();
  const route = answer(list, async ({ request }) => {
    signals.push(request.gone);
    await wait;
    return { told: "" };
  });
  const { url } = await serve([route]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  for (let n = 0; n < 20; n++) (await responseTo(`${url}/list`, agent)).resume();
  const { promise, resolve } = Promise.withResolvers<void>();
  wait = promise;
  const request = get(`${url}/list`, { headers: { authorization: "Bearer 7" }, agent });
  request.on("error", () => undefined);
  await vi.waitFor(() => expect(signals).toHaveLength(21), soon);
  expect(signals[20]?.aborted).toBe(false);
  request.destroy();
  await vi.waitFor(() => expect(signals[20]?.aborted).toBe(true), soon);
  resolve();
  expect(warnings).toEqual([]);
});

test("a server that stops tells whoever waits, and lets his connection go", async () => {
  const entered = Promise.withResolvers<void>();
  const route = answer(list, async ({ request, refuse }) => {
    const gone = once(request.gone, "abort");
    entered.resolve();
    await gone;
    return refuse("wait message");
  });
  const { app, ask } = await serve([route]);
  const asked = ask("/list");
  await entered.promise;
  await app.close();
  const answered = await asked;
  expect([answered.headers.get("connection"), await answered.json()]).toMatchObject([
    "close",
    { value: "wait message" },
  ]);
});
