import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, letter, mailboxOf, shelf, site } from "../../../test/kit/shelf.ts";
import { secondsAfter } from "../platform/clock.ts";
import { usd } from "../platform/money.ts";
import { deliver, openOrders, type Placed } from "./orders.ts";
import { foldOutcomes, openOutcomes } from "./orders.outcomes.ts";
import { selectOutcomes } from "./orders.outcomes.sql.ts";

const { db, drop } = await createDatabase();
const orders = openOrders(db, { ttlSeconds: 1200 });
afterAll(drop);

const hour = 3600;
const price = usd("0.0035");
const [{ at } = { at: new Date(0) }] = await db<{ at: Date }[]>`select clock_timestamp() as at`;

async function shop(mailboxes = 30) {
  const [siteId, { domainId }] = [await site(db), await shelf(db, mailboxes)];
  const userId = await buyer(db, { balance: "10" });
  const place = async () =>
    ((await orders.place({ userId, siteId, domainIds: [domainId] })) as Placed).orderId;
  const receive = async (orderId: bigint) => {
    const letterId = await letter(db, [await mailboxOf(db, orderId)]);
    await deliver(db, [{ letterId, orderId }]);
  };
  const statsAt = async (when: Date) => (await openOutcomes(db).of(siteId, when))(domainId, price);
  return { siteId, domainId, userId, place, receive, statsAt, stats: () => statsAt(at) };
}

async function ended(siteId: number, domainId: number, seconds: (number | null)[], when = at) {
  await db`
    insert into outcome as old (site_id, since, domain_id, class, shard, count)
    select ${siteId}, date_trunc('hour', ${when}::timestamptz, 'UTC'), ${domainId},
           coalesce(width_bucket(t.seconds, outcome_bounds()), -1), 0, count(*)
    from unnest(${seconds}::real[]) as t (seconds) group by 4
    on conflict (site_id, since, domain_id, class, shard) do update set count = old.count + excluded.count`;
}

test("a received, an expired and a late canceled order count; one canceled at once does not", async () => {
  const { siteId, place, receive, stats } = await shop();
  const [received, expired, late, early] = [await place(), await place(), await place(), await place()];
  await place();
  await receive(received);
  await db`update orders set expires_at = clock_timestamp() where id = ${expired}`;
  await orders.expireDue();
  await db`update orders set created_at = created_at - interval '1 minute' where id = ${late}`;
  const [owner] = await db<{ id: bigint }[]>`select user_id as id from orders where id = ${late}`;
  await orders.cancel({ userId: owner!.id, orderId: late });
  await orders.cancel({ userId: owner!.id, orderId: early });
  expect(await stats()).toMatchObject({
    day: { orders: 3, share: 0.3333 },
    week: { orders: 3, share: 0.3333 },
    letter_price: 0.0105,
  });
  expect((await stats()).day.seconds).toBeLessThan(30);
  const [counted] = await db`select sum(count)::integer as count from outcome where site_id = ${siteId}`;
  expect(counted).toEqual({ count: 3 });
});

test("only an order's first letter counts, by the time it arrived, and its reorder counts by itself", async () => {
  const { place, receive, stats, userId } = await shop();
  const first = await place();
  await db`update orders set created_at = created_at - interval '90 seconds' where id = ${first}`;
  const letterId = await letter(db, [await mailboxOf(db, first)]);
  await db`update letter set arrived_at = arrived_at - interval '80 seconds' where id = ${letterId}`;
  await deliver(db, [{ letterId, orderId: first }]);
  await receive(first);
  expect((await stats()).day).toMatchObject({ orders: 1, share: 1, seconds: 11 });
  const again = (await orders.reorder({ userId, orderId: first })) as Placed;
  await receive(again.orderId);
  expect((await stats()).day).toMatchObject({ orders: 2, share: 1 });
});

test("the counters are what a count over all orders gives, whatever happened to them", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("receive", "expire", "cancel", "cancel late", "wait"), { maxLength: 12 }),
      async (fates) => {
        const { siteId, place, receive, userId } = await shop(12);
        for (const fate of fates) {
          const orderId = await place();
          if (fate === "receive") await receive(orderId);
          if (fate === "expire")
            await db`update orders set expires_at = clock_timestamp() where id = ${orderId}`;
          if (fate === "cancel late")
            await db`update orders set created_at = created_at - interval '1 minute' where id = ${orderId}`;
          if (fate.startsWith("cancel")) await orders.cancel({ userId, orderId });
        }
        await orders.expireDue();
        const [recount] = await db`
          select count(*)::integer as orders, (count(*) filter (where status = 'received'))::integer as received from orders
          where site_id = ${siteId} and (status in ('received', 'expired')
            or status = 'canceled' and closed_at - created_at >= interval '1 minute')`;
        const [counted] = await db`
          select coalesce(sum(count), 0)::integer as orders,
                 coalesce(sum(count) filter (where class >= 0), 0)::integer as received
          from outcome where site_id = ${siteId}`;
        expect(counted).toEqual(recount);
      },
    ),
    { numRuns: 15 },
  );
});

test("orders that end side by side are all counted", async () => {
  const { place, receive, stats } = await shop(40);
  const placed = await Promise.all(Array.from({ length: 40 }, () => place()));
  await Promise.all(placed.map((orderId) => receive(orderId)));
  expect((await stats()).day).toMatchObject({ orders: 40, share: 1 });
});

test("the median is within the class of the exact one, and is exact for letters spread evenly over a class", async () => {
  const [row] = await db<{ bounds: number[] }[]>`select outcome_bounds() as bounds`;
  const bounds = row!.bounds;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.double({ min: 0, max: 3599, noNaN: true }), { minLength: 1, maxLength: 40 }),
      fc.nat(5),
      async (seconds, lost) => {
        const [siteId, domainId] = [await site(db), 1];
        const exact = seconds.map(Math.fround);
        await ended(siteId, domainId, [...exact, ...Array.from({ length: lost }, () => null)]);
        const [found] = await selectOutcomes(db, siteId, at);
        const sorted = exact.toSorted((one, other) => one - other);
        const [low, high] = [
          sorted[Math.ceil(sorted.length / 2) - 1]!,
          sorted[Math.floor(sorted.length / 2)]!,
        ];
        const from = [0, ...bounds].findLast((bound) => bound <= low)!;
        const to = bounds.find((bound) => bound > high)!;
        expect(found!.weekSeconds).toBeGreaterThanOrEqual(from);
        expect(found!.weekSeconds).toBeLessThanOrEqual(to);
        expect(found).toMatchObject({
          dayOrders: BigInt(seconds.length + lost),
          dayReceived: BigInt(seconds.length),
        });
      },
    ),
    { numRuns: 60 },
  );
  const siteId = await site(db);
  await ended(siteId, 1, [100, 105, 110, 115, 119]);
  expect(await selectOutcomes(db, siteId, at)).toMatchObject([{ daySeconds: 110 }]);
});

test("a day counts a day and a week a week, also when old hours have been folded and the oldest forgotten", async () => {
  const siteId = await site(db);
  for (const hoursAgo of [1, 20, 30, 31, 80, 150, 400])
    await ended(siteId, 7, [hoursAgo, null], secondsAfter(at, -hoursAgo * hour));
  const before = await selectOutcomes(db, siteId, at);
  expect(before).toMatchObject([{ dayOrders: 4n, dayReceived: 2n, weekOrders: 12n, weekReceived: 6n }]);
  await foldOutcomes(db, at);
  expect(await selectOutcomes(db, siteId, at)).toEqual(before);
  await foldOutcomes(db, at);
  expect(await selectOutcomes(db, siteId, at)).toEqual(before);
  const rows =
    await db`select since from outcome where site_id = ${siteId} and since < ${secondsAfter(at, -24 * hour)}`;
  expect(rows.every(({ since }) => (since as Date).getUTCHours() % 6 === 0)).toBe(true);
  expect(rows.every(({ since }) => (since as Date) > secondsAfter(at, -15 * 24 * hour))).toBe(true);
});

test("what a letter costs is told by the day when it says enough, else by the week, and not when none came", async () => {
  const { siteId, domainId, statsAt } = await shop(0);
  expect(await statsAt(at)).toEqual({ day: { orders: 0 }, week: { orders: 0 } });
  const longAgo = secondsAfter(at, -50 * hour);
  await ended(
    siteId,
    domainId,
    Array.from({ length: 10 }, () => null),
    at,
  );
  expect(await statsAt(at)).toEqual({ day: { orders: 10, share: 0 }, week: { orders: 10, share: 0 } });
  await ended(siteId, domainId, [5, 5, 5, 5, 5], longAgo);
  expect(await statsAt(at)).toMatchObject({ week: { orders: 15, share: 0.3333 }, letter_price: 0.0105 });
  await ended(siteId, domainId, [5, 5, 5, 5, 5, 5, 5, 5, 5, 5], at);
  expect(await statsAt(at)).toMatchObject({ day: { orders: 20, share: 0.5 }, letter_price: 0.007 });
});

test("asked again within the minute a site is answered from memory, and freshly after it", async () => {
  const { siteId, domainId } = await shop(0);
  const outcomes = openOutcomes(db);
  const ordersAt = async (when: Date) => (await outcomes.of(siteId, when))(domainId, price).week.orders;
  expect(await ordersAt(at)).toBe(0);
  await ended(siteId, domainId, [3]);
  expect(await ordersAt(secondsAfter(at, 30))).toBe(0);
  expect(await ordersAt(secondsAfter(at, 60))).toBe(1);
});
