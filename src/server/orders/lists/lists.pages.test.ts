import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { buyer, shelf, site } from "../../../../test/kit/shelf.ts";
import { openOrders } from "../orders.ts";

const { db, drop } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

// More than two spans of the list's counters (65,536 numbers each): whole blocks and more than a whole span have left the list.
const count = 140_000;
let userId: bigint;
let listed: bigint[];

beforeAll(async () => {
  userId = await buyer(db);
  const siteId = await site(db);
  const { domainId } = await shelf(db, 1);
  // Reorders, because a site has a mailbox only once.
  await db`
    insert into orders (user_id, mailbox_id, price, created_at, expires_at, reorder_of, site_id, domain_id, number, status)
    select ${userId}, m.id, 1, now(), now(), 1, ${siteId}, ${domainId}, n,
           (case when n between 30000 and 100000 or n % 5000 < 700 or n % 3 = 0 then 'canceled' else 'received' end)::order_status
    from generate_series(1, ${count}::int) n, mailbox m where m.domain_id = ${domainId}`;
  await db`update buyer set orders_count = ${count} where user_id = ${userId}`;
  await db`select leave_list(array_agg(user_id), array_agg(number), false) from orders where status = 'canceled'`;
  const rows = await db<{ id: bigint }[]>`
    select id from orders where status = 'received' order by number desc`;
  listed = rows.map(({ id }) => id);
});

test("any page of a long list of activations holds exactly the orders that stand there", async () => {
  const pages = Math.ceil(listed.length / 10);
  const pageIsRight = async (page: number) => {
    const found = await orders.activations(userId, page);
    expect(found.pages).toBe(pages);
    expect(found.orders.map(({ orderId }) => orderId)).toEqual(listed.slice((page - 1) * 10, page * 10));
  };
  for (const page of [1, 2, pages - 1, pages, pages + 1, 1_000_000]) await pageIsRight(page);
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: pages }), pageIsRight), { numRuns: 150 });
});

test("any page of a long history holds exactly the orders of its numbers", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: count / 10 + 1 }), async (page) => {
      const found = await orders.history(userId, page);
      expect([found.pages, found.nextPage]).toEqual([count / 10, page < count / 10]);
      const rows = await db<{ id: bigint }[]>`
        select id from orders where user_id = ${userId} order by number desc offset ${(page - 1) * 10} limit 10`;
      expect(found.orders.map(({ orderId }) => orderId)).toEqual(rows.map(({ id }) => id));
    }),
    { numRuns: 50 },
  );
});
