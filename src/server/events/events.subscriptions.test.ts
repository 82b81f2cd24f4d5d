import { expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "../platform/db/db.ts";
import type { ListenerEvents } from "../platform/db/listener.ts";
import { openChannels } from "../platform/db/channels.ts";
import { type OnChange, openSubscriptions } from "./events.subscriptions.ts";
import { openRevisions } from "./events.revisions.ts";
import { waitsMax } from "../../contract/limits.ts";
import { openWaits } from "./events.waits.ts";

/** Subscriptions to a simulated channel: `says` delivers a message, `isDeaf` drops what is sent. */
async function subscribed() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let listener: ListenerEvents | undefined;
  let isDeaf = false;
  let restarts = 0;
  const channels = openChannels((given) => {
    listener = given;
    queueMicrotask(given.back);
    return {
      listen: async () => undefined,
      unlisten: () => undefined,
      notify: async (channel, payload) =>
        void (isDeaf || queueMicrotask(() => given.received(channel, payload))),
      restart: () => void restarts++,
      close: async () => undefined,
    };
  });
  const heard = await openSubscriptions(undefined as unknown as Db, channels);
  onTestFinished(() => heard.close());
  await vi.advanceTimersByTimeAsync(0);
  const news: (readonly bigint[] | undefined)[] = [];
  heard.subscribe(((userIds) => news.push(userIds)) as OnChange);
  return {
    subscriptions: heard,
    news,
    says: (payload: string) => listener?.received("changes", payload),
    breaks: () => listener?.lost(),
    mends: () => listener?.back(),
    deafen: (deaf: boolean) => (isDeaf = deaf),
    restarts: () => restarts,
  };
}

test("changes are heard by user; words of later releases mean nothing", async () => {
  const { subscriptions: heard, news, says } = await subscribed();
  expect(heard.isCurrent()).toBe(true);
  for (const payload of ["1,22,333", "1,a", "something new", ""]) says(payload);
  expect(news).toEqual([[1n, 22n, 333n]]);
});

test("a broken connection is doubt at once; it ends when a heartbeat came through the new one", async () => {
  const { subscriptions: heard, news, breaks, mends } = await subscribed();
  breaks();
  expect([heard.isCurrent(), news]).toEqual([false, [undefined]]);
  mends();
  expect(heard.isCurrent()).toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  expect([heard.isCurrent(), news]).toEqual([true, [undefined, undefined]]);
});

test("silence is doubt too: nothing is believed, readers look again, and another connection is tried", async () => {
  const { subscriptions: heard, news, deafen, restarts } = await subscribed();
  deafen(true);
  await vi.advanceTimersByTimeAsync(6_000);
  expect([heard.isCurrent(), restarts()]).toEqual([true, 0]);
  await vi.advanceTimersByTimeAsync(9_000);
  expect([heard.isCurrent(), restarts()]).toEqual([false, 1]);
  expect(news.length).toBeGreaterThan(1);
  deafen(false);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(heard.isCurrent()).toBe(true);
});

/** Queries that the test answers one by one. */
function lookUps() {
  const asked: { userIds: bigint[]; answer: (revision: bigint) => void }[] = [];
  const find = (userIds: bigint[]) =>
    new Promise<bigint[]>((resolve) => {
      asked.push({ userIds, answer: (revision) => resolve(userIds.map(() => revision)) });
    });
  const next = async (revision: bigint) => {
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0));
    asked.shift()?.answer(revision);
  };
  return { asked, find, next };
}

test("a revision is looked up once, until something of that user changed", async () => {
  const { subscriptions: heard, says } = await subscribed();
  const { asked, find, next } = lookUps();
  const revisions = openRevisions(heard, find);
  const both = Promise.all([revisions.of(1n), revisions.of(1n)]);
  await next(5n);
  expect([await both, await revisions.of(1n), asked]).toEqual([[5n, 5n], 5n, []]);
  says("2");
  expect(await revisions.of(1n)).toBe(5n);
  says("1");
  const again = revisions.of(1n);
  await next(6n);
  expect(await again).toBe(6n);
});

test("a look-up that a change overtakes is neither shared with who asks after it nor remembered", async () => {
  const { subscriptions: heard, says } = await subscribed();
  const { asked, find, next } = lookUps();
  const revisions = openRevisions(heard, find);
  const before = revisions.of(1n);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  says("1");
  const after = revisions.of(1n);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  asked[1]?.answer(6n);
  asked[0]?.answer(5n);
  expect([await before, await after, await revisions.of(1n)]).toEqual([5n, 6n, 6n]);
  asked.length = 0;
  revisions.forget(1n);
  const own = revisions.of(1n);
  await next(7n);
  expect(await own).toBe(7n);
});

test("while hearing is uncertain every revision is looked up", async () => {
  const { subscriptions: heard, breaks } = await subscribed();
  const { find, next } = lookUps();
  const revisions = openRevisions(heard, find);
  const known = revisions.of(1n);
  await next(5n);
  await known;
  breaks();
  for (const revision of [6n, 7n]) {
    const asked = revisions.of(1n);
    await next(revision);
    expect(await asked).toBe(revision);
  }
});

test("revisions of so many users are remembered, and who polls is not forgotten first", async () => {
  const { subscriptions: heard } = await subscribed();
  const looked: bigint[] = [];
  const find = async (userIds: bigint[]) => {
    looked.push(...userIds);
    return userIds.map(() => 1n);
  };
  const revisions = openRevisions(heard, find, 3);
  for (const userId of [1n, 2n, 3n, 1n, 4n, 1n, 2n]) await revisions.of(userId);
  expect(looked).toEqual([1n, 2n, 3n, 4n, 2n]);
});

const still = () => new AbortController().signal;

test("a change that comes while one looks is not lost, and those of others wake nobody", async () => {
  const { subscriptions: heard, says } = await subscribed();
  const waits = openWaits(heard);
  let looks = 0;
  const answer = waits.until({ userId: 1n, seconds: 60, gone: still() }, async () => {
    looks++;
    if (looks === 1) says("1");
    if (looks < 3) return undefined;
    return "here";
  });
  await vi.waitFor(() => expect(looks).toBe(2));
  says("2");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(looks).toBe(2);
  says("5,1");
  expect([await answer, waits.count()]).toEqual(["here", 0]);
});

test("who waits looks again when hearing breaks, and when it is back", async () => {
  const { subscriptions: heard, breaks, mends } = await subscribed();
  const waits = openWaits(heard);
  let looks = 0;
  const answer = waits.until({ userId: 1n, seconds: 60, gone: still() }, async () =>
    ++looks === 3 ? "here" : undefined,
  );
  breaks();
  await vi.waitFor(() => expect(looks).toBe(2));
  mends();
  expect(await answer).toBe("here");
});

test("a wait ends with its time, with its client, and with a fault, and leaves nothing behind", async () => {
  const { subscriptions: heard } = await subscribed();
  const waits = openWaits(heard);
  const never = async () => undefined;
  const late = waits.until({ userId: 1n, seconds: 30, gone: still() }, never);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(waits.count()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await late).toBeUndefined();
  const client = new AbortController();
  const left = waits.until({ userId: 1n, seconds: 30, gone: client.signal }, never);
  client.abort();
  expect(await left).toBeUndefined();
  expect(await waits.until({ userId: 1n, seconds: 30, gone: client.signal }, never)).toBeUndefined();
  const fault = waits.until({ userId: 1n, seconds: 30, gone: still() }, () =>
    Promise.reject(new Error("no database")),
  );
  await expect(fault).rejects.toThrow("no database");
  expect([waits.count(), vi.getTimerCount()]).toEqual([0, 1]);
});

test("an account's waits are counted apart from another's", async () => {
  const { subscriptions: heard } = await subscribed();
  const waits = openWaits(heard);
  const client = new AbortController();
  const wait = (userId: bigint) =>
    waits.until({ userId, seconds: 30, gone: client.signal }, async () => undefined);
  const all = Array.from({ length: waitsMax }, () => wait(1n));
  expect(await wait(1n)).toBe("full");
  const other = wait(2n);
  expect(waits.count()).toBe(waitsMax + 1);
  client.abort();
  await Promise.all([...all, other]);
  expect(waits.count()).toBe(0);
});
