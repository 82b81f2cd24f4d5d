// @module-tag full
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, shelf, site } from "../../../test/kit/shelf.ts";
import * as inventory from "../inventory/inventory.ts";
import { connect, type Db } from "../platform/db/db.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { audit } from "./orders.audit.ts";
import { deliver, openOrders, type Orders, waiting } from "./orders.ts";

const { db, url, drop } = await createDatabase({ max: 8 });
// Each has a pool, batchers and a shard of its own.
const processes = [1, 2, 3].map((shard) => {
  const pool = connect(url, { max: 8, name: `storm ${shard}` });
  return { pool, orders: openOrders(pool, { ttlSeconds: 1200, concurrency: 3, shard }) };
});
afterAll(async () => {
  await Promise.all(processes.map(({ pool }) => pool.end()));
  await drop();
});

const inFlight = 64;
const acts = Number(process.env["STORM_ACTS"] ?? 2500);

test("64 acts at a time from several processes, of all kinds, break nothing, wait in no circle, and leave every invariant standing", async () => {
  const partner = await buyer(db, { balance: "1" });
  const users = [
    partner,
    ...(await Promise.all(
      Array.from({ length: 11 }, () => buyer(db, { balance: "1", referredBy: partner })),
    )),
  ];
  // Every third seems to be the same person: shares between them are held.
  await db`
    insert into user_mark (user_id, kind, hash)
    select id, 'wallet', '' from unnest(${users.filter((_, n) => n % 3 === 0)}::bigint[]) as id`;
  const sites = await Promise.all(Array.from({ length: 5 }, () => site(db)));
  const domains = await Promise.all([40, 25, 3, 0].map(async (count) => (await shelf(db, count)).domainId));
  const batches = await Promise.all(
    [0, 300_000, 900_000].map((sharePpm) =>
      inventory.addBatch(db, { investorId: partner, sharePpm, title: "storm" }),
    ),
  );
  const shop: Shop = { users, sites, domains, batches, placed: [], names: 0 };
  const [seed] = fc.sample(fc.nat(), 1);
  const choose = chooser(seed ?? 0);
  let left = acts;
  const faults: unknown[] = [];
  await Promise.all(
    Array.from({ length: inFlight }, async (_, client) => {
      const { pool, orders } = processes[client % processes.length]!;
      while (left-- > 0) await once(pool, orders, shop, choose).catch((fault: unknown) => faults.push(fault));
    }),
  );
  expect({ seed, faults }).toEqual({ seed, faults: [] });
  expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
  const [ended] = await db<{ received: number; refunded: number; reorders: number }[]>`
    select count(*) filter (where status = 'received')::int as received, count(*) filter (where reorder_of is not null)::int as reorders,
           count(*) filter (where status in ('canceled', 'expired'))::int as refunded from orders`;
  const [kept] = await db<{ orders: number }[]>`
    select coalesce(sum(referrals_count + soft_count), 0)::int as orders from partner_tie where state = 'held'`;
  expect(kept?.orders).toBeGreaterThan(0);
  // Not only refusals.
  expect(Math.min(ended?.received ?? 0, ended?.refunded ?? 0, ended?.reorders ?? 0)).toBeGreaterThan(
    acts / 250,
  );
}, 600_000);

test("after all of that nobody had waited in a circle, and hardly anything was undone", async () => {
  const pools = [db, ...processes.map(({ pool }) => pool)];
  await Promise.all(
    pools.flatMap((pool) =>
      Array.from({ length: 8 }, () => pool`select pg_stat_force_next_flush(), pg_sleep(0.05)`),
    ),
  );
  const [seen] = await db<{ deadlocks: bigint; undone: bigint }[]>`
    select deadlocks, xact_rollback as undone from pg_stat_database where datname = current_database()`;
  expect(seen?.deadlocks).toBe(0n);
  // The server's own workers, which count too, sometimes roll back to make way.
  expect(Number(seen?.undone)).toBeLessThan(4);
});

type Shop = {
  users: bigint[];
  sites: number[];
  domains: number[];
  batches: number[];
  placed: { userId: bigint; orderId: bigint }[];
  names: number;
};
type Choose = <Item>(list: readonly Item[]) => Item;

/** The same seed chooses the same acts; their results depend on timing. */
function chooser(seed: number): Choose {
  let state = seed;
  return (list) => {
    // The constants of Numerical Recipes.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)]!;
  };
}

async function once(pool: Db, orders: Orders, shop: Shop, choose: Choose): Promise<unknown> {
  const userId = choose(shop.users);
  const order = shop.placed.length > 0 ? choose(shop.placed) : undefined;
  const kind = choose(kinds);
  switch (kind) {
    case "place":
    case "place several": {
      const domainIds =
        kind === "place"
          ? [choose(shop.domains)]
          : [choose(shop.domains), choose(shop.domains), choose(shop.domains)];
      const key = choose([undefined, undefined, `key ${choose([1, 2, 3])}`]);
      const ask = { userId, siteId: choose(shop.sites), domainIds, softId: choose(shop.users) };
      const answer = await orders.place({ ...ask, ...(key === undefined ? {} : { idempotencyKey: key }) });
      if ("orderId" in answer) shop.placed.push({ userId, orderId: answer.orderId });
      return undefined;
    }
    case "cancel":
      return order && orders.cancel(order);
    case "reorder": {
      const answer = order && (await orders.reorder(order));
      if (answer && "orderId" in answer) shop.placed.push({ userId: order.userId, orderId: answer.orderId });
      return undefined;
    }
    case "receive":
      return order && receive(pool, order.orderId);
    case "expire":
      if (order)
        await pool`update orders set expires_at = clock_timestamp() where id = ${order.orderId} and status = 'pending'`;
      return orders.expireDue();
    case "money":
      return moveMoney(pool, userId, `storm ${(shop.names += 1)}`, choose);
    default:
      return stock(pool, shop, kind, choose);
  }
}

const kinds = [
  ...Array.from({ length: 8 }, () => "place" as const),
  ...(["place several", "cancel", "receive", "reorder"] as const).flatMap((kind) => [kind, kind, kind]),
  ...(["expire", "money", "die", "revive", "block", "unblock", "restock", "look"] as const),
];

async function receive(pool: Db, orderId: bigint): Promise<void> {
  const [row] = await pool<{ id: bigint }[]>`select mailbox_id as id from orders where id = ${orderId}`;
  if (!row) return;
  const letterId = await letter(pool, [row.id], { isMatched: false });
  await pool.begin(async (tx) => {
    await tx`update letter set judged_at = clock_timestamp() where id = ${letterId}`;
    const fits = await waiting(tx, [row.id]);
    await deliver(
      tx,
      fits.map((order) => ({ letterId, orderId: order.orderId })),
    );
  });
}

async function moveMoney(pool: Db, userId: bigint, idempotencyKey: string, choose: Choose): Promise<unknown> {
  const amount = usd("0.01");
  const book = choose(["balance", "referrals", "investor"] as const);
  if (choose([true, false])) return ledger.payOut(pool, { userId, book, amount, idempotencyKey });
  return ledger.credit(pool, { userId, amount, gateway: "ton", idempotencyKey });
}

type StockKind = "die" | "revive" | "block" | "unblock" | "restock" | "look";

async function stock(pool: Db, shop: Shop, kind: StockKind, choose: Choose): Promise<unknown> {
  const batchId = choose(shop.batches);
  const siteId = choose(shop.sites);
  switch (kind) {
    case "die":
    case "revive": {
      const found = await pool<{ id: bigint }[]>`select id from mailbox order by id`;
      const ids = [1, 2, 3].map(() => choose(found).id);
      return inventory.setDead(pool, ids, kind === "die");
    }
    case "block":
      return inventory.block(pool, batchId, siteId);
    case "unblock":
      return inventory.unblock(pool, batchId, siteId);
    case "restock": {
      const parts = [1, 2, 3].map(() => `storm${(shop.names += 1)}`);
      return inventory.addMailboxes(pool, batchId, choose(shop.domains), parts);
    }
    case "look":
      return Promise.all([inventory.available(pool, siteId), audit(pool)]).then(([, found]) => {
        // Each check is one snapshot: nothing half done is seen.
        const broken = found.filter(({ bad }) => bad.length > 0);
        if (broken.length > 0) throw new Error(JSON.stringify(broken));
      });
  }
}
