import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import * as inventory from "../inventory/inventory.ts";
import { attempt } from "../platform/db/db.ts";
import { audit, auditWithin } from "./orders.audit.ts";
import { complain, deliver, openOrders, type Placed } from "./orders.ts";

const { db, drop } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

// One of each: a received order with shares, its reorder, a pending, a canceled; a blocked batch; a returned mailbox that died; a held, a
// released and a refunded share of an investor.
const known = { received: 0n, reorder: 0n, pending: 0n, canceled: 0n, user: 0n };
beforeAll(async () => {
  const partner = await buyer(db);
  known.user = await buyer(db, { balance: "1", referredBy: partner });
  const siteId = await site(db);
  const { domainId } = await shelf(db, 10);
  const place = async () =>
    ((await orders.place({ userId: known.user, siteId, domainIds: [domainId] })) as Placed).orderId;
  known.received = await place();
  const letterId = await letter(db, [await mailboxOf(db, known.received)]);
  await deliver(db, [{ letterId, orderId: known.received }]);
  await db`update letter set is_given = true where id = ${letterId}`;
  known.reorder = ((await orders.reorder({ userId: known.user, orderId: known.received })) as Placed).orderId;
  known.pending = await place();
  known.canceled = await place();
  await orders.cancel({ userId: known.user, orderId: known.canceled });
  const batchId = await inventory.addBatch(db, { title: "picky" });
  await inventory.addMailboxes(db, batchId, domainId, ["a", "b", "c"]);
  await inventory.block(db, batchId, siteId);
  await inventory.setDead(db, [await mailboxOf(db, known.canceled)], true);
  await shareWithInvestor(siteId);
});

async function shareWithInvestor(siteId: number): Promise<void> {
  const investorId = await buyer(db);
  const [userId, { domainId }] = [await buyer(db, { balance: "1" }), await shelf(db, 0)];
  const batchId = await inventory.addBatch(db, { title: "investor's", investorId, sharePpm: 300_000 });
  await inventory.addMailboxes(db, batchId, domainId, ["x", "y", "z"]);
  const [, released = 0n, refunded = 0n] = await Promise.all(
    [1, 2, 3].map(async () => {
      const { orderId } = (await orders.place({ userId, siteId, domainIds: [domainId] })) as Placed;
      const letterId = await letter(db, [await mailboxOf(db, orderId)]);
      await deliver(db, [{ letterId, orderId }]);
      await db`update letter set is_given = true where id = ${letterId}`;
      return orderId;
    }),
  );
  await db`select end_shares(array[${released}::bigint], 'released', 0)`;
  await complain(db, { userId, orderId: refunded }, new Date());
}

test("a shop at work breaks nothing, and everything that must hold is said", async () => {
  const found = await audit(db);
  expect(found.filter(({ bad }) => bad.length > 0)).toEqual([]);
  expect(found.length).toBeGreaterThanOrEqual(25);
  for (const { says } of found) expect(says.length).toBeGreaterThan(20);
});

// Each damage, by hand, and the invariant that must name it.
const harms: [name: string, harm: string][] = [
  [
    "ledger accounts",
    "insert into transfer (debit, credit, amount, kind) values (999999, 1000, 5, 'adjust')",
  ],
  ["balances", "update account set balance = balance + 1 where id = (select max(id) from account)"],
  ["shop day sums", "update account_day set credit = credit + 1 where account_id = 2"],
  ["hours of days", "update shop_hour_mark set settled_at = 'infinity'"],
  ["zero sum", "update account_day set debit = debit + 1 where account_id = 10"],
  [
    "no overdraft",
    "alter table account drop constraint account_balance_check; update account set balance = -1 where id = 1001",
  ],
  ["escrow", "update orders set price = price + 1 where status = 'pending'"],
  [
    "once for a site",
    `drop index orders_once; insert into orders (user_id, mailbox_id, price, created_at, expires_at, site_id, domain_id, number)
     select user_id, mailbox_id, price, created_at, expires_at, site_id, domain_id, 99 from orders where status = 'pending' and reorder_of is null`,
  ],
  ["mailbox of an order", "update orders set mailbox_id = 999999 where status = 'canceled'"],
  ["paid", "delete from transfer where kind = 'hold' and order_id = (select max(order_id) from transfer)"],
  ["hold without order", "insert into transfer (debit, credit, amount, kind) values (1001, 1, 5, 'hold')"],
  ["refunded", "update orders set status = 'expired' where status = 'pending' and reorder_of is null"],
  ["refunded", "delete from transfer where kind = 'refund'"],
  ["refunded", "update transfer set credit = 1 + credit where kind = 'refund'"],
  ["earned", "update transfer set amount = amount + 1 where kind = 'referral'"],
  ["earned", "delete from transfer where kind = 'capture'"],
  ["earned", "update transfer set order_id = null, kind = 'bonus' where kind in ('capture', 'referral')"],
  [
    "nobody from his own",
    "update account set user_id = (select min(user_id) from orders where status = 'received') where book = 'referrals'",
  ],
  ["order numbers", "update orders set number = number + 1 where number = (select max(number) from orders)"],
  ["list counters", "update buyer_gap set gone = gone + 1"],
  ["list counters", "update buyer_span set gone = gone + 1"],
  ["list counters", "update buyer set gone_count = gone_count + 1"],
  ["waiting counters", "update buyer set waiting_count = waiting_count + 1"],
  ["reorders", "update orders set user_id = 1 where reorder_of is not null"],
  ["reorders", "update orders set reorder_of = 1 where reorder_of is not null"],
  ["budgets", "update orders set token_id = 1 where status = 'pending'"],
  ["budgets", "insert into user_token_day (token_id, day, spent) values (1, current_date, 1)"],
  ["living mailboxes", "update mail_domain set live = live + 1"],
  ["lots", "delete from mailbox where local_part = 'c'"],
  ["taken", "update stock set taken = taken - 1"],
  ["held without stock", "delete from stock"],
  ["lots", "delete from lot where id = (select max(id) from lot)"],
  ["taken", "delete from batch_block"],
  [
    "returned and held",
    "update returned set mailbox_id = (select mailbox_id from orders where status = 'pending' and reorder_of is null)",
  ],
  ["returned and held", "update returned set hidden = 0 where hidden = 2"],
  ["fresh is fresh", "update stock set next_id = next_id - 1"],
  ["fresh is fresh", "update stock set lot_id = 0, next_id = 1, end_id = 0"],
  ["fresh is fresh", "update stock_run set lot_id = (select min(id) from lot), first_id = 1, last_id = 2"],
  ["no mailbox lost", "update stock set next_id = next_id + 1"],
  [
    "earnings by day",
    "update account_day set credit = credit + 1 where account_id = (select id from account where book = 'referrals')",
  ],
  ["shares", "update users set referred_by = null"],
  ["shares", "delete from transfer where kind = 'referral'"],
  ["shares", "update transfer set amount = amount + 1 where kind = 'referral'"],
  ["held", "update account set balance = balance + 1, book = 'soft.held' where book = 'referrals'"],
  ["refunded", "update transfer set credit = 1 + credit where kind = 'refund' and debit = 2"],
  ["held", "update investor_share set amount = amount + 1 where state = 'held'"],
  ["investor shares", "update investor_share set amount = amount + 1 where state = 'released'"],
  ["investor shares", "delete from investor_share where state = 'held'"],
  ["investor shares", "delete from transfer where kind = 'refund' and debit = 2"],
  ["investor shares", "delete from transfer where kind = 'release'"],
  ["investor shares", "update transfer set credit = 3 where kind = 'forfeit'"],
  [
    "investor shares",
    `update investor_share set state = 'refunded', decided_at = now(), due_at = null, complaint = 'refunded', complained_at = now()
     where state = 'held'`,
  ],
  ["batch earnings", "update batch_earning set held = held + 1"],
  ["batch earnings", "update batch_earning set amount = amount + 1"],
  ["letters of orders", "delete from delivery"],
  ["bodies of letters", "delete from letter_body"],
  ["recipients", "insert into recipient (letter_id, mailbox_id) values (404, 1)"],
  ["letters to match", "insert into letter (size_bytes, mail_from) values (1, 'lost@site.example')"],
];

test.each(harms)("%s: the audit names what breaks it (%s)", async (name, harm) => {
  let bad: string[] | undefined;
  await attempt(db, async (tx) => {
    await tx.unsafe(harm);
    bad = (await auditWithin(tx)).find((each) => each.name === name)?.bad;
    return "undone";
  });
  expect(bad).not.toEqual([]);
  expect(bad).toBeDefined();
});

test("what is named is the order itself", async () => {
  let bad: string[] | undefined;
  await attempt(db, async (tx) => {
    await tx`update transfer set amount = amount + 1 where order_id = ${known.pending} and kind = 'hold'`;
    bad = (await auditWithin(tx)).find(({ name }) => name === "paid")?.bad;
    return "undone";
  });
  expect(bad).toEqual([String(known.pending)]);
});

test("a body that is gone because it is too old breaks nothing", async () => {
  let bad: string[] | undefined;
  await attempt(db, async (tx) => {
    await tx`update letters_kept set since = clock_timestamp()`;
    await tx`delete from letter_body`;
    bad = (await auditWithin(tx)).flatMap((each) => each.bad);
    return "undone";
  });
  expect(bad).toEqual([]);
});
