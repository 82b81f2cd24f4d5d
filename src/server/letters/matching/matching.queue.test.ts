// @module-tag slow
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { now, secondsAfter } from "../../platform/clock.ts";
import { createLog } from "../../platform/log.ts";
import type { LettersOptions } from "./matching.ts";
import { Late } from "./matching.admission.ts";
import { MatchQueue, type MatchQueueLimits } from "./matching.queue.ts";
import type { Incoming } from "../letters.incoming.ts";
import { storeLetters, type Unmatched } from "../letters.sql.ts";

const { db } = await createDatabase();
const log = createLog("silent");

beforeEach(async () => {
  await db`truncate letter, recipient cascade`;
});

const opened: MatchQueue[] = [];
afterEach(async () => {
  for (const queue of opened.splice(0)) await queue.close();
});

function queueWith(options: Partial<LettersOptions>, limits: Partial<MatchQueueLimits> = {}): MatchQueue {
  const all = {
    waiting: async () => [],
    deliver: async () => [],
    sendersOf: async () => undefined,
    log,
    ...options,
  };
  const queue = new MatchQueue(db, all, {
    calm: { letters: 0, bytes: 0, bytesOfOne: 0, readyMs: 0 },
    ...limits,
  });
  opened.push(queue);
  return queue;
}

async function store(count: number): Promise<(Unmatched & Incoming)[]> {
  const letters = Array.from({ length: count }, (_, index) => ({
    raw: Buffer.from(`From: a@b.test\r\nSubject: ${index}\r\n\r\n${"x".repeat(500)}\r\n`),
    mailFrom: "",
    mailboxIds: [BigInt(index)],
    isToPostmaster: false,
    remote: undefined,
    helo: "",
  }));
  const rows = await storeLetters(db, letters);
  return letters.map((letter, index) => ({ ...letter, ...rows[index]! }));
}

const unmatched = async () => {
  const [row] = await db<
    { count: number }[]
  >`select count(*)::integer as count from letter where judged_at is null`;
  return row!.count;
};

test("letters that came too fast for memory are matched as soon as there is room for them", async () => {
  const held = Promise.withResolvers<never[]>();
  const sizes: number[] = [];
  const queue = queueWith(
    {
      waiting: async (_sql, mailboxIds) => {
        sizes.push(mailboxIds.length);
        return sizes.length === 1 ? held.promise : [];
      },
    },
    { memoryBytes: 5_000 },
  );
  const letters = await store(300);
  for (const letter of letters) queue.soon(letter);
  expect(await unmatched()).toBe(300);
  held.resolve([]);
  await queue.drain();
  expect(await unmatched()).toBe(0);
  const subjects = await db<{ subject: string }[]>`select subject from letter order by id`;
  expect(subjects.map(({ subject }) => subject)).toEqual(letters.map((_, index) => String(index)));
});

test("a letter larger than the memory for letters is judged", async () => {
  const queue = queueWith({}, { memoryBytes: 10 });
  for (const letter of await store(3)) queue.soon(letter);
  await queue.drain();
  expect(await unmatched()).toBe(0);
});

test("the backlog leaves alone what its own process has still to match, and takes what is older", async () => {
  const held = Promise.withResolvers<never[]>();
  const [old] = await store(1);
  await db`update letter set arrived_at = arrived_at - interval '1 minute' where id = ${old!.id}`;
  await db`update letter_raw set arrived_at = arrived_at - interval '1 minute' where letter_id = ${old!.id}`;
  const begun = Promise.withResolvers<undefined>();
  let calls = 0;
  const queue = queueWith(
    {
      waiting: async () => {
        begun.resolve(undefined);
        return calls++ === 0 ? held.promise : [];
      },
    },
    { memoryBytes: 1_000 },
  );
  for (const letter of await store(20)) queue.soon(letter);
  await begun.promise;
  expect(await queue.backlog(secondsAfter(now(), 60))).toBe(1);
  expect(await unmatched()).toBe(20);
  held.resolve([]);
  await queue.drain();
  expect(await unmatched()).toBe(0);
});

test("in a rush that does not end, what has waited long goes before what comes", async () => {
  const held = Promise.withResolvers<never[]>();
  const begun = Promise.withResolvers<undefined>();
  const seen: bigint[] = [];
  const queue = queueWith(
    {
      waiting: async (_sql, mailboxIds) => {
        seen.push(...mailboxIds);
        begun.resolve(undefined);
        return seen.length === 1 ? held.promise : [];
      },
    },
    { memoryBytes: 1_000 },
  );
  const [first, ...others] = await store(6);
  queue.soon(first!);
  await begun.promise;
  for (const [index, letter] of others.entries())
    queue.soon({ ...letter, arrivedAt: secondsAfter(letter.arrivedAt, index * 15) });
  held.resolve([]);
  await queue.drain();
  // Without an order each is looked at twice.
  expect([...new Set(seen)]).toEqual([0n, 1n, 2n, 3n, 4n, 5n]);
  expect(await unmatched()).toBe(0);
});

test("to close keeps nobody waiting for what was left on disk", async () => {
  const held = Promise.withResolvers<never[]>();
  let calls = 0;
  const queue = queueWith(
    { waiting: async () => (calls++ === 0 ? held.promise : []) },
    { memoryBytes: 1_000 },
  );
  const letters = await store(100);
  for (const letter of letters) queue.soon(letter);
  const closing = queue.close();
  held.resolve([]);
  await closing;
  const left = await unmatched();
  expect(left).toBeGreaterThan(50);
  expect(await queueWith({}).backlog(secondsAfter(now(), 60))).toBe(left);
});

test("a queue that is far behind takes no more letters until he has matched some", async () => {
  const held = Promise.withResolvers<never[]>();
  const queue = queueWith({ waiting: () => held.promise }, { behindLetters: 3 });
  const letters = await store(3);
  const order: string[] = [];
  const take = (letter: Unmatched & Incoming) => queue.take(letter, async () => letter);
  for (const letter of letters) await take(letter);
  const next = take(letters[0]!).then(() => order.push("room"));
  void held.promise.then(() => order.push("matching goes on"));
  held.resolve([]);
  await next;
  expect(order).toEqual(["matching goes on", "room"]);
  await queue.drain();
  expect(await unmatched()).toBe(0);
});

test("of those who wait behind a rush each is let in when there is room, whatever became of the one before", async () => {
  const held = Promise.withResolvers<never[]>();
  const queue = queueWith({ waiting: () => held.promise }, { behindLetters: 1 });
  const [first, ...others] = await store(5);
  await queue.take(first!, async () => first!);
  const gone = new AbortController();
  const stored: bigint[] = [];
  const take = (letter: Unmatched & Incoming, work: () => Promise<Unmatched>, until?: () => AbortSignal) =>
    queue.take(letter, work, until).then(
      () => stored.push(letter.id),
      (fault: Error) => fault,
    );
  const [left, failed, ...kept] = others;
  const waiting = [
    take(
      left!,
      async () => left!,
      () => gone.signal,
    ),
    take(failed!, () => Promise.reject(new Error("no disk"))),
    ...kept.map((letter) => take(letter, async () => letter)),
  ];
  gone.abort();
  expect(await waiting[0]).toBeInstanceOf(Late);
  held.resolve([]);
  expect(await waiting[1]).toMatchObject({ message: "no disk" });
  await Promise.all(waiting);
  await queue.drain();
  expect(stored).toEqual(kept.map(({ id }) => id));
  expect(await unmatched()).toBe(2);
});

test("a long letter whose sender has left does not wait for room", async () => {
  const held = Promise.withResolvers<never[]>();
  const queue = queueWith({ waiting: () => held.promise }, { longBytes: 2_000_000 });
  const long = (await store(2)).map((letter) => ({ ...letter, raw: Buffer.alloc(2_000_000, "long\r\n") }));
  await queue.take(long[0]!, async () => long[0]!);
  const gone = new AbortController();
  const left = queue.take(
    long[1]!,
    async () => long[1]!,
    () => gone.signal,
  );
  gone.abort();
  await expect(left).rejects.toBeInstanceOf(Late);
  held.resolve([]);
  await queue.drain();
});

test("a long letter is made durable when the long ones before it are matched, and others need not wait for that", async () => {
  const held = Promise.withResolvers<never[]>();
  const [first, second, short] = await store(3);
  const long = (letter: Unmatched & Incoming) => ({ ...letter, raw: Buffer.alloc(2_000_000, "long\r\n") });
  const queue = queueWith(
    { waiting: (_sql, ids) => (ids.includes(0n) ? held.promise : Promise.resolve([])) },
    { longBytes: 3_000_000 },
  );
  const stored: bigint[] = [];
  const take = (letter: Unmatched & Incoming) =>
    queue.take(letter, async () => {
      stored.push(letter.id);
      return letter;
    });
  await take(long(first!));
  const waiting = take(long(second!));
  await take(short!);
  expect(stored).toEqual([first!.id, short!.id]);
  held.resolve([]);
  await waiting;
  expect(stored).toEqual([first!.id, short!.id, second!.id]);
  await queue.drain();
  expect(await unmatched()).toBe(0);
});

test("the bytes of a long letter are let go when it is matched, those of a short one are left to the collector", async () => {
  const held = Promise.withResolvers<never[]>();
  const queue = queueWith({ waiting: () => held.promise });
  const [first, short] = await store(2);
  const long = { ...first!, raw: Buffer.alloc(2_000_000, "long\r\n") };
  await queue.take(long, async () => long);
  await queue.take(short!, async () => short!);
  expect(long.raw.length).toBe(2_000_000);
  held.resolve([]);
  await queue.drain();
  await expect.poll(() => long.raw.length).toBe(0);
  expect(short!.raw.length).toBeGreaterThan(0);
  expect(await unmatched()).toBe(0);
});

test("a long letter that could not be made durable leaves its room to the next", async () => {
  const queue = queueWith({}, { longBytes: 1_000_000 });
  const [letter] = await store(1);
  const long = { ...letter!, raw: Buffer.alloc(2_000_000, "long\r\n") };
  await expect(queue.take(long, () => Promise.reject(new Error("no disk")))).rejects.toThrow("no disk");
  await queue.take(long, async () => long);
  await queue.drain();
  expect(await unmatched()).toBe(0);
});

test("letters that cannot be read again keep nobody waiting", async () => {
  const held = Promise.withResolvers<never[]>();
  const limits = { memoryBytes: 1_000, behindLetters: 20 };
  const queue = queueWith({ waiting: () => held.promise }, limits);
  const letters = await store(100);
  // No row has such an id.
  for (const letter of letters) queue.soon({ ...letter, id: -1n });
  const take = (letter: Unmatched & Incoming) => queue.take(letter, async () => letter);
  const [more] = await store(1);
  const taken = take(more!);
  await db`alter table letter_raw rename to letter_raw_away`;
  try {
    held.resolve([]);
    await taken;
    await queue.drain();
    await take(more!);
  } finally {
    await db`alter table letter_raw_away rename to letter_raw`;
  }
});

test("who waits behind a rush is let in when another process has matched what was left", async () => {
  const held = Promise.withResolvers<never[]>();
  const limits = { memoryBytes: 1_000, behindLetters: 20 };
  const queue = queueWith({ waiting: () => held.promise }, limits);
  const [first, more, ...others] = await store(150);
  queue.soon(first!);
  // No row has such an id, as if they were matched elsewhere.
  for (const letter of others) queue.soon({ ...letter, id: -1n });
  const taken = queue.take(more!, async () => more!);
  held.resolve([]);
  await taken;
  await queue.drain();
  expect(await unmatched()).toBe(others.length);
});
