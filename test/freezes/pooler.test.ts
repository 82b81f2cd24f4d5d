// @module-tag slow
// A pooler that shares connections between transactions: nothing may depend on a session, or the start says so.
import { expect, onTestFinished, test } from "vitest";
import { attempt, connect, listen, notify } from "../../src/server/kit/db.ts";
import { openPools } from "../../src/server/kit/pools.ts";
import { greet } from "../../src/server/kit/greet.ts";
import { migrate } from "../../src/server/kit/migrate.ts";
import { usd } from "../../src/server/kit/money.ts";
import { every } from "../../src/server/kit/scheduler.ts";
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
    await expect(greet(pooled)).rejects.toThrow(/DATABASE_SESSION_URL/);
    await expect(greet(pooled, pooled)).rejects.toThrow(/must lead to the database itself/);
    expect(await greet(pooled, url)).toEqual({ url: pooled, sessionUrl: url, isPooled: true });
    expect(await greet(url)).toEqual({ url, isPooled: false });
    const other = await createDatabase();
    await expect(greet(pooled, other.url)).rejects.toThrow(/another database/);
  },
);

test.skipIf(noPgbouncer)(`a pooler of sessions needs no other way ${why}`, async () => {
  const { url } = await createDatabase();
  const pooled = await startPgbouncer(url, { mode: "session" });
  expect(await greet(pooled)).toEqual({ url: pooled, isPooled: true });
});

test.skipIf(noPgbouncer)(
  `behind a pooler jobs run again and again, notifications are heard, and orders are placed ${why}`,
  async () => {
    const { db: direct, url } = await createDatabase();
    const pooled = await startPgbouncer(url, { mode: "transaction", connections: 6 });
    const { db, end } = openPools(await greet(pooled, url));
    onTestFinished(end);
    await migrate(db);
    const turns = { first: 0, second: 0 };
    const jobs = (["first", "second"] as const).map((name) =>
      every({
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

    const orders = openOrders(db, { ttlSeconds: 1200, lanes: 3 });
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
