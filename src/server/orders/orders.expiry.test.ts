import { afterAll, afterEach, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import * as inventory from "../inventory/inventory.ts";
import { usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { audit } from "./orders.audit.ts";
import { deliver, openOrders, waiting, type Placed } from "./orders.ts";

const { db, drop } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

afterEach(async () => {
  const broken = (await audit(db)).filter(({ bad }) => bad.length > 0);
  if (broken.length > 0) throw new Error(`the audit found ${JSON.stringify(broken)}`);
});

function stands(answer: object): Placed {
  expect(answer).toHaveProperty("orderId");
  return answer as Placed;
}

async function market(mailboxes: number) {
  const [userId, siteId, { domainId, domain }] = [
    await buyer(db, { balance: "1" }),
    await site(db),
    await shelf(db, mailboxes),
  ];
  const place = async () => stands(await orders.place({ userId, siteId, domainIds: [domainId] }));
  const left = async () =>
    (await inventory.available(db, siteId)).find((each) => each.domain === domain)?.available;
  return { userId, place, left };
}

const passTime = (orderId: bigint) =>
  db`update orders set expires_at = now() - interval '1 second' where id = ${orderId}`;

test("an order whose time is over is refunded once, and one that still has time is not", async () => {
  const { userId, place, left } = await market(2);
  const [due, living] = [await place(), await place()];
  await passTime(due.orderId);
  expect(await orders.expireDue()).toBe(1);
  expect(await orders.expireDue()).toBe(0);
  expect(await ledger.balance(db, userId)).toBe(usd("0.9965"));
  expect(await left()).toBe(1);
  expect((await orders.activations(userId, 1)).orders).toMatchObject([{ orderId: living.orderId }]);
  expect((await orders.read({ userId, orderId: due.orderId }))?.status).toBe("expired");
});

test("an order does not expire while a letter that came in time is not matched, and gets that letter", async () => {
  const { userId, place } = await market(1);
  const { orderId } = await place();
  const letterId = await letter(db, [await mailboxOf(db, orderId)], { isMatched: false });
  await db`update orders set created_at = now() - interval '1 hour', expires_at = now() - interval '1 minute' where id = ${orderId}`;
  await db`update letter set arrived_at = now() - interval '2 minutes' where id = ${letterId}`;
  expect(await orders.expireDue()).toBe(0);
  expect(await waiting(db, [await mailboxOf(db, orderId)])).toMatchObject([{ orderId, status: "pending" }]);
  expect(await deliver(db, [{ letterId, orderId }])).toHaveLength(1);
  await db`update letter set judged_at = now() where id = ${letterId}`;
  expect(await orders.expireDue()).toBe(0);
  expect((await orders.read({ userId, orderId }))?.status).toBe("received");
});

test("an order that cannot be expired keeps no other from its refund, and is logged once", async () => {
  const { userId, place } = await market(5);
  const [bad, ...others] = [await place(), await place(), await place()];
  for (const { orderId } of [bad, ...others]) await passTime(orderId);
  await db.unsafe(`
    create function keep_open() returns trigger language plpgsql as $$ begin raise exception 'broken row'; end $$;
    create trigger keep_open before update on orders for each row
      when (new.id = ${bad.orderId} and new.status = 'expired') execute function keep_open()`);
  const logged: unknown[] = [];
  const own = openOrders(db, {
    ttlSeconds: 1200,
    log: { error: (details: unknown) => logged.push(details) },
  });
  try {
    expect(await own.expireDue()).toBe(2);
    expect(await own.expireDue()).toBe(0);
    const late = await place();
    await passTime(late.orderId);
    expect(await own.expireDue()).toBe(1);
    expect(logged).toMatchObject([{ order: String(bad.orderId) }]);
  } finally {
    await db`drop trigger keep_open on orders`;
    await db`drop function keep_open`;
  }
  expect(await own.expireDue()).toBe(1);
  expect(await ledger.balance(db, userId)).toBe(usd("1"));
});

test("an order does not expire while a letter for its mailbox is here and not stored", async () => {
  const { place } = await market(2);
  const { orderId } = await place();
  await db`insert into letter_arriving (letter, mailbox_id, until)
           values (gen_random_uuid(), ${await mailboxOf(db, orderId)}, now() + interval '10 minutes')`;
  await passTime(orderId);
  expect(await orders.expireDue()).toBe(0);
  // A note of a dead process counts for ten minutes.
  await db`update letter_arriving set until = now()`;
  expect(await orders.expireDue()).toBe(1);
  await passTime((await place()).orderId);
  expect(await orders.expireDue({ graceSeconds: 60 })).toBe(0);
  expect(await orders.expireDue({ graceSeconds: 0.5 })).toBe(1);
});
