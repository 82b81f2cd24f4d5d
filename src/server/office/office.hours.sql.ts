// The sums by hour: what is new is added by its ids, and what is not added yet is counted by who reads.
import { z } from "zod/mini";
import { all, one, type Sql, type Tx } from "../platform/db/db.ts";
import type { Part } from "./office.page.sql.ts";

/**
 * Locks the mark, if what was seen last has settled: nobody runs any more who began to write before, so who has such an id has committed
 * it or never will. A mark of another server, as in a backup, says nothing about those that run here.
 */
export const lockMark = (tx: Tx, before: Date) =>
  all(
    z.object({}),
    tx`select from shop_hour_mark
       where seen_at < ${before}
         and (seen_xid > pg_snapshot_xmax(pg_current_snapshot()) or not exists (
           select from pg_stat_activity a where a.datname = current_database() and age(a.backend_xid) > age(seen_xid::xid)))
       for update`,
  );

/** By hour, of the rows whose ids are above those that are counted, up to the column of the mark that `upTo` names. */
const counted = (sql: Sql, upTo: "seen" | "end"): Part => {
  const end = (seen: Part) => (upTo === "seen" ? seen : sql`9223372036854775807`);
  return sql`
    select date_trunc('hour', u.created_at, 'UTC') as hour, count(*) as registrations, 0 as letters, 0 as orders, 0 as refunds,
           0 as refunded, 0 as revenue, 0 as top_ups
    from shop_hour_mark m join users u on u.id between m.users_to + 1 and ${end(sql`m.users_seen`)} group by 1
    union all
    select date_trunc('hour', l.arrived_at, 'UTC'), 0, count(*), 0, 0, 0, 0, 0
    from shop_hour_mark m join letter l on l.id between m.letters_to + 1 and ${end(sql`m.letters_seen`)} group by 1
    union all
    select date_trunc('hour', o.created_at, 'UTC'), 0, 0, count(*), 0, 0, 0, 0
    from shop_hour_mark m join orders o on o.id between m.orders_to + 1 and ${end(sql`m.orders_seen`)} group by 1
    union all
    select date_trunc('hour', t.at, 'UTC'), 0, 0, 0, count(*) filter (where t.kind = 'refund'),
           coalesce(sum(t.amount) filter (where t.kind = 'refund'), 0),
           coalesce(sum(case when t.credit = 2 then t.amount when t.debit = 2 then -t.amount end), 0),
           coalesce(sum(t.amount) filter (where t.kind = 'topup'), 0)
    from shop_hour_mark m join transfer t on t.id between m.transfers_to + 1 and ${end(sql`m.transfers_seen`)} group by 1`;
};

const sums = (sql: Sql): Part =>
  sql`sum(registrations), sum(letters), sum(orders), sum(refunds), sum(refunded), sum(revenue), sum(top_ups)`;

const addToHours = (sql: Sql): Part => sql`
  on conflict (hour) do update
    set registrations = old.registrations + excluded.registrations, letters = old.letters + excluded.letters,
        orders = old.orders + excluded.orders, refunds = old.refunds + excluded.refunds, refunded = old.refunded + excluded.refunded,
        revenue = old.revenue + excluded.revenue, top_ups = old.top_ups + excluded.top_ups`;

export const addHours = (tx: Tx) =>
  tx`insert into shop_hour as old (hour, registrations, letters, orders, refunds, refunded, revenue, top_ups)
     select hour, ${sums(tx)} from (${counted(tx, "seen")}) c group by hour order by hour ${addToHours(tx)}`;

/** Of the hours around the last time, and those after it, from the beginning of a quarter of a day, into which `outcome` merges them. */
export async function addOutcomes(tx: Tx): Promise<void> {
  const from = tx`date_bin('6 hours', (select outcomes_to from shop_hour_mark) - interval '1 hour', '2000-01-01 00:00Z')`;
  await tx`delete from shop_outcome where since >= ${from}`;
  await tx`insert into shop_outcome (since, class, count)
           select since, class, sum(count) from outcome where since >= ${from} group by since, class`;
}

/** Adds up the hours before `before` by day. */
export async function foldHours(tx: Tx, before: Date): Promise<void> {
  await tx`
    with gone as (
      delete from shop_hour where hour < ${before} and hour <> date_trunc('day', hour, 'UTC') returning *)
    insert into shop_hour as old (hour, registrations, letters, orders, refunds, refunded, revenue, top_ups)
    select date_trunc('day', hour, 'UTC') as day, ${sums(tx)} from gone group by day order by day ${addToHours(tx)}`;
  await tx`
    with gone as (
      delete from shop_outcome where since < ${before} and since <> date_trunc('day', since, 'UTC') returning *)
    insert into shop_outcome as old (since, class, count)
    select date_trunc('day', since, 'UTC') as day, class, sum(count) from gone group by day, class order by day, class
    on conflict (since, class) do update set count = old.count + excluded.count`;
}

export const moveMark = (tx: Tx, at: Date) =>
  tx`update shop_hour_mark
     set users_to = users_seen, users_seen = greatest(users_seen, (select coalesce(max(id), 0) from users)),
         letters_to = letters_seen, letters_seen = greatest(letters_seen, (select coalesce(max(id), 0) from letter)),
         orders_to = orders_seen, orders_seen = greatest(orders_seen, (select coalesce(max(id), 0) from orders)),
         transfers_to = transfers_seen, transfers_seen = greatest(transfers_seen, (select coalesce(max(id), 0) from transfer)),
         settled_at = seen_at, seen_at = ${at}, seen_xid = pg_snapshot_xmax(pg_current_snapshot()), outcomes_to = ${at}`;

/** The hours of time added up, with what is not added up yet; more than 62 days ago the days. */
export const hoursSince = (sql: Sql, from: Date): Part => sql`
  select * from shop_hour where hour >= ${from}
  union all
  select * from (${counted(sql, "end")}) fresh where hour >= ${from}`;

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

const SpanSums = z.object({
  place: z.bigint(),
  registrations: z.bigint(),
  letters: z.bigint(),
  orders: z.bigint(),
  refunds: z.bigint(),
  refunded: z.bigint(),
  revenue: z.bigint(),
  topUps: z.bigint(),
});

const placesOf = (sql: Sql, spans: readonly Span[]): Part => sql`
  unnest(${spans.map(({ from }) => from)}::timestamptz[], ${spans.map(({ to }) => to)}::timestamptz[])
    with ordinality as s ("from", "to", place)`;

const earliest = (spans: readonly Span[]) => new Date(Math.min(...spans.map(({ from }) => from.getTime())));

/** Of each span in which there was something; `place` counts from 1. */
export const selectSpans = (sql: Sql, spans: readonly Span[]) =>
  all(
    SpanSums,
    sql`select s.place, sum(h.registrations)::bigint as registrations, sum(h.letters)::bigint as letters, sum(h.orders)::bigint as orders,
               sum(h.refunds)::bigint as refunds, sum(h.refunded)::bigint as refunded, sum(h.revenue)::bigint as revenue,
               sum(h.top_ups)::bigint as "topUps"
        from (${hoursSince(sql, earliest(spans))}) h
        join ${placesOf(sql, spans)} on h.hour >= s."from" and h.hour < s."to"
        group by s.place order by s.place`,
  );

const SpanClass = z.object({ place: z.bigint(), class: z.int(), count: z.bigint() });

/** How many orders of each class of `outcome` ended in each span. */
export const selectSpanClasses = (sql: Sql, spans: readonly Span[]) =>
  all(
    SpanClass,
    sql`select s.place, o.class::integer, sum(o.count)::bigint as count
        from (select * from shop_outcome where since >= ${earliest(spans)}) o
        join ${placesOf(sql, spans)} on o.since >= s."from" and o.since < s."to"
        group by s.place, o.class order by s.place, o.class`,
  );

const Beginnings = z.object({
  hours: z.nullable(z.date()),
  outcomes: z.nullable(z.date()),
  bounds: z.array(z.number()),
});

/** Since when there is something to tell, and the bounds of the classes in seconds. */
export const selectBeginnings = (sql: Sql) =>
  one(
    Beginnings,
    sql`select (select min(hour) from shop_hour) as hours, (select min(since) from shop_outcome) as outcomes,
               outcome_bounds() as bounds`,
  );

/** The outcomes since then are added up anew, where they came into the books late. */
export const backOutcomes = (tx: Tx, from: Date) =>
  tx`update shop_hour_mark set outcomes_to = least(outcomes_to, ${from})`;
