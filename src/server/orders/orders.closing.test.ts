import { beforeAll, afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import { attempt, type Tx } from "../platform/db/db.ts";
import { secondsAfter } from "../platform/clock.ts";
import { auditWithin, closeBooks } from "./orders.audit.ts";
import { reopen, selectClosing } from "./orders.closing.sql.ts";
import { audit, deliver, openOrders, type Placed } from "./orders.ts";

const { db, drop } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

const brokenOf = (found: { name: string; bad: string[] }[]) => found.filter(({ bad }) => bad.length > 0);
const closeNow = async () => {
  const at = secondsAfter(new Date(), 1);
  expect(brokenOf(await closeBooks(db, { before: at, at }))).toEqual([]);
};

const known = { old: 0n, canceled: 0n, userId: 0n };
let place: () => Promise<bigint>;

async function receive(orderId: bigint): Promise<bigint> {
  const letterId = await letter(db, [await mailboxOf(db, orderId)]);
  await deliver(db, [{ letterId, orderId }]);
  await db`update letter set is_given = true, judged_at = clock_timestamp() where id = ${letterId}`;
  return orderId;
}

// Closed: a received order, a canceled one. Open: one of each, and a reorder of the closed one.
beforeAll(async () => {
  const userId = await buyer(db, { balance: "1", referredBy: await buyer(db) });
  known.userId = userId;
  const ask = { userId, siteId: await site(db), domainIds: [(await shelf(db, 10)).domainId] };
  place = async () => ((await orders.place(ask)) as Placed).orderId;
  known.old = await receive(await place());
  known.canceled = await place();
  await orders.cancel({ userId, orderId: known.canceled });
  await closeNow();
  await receive(await place());
  const gone = await place();
  await orders.cancel({ userId, orderId: gone });
  await place();
  await orders.reorder({ userId, orderId: known.old });
});

test("what is open is checked against the sums of what is closed, and closed orders go on", async () => {
  expect(await selectClosing(db)).toMatchObject({ orderId: known.canceled });
  // Hidden after the close, as its buyer may at any time.
  await orders.cancel({ userId: known.userId, orderId: known.old });
  expect(brokenOf(await audit(db, { scope: "open" }))).toEqual([]);
  expect(brokenOf(await audit(db))).toEqual([]);
});

test("an order that waits keeps itself and what came after it open; each close begins where the last has ended", async () => {
  const [before] = await db<{ id: bigint }[]>`select min(id) as id from orders where status = 'pending'`;
  await closeNow();
  expect(await selectClosing(db)).toMatchObject({ orderId: before!.id - 1n });
  await closeNow();
  const [count] = await db<{ orders: number; closed: number; apart: boolean }[]>`
    select (select count(*)::int from orders where id <= order_id) as orders,
           (select sum(count)::int from closed_part where what = 'orders') as closed,
           not exists (select 1 from closed_part a join closed_part b on a.what = b.what and a.first_id < b.first_id
                       and a.last_id >= b.first_id) as apart
    from closing`;
  expect(count).toEqual({ orders: count?.closed, closed: count?.orders, apart: true });
  // For the harms below.
  await receive(await place());
});

/** What both audits name after a harm, which is undone. */
async function namedAfter(harm: (tx: Tx) => Promise<unknown>) {
  const named = { open: {} as Record<string, string[]>, all: {} as Record<string, string[]> };
  await attempt(db, async (tx) => {
    await harm(tx);
    for (const scope of ["open", "all"] as const)
      named[scope] = Object.fromEntries(
        brokenOf(await auditWithin(tx, { scope })).map(({ name, bad }) => [name, bad]),
      );
    return "undone";
  });
  return named;
}

const entriesOf = (orderId: bigint) => (tx: Tx) =>
  tx`update transfer set reason = 'forged' where order_id = ${orderId} and kind = 'hold'`;

test("an old entry that was changed is found by its sum, whatever else it would fit", async () => {
  const { open, all } = await namedAfter(entriesOf(known.old));
  const named = { "closed rows": [expect.stringMatching(/^transfer \d+ to \d+$/)] };
  expect(open).toEqual(named);
  expect(all).toEqual(named);
});

test.each([
  ["an old order", "update orders set closed_at = closed_at + interval '1 hour' where id = $1", /^orders /],
  ["an entry that is gone", "delete from transfer where order_id = $1 and kind = 'capture'", /^transfer /],
  [
    "a price moved with its entries and the balance",
    `with o as (update orders set price = price + 7 where id = $1 returning user_id),
          t as (update transfer set amount = amount + 7 where order_id = $1 and kind in ('hold', 'capture'))
     update account a set balance = balance - 7 from o where a.user_id = o.user_id and a.book = 'balance'`,
    /^(orders|transfer) /,
  ],
])("%s among the closed ones is named by both audits", async (_, harm, part) => {
  const { open, all } = await namedAfter((tx) => tx.unsafe(harm, [String(known.old)]));
  for (const named of [open, all])
    expect(named["closed rows"]).toEqual(expect.arrayContaining([expect.stringMatching(part)]));
});

test.each([
  ["balances", "update account set balance = balance + 1 where user_id = $1 and book = 'balance'"],
  ["shop day sums", "update account_day set credit = credit + 1 where account_id = 2"],
  ["order numbers", "update buyer set orders_count = orders_count + 1 where user_id = $1"],
  ["list counters", "update buyer set gone_count = gone_count + 1 where user_id = $1"],
  ["waiting counters", "update buyer set waiting_count = waiting_count + 1 where user_id = $1"],
  [
    "paid",
    "delete from transfer where kind = 'hold' and order_id = (select max(id) from orders where user_id = $1)",
  ],
  [
    "earned",
    "update transfer set amount = amount + 1 where id = (select max(id) from transfer where kind = 'capture')",
  ],
  ["escrow", "update orders set price = price + 1 where user_id = $1 and status = 'pending'"],
  ["letters of orders", "delete from delivery where order_id = (select max(order_id) from delivery)"],
  ["held without stock", "delete from stock"],
  [
    "returned and held",
    "update returned set mailbox_id = (select max(mailbox_id) from orders where user_id = $1 and status = 'pending' and reorder_of is null) where ctid = (select max(ctid) from returned)",
  ],
  [
    "mailbox of an order",
    "update orders set mailbox_id = 999999 where id = (select max(id) from orders where user_id = $1)",
  ],
  ["fresh is fresh", "update stock set next_id = next_id - 1"],
])("%s: the audit of what is open names what breaks it", async (name, harm) => {
  const { open } = await namedAfter((tx) =>
    tx.unsafe(harm, harm.includes("$1") ? [String(known.userId)] : []),
  );
  expect(Object.keys(open)).toContain(name);
});

test("nothing is closed while something is wrong, and after reopening the next close sums up anew", async () => {
  const before = await selectClosing(db);
  await db.begin(async (tx) => entriesOf(known.old)(tx as Tx));
  const at = new Date();
  expect(brokenOf(await closeBooks(db, { before: at, at })).map(({ name }) => name)).toEqual(["closed rows"]);
  expect(await selectClosing(db)).toEqual(before);
  await db.begin((tx) => reopen(tx as Tx));
  await closeNow();
  expect(await selectClosing(db)).toMatchObject({ orderId: before?.orderId });
  expect(brokenOf(await audit(db))).toEqual([]);
});
