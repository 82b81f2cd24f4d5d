// @module-tag slow
import { randomBytes, randomInt } from "node:crypto";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { shelf, site } from "../../../test/kit/shelf.ts";
import { secondsAfter, startOfDay, unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { countHours, medianOf, periodsOf, readFigures } from "./office.hours.ts";
import { openOffice } from "./office.ts";

const hour = 3600;
const day = 24 * hour;
const now = new Date("2026-11-29T10:20:00Z");

async function emptyDatabase(): Promise<Db> {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  return db;
}

type Happening = "user" | "letter" | "order" | "refund" | "back" | "capture" | "topup" | "other";

const from: Partial<Record<Happening, readonly [debit: number, credit: number, kind: string]>> = {
  refund: [1, 1000, "refund"],
  back: [2, 1000, "refund"],
  capture: [1, 2, "capture"],
  topup: [10, 1000, "topup"],
  other: [1000, 1, "hold"],
};

async function write(sql: Pick<Db, never> & Db, what: Happening, at: Date, amount: number): Promise<void> {
  const transfer = from[what];
  if (transfer) {
    const [debit, credit, kind] = transfer;
    await sql`insert into transfer (debit, credit, amount, at, kind) values (${debit}, ${credit}, ${amount}, ${at}, ${kind}::text::transfer_kind)`;
  } else if (what === "user")
    await sql`
      insert into users (email, name, password_hash, token_hash, token_sealed, created_at)
      values (${`${randomBytes(6).toString("hex")}@buyers.test`}, 'somebody', 'none', ${randomBytes(32)}, '', ${at})`;
  else if (what === "letter")
    await sql`
      insert into letter (judged_at, is_given, size_bytes, mail_from, sender, subject, arrived_at)
      values (now(), false, 1, 'a@b.example', 'a', 'a', ${at})`;
  else
    await sql`
      insert into orders (user_id, mailbox_id, price, created_at, expires_at, closed_at, site_id, domain_id, number, status)
      values (1, ${BigInt(`0x${randomBytes(6).toString("hex")}`)}, 1, ${at}, ${at}, ${at}, 1, 1, ${randomInt(2 ** 31)}, 'expired')`;
}

/** What the sums must say of a stretch of time, from the rows themselves. */
async function scan(db: Db, since: Date, until: Date) {
  const [row] = await db`
    select (select count(*) from users where created_at >= ${since} and created_at < ${until})::int as registrations,
           (select count(*) from letter where arrived_at >= ${since} and arrived_at < ${until})::int as letters,
           (select count(*) from orders where created_at >= ${since} and created_at < ${until})::int as orders,
           count(*) filter (where kind = 'refund')::int as refunds,
           coalesce(sum(amount) filter (where kind = 'refund'), 0)::int as refunded,
           coalesce(sum(case when credit = 2 then amount when debit = 2 then -amount end), 0)::int as revenue,
           coalesce(sum(amount) filter (where kind = 'topup'), 0)::int as top_ups
    from transfer where at >= ${since} and at < ${until}`;
  return row;
}

const units = (dollars: string) => Math.round(Number(dollars) * 1e8);

test("whatever happens when, and however often and late it is added up, the figures are those of a scan", async () => {
  const db = await emptyDatabase();
  const kinds: readonly Happening[] = [
    "user",
    "letter",
    "order",
    "refund",
    "back",
    "capture",
    "topup",
    "other",
  ];
  let clock = secondsAfter(now, -1);
  const step = fc.record({
    rows: fc.array(
      fc.record({
        what: fc.constantFrom(...kinds),
        // Also long before it is written, and in the hour that runs.
        ago: fc.oneof(fc.integer({ min: 0, max: 3 * hour }), fc.integer({ min: 0, max: 70 * day })),
        amount: fc.integer({ min: 1, max: 1000 }),
        isLate: fc.boolean(),
      }),
      { maxLength: 8 },
    ),
    passed: fc.constantFrom(0, 10, 40, 4000, 3 * day),
    counters: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (history) => {
      for (const { rows, passed, counters } of history) {
        const late = await db.reserve();
        await late`begin`;
        for (const { what, ago, amount, isLate } of rows)
          await write(isLate ? (late as unknown as Db) : db, what, secondsAfter(clock, -ago), amount);
        clock = secondsAfter(clock, passed);
        await Promise.all(Array.from({ length: counters }, () => countHours(db, clock)));
        clock = secondsAfter(clock, 60);
        await countHours(db, clock);
        await late`commit`;
        late.release();
        await Promise.all(Array.from({ length: counters }, () => countHours(db, clock)));
      }
      for (const period of ["day", "month", "year"] as const) {
        const spans = periodsOf(period, clock);
        const told = await readFigures(db, period, clock);
        const { since, until } = { since: spans.now.from, until: spans.now.to };
        const { revenue, refunded, top_ups, ...counts } = told.now;
        expect({
          ...counts,
          revenue: units(revenue),
          refunded: units(refunded),
          top_ups: units(top_ups),
        }).toMatchObject((await scan(db, since, until))!);
        for (const [at, one] of told.steps.entries()) {
          const { from, to } = spans.steps[spans.steps.length - told.steps.length + at]!;
          expect([one.at, one.now.orders, one.now.letters, units(one.now.revenue)]).toEqual([
            unixSeconds(from),
            ...Object.values(await pick(db, from, to)),
          ]);
        }
      }
    }),
    { numRuns: 15, endOnFailure: true },
  );
  await countHours(db, secondsAfter(clock, 60));
  const [left] = await db`select count(*)::int as hours from shop_hour
    where hour < ${secondsAfter(startOfDay(clock), -62 * day)} and hour <> date_trunc('day', hour, 'UTC')`;
  expect(left).toEqual({ hours: 0 });
});

async function pick(db: Db, since: Date, until: Date) {
  const { orders, letters, revenue } = (await scan(db, since, until))!;
  return { orders, letters, revenue };
}

const outcomesOf = async (db: Db) =>
  (await db`select since, class, count::int as count from shop_outcome order by 1, 2`).map((row) => ({
    ...row,
  }));

describe("orders that ended", () => {
  const put = (db: Db, since: Date, place: number, count: number, shard = 0) => db`
    insert into outcome as old (site_id, since, domain_id, class, shard, count) values (1, ${since}, 1, ${place}, ${shard}, ${count})
    on conflict (site_id, since, domain_id, class, shard) do update set count = old.count + excluded.count`;
  const at = (ago: number) => secondsAfter(new Date("2026-11-29T10:00:00Z"), -ago * hour);

  test("are added up by hour, also those that came while the hour was added up, and stay when the hours are merged", async () => {
    const db = await emptyDatabase();
    await db`update shop_hour_mark set seen_at = ${at(30)}, outcomes_to = ${at(30)}`;
    await put(db, at(1), 3, 2);
    await put(db, at(1), -1, 1, 4);
    await countHours(db, now);
    await countHours(db, secondsAfter(now, 60));
    await put(db, at(1), 3, 5, 2);
    await countHours(db, secondsAfter(now, 120));
    const counted = [
      { since: at(1), class: -1, count: 1 },
      { since: at(1), class: 3, count: 7 },
    ];
    expect(await outcomesOf(db)).toEqual(counted);
    await db`select fold_outcomes(${secondsAfter(now, 2 * day)})`;
    await countHours(db, secondsAfter(now, 2 * day));
    await countHours(db, secondsAfter(now, 3 * day));
    const [sums] =
      await db`select sum(count)::int as all, sum(count) filter (where class < 0)::int as without from shop_outcome`;
    expect(sums).toEqual({ all: 8, without: 1 });
  });

  test("and were merged while no job ran are all there, though not each in its hour", async () => {
    const db = await emptyDatabase();
    await db`update shop_hour_mark set seen_at = ${at(60)}, outcomes_to = ${at(60)}`;
    await put(db, at(59), 3, 1);
    await countHours(db, at(58.5));
    await put(db, at(59), 3, 1, 1);
    await put(db, at(57), 3, 2);
    await put(db, at(55), -1, 4);
    await db`select fold_outcomes(${at(10)})`;
    await countHours(db, now);
    const [sums] =
      await db`select sum(count)::int as all, sum(count) filter (where class < 0)::int as without from shop_outcome`;
    expect(sums).toEqual({ all: 8, without: 4 });
  });

  test("tell how many got a letter, and the median time to it", async () => {
    const db = await emptyDatabase();
    await db`update shop_hour_mark set seen_at = ${at(60)}, outcomes_to = ${at(60)}`;
    await put(db, at(3), 9, 10);
    await put(db, at(3), -1, 30);
    await put(db, at(26), 9, 1);
    await countHours(db, now);
    const { now: told, before_outcomes } = await readFigures(db, "day", now);
    // The tenth class is from 12 to 15 seconds.
    expect(told).toMatchObject({ ended: 40, received: 10, seconds: 13.5 });
    expect(before_outcomes).toBe(false);
  });
});

test("a median lies within its class; without a letter there is none", () => {
  const bounds = [1, 2, 4];
  expect(medianOf(new Map([[-1, 5]]), bounds)).toBeUndefined();
  expect(medianOf(new Map([[0, 2]]), bounds)).toBe(0.5);
  expect(medianOf(new Map([[2, 1], [-1, 9], [1, 1], [0, 1]]), bounds)).toBe(1.5); // prettier-ignore
  expect(medianOf(new Map([[3, 4]]), bounds)).toBe(4);
});

test("a period is compared with as much time: up to the last whole hour, of a year with the year before", () => {
  const length = ({ from, to }: { from: Date; to: Date }) => (to.getTime() - from.getTime()) / 1000 / hour;
  const daily = periodsOf("day", now);
  expect([length(daily.now), length(daily.before)]).toEqual([24, 24]);
  expect(daily.before.to).toEqual(daily.now.from);
  const monthly = periodsOf("month", now);
  expect([length(monthly.now), length(monthly.before)]).toEqual([29 * 24 + 10, 29 * 24 + 10]);
  const yearly = periodsOf("year", now);
  expect(
    [yearly.now.from, yearly.before.from, yearly.before.to].map((at) => at.toISOString().slice(0, 10)),
  ).toEqual(["2025-12-01", "2024-12-01", "2025-11-30"]);
  for (const { steps } of [daily, monthly, yearly])
    for (const [at, { from }] of steps.entries()) expect(from).toEqual(steps[at - 1]?.to ?? from);
});

test("nothing is compared with a time in which the shop was not there", async () => {
  const db = await emptyDatabase();
  await write(db, "order", secondsAfter(now, -40 * day), 1);
  for (const minutes of [1, 2]) await countHours(db, secondsAfter(new Date(), minutes * 60));
  expect((await readFigures(db, "day", now)).before).not.toBeNull();
  expect((await readFigures(db, "month", now)).before).toBeNull();
});

describe("the week", () => {
  test("names the sites and domains whose orders changed most, and the stock that runs out first", async () => {
    const db = await emptyDatabase();
    const siteIds = [await site(db), await site(db)];
    const shelves = [await shelf(db, 100), await shelf(db, 100)];
    const put = (ago: number, place: 0 | 1, isReceived: boolean, count: number) => db`
      insert into outcome (site_id, since, domain_id, class, shard, count)
      values (${siteIds[place]!}, ${secondsAfter(now, -ago * day)}, ${shelves[place]!.domainId}, ${isReceived ? 3 : -1}, 0, ${count})`;
    await put(13.5, 0, true, 10);
    await put(13.5, 1, true, 50);
    await put(3, 0, true, 70);
    await put(3, 0, false, 30);
    await put(3, 1, true, 40);
    await db`insert into stock (site_id, domain_id, taken) values (${siteIds[0]!}, ${shelves[0]!.domainId}, 80)`;
    const office = openOffice(db);
    await office.lookAtWeek(now);
    const { week, waiting } = await office.overview(async () => ({ down: [], troubles: [] }), now);
    const names = await db<{ name: string }[]>`select name from site where id = any (${siteIds}) order by id`;
    expect(week).toEqual({
      at: unixSeconds(now),
      sites: [
        { name: names[0]!.name, orders: 100, received: 70, before: 10 },
        { name: names[1]!.name, orders: 40, received: 40, before: 50 },
      ],
      domains: [
        { name: shelves[0]!.domain, orders: 100, received: 70, before: 10 },
        { name: shelves[1]!.domain, orders: 40, received: 40, before: 50 },
      ],
      // 70 in seven days are ten a day of the 20 that are left; 40 leave 100 for 17.5 days.
      stock: [
        { site: names[0]!.name, domain: shelves[0]!.domain, available: 20, days: 2 },
        { site: names[1]!.name, domain: shelves[1]!.domain, available: 100, days: 17.5 },
      ],
    });
    expect(waiting.stock).toBe(1);
  });

  test("is compared with nothing before the shop has counted for two weeks", async () => {
    const db = await emptyDatabase();
    const siteId = await site(db);
    const { domainId } = await shelf(db, 0);
    await db`insert into outcome (site_id, since, domain_id, class, shard, count)
             values (${siteId}, ${secondsAfter(now, -3 * day)}, ${domainId}, -1, 0, 4)`;
    const office = openOffice(db);
    await office.lookAtWeek(now);
    const { week } = await office.overview(async () => ({ down: [], troubles: [] }), now);
    expect(week?.sites).toMatchObject([{ orders: 4, received: 0, before: null }]);
  });
});
