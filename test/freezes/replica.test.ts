// Heavy reads on a real hot standby: never older than what was seen, and on the primary when it is behind or silent.
import { afterAll, expect, onTestFinished, test } from "vitest";
import * as ledger from "../../src/server/ledger/ledger.ts";
import { openOffice } from "../../src/server/office/office.ts";
import { openOrders } from "../../src/server/orders/orders.ts";
import { connect, type Db } from "../../src/server/platform/db/db.ts";
import { migrate } from "../../src/server/platform/db/migrate.ts";
import {
  everything,
  openReplica,
  readFrom,
  useReplica,
  wrongReplica,
} from "../../src/server/platform/db/replica.ts";
import { createDatabase } from "../kit/database.ts";
import { buyer, shelf, site } from "../kit/shelf.ts";
import { openProxy } from "../kit/silence.ts";
import { startPair } from "../kit/servers.ts";

const pair = await startPair(afterAll);
const db = connect(pair.primary.url, { max: 4 });
await migrate(db);
afterAll(() => db.end());

const warned: object[] = [];
const log = { warn: (details: object) => warned.push(details) };
/** It gives a standby up soon. */
const timing = { reachMs: 300, answerMs: 1_000, restMs: 50 };
/** It waits for a standby that is only slow. */
const patient = { reachMs: 60_000, answerMs: 60_000, restMs: 50 };

/** The replica of the pools from now on, until the test is over. */
function read(on: Db, url = pair.standby.url, times = timing) {
  const replica = openReplica(url, log, times);
  useReplica(on, replica);
  onTestFinished(() => replica.end());
  return replica;
}

/** Whether a statement went to the standby. */
const isOnStandby = async (sql: Pick<Db, "unsafe">) =>
  (await sql.unsafe<{ standby: boolean }[]>("select pg_is_in_recovery() as standby"))[0]?.standby ?? false;
const where = (on: Db) =>
  readFrom(
    on,
    everything,
    async (tx) => ({ standby: await isOnStandby(tx) }),
    async () => ({ standby: await isOnStandby(on) }),
  );

test("what was just committed is read on the standby, which is waited for", async () => {
  read(db, pair.standby.url, patient);
  for (let turn = 0; turn < 5; turn++) {
    await db`insert into site (name) values (${`turn${turn}.example`})`;
    const seen = await readFrom(
      db,
      everything,
      async (tx) => [
        ...(await tx`select pg_is_in_recovery() as standby, count(*)::int from site where name like 'turn%'`),
      ],
      async () => [],
    );
    expect([...seen]).toEqual([{ standby: true, count: turn + 1 }]);
  }
});

test("a standby that is behind: statement, history, tables and files are those of the primary", async () => {
  read(db);
  const orders = openOrders(db, { ttlSeconds: 1200 });
  const userId = await buyer(db, { balance: "5" });
  const ask = { userId, siteId: await site(db), domainIds: [(await shelf(db, 20)).domainId] };
  await Promise.all(Array.from({ length: 11 }, () => orders.place(ask)));
  expect((await orders.history(userId, 2)).orders).toHaveLength(1);
  await pair.hold(true);
  try {
    await Promise.all([orders.place(ask), orders.place(ask)]);
    expect((await orders.history(userId, 2)).orders).toHaveLength(3);
    expect((await ledger.readStatement(db, userId, { size: 50 })).lines).toHaveLength(14);
    expect((await ledger.readStatement(db, userId, { book: "referrals" })).lines).toEqual([]);
    expect(await openOffice(db).page({ table: "orders" }, 1, new Date())).toMatchObject({ total: 13 });
    expect(await where(db)).toEqual({ standby: false });
    expect(warned.length).toBeGreaterThan(0);
  } finally {
    await pair.hold(false);
  }
  await expect.poll(() => where(db)).toEqual({ standby: true });
});

test("a standby that went silent, before or in the middle, is given up within the deadline and asked again later", async () => {
  const proxy = await openProxy(pair.standby.url);
  read(db, proxy.url);
  await expect.poll(() => where(db)).toEqual({ standby: true });
  proxy.silence();
  const start = performance.now();
  expect(await where(db)).toEqual({ standby: false });
  expect(performance.now() - start).toBeLessThan(5_000);
  await expect.poll(() => where(db)).toEqual({ standby: true });
  const answer = await readFrom(
    db,
    everything,
    async (tx) => {
      proxy.silence();
      return { standby: await isOnStandby(tx) };
    },
    async () => ({ standby: false }),
  );
  expect(answer).toEqual({ standby: false });
});

test("another database is refused at the start, and one that is away is not", async () => {
  const other = await createDatabase();
  onTestFinished(other.drop);
  await expect(read(db, other.url).check(db)).rejects.toThrow(wrongReplica);
  expect(await where(db)).toEqual({ standby: false });
  await read(db, "postgres://nobody@127.0.0.1:9/none").check(db);
  expect(await where(db)).toEqual({ standby: false });
});
