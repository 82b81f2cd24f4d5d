import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { api, fetchFile } from "./api.ts";
import { stored } from "./stored.ts";

const kept = new Map<string, string>();
const visited: string[] = [];
const asked: { url: string; init: RequestInit }[] = [];
let answer: () => Response = () => Response.json({ status: "success" });

beforeEach(() => {
  kept.clear();
  asked.length = 0;
  visited.length = 0;
  vi.stubGlobal("location", { pathname: "/en" });
  vi.stubGlobal("history", { pushState: (_: unknown, __: unknown, url: string) => visited.push(url) });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  stored.authToken.remove();
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return answer();
  });
});

/** As the page does once it has heard of the token. */
function enter(token: string): void {
  stored.authToken.write(token);
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const headersOf = (at: number) => Object.fromEntries(new Headers(asked[at]?.init.headers));

test("a secret goes in the body and the token in a header, never in the address", async () => {
  enter("t0ken");
  answer = () => Response.json({ status: "success", message: "" });
  await api.activate({ code: "123456" });
  expect(asked[0]?.url).toBe("/user/activate");
  expect(asked[0]?.init.body).toEqual(new URLSearchParams({ code: "123456" }));
  expect(headersOf(0)).toEqual({ authorization: "Bearer t0ken" });
});

test("what was left out or empty is not sent", async () => {
  await api.quantity({ site: "x.com", stats: undefined });
  expect(asked[0]?.url).toBe("/email/quantity?site=x.com");
});

test("a refusal comes with its way out", async () => {
  answer = () => Response.json({ status: "error", value: "no balance", missing: "0.5" });
  expect(await api.orderEmail({ site: "x.com", domain: "letters.test" })).toEqual({
    ok: false,
    value: "no balance",
    more: { missing: "0.5" },
  });
});

test("no answer, or one that is no JSON, is a connection error", async () => {
  answer = () => new Response("<html>", { status: 502 });
  expect(await api.balance({})).toMatchObject({ ok: false, value: "connection" });
});

test("a read without an answer is given up after 30 seconds, what changes anything is not", async () => {
  const limits: { milliseconds: number; end: AbortController }[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const end = new AbortController();
    limits.push({ milliseconds, end });
    return end.signal;
  });
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
    const hanging = Promise.withResolvers<Response>();
    signal.addEventListener("abort", () => hanging.reject(signal.reason as Error));
    return hanging.promise;
  });
  const left = new AbortController();
  const balance = api.balance({});
  const activations = api.activations({ page: 1 }, { signal: left.signal });
  const order = api.orderEmail({ site: "x.com", domain: "letters.test" }, { signal: left.signal });
  expect(limits.map(({ milliseconds }) => milliseconds)).toEqual([30_000, 30_000]);
  limits[0]?.end.abort(new DOMException("too late", "TimeoutError"));
  expect(await balance).toMatchObject({ ok: false, value: "connection" });
  left.abort(new DOMException("the page was left", "AbortError"));
  await expect(activations).rejects.toThrow("the page was left");
  await expect(order).rejects.toThrow("the page was left");
});

test("a registration without an answer is given up after 20 seconds", async () => {
  const limits = new Map<number, AbortController>();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const end = new AbortController();
    limits.set(milliseconds, end);
    return end.signal;
  });
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
    const hanging = Promise.withResolvers<Response>();
    signal.addEventListener("abort", () => hanging.reject(signal.reason as Error));
    return hanging.promise;
  });
  const asking = api.registration({
    email: "a@b.test",
    password: "secret",
    localization: "ru",
    recaptcha: "x",
  });
  let isOver = false;
  void asking.then(() => (isOver = true));
  await Promise.resolve();
  expect([[...limits.keys()], isOver]).toEqual([[20_000], false]);
  limits.get(20_000)?.abort(new DOMException("too late", "TimeoutError"));
  expect(await asking).toMatchObject({ ok: false, value: "connection" });
});

test("a token that the server no longer knows ends the session", async () => {
  enter("old");
  answer = () => Response.json({ status: "error", value: "token" });
  await api.information({});
  expect(kept.has("authToken")).toBe(false);
  expect(visited).toEqual(["/en"]);
});

test("no call is made with the token of another tab before the page shows its account", async () => {
  enter("mine");
  kept.set("authToken", "another's");
  expect(await api.orderEmail({ site: "x.com", domain: "letters.test" })).toMatchObject({ value: "token" });
  expect(asked).toEqual([]);
  await api.orderEmail({ site: "x.com", domain: "letters.test" });
  expect(headersOf(0)).toMatchObject({ authorization: "Bearer another's" });
});

test("a token that another tab has replaced is not taken from it, whatever was answered to the old one", async () => {
  enter("old");
  answer = () => {
    kept.set("authToken", "new");
    return Response.json({ status: "error", value: "token" });
  };
  await api.information({});
  expect([kept.get("authToken"), stored.authToken.read()]).toEqual(["new", "new"]);
  expect(visited).toEqual([]);
});

test("the token refusal of an account that is not activated leaves the session alone", async () => {
  enter("mine");
  answer = () => Response.json({ status: "error", value: "token" });
  await api.quantity({ site: "x.com" });
  await api.activations({ page: 1 }, { token: "a token being tried" });
  expect(kept.get("authToken")).toBe("mine");
});

test("a poll names what it was answered last, and takes 304 as the same again", async () => {
  enter("mine");
  answer = () => Response.json({ status: "success", data: [], pages: 7 }, { headers: { etag: 'W/"12"' } });
  const first = await api.activations({ page: 1 });
  answer = () => new Response(null, { status: 304, headers: { etag: 'W/"12"' } });
  expect(await api.activations({ page: 1 })).toEqual(first);
  expect(headersOf(1)).toMatchObject({ "if-none-match": 'W/"12"' });
});

test("what one account was answered is never taken for another, nor one page for another", async () => {
  answer = () => Response.json({ status: "success", balance: "1.0" }, { headers: { etag: 'W/"1"' } });
  await api.balance({}, { token: "one" });
  await api.balance({}, { token: "other" });
  await api.activations({ page: 2 }, { token: "one" });
  expect(asked.map((_, at) => headersOf(at)["if-none-match"])).toEqual([undefined, undefined, undefined]);
});

test("a file is fetched with the token in a header, and a refusal is told instead of being saved", async () => {
  enter("mine");
  answer = () => new Response("id,at\r\n", { headers: { "content-disposition": "attachment" } });
  const got = await fetchFile("statementFile", { book: "balance" });
  expect(asked[0]?.url).toBe("/user/statement.csv?book=balance");
  expect(headersOf(0)).toEqual({ authorization: "Bearer mine" });
  expect(got.ok && (await got.file.text())).toBe("id,at\r\n");
  answer = () => Response.json({ status: "error", value: "token limit" });
  expect(await fetchFile("statementFile", {})).toMatchObject({ ok: false, value: "token limit" });
  answer = () => new Response("<html>", { status: 502 });
  expect(await fetchFile("statementFile", {})).toMatchObject({ ok: false, value: "connection" });
});

test("a file that comes slowly is waited for, and one of which no more comes is given up after 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const bodies: ReadableStreamDefaultController<Uint8Array>[] = [];
    vi.stubGlobal("fetch", async (_: string, { signal }: { signal: AbortSignal }) => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          bodies.push(controller);
          signal.addEventListener("abort", () => controller.error(signal.reason));
        },
      });
      return new Response(body, { headers: { "content-disposition": "attachment" } });
    });
    const slow = fetchFile("statementFile", { book: "balance" });
    const stuck = fetchFile("statementFile", { book: "balance" });
    await vi.advanceTimersByTimeAsync(0);
    for (const piece of ["id,", "at", "\r\n"]) {
      await vi.advanceTimersByTimeAsync(20_000);
      bodies[0]?.enqueue(new TextEncoder().encode(piece));
    }
    await vi.advanceTimersByTimeAsync(0);
    bodies[0]?.close();
    const got = await slow;
    expect(got.ok && (await got.file.text())).toBe("id,at\r\n");
    expect(await stuck).toMatchObject({ ok: false, value: "connection" });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
