import { afterEach, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { now, secondsAfter } from "../clock.ts";
import { attempt, type Db } from "../db/db.ts";
import {
  addTask,
  deleteTasks,
  failTask,
  finishTasks,
  giveUpTasks,
  nextTry,
  renewTasks,
  selectSizes,
  takeTasks,
  tryTasksAgain,
} from "./tasks.ts";

const at = now();
const queue = "trial";
const taking = { queue, size: 10, leaseSeconds: 60 };
let db: Db;

beforeAll(async () => {
  ({ db } = await createDatabase());
});
afterEach(async () => {
  await db`delete from task`;
});

const add = (
  key: string,
  { userId, ref, dueAt = at }: { userId?: bigint; ref?: string; dueAt?: Date } = {},
) =>
  attempt(db, async (tx) => {
    await addTask(tx, { queue, kind: "known", key, userId, ref, payload: { key }, dueAt });
    return undefined;
  });
const addAll = async (keys: string) => {
  for (const [nth, key] of keys.split("").entries()) await add(key, { dueAt: secondsAfter(at, nth / 1000) });
};
const keysOf = (tasks: readonly { key: string }[]) =>
  tasks
    .map(({ key }) => key)
    .toSorted()
    .join("");
const take = (seconds: number, more: Partial<Parameters<typeof takeTasks>[1]> = {}) =>
  takeTasks(db, { ...taking, ...more }, secondsAfter(at, seconds));
const states = () =>
  db<{ key: string; state: string; tries: number; failure: string | null }[]>`
    select key, case when done_at is not null then 'done' when due_at is null then 'given up' else 'waits' end as state, tries, failure
    from task order by id`;

test("of many processes that take at once each task goes to one, the longest due first", async () => {
  for (let nth = 0; nth < 60; nth++) await add(String(nth));
  await add("later", { dueAt: secondsAfter(at, 1) });
  const taken = await Promise.all([0, 0, 0, 0, 0, 0, 0, 0].map((seconds) => take(seconds)));
  expect(new Set(taken.flat().map(({ id }) => id)).size).toBe(taken.flat().length);
  let rest = taken.flat().length;
  for (let more = 1; more > 0; rest += more) more = (await take(0)).length;
  expect(rest).toBe(60);
  expect(keysOf(await take(1))).toBe("later");
});

test("a key with many tasks takes no more places than it may, those that run counted, and others come first", async () => {
  await addAll("aaaaabbc");
  expect(keysOf(await take(1, { perKey: 2, size: 4 }))).toBe("aabc");
  expect(keysOf(await take(1, { perKey: 2 }))).toBe("b");
  expect(keysOf(await take(1, { perKey: 3 }))).toBe("a");
  await addAll("d");
  expect(keysOf(await take(1, { perKey: 4, size: 1 }))).toBe("d");
});

test("a task is taken again when its lease is over, and not while it is renewed", async () => {
  await add("a");
  const [task] = await take(0);
  expect(await take(59)).toEqual([]);
  await renewTasks(db, [task!], 3_600);
  expect(await take(120)).toEqual([]);
  expect(await take(3_700)).toMatchObject([{ tries: 2, payload: { key: "a" } }]);
});

test("what must not be done twice is given up when its process has died", async () => {
  await addAll("ab");
  await take(1, { once: true, size: 1 });
  expect(keysOf(await take(60, { once: true }))).toBe("b");
  expect(await take(62, { once: true })).toEqual([]);
  expect(await states()).toMatchObject([
    { state: "given up", tries: 1, failure: "its process ended, and it may have been done" },
    { state: "waits" },
  ]);
});

test("a kind of a later release is left to it", async () => {
  await add("a");
  expect(await take(0, { kinds: ["another"] })).toEqual([]);
  expect(await take(0, { kinds: ["another"], perKey: 1 })).toEqual([]);
  expect(await take(0, { kinds: ["known"] })).toHaveLength(1);
});

test("a process that lost its lease does not end the try of another, but what it has done is done", async () => {
  await add("a");
  const [mine] = await take(0);
  const [theirs] = await take(61);
  await failTask(db, mine!, { failure: "late", dueAt: undefined });
  expect(await states()).toMatchObject([{ state: "waits", failure: null }]);
  await finishTasks(db, [mine!], at);
  await failTask(db, theirs!, { failure: "late", dueAt: at });
  expect(await states()).toMatchObject([{ state: "done", failure: null }]);
});

test("a try that was none does not count, and what is final cannot be tried again by hand", async () => {
  await addAll("ab");
  const [first, second] = (await take(1)).toSorted((a, b) => Number(a.id - b.id));
  await failTask(db, first!, { failure: "cut", dueAt: at, isUncounted: true });
  await failTask(db, second!, { failure: "refused", dueAt: undefined, isFinal: true });
  expect(await states()).toMatchObject([
    { state: "waits", tries: 0 },
    { state: "given up", tries: 1 },
  ]);
  expect(await tryTasksAgain(db, { queue }, at)).toBe(1);
  expect(await states()).toMatchObject([{ failure: "cut" }, { state: "given up" }]);
});

test("a task takes the place of another about the same thing, which then ends without a trace", async () => {
  await add("a", { ref: "one thing" });
  const [before] = await take(0);
  await add("b", { ref: "one thing" });
  await finishTasks(db, [before!], at);
  expect(await states()).toMatchObject([{ key: "b", state: "waits", tries: 0 }]);
});

test("one task, those of a key, of an account or all of a queue are given up, and tried again, but not what runs", async () => {
  await add("a", { userId: 1n });
  await add("a", { userId: 2n });
  await add("b", { userId: 2n });
  const waiting = async () => (await states()).map(({ state }) => (state === "waits" ? "w" : "-")).join("");
  const [first] = await db<{ id: bigint }[]>`select id from task order by id limit 1`;
  const given = "given up by hand";
  expect(await giveUpTasks(db, { queue, id: first?.id }, given)).toBe(1);
  expect(await waiting()).toBe("-ww");
  expect(await giveUpTasks(db, { queue, userId: 2n }, given)).toBe(2);
  expect(await tryTasksAgain(db, { queue, key: "a" }, at)).toBe(2);
  expect(await waiting()).toBe("ww-");
  expect(await giveUpTasks(db, { queue: "another" }, given)).toBe(0);
  await take(0, { size: 1 });
  expect(await tryTasksAgain(db, { queue }, at)).toBe(2);
  expect((await states()).map(({ tries }) => tries)).toEqual([1, 0, 0]);
});

test("a queue's size tells what is fresh, retried, given up, and how late the first is that nobody runs", async () => {
  await addAll("abcd");
  const tasks = await take(1);
  await failTask(
    db,
    tasks.find(({ key }) => key === "a")!,
    { failure: "no", dueAt: secondsAfter(at, 5) },
  );
  await failTask(
    db,
    tasks.find(({ key }) => key === "b")!,
    { failure: "no", dueAt: undefined },
  );
  await finishTasks(
    db,
    tasks.filter(({ key }) => key === "c"),
    at,
  );
  await add("e", { dueAt: secondsAfter(at, 7) });
  expect(await selectSizes(db, secondsAfter(at, 15))).toEqual([
    { queue, fresh: 2, retried: 1, failed: 1, lagSeconds: 10 },
  ]);
  expect(await deleteTasks(db, secondsAfter(at, 1))).toBe(2);
  expect(await states()).toHaveLength(3);
});

const steps = { waitsSeconds: [5, 60] };

test.each([
  ["after the first failure", steps, 1, 0, 5],
  ["after the second", steps, 2, 0, 60],
  ["given up after the last wait", steps, 3, 0, undefined],
  ["the last wait repeated while it lives", { ...steps, lifeSeconds: 600 }, 9, 500, 60],
  ["given up where the next try would be too late", { ...steps, lifeSeconds: 600 }, 9, 540, undefined],
])("a failed task is tried again by its back-off: %s", (_what, backOff, tries, ageSeconds, wait) => {
  const failedAt = secondsAfter(at, ageSeconds);
  const next = nextTry(backOff, { tries, createdAt: at }, failedAt);
  expect(next).toEqual(wait === undefined ? undefined : secondsAfter(failedAt, wait));
});
