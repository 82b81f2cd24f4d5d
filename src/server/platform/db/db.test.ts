import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod/mini";
import { createDatabase } from "../../../../test/kit/database.ts";
import { all, attempt, connect, listen, maybe, notify, one, wasUndone } from "./db.ts";
import { soon } from "../../../../test/kit/soon.ts";

const { db, drop, url } = await createDatabase();
beforeAll(async () => {
  await db`create table thing (id bigint primary key, name text)`;
});
afterAll(drop);

const Thing = z.object({ id: z.bigint(), name: z.nullable(z.string()) });
const things = () => all(Thing, db`select * from thing order by id`);

test("a string that a transaction answers is a refusal and undoes everything", async () => {
  const refusal = await attempt(db, async (tx) => {
    await tx`insert into thing values (1, 'a')`;
    return "no room";
  });
  expect(refusal).toBe("no room");
  expect(await things()).toEqual([]);
});

test("what a transaction answers otherwise is kept and answered, nothing included", async () => {
  const answer = await attempt(db, async (tx) => {
    await tx`insert into thing values (2, 'b')`;
    return { id: 2 };
  });
  expect(answer).toEqual({ id: 2 });
  expect(await attempt(db, async () => undefined)).toBeUndefined();
  expect(await things()).toEqual([{ id: 2n, name: "b" }]);
});

test("a fault in a transaction undoes it and is thrown on", async () => {
  const work = attempt(db, async (tx) => {
    await tx`insert into thing values (3, 'c')`;
    throw new Error("broken");
  });
  await expect(work).rejects.toThrow("broken");
  expect(await things()).toHaveLength(1);
});

test("the number of rows that a query says is the number that it gives", async () => {
  const two = () => db`select 1::bigint as id, null as name union all select 2, null`;
  await expect(one(Thing, two())).rejects.toThrow("2 came");
  await expect(maybe(Thing, two())).rejects.toThrow("2 came");
  await expect(one(Thing, db`select 1 where false`)).rejects.toThrow("none came");
  expect(await maybe(Thing, db`select 1 where false`)).toBeUndefined();
});

test("a row of another shape is a fault, not a wrong value", async () => {
  await expect(one(Thing, db`select '1' as id, 'a' as name`)).rejects.toThrow();
});

test("bigints pass exactly, alone and in arrays, and times are dates", async () => {
  const big = 9_007_199_254_740_993n;
  const row = await one(
    z.object({ big: z.bigint(), list: z.array(z.bigint()), nulls: z.int(), at: z.date() }),
    db`select ${big}::bigint as big, ${[big, 1n]}::bigint[] as list,
              cardinality(array_positions(${[1n, null]}::bigint[], null)) as nulls, '2026-01-02T03:04:05Z'::timestamptz as at`,
  );
  expect(row).toEqual({ big, list: [big, 1n], nulls: 1, at: new Date("2026-01-02T03:04:05Z") });
});

test("a listener hears what was committed and nothing that was not", async () => {
  const told = vi.fn<(payload: string) => void>();
  const stop = await listen(db, "news", told);
  await attempt(db, async (tx) => {
    await notify(tx, "news", "undone");
    return "refused";
  });
  await attempt(db, async (tx) => notify(tx, "news", "kept"));
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith("kept"), soon);
  expect(told).toHaveBeenCalledTimes(1);
  await stop();
});

test("a listener whose connection broke listens again and is told that it may have missed something", async () => {
  const told = vi.fn<(payload: string) => void>();
  const stop = await listen(db, "more", told);
  await db`select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and query ilike '%pg_notify%'`;
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith(""), soon);
  await notify(db, "more", "back");
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith("back"), soon);
  await stop();
});

test("only a fault that the database itself told of is known to be undone", async () => {
  const told = await db`insert into thing values (2, 'twice')`.catch((fault: unknown) => fault);
  const cut = await db`select pg_terminate_backend(pg_backend_pid())`.catch((fault: unknown) => fault);
  expect(wasUndone(told)).toBe(true);
  expect(cut).toBeInstanceOf(Error);
  expect(wasUndone(cut)).toBe(false);
  expect(wasUndone(new Error("CONNECTION_CLOSED"))).toBe(false);
});

test("who waits too long for a free connection is refused in his turn, and all the rest are served", async () => {
  const waits = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0, silenceMs: 60_000, connectionMs: 300 };
  const small = connect(url, { max: 1, deadlines: waits });
  onTestFinished(() => small.end({ timeout: 1 }));
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const holder = attempt(small, async (tx) => {
    await tx`select 1`;
    begun.resolve();
    await held.promise;
    return { done: true };
  });
  await begun.promise;
  const late = { code: "CONNECTION_QUEUE_TIMEOUT" };
  const waiting = [small`select 1 as still`, attempt(small, async (tx) => tx`select 1`), small.reserve()];
  await Promise.all(waiting.map((refused) => expect(refused).rejects.toMatchObject(late)));
  const inTime = [small`select 2 as still`, small.reserve().then((one) => one.release())];
  held.resolve();
  expect(await holder).toEqual({ done: true });
  expect((await Promise.all(inTime))[0]).toEqual([{ still: 2 }]);
  expect(await small`select 3 as still`).toEqual([{ still: 3 }]);
});
