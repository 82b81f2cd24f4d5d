// @module-tag slow
// A pooler that shares connections between transactions: nothing may depend on a session, or the start says so.
import { expect, onTestFinished, test } from "vitest";
import { attempt, connect, listen, notify } from "../../src/server/platform/db/db.ts";
import { openPools } from "../../src/server/platform/db/pools.ts";
import { checkServer } from "../../src/server/platform/db/check-server.ts";
import { migrate } from "../../src/server/platform/db/migrate.ts";
import { usd } from "../../src/server/platform/money.ts";
import { schedule } from "../../src/server/platform/jobs/scheduler.ts";
import { openOrders } from "../../src/server/orders/orders.ts";
import { createDatabase } from "../kit/database.ts";
import { noPgbouncer, startPgbouncer } from "../kit/pgbouncer.ts";
import { buyer, shelf, site } from "../kit/shelf.ts";

const log = { error: () => undefined };
const why = noPgbouncer ?? "";

test.skipIf(noPgbouncer)(
  `a start behind a pooler of transactions wants the way to the database itself ${why}`,
  async () => {
    const { url } = await createDatabase();
    const pooled = await startPgbouncer(url, { mode: "transaction" });
    await expect(checkServer(pooled)).rejects.toThrow(/DATABASE_SESSION_URL/);
    await expect(checkServer(pooled, pooled)).rejects.toThrow(/must lead to the database itself/);
    expect(await checkServer(pooled, url)).toEqual({ url: pooled, sessionUrl: url, isPooled: true });
    expect(await checkServer(url)).toEqual({ url, isPooled: false });
    const other = await createDatabase();
    await expect(checkServer(pooled, other.url)).rejects.toThrow(/another database/);
  },
);

test.skipIf(noPgbouncer)(`a pooler of sessions needs no other way ${why}`, async () => {
  const { url } = await createDatabase();
  const pooled = await startPgbouncer(url, { mode: "session" });
  expect(await checkServer(pooled)).toEqual({ url: pooled, isPooled: true });
});

test.skipIf(noPgbouncer)(
  `behind a pooler jobs run again and again, notifications are heard, and orders are placed ${why}`,
  async () => {
    const { db: direct, url } = await createDatabase();
    const pooled = await startPgbouncer(url, { mode: "transaction", connections: 6 });
    const { db, end } = openPools(await checkServer(pooled, url));
    onTestFinished(end);
    await migrate(db);
    const turns = { first: 0, second: 0 };
    const jobs = (["first", "second"] as const).map((name) =>
      schedule({
        name,
        seconds: 0.01,
        db,
        log,
        work: async () => attempt(db, async (tx) => void (await tx`select ${++turns[name]}::integer`)),
      }),
    );
    onTestFinished(async () => void (await Promise.all(jobs.map((job) => job.stop()))));
    const heard = Promise.withResolvers<string>();
    const stop = await listen(db, "news", heard.resolve);
    onTestFinished(stop);
    await attempt(db, async (tx) => notify(tx, "news", "here"));
    expect(await heard.promise).toBe("here");

    const orders = openOrders(db, { ttlSeconds: 1200, concurrency: 3 });
    const [siteId, { domainId }] = [await site(direct), await shelf(direct, 40, "0.01")];
    const buyers = await Promise.all(Array.from({ length: 8 }, () => buyer(direct, { balance: "1" })));
    const placed = await Promise.all(
      [...buyers, ...buyers, ...buyers].map((userId) =>
        orders.place({ userId, siteId, domainIds: [domainId] }),
      ),
    );
    expect(placed.map((each) => "price" in each && each.price)).toEqual(placed.map(() => usd("0.01")));
    await orders.drain();
    await expect.poll(() => Math.min(turns.first, turns.second)).toBeGreaterThan(3);
  },
);

test.skipIf(noPgbouncer)(
  `a connection over a pooler sends it no settings that it refuses ${why}`,
  async () => {
    const { url } = await createDatabase();
    const pooled = await startPgbouncer(url, { mode: "transaction" });
    const deadlines = { statementMs: 1000, lockMs: 1000, idleInTransactionMs: 1000, silenceMs: 2000 };
    const db = connect(pooled, { max: 2, deadlines, isPooled: true });
    onTestFinished(() => db.end({ timeout: 1 }));
    expect(await db`select ${"still"} as life`).toEqual([{ life: "still" }]);
  },
);
