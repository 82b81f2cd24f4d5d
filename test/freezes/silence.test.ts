// A way to the database that goes silent without a word: a fail-over, a proxy or a machine that is gone.
import { expect, onTestFinished, test, vi } from "vitest";
import { attempt, connect, listen, notify } from "../../src/server/platform/db/db.ts";
import { openCache } from "../../src/server/platform/cache.ts";
import { createDatabase } from "../kit/database.ts";
import { openProxy } from "../kit/silence.ts";
import { soon } from "../kit/soon.ts";

/** Seconds of operation, as milliseconds of a test. */
const short = { statementMs: 200, lockMs: 100, idleInTransactionMs: 500, silenceMs: 300 };

async function through() {
  const { db, url } = await createDatabase();
  const proxy = await openProxy(url);
  const one = connect(proxy.url, { max: 3, deadlines: short });
  onTestFinished(() => one.end({ timeout: 1 }));
  return { db, proxy, one };
}

test("queries on connections that went silent are refused within the deadline, and the next ones take new connections", async () => {
  const { proxy, one } = await through();
  await Promise.all([one`select pg_sleep(0.01)`, one`select pg_sleep(0.01)`, one`select pg_sleep(0.01)`]);
  const before = proxy.count();
  proxy.silence();
  const asked = Array.from({ length: 3 }, () => one`select 1 as still`);
  for (const outcome of await Promise.allSettled(asked)) expect(outcome.status).toBe("rejected");
  expect(await one`select 1 as still`).toEqual([{ still: 1 }]);
  expect(proxy.count()).toBeGreaterThan(before);
});

test("when a way is found silent, patient connections on it end as soon, those that wait for nothing and those that ask a little later", async () => {
  const { proxy, one } = await through();
  const patient = connect(proxy.url, { max: 2, deadlines: { ...short, silenceMs: 60_000 } });
  onTestFinished(() => patient.end({ timeout: 1 }));
  await Promise.all([patient`select pg_sleep(0.01)`, patient`select pg_sleep(0.01)`, one`select 1`]);
  proxy.silence();
  const asked = one`select 1`.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, short.silenceMs / 2));
  const later = patient`select 1`.catch((fault: { code: string }) => fault.code);
  await asked;
  expect(await later).toBe("CONNECTION_CLOSED");
  // Sockets end between two turns of the event loop.
  await vi.waitFor(async () => expect(await patient`select 1 as still`).toEqual([{ still: 1 }]), soon);
});

test("a transaction on a connection that went silent fails, and so does what waits behind it", async () => {
  const { proxy, one } = await through();
  const work = attempt(one, async (tx) => {
    await tx`select 1`;
    proxy.silence();
    await tx`select 2`;
  });
  await expect(work).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(await one`select 1 as still`).toEqual([{ still: 1 }]);
});

test("a connection that waits for nothing is left alone, however long", async () => {
  const { db, proxy, one } = await through();
  const pid = async () => (await one<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const first = await pid();
  const before = proxy.count();
  await db`select pg_sleep(${(2 * short.silenceMs) / 1000})`;
  expect([await pid(), proxy.count()]).toEqual([first, before]);
});

test("what is remembered is read again when the connection that hears of changes went silent", async () => {
  const { db, one, proxy } = await through();
  await db`create table thing (name text)`;
  const cache = await openCache(one, "things", async () =>
    (await db`select name from thing`).map(({ name }) => name as string),
  );
  onTestFinished(() => cache.close());
  expect(await cache.get()).toEqual([]);
  proxy.silence();
  await db`insert into thing values ('new')`;
  await notify(db, "things", "");
  await expect.poll(() => cache.get()).toEqual(["new"]);
});

test("who listens is told that something may have been missed, and hears again", async () => {
  const { db, one, proxy } = await through();
  const told = vi.fn<(payload: string) => void>();
  const stop = await listen(one, "news", told);
  onTestFinished(stop);
  proxy.silence();
  await vi.waitFor(() => expect(told).toHaveBeenCalledWith(""), soon);
  // On a slow machine the new way may be found silent too: what is said meanwhile is missed, and told as such.
  await vi.waitFor(async () => {
    await notify(db, "news", "again");
    expect(told).toHaveBeenCalledWith("again");
  }, soon);
});
