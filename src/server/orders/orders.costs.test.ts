import { afterAll, beforeAll, expect, test } from "vitest";
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
