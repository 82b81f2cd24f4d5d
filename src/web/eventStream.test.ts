import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ShopEvent } from "../contract/events.ts";
import { followEvents, followEventsInSomeTabs } from "./eventStream.ts";

interface Opened {
  init: RequestInit;
  say: (text: string) => void;
  end: () => void;
}

/** The streams that the page opened; `next` waits for one. */
function shop(answer?: () => Response) {
  const opened: Opened[] = [];
  const waiting: ((stream: Opened) => void)[] = [];
  const asked: RequestInit[] = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    asked.push(init);
    if (answer) return answer();
    let body!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
    const readable = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => void (body = controller),
    });
    init.signal?.addEventListener("abort", () => body.error(new Error("gone")));
    const stream: Opened = {
      init,
      say: (text) => body.enqueue(new TextEncoder().encode(text)),
      end: () => body.close(),
    };
    const take = waiting.shift();
    if (take) take(stream);
    else opened.push(stream);
    return new Response(readable, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  });
  const next = async () => opened.shift() ?? (await new Promise<Opened>((resolve) => waiting.push(resolve)));
  return { next, asked };
}

function listening() {
  const said: unknown[] = [];
  const stop = new AbortController();
  const follower = {
    onLive: (isLive: boolean) => void said.push(isLive ? "live" : "not live"),
    onGap: () => void said.push("gap"),
    onEvent: (event: ShopEvent) => void said.push(event),
  };
  return { said, stop, follower };
}

function listener() {
  const { said, stop, follower } = listening();
  return { said, stop, done: followEvents("t0ken", follower, stop.signal) };
}

const ready = "id: 41\nevent: ready\ndata: {}\n\n";
const balance = 'id: 42\nevent: balance\ndata: {"balance":"1.0"}\n\n';

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a stream is live once it said so, with the token in a header and not in an address", async () => {
  const { next } = shop();
  const { said, stop, done } = listener();
  const stream = await next();
  expect(new Headers(stream.init.headers).get("authorization")).toBe("Bearer t0ken");
  expect(said).toEqual([]);
  stream.say(ready + balance);
  await vi.waitFor(() =>
    expect(said).toEqual(["live", "gap", { name: "balance", data: { balance: "1.0" } }]),
  );
  stop.abort();
  await done;
});

test("a stream that broke is opened again from the last event, and the lists are read anew", async () => {
  const { next } = shop();
  const { said, stop, done } = listener();
  const first = await next();
  first.say(ready + balance);
  first.end();
  await vi.waitFor(() => expect(said.at(-1)).toBe("not live"));
  await vi.advanceTimersByTimeAsync(1000);
  const second = await next();
  expect(new Headers(second.init.headers).get("last-event-id")).toBe("42");
  second.say("id: 50\nevent: reset\ndata: {}\n\n");
  await vi.waitFor(() => expect(said.slice(-2)).toEqual(["live", "gap"]));
  stop.abort();
  await done;
});

test("a connection that fell silent is given up and opened again", async () => {
  const { next } = shop();
  const { said, stop, done } = listener();
  const first = await next();
  first.say(ready);
  await vi.waitFor(() => expect(said).toContain("live"));
  await vi.advanceTimersByTimeAsync(44_000);
  first.say(": still here\n\n");
  await vi.advanceTimersByTimeAsync(44_000);
  expect(said).not.toContain("not live");
  await vi.advanceTimersByTimeAsync(3000);
  expect(said.at(-1)).toBe("not live");
  await next();
  stop.abort();
  await done;
});

test("a token that opens nothing is not tried again; a server that is full is", async () => {
  shop(() => Response.json({ status: "error", value: "token" }));
  await listener().done;

  const { asked } = shop(() => Response.json({ status: "error", value: "too many" }));
  const { said, stop, done } = listener();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked.length).toBeGreaterThan(2);
  expect(said).toEqual([]);
  stop.abort();
  await done;
});

test("only so many tabs keep a stream: a further one waits for a place", async () => {
  const { next, asked } = shop();
  const wanted: string[] = [];
  let give: () => void = () => {};
  const place = new Promise<void>((resolve) => (give = resolve));
  const locks = {
    query: async () => ({ held: [{ name: "postern stream 0" }, { name: "postern stream 2" }] }),
    request: async (name: string, _: unknown, run: () => Promise<void>) => {
      wanted.push(name);
      await place;
      await run();
    },
  };
  vi.stubGlobal("navigator", { locks });
  const { said, stop, follower } = listening();
  const done = followEventsInSomeTabs("t0ken", follower, stop.signal);
  await vi.waitFor(() => expect(wanted).toEqual(["postern stream 1"]));
  expect(asked).toEqual([]);
  give();
  (await next()).say(ready);
  await vi.waitFor(() => expect(said).toContain("live"));
  stop.abort();
  await done;
});

test("where there are no locks every tab follows", async () => {
  const { next } = shop();
  vi.stubGlobal("navigator", {});
  const { stop, follower } = listening();
  const done = followEventsInSomeTabs("t0ken", follower, stop.signal);
  await next();
  stop.abort();
  await done;
});
