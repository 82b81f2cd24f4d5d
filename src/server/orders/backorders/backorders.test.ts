import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { buyer, shelf, site, topUp } from "../../../../test/kit/shelf.ts";
import { backordersMax } from "../../../contract/limits.ts";
import { selectEvents } from "../../events/events.ts";
import * as inventory from "../../inventory/inventory.ts";
import { now, secondsAfter } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/db.ts";
import { usd } from "../../platform/money.ts";
import { describe } from "../orders.events.ts";
import { openOrders, type Orders, type PlaceAsk } from "../orders.ts";
import { add, type Backorder, forget, list, placeDue, remove, type WantedBackorder } from "./backorders.ts";
import { selectDue } from "./backorders.sql.ts";

const { db, drop } = await createDatabase({ max: 12 });
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

const at = now();
const later = (seconds: number) => secondsAfter(at, seconds);
const look = (when = at, parts: { orders?: Pick<Orders, "place">; confirmFirst?: boolean } = {}) =>
  placeDue({ db, orders, ...parts }, when);

/** A site whose only mail domain has no address. */
async function soldOut(price = "0.3") {
  const [siteId, { domainId }] = [await site(db), await shelf(db, 0, price)];
  const wish = (userId: bigint, more: Partial<WantedBackorder> = {}, when = at) =>
    add(
      db,
      { userId, siteId, domainIds: [domainId], priceMax: usd("0.5"), until: later(86_400), ...more },
      when,
    );
  const deliver = (count: number) => inventory.addStock(db, domainId, count);
  return { siteId, domainId, wish, deliver };
}

async function watched(balance: string): Promise<bigint> {
  const userId = await buyer(db, { balance });
  await db`select watch(${[userId]}::bigint[], 'infinity')`;
  return userId;
}

const theirs = async (userId: bigint) =>
  (await list(db, userId, at)).map(({ state, refused }) => [state, refused]);

async function toldOf(userId: bigint) {
  const rows = await selectEvents(db, [{ userId, after: 0n }], 1000);
  const told = await describe(db, rows);
  return rows.flatMap(({ id }) => {
    const event = told.get(id);
    return event?.name === "backorder" ? [event.data] : [];
  });
}

const countOrders = async (userId: bigint) =>
  (await db`select 1 from orders where user_id = ${userId}`).length;

test("when stock comes the oldest are placed first, and the others wait on", async () => {
  const { wish, deliver } = await soldOut();
  const [first, second, third] = [await watched("1"), await watched("1"), await watched("1")];
  await wish(third, {}, later(2));
  await wish(first);
  await wish(second, {}, later(1));
  expect(await look(later(3))).toBe(0);
  await deliver(2);
  expect(await look(later(3))).toBe(2);
  expect([await theirs(first), await theirs(second), await theirs(third)]).toEqual([
    [["placed", null]],
    [["placed", null]],
    [["waiting", null]],
  ]);
  const [order] = await db<{ id: bigint; email: string; price: bigint }[]>`
    select o.id, m.local_part || '@' || d.name as email, o.price from orders o
    join mailbox m on m.id = o.mailbox_id join mail_domain d on d.id = o.domain_id where user_id = ${first}`;
  expect(order?.price).toBe(usd("0.3"));
  expect(await toldOf(first)).toMatchObject([
    { state: "placed", activation_id: String(order?.id), email: order?.email },
  ]);
  expect(await toldOf(third)).toEqual([]);
  expect((await list(db, first, at))[0]?.orderId).toBe(order?.id);
});

test("nothing is held: the balance stays until the order is placed, and a mailbox that comes back counts as stock", async () => {
  const { siteId, domainId, wish, deliver } = await soldOut();
  await deliver(1);
  const other = await buyer(db, { balance: "1" });
  const taken = await orders.place({ userId: other, siteId, domainIds: [domainId] });
  if ("refusal" in taken) throw new Error(taken.refusal);
  const userId = await watched("1");
  await wish(userId);
  expect(await look()).toBe(0);
  expect((await db`select 1 from account where user_id = ${userId} and balance = ${usd("1")}`).count).toBe(1);
  await orders.cancel({ userId: other, orderId: taken.orderId });
  expect(await look()).toBe(1);
});

test("of several mail domains one that its buyer skips is passed over, and does not wake it; named alone it is meant", async () => {
  const { siteId, domainId, wish, deliver } = await soldOut();
  const { domainId: other } = await shelf(db, 0, "0.3");
  const [several, alone] = [await watched("1"), await watched("1")];
  await wish(several, { domainIds: [domainId, other] });
  await wish(alone, { domainIds: [domainId] });
  for (const userId of [several, alone])
    await db`insert into skipped_domain (user_id, site_id, domain_id, expires_at)
             values (${userId}, ${siteId}, ${domainId}, ${later(60)})`;
  await deliver(2);
  expect(await selectDue(db, { at, before: at, after: { at: new Date(0), id: 0n }, size: 10 })).toHaveLength(
    1,
  );
  expect(await look()).toBe(1);
  expect([await theirs(several), await theirs(alone)]).toEqual([[["waiting", null]], [["placed", null]]]);
  await inventory.addStock(db, other, 1);
  expect(await look()).toBe(1);
  const placed = await db`select domain_id from orders where user_id = ${several}`;
  expect(placed).toEqual([{ domain_id: other }]);
});

test("without money it is told once, lets others go first, and is placed a minute after the top-up", async () => {
  const { wish, deliver } = await soldOut();
  const [poor, rich] = [await watched("0.1"), await watched("1")];
  await wish(poor);
  await wish(rich, {}, later(1));
  await deliver(2);
  expect(await look(later(2))).toBe(1);
  expect(await theirs(poor)).toEqual([["waiting", "no balance"]]);
  await topUp(db, poor, usd("1"));
  expect(await look(later(30))).toBe(0);
  expect(await look(later(62))).toBe(1);
  expect(await toldOf(poor)).toMatchObject([
    { state: "waiting", refused: "no balance" },
    { state: "placed" },
  ]);
});

test("a price above the highest is told once and not paid, however often it is tried", async () => {
  const { domainId, wish, deliver } = await soldOut("0.3");
  const userId = await watched("5");
  await wish(userId, { priceMax: usd("0.2") });
  await deliver(1);
  await look();
  await look(later(61));
  expect(await toldOf(userId)).toMatchObject([{ state: "waiting", refused: "price too high" }]);
  await db`update mail_domain set price = ${usd("0.2")} where id = ${domainId}`;
  expect(await look(later(122))).toBe(1);
});

test("it ends when its time is over, or when the account may not order any more", async () => {
  const { wish, deliver } = await soldOut();
  const [late, blocked] = [await watched("1"), await watched("1")];
  await wish(late, { until: later(100) });
  await wish(blocked);
  await db`update users set blocked_at = now() where id = ${blocked}`;
  await look(later(99));
  expect(await theirs(late)).toEqual([["waiting", null]]);
  await look(later(100));
  await deliver(2);
  await look(later(101));
  expect([await theirs(late), await theirs(blocked)]).toEqual([[["ended", null]], [["ended", "token"]]]);
  expect(await toldOf(late)).toMatchObject([{ state: "ended" }]);
  expect((await countOrders(late)) + (await countOrders(blocked))).toBe(0);
});

test("with CONFIRM_GATE it waits until the account is confirmed", async () => {
  const { wish, deliver } = await soldOut();
  const userId = await watched("1");
  await wish(userId);
  await deliver(1);
  await look(at, { confirmFirst: true });
  expect(await theirs(userId)).toEqual([["waiting", "not confirmed"]]);
  await db`update users set telegram_id = ${userId} where id = ${userId}`;
  expect(await look(later(61), { confirmFirst: true })).toBe(1);
});

test("a process that dies after it placed the order does not place another, however late the next one looks", async () => {
  const { wish, deliver } = await soldOut();
  const userId = await watched("1");
  await wish(userId, { until: later(7 * 86_400) });
  await deliver(2);
  const dying = {
    place: async (ask: PlaceAsk) => {
      await orders.place(ask);
      throw new Error("the process died");
    },
  };
  await expect(look(at, { orders: dying })).rejects.toThrow("the process died");
  expect(await theirs(userId)).toEqual([["waiting", null]]);
  // The key of an order is free after a day.
  await db`update orders set created_at = created_at - interval '2 days' where user_id = ${userId}`;
  await look(later(2 * 86_400));
  expect(await countOrders(userId)).toBe(1);
  expect(await theirs(userId)).toEqual([["placed", null]]);
  expect(await toldOf(userId)).toMatchObject([{ state: "placed" }]);
});

test("processes that look at the same time place each once", async () => {
  const { wish, deliver } = await soldOut("0.01");
  const users = await Promise.all(Array.from({ length: 8 }, () => watched("1")));
  await Promise.all(users.map((userId) => wish(userId)));
  await deliver(20);
  const counts = await Promise.all([look(), look(), look()]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8);
  for (const userId of users) expect(await countOrders(userId)).toBe(1);
});

test("one that is being placed is removed only if it was not placed", async () => {
  const { wish, deliver } = await soldOut();
  const userId = await watched("1");
  const { id } = (await wish(userId)) as Backorder;
  await deliver(1);
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = {
    place: async (ask: PlaceAsk) => {
      begun.resolve();
      await goOn.promise;
      return orders.place(ask);
    },
  };
  const looking = look(at, { orders: slow });
  await begun.promise;
  const removing = remove(db, { userId, id, mayUse: () => true }, at);
  await waits(db);
  goOn.resolve();
  expect(await removing).toBe("no backorder");
  expect(await looking).toBe(1);
});

/** Until a session waits for a lock. */
const waits = (sql: Db) =>
  expect
    .poll(async () => (await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'`).length, {
      interval: 2,
    })
    .toBeGreaterThan(0);

test("one that is removed is not placed, and removing it again does nothing more", async () => {
  const { wish, deliver } = await soldOut();
  const userId = await watched("1");
  const { id } = (await wish(userId)) as Backorder;
  const by = (who: bigint) => remove(db, { userId: who, id, mayUse: () => true }, at);
  expect(await by(await buyer(db))).toBe("no backorder");
  expect([await by(userId), await by(userId)]).toEqual(["removed", "removed"]);
  await deliver(1);
  expect(await look()).toBe(0);
  await forget(db, later(6 * 86_400));
  expect(await theirs(userId)).toEqual([["removed", null]]);
  await forget(db, later(8 * 86_400));
  expect(await theirs(userId)).toEqual([]);
});

test("an account has ten that wait at most, also when they are asked for at once; a key answers the same one again", async () => {
  const { wish } = await soldOut();
  const userId = await watched("1");
  const asked = await Promise.all(
    Array.from({ length: backordersMax + 3 }, (_, place) => wish(userId, { idempotencyKey: `key-${place}` })),
  );
  expect(asked.filter((answer) => "refusal" in answer)).toEqual(Array(3).fill({ refusal: "too many" }));
  const known = asked.find((answer) => "id" in answer) as Backorder;
  const place = asked.indexOf(known);
  const again = await wish(userId, { idempotencyKey: `key-${place}`, until: later(90_000) });
  expect(again).toMatchObject({ id: known.id });
  const other = await wish(userId, { idempotencyKey: `key-${place}`, priceMax: usd("0.4") });
  expect(other).toEqual({ refusal: "key used" });
});

test("filters, the note, the limited token and the Soft ID go with the order; the first of its domains that has an address is taken", async () => {
  const { siteId, domainId, wish } = await soldOut();
  const { domainId: second } = await shelf(db, 3, "0.2");
  const userId = await watched("1");
  await wish(userId, {
    domainIds: [domainId, second],
    subject: "code",
    regex: "[0-9]+",
    note: "Ann",
    softId: 77n,
  });
  await look();
  const [order] = await db`
    select site_id, domain_id, subject, regex, note, soft_id from orders where user_id = ${userId}`;
  expect(order).toEqual({
    site_id: siteId,
    domain_id: second,
    subject: "code",
    regex: "[0-9]+",
    note: "Ann",
    soft_id: 77n,
  });
});
