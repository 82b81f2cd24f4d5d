import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { lookedAt } from "../../../test/kit/looked-at.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import { deliver, openOrders, type Placed } from "./orders.ts";

// The cost of an act does not grow with the shop: no other rows are read.

const others = 3_000;
const lookedAtMax = 200;

const { db, drop } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

let ask: { userId: bigint; siteId: number; domainIds: number[] };

beforeAll(async () => {
  const { domainId } = await shelf(db, others + 100);
  ask = { userId: await buyer(db, { balance: "100" }), siteId: await site(db), domainIds: [domainId] };
  await Promise.all(Array.from({ length: others }, () => orders.place(ask)));
  await db`
    insert into users (email, name, password_hash, token_hash, token_sealed, activated_at)
    select 'other' || n || '@buyers.test', 'other', 'none', decode(md5(n::text), 'hex'), '', now()
    from generate_series(1, ${others}::int) n`;
  await db`
    select open_accounts(array_agg(id), array_agg('balance'::text)) from users where email like 'other%@buyers.test'`;
});

test("a letter that is given looks at no account but those of its order", async () => {
  const { orderId } = (await orders.place(ask)) as Placed;
  const letterId = await letter(db, [await mailboxOf(db, orderId)]);
  const seen = await lookedAt(db, "account", async (tx) => {
    expect(await deliver(tx, [{ letterId, orderId }])).toHaveLength(1);
  });
  expect(seen).toBeLessThan(lookedAtMax);
});

test("expiry looks at no order whose time is not over", async () => {
  const { orderId } = (await orders.place(ask)) as Placed;
  await db`update orders set expires_at = now() - interval '1 second' where id = ${orderId}`;
  const seen = await lookedAt(db, "orders", async (tx) => {
    const [row] = await tx<{ expired: number }[]>`select expire_due(100, 0, interval '0', '{}') as expired`;
    expect(row?.expired).toBe(1);
  });
  expect(seen).toBeLessThan(lookedAtMax);
});

test("a search for a whole address looks at the orders of its mailbox, and not at all of its buyer's", async () => {
  const { db: shop, drop: end } = await createDatabase();
  onTestFinished(end);
  const { placeMany } = openOrders(shop, { ttlSeconds: 1200 });
  const { domainId, domain } = await shelf(shop, 4);
  const sites = await Promise.all(Array.from({ length: 400 }, () => site(shop)));
  const userId = await buyer(shop, { balance: "100" });
  const order = (userId: bigint, siteId: number, quantity: number) =>
    placeMany({ userId, siteId, domainIds: [domainId] }, quantity);
  await Promise.all(sites.map((siteId) => order(userId, siteId, 3)));
  // A plan for any buyer expects few orders of each.
  for (const siteId of sites.slice(0, 40)) await order(await buyer(shop, { balance: "1" }), siteId, 1);
  await shop`analyze orders`;
  const [{ mailbox } = { mailbox: "" }] = await shop<{ mailbox: string }[]>`
    select local_part as mailbox from mailbox where domain_id = ${domainId} limit 1`;
  const seen = await lookedAt(shop, "orders_number", async (tx) => {
    const [found] = await tx<{ total: number }[]>`
      select total from find_orders(${userId}, false, array[${mailbox}], ${domain}, null, null, null, null, now() + interval '1 hour', 1, 10)`;
    expect(found?.total).toBe(0);
  });
  // The sites' orders of one mailbox are looked up again by their numbers; all of the buyer's are 1,200.
  expect(seen).toBeLessThan(sites.length + lookedAtMax);
});
