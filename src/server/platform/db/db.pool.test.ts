// Statements that share a connection, and those that must not.
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { soon } from "../../../../test/kit/soon.ts";
import { attempt, connect, type Tx } from "./db.ts";

const { db, url } = await createDatabase();
await db`create table paid (who text primary key, amount bigint)`;

beforeEach(async () => {
  await db`truncate paid`;
});

function pool(max: number) {
  const one = connect(url, { max });
  onTestFinished(() => one.end({ timeout: 1 }));
  return one;
}

const payers = async () =>
  (await db<{ who: string }[]>`select who from paid order by who`).map(({ who }) => who);

test("a statement that fails fails no other on its connection, whatever is wrong with it", async () => {
  const one = pool(1);
  await one`insert into paid values ('first', 1)`;
  const pay = (who: string) => one`insert into paid values (${who}, 1)`;
  const asked = [
    pay("a"),
    pay("first"),
    pay("b"),
    one`select from nowhere`,
    pay("c"),
    one`select ${"x"}::bigint`,
    one`select from nowhere`,
    pay("d"),
  ];
  const outcomes = await Promise.allSettled(asked);
  const codes = outcomes.map((each) => each.status === "rejected" && (each.reason as { code: string }).code);
  expect(codes).toEqual([false, "23505", false, "42P01", false, "22P02", "42P01", false]);
  expect(await payers()).toEqual(["a", "b", "c", "d", "first"]);
});

test("how often and how long was waited for a connection is counted", async () => {
  const one = pool(1);
  await one`select 1`;
  const load = () => [...one.loads().values()][0]!;
  const before = load();
  expect(before).toMatchObject({ open: 1, waiting: 0 });
  const held = await one.reserve();
  // Asked at once: a statement by itself is said when it is awaited.
  const asked = one`select 1`.then((rows) => rows.length);
  expect(load()).toMatchObject({ open: 1, waiting: 1, waits: before.waits + 1 });
  held.release();
  await asked;
  expect(load().waiting).toBe(0);
  expect(load().waitedSeconds).toBeGreaterThan(before.waitedSeconds);
});

test("connections that nobody uses are closed after a while, but for those that are kept", async () => {
  const one = connect(url, { max: 4, idleSeconds: 0.05, kept: 1 });
  onTestFinished(() => one.end({ timeout: 1 }));
  const open = () => [...one.loads().values()][0]!.open;
  const held = await Promise.all([1, 2, 3, 4].map(() => one.reserve()));
  const [last] = held;
  for (const each of held.slice(1)) each.release();
  await vi.waitFor(() => expect(open()).toBe(2), soon);
  // One in use is closed by nobody.
  expect(await last!`select 1 as still`).toEqual([{ still: 1 }]);
  last!.release();
  await vi.waitFor(() => expect(open()).toBe(1), soon);
  expect(await one`select 2 as still`).toEqual([{ still: 2 }]);
});

test("what is said in a transaction that could not begin is not done", async () => {
  const one = pool(1);
  const work = one.begin("isolation level that is none", async (tx) => {
    await Promise.allSettled(["a", "b", "c"].map((who) => tx`insert into paid values (${who}, 1)`));
    await tx.unsafe("insert into paid values ('d', 1)").catch(() => undefined);
  });
  await expect(work).rejects.toMatchObject({ code: "42601" });
  const unsafe = one.begin("isolation level that is none", (tx) =>
    tx.unsafe("insert into paid values ('e', 1)"),
  );
  await expect(unsafe).rejects.toMatchObject({ code: "42601" });
  expect(await payers()).toEqual([]);
});

test("a transaction in which a fault was caught is undone, and the fault is told", async () => {
  const work = attempt(pool(1), async (tx) => {
    await tx`insert into paid values ('a', 1)`;
    await tx`insert into paid values ('a', 1)`.catch(() => undefined);
  });
  await expect(work).rejects.toMatchObject({ code: "23505" });
  expect(await payers()).toEqual([]);
});

test("nothing is said in a transaction that is over", async () => {
  const one = pool(1);
  let kept: Tx | undefined;
  await attempt(one, async (tx) => {
    kept = tx;
    await tx`insert into paid values ('a', 1)`;
  });
  await expect(kept!`insert into paid values ('b', 1)`).rejects.toThrow("over");
  expect(await payers()).toEqual(["a"]);
});

test("a commit that the database refuses fails, and its connection goes on", async () => {
  const one = pool(1);
  await one`create table checked (n integer, constraint once unique (n) deferrable initially deferred)`;
  const work = attempt(one, async (tx) => {
    await tx`insert into checked values (1), (1)`;
  });
  await expect(work).rejects.toMatchObject({ code: "23505" });
  const pid = async () => (await one<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const before = await pid();
  await expect(attempt(one, (tx) => tx`insert into checked values (2), (2)`)).rejects.toThrow();
  expect(await pid()).toBe(before);
});

test("nobody gets a connection that was given back in the midst of a transaction", async () => {
  const one = pool(1);
  const reserved = await one.reserve();
  await reserved`begin`;
  await reserved`insert into paid values ('left', 1)`;
  reserved.release();
  await one`insert into paid values ('next', 1)`;
  expect(await payers()).toEqual(["next"]);
});

test("a statement whose table has changed meanwhile is said again, and so are those sent with it", async () => {
  const one = pool(1);
  const read = () => one`select * from paid`;
  expect(await read()).toEqual([]);
  await db`alter table paid add column note text`;
  await db`insert into paid values ('a', 1, 'new')`;
  onTestFinished(async () => void (await db`alter table paid drop column note`));
  const row = { who: "a", amount: 1n, note: "new" };
  expect(await Promise.all([read(), read(), read()])).toEqual([[row], [row], [row]]);
});

test("a pool that ends answers what was asked before, and refuses what is asked after", async () => {
  const one = connect(url, { max: 1 });
  const before = [one`select 1 as n`, one`select pg_sleep(0.05)`, one`select 2 as n`].map((each) =>
    each.then((rows) => rows),
  );
  const ended = one.end();
  await expect(one`select 3`).rejects.toMatchObject({ code: "CONNECTION_ENDED" });
  await ended;
  expect((await Promise.all(before)).map(({ length }) => length)).toEqual([1, 1, 1]);
});
