import { EventEmitter, once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import fc from "fast-check";
import Fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { type Listener, listenTo } from "../../../test/kit/listener.ts";
import { buyer } from "../../../test/kit/shelf.ts";
import { soon } from "../../../test/kit/soon.ts";
import { createLog } from "../platform/log.ts";
import { registerRoutes } from "../platform/http/register.ts";
import type { Describe } from "./events.audience.ts";
import type { OnChange } from "./events.subscriptions.ts";
import { missedMax } from "./events.opening.ts";
import { eventRoutes } from "./events.routes.ts";
import { callWatch } from "./events.sql.ts";
import { Streams } from "./events.streams.ts";

const { db } = await createDatabase({ max: 12 });

const plainly =
  (length = 1): Describe =>
  async (events) =>
    new Map(
      events.map(({ id, balance }) => [
        id,
        { name: "balance", data: { balance: String(balance).padStart(length) } },
      ]),
    );

/** A server of streams; the token is the user's id, and `tell` simulates changes. */
async function serve(describe: Describe = plainly()) {
  const subscribers: OnChange[] = [];
  const revoked = new Set<string>();
  const streams = new Streams({
    db,
    describe,
    log: createLog("silent"),
    isValid: async ({ token }) => !revoked.has(token),
    subscriptions: {
      isCurrent: () => true,
      subscribe: (onChange) => void subscribers.push(onChange),
      close: async () => undefined,
    },
  });
  const app = Fastify();
  const callerOf = async (token: string) => ({
    userId: BigInt(token),
    active: true,
    admin: false,
    investor: false,
    token,
  });
  registerRoutes(app, eventRoutes({ streams }), { callerOf, admit: async () => undefined });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const listeners: Listener[] = [];
  onTestFinished(async () => {
    for (const listener of listeners) listener.close();
    await streams.close();
    await app.close();
  });
  return {
    streams,
    port,
    breakOff: () => app.server.closeAllConnections(),
    revoke: (userId: bigint) => revoked.add(String(userId)),
    tell: (userIds: bigint[] | undefined) => subscribers.forEach((onChange) => onChange(userIds)),
    listen: async (userId: bigint, after?: string) => {
      const url = `http://127.0.0.1:${port}`;
      const listener = await listenTo(url, { token: String(userId), ...(after ? { after } : {}) });
      listeners.push(listener);
      return listener;
    },
  };
}

let balance = 0;
async function change(userId: bigint, count = 1): Promise<string[]> {
  const numbers = Array.from({ length: count }, () => BigInt(++balance));
  const users = numbers.map(() => userId);
  await db`select log_events('balance', ${users}::bigint[], p_balance => ${numbers}::bigint[])`;
  return numbers.map(String);
}

const numbersOf = ({ heard }: Listener) =>
  heard.filter(({ name }) => name === "balance").map(({ data }) => String(data["balance"]).trim());

test("whatever happens, whoever comes and goes: each stream tells everything once and in its order", async () => {
  const { tell, listen } = await serve();
  const act = fc.record({
    who: fc.nat(1),
    what: fc.constantFrom("change", "change", "many", "leave", "come", "second" as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 25 }), async (acts) => {
      const people = await Promise.all(
        [0, 1].map(async () => {
          const userId = await buyer(db);
          const first = await listen(userId);
          return { userId, changes: [] as string[], streams: [{ parts: [first], from: 0 }] };
        }),
      );
      for (const { who, what } of acts) {
        const person = people[who]!;
        const [stream] = person.streams;
        const last = stream!.parts.at(-1)!;
        if (what === "leave") last.close();
        if (what === "come") stream!.parts.push(await listen(person.userId, last.heard.at(-1)?.id));
        if (what === "second")
          person.streams.push({ parts: [await listen(person.userId)], from: person.changes.length });
        if (what === "change" || what === "many") {
          person.changes.push(...(await change(person.userId, what === "many" ? 30 : 1)));
          tell([person.userId]);
        }
      }
      for (const { userId, streams } of people) {
        const { parts } = streams[0]!;
        parts.push(await listen(userId, parts.at(-1)!.heard.at(-1)?.id));
      }
      for (const { changes, streams } of people) {
        for (const { parts, from } of streams) {
          // A connection left for another may have read what the other one repeats.
          const told = () => [...new Set(parts.flatMap(numbersOf))];
          await vi.waitFor(() => expect(told()).toEqual(changes.slice(from)), soon);
          for (const part of parts)
            expect(numbersOf(part)).toEqual(numbersOf(part).toSorted((a, b) => Number(a) - Number(b)));
          for (const part of parts) part.close();
        }
      }
    }),
    { numRuns: 15 },
  );
});

test("before anything was ever forgotten, a client that heard nothing yet resumes like any other", async () => {
  const { listen } = await serve();
  const [userId, other] = [await buyer(db), await buyer(db)];
  const began = (await listen(userId)).heard[0]?.id;
  await listen(other);
  await db`delete from event`;
  await change(other);
  const numbers = await change(userId);
  const resumed = await listen(userId, began);
  expect(resumed.heard[0]?.name).toBe("ready");
  await resumed.hear("balance");
  expect(numbersOf(resumed)).toEqual(numbers);
});

test("who missed more than is worth telling one by one is told to read anew", async () => {
  const { listen } = await serve();
  const userId = await buyer(db);
  const first = await listen(userId);
  const began = first.heard[0]?.id;
  await change(userId, missedMax);
  const resumed = await listen(userId, began);
  expect(resumed.heard[0]).toMatchObject({ name: "ready", id: began });
  await resumed.hear("balance", missedMax);
  await change(userId);
  expect((await listen(userId, began)).heard[0]?.name).toBe("reset");
});

function fakeClock() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("a slow client gets everything at its own pace; one that does not read is cut off; others of the account wait for neither", async () => {
  fakeClock();
  const { streams, port, tell, listen } = await serve(plainly(20_000));
  const userId = await buyer(db);
  const reading = await listen(userId);
  const connectRaw = () => {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => undefined);
    socket.write(`GET /user/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${userId}\r\n\r\n`);
    return socket;
  };
  const [slow, lazy] = [connectRaw(), connectRaw()];
  await Promise.all([once(slow, "readable"), once(lazy, "readable")]);
  // More than the system keeps for a socket.
  const numbers: string[] = [];
  for (let turn = 0; turn < 10; turn++) {
    numbers.push(...(await change(userId, 100)));
    tell([userId]);
    await reading.hear("balance", numbers.length);
  }
  expect(numbersOf(reading)).toEqual(numbers);
  expect(streams.count).toBe(3);
  vi.advanceTimersByTime(20_000);
  let text = "";
  slow.on("data", (bytes: Buffer) => (text += bytes.toString("latin1")));
  const heard = () => [...text.matchAll(/"balance":" *(\d+)"/g)].map(([, number]) => number);
  await vi.waitFor(() => expect(heard()).toEqual(numbers), soon);
  vi.advanceTimersByTime(20_000);
  await vi.waitFor(() => expect(streams.count).toBe(2), soon);
});

test("an idle stream gives a sign of life every twenty seconds", async () => {
  fakeClock();
  const { port, listen } = await serve();
  const userId = await buyer(db);
  await listen(userId);
  const raw = connect(port, "127.0.0.1");
  onTestFinished(() => void raw.destroy());
  let text = "";
  raw.on("data", (bytes) => (text += String(bytes)));
  raw.write(`GET /user/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${userId}\r\n\r\n`);
  await vi.waitFor(() => expect(text).toContain("event: ready"), soon);
  vi.advanceTimersByTime(20_000);
  await vi.waitFor(() => expect(text).toMatch(/\r\n:\n\n\r\n$/), soon);
});

test("events that could not be read are told at the next try, and a fault at one account is no other's", async () => {
  fakeClock();
  let isBroken = true;
  const unlucky = await buyer(db);
  const { tell, listen } = await serve(async (events) => {
    if (isBroken && events.some(({ userId }) => userId === unlucky)) throw new Error("out of order");
    return plainly()(events);
  });
  const [stream, other] = [await listen(unlucky), await listen(await buyer(db))];
  const numbers = await change(unlucky);
  tell([unlucky]);
  await vi.waitFor(() => expect(stream.heard).toHaveLength(1), soon);
  isBroken = false;
  await vi.waitFor(() => {
    vi.advanceTimersByTime(1_000);
    expect(numbersOf(stream)).toEqual(numbers);
  }, soon);
  expect(other.heard).toHaveLength(1);
});

test("an open stream keeps its account listened for; where that failed for long, the stream says that it missed something", async () => {
  fakeClock();
  const { listen } = await serve();
  const userId = await buyer(db);
  const stream = await listen(userId);
  const until = async () => {
    const [row] = await db<{ left: number }[]>`
      select extract(epoch from watched_until - now())::float8 as left from buyer where user_id = ${userId}`;
    return row?.left ?? 0;
  };
  expect(await until()).toBeGreaterThan(800);
  await db`update buyer set watched_until = now() - interval '1 minute' where user_id = ${userId}`;
  // Nobody listens: these are not recorded.
  await change(userId, 3);
  vi.advanceTimersByTime(6 * 60_000);
  const reset = await stream.hear("reset");
  expect(await until()).toBeGreaterThan(800);
  const [now] = await callWatch(db, [userId], 1);
  expect(reset.id).toBe(String(now?.newest));
});

test("who comes back after nobody listened for him is not told that nothing was missed", async () => {
  const { listen } = await serve();
  const userId = await buyer(db);
  const first = await listen(userId);
  const last = first.heard[0]?.id;
  first.close();
  await db`update buyer set watched_until = now() where user_id = ${userId}`;
  await change(userId);
  expect((await listen(userId, last)).heard[0]?.name).toBe("reset");
});

test("a token that ends while its stream is being opened, or later without a word, ends the stream", async () => {
  fakeClock();
  const { streams, revoke, listen } = await serve();
  const [silent, told] = [await buyer(db), await buyer(db)];
  const [quiet, loud] = [await listen(silent), await listen(told)];
  revoke(silent);
  revoke(told);
  streams.doubt(told);
  await loud.ended();
  vi.advanceTimersByTime(6 * 60_000);
  await quiet.ended();
  await vi.waitFor(() => expect(streams.count).toBe(0), soon);
  const late = listen(silent);
  await vi.waitFor(() => expect(streams.count).toBe(1), soon);
  streams.doubt(undefined);
  await late.then((stream) => stream.ended());
});

test("an address has so many streams and no more, of however many accounts, and one that ends makes room", async () => {
  const { streams } = await serve();
  const users = await Promise.all(Array.from({ length: 21 }, () => buyer(db)));
  const open = (n: number, from: string | undefined) =>
    streams.open({ userId: users[n % 21]!, token: "x", from }, undefined);
  const answers = await Promise.all(Array.from({ length: 1_001 }, (_, n) => open(n, "192.0.2.0")));
  expect(answers.filter((each) => each === "too many")).toHaveLength(1);
  expect(await open(0, "192.0.2.1")).not.toBe("too many");
  expect(await open(0, undefined)).not.toBe("too many");
  // The response of a client that has gone already.
  const response = Object.assign(new EventEmitter(), { destroyed: true }) as unknown as ServerResponse;
  const [one] = answers;
  if (typeof one === "function") await one(response);
  expect(await open(0, "192.0.2.0")).not.toBe("too many");
});

test("all streams end when the process stops, that of a client that does not read too", async () => {
  const { streams, port, tell, listen } = await serve(plainly(10_000));
  const userId = await buyer(db);
  const all = await Promise.all(Array.from({ length: 10 }, () => listen(userId)));
  const lazy = connect(port, "127.0.0.1");
  lazy.on("error", () => undefined);
  onTestFinished(() => void lazy.destroy());
  lazy.write(`GET /user/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${userId}\r\n\r\n`);
  await once(lazy, "readable");
  await change(userId, 100);
  tell([userId]);
  await Promise.all(all.map((stream) => stream.hear("balance", 100)));
  expect(streams.count).toBe(11);
  await streams.close();
  await Promise.all(all.map((stream) => stream.ended()));
  expect(streams.count).toBe(0);
});

test("a reader by fetch knows a stream that broke off from one that was ended", async () => {
  const { port, streams, breakOff } = await serve();
  const read = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/user/events`, {
      headers: { authorization: `Bearer ${await buyer(db)}` },
    });
    // The fetch of Node.js 20 takes a stream with it for ended, however it broke off.
    expect(response.headers.get("connection")).not.toBe("close");
    const reader = response.body!.getReader();
    await reader.read();
    return async () => {
      while (!(await reader.read()).done);
    };
  };
  const brokenOff = await read();
  breakOff();
  await expect(brokenOff()).rejects.toThrow("terminated");
  const ended = await read();
  await streams.close();
  await ended();
});
