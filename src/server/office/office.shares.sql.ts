import { officeTotalMax } from "../../contract/limits.ts";
import type { Sql } from "../platform/db/db.ts";
import { begins, idOf, keysThatBegin } from "./office.find.sql.ts";
import type { Part, Source } from "./office.page.sql.ts";

export const shares: Source<"shares"> = {
  rows: (sql) => sql`
    select k.*, site.name as site, b.investor_id, coalesce(u.email, '') as email
    from (
      select coalesce(s.batch_id, f.batch_id) as batch_id, coalesce(s.site_id, f.site_id) as site_id,
             coalesce(s.held, 0) as held, coalesce(s.orders, 0) as orders, coalesce(s.waiting, 0) as waiting, s.since,
             f.batch_id is not null as refused
      from (select batch_id, site_id, sum(amount)::bigint as held, count(*) as orders, count(*) filter (where due_at is null) as waiting,
                   min(earned_at) as since
            from investor_share where state = 'held' group by batch_id, site_id) s
      full join share_refusal f on f.batch_id = s.batch_id and f.site_id = s.site_id) k
    join site on site.id = k.site_id join batch b on b.id = k.batch_id left join users u on u.id = b.investor_id`,
  beside: (sql) => sql`
    left join lateral (
      select count(*) as letters, count(*) filter (where v.proved) as proved,
             count(*) filter (where v.complaint in ('review', 'refunded')) as complaints
      from investor_share v
      where v.batch_id = r.batch_id and v.site_id = r.site_id and v.earned_at > now() - interval '30 days') month on true
    left join lateral (
      select count(*) as count, max(b.orders) as largest, sum(b.tied) as tied
      from (select count(*) as orders, count(*) filter (where v.tied) as tied from investor_share v
            where v.batch_id = r.batch_id and v.site_id = r.site_id and v.state = 'held' group by v.buyer_id) b) buyer on true
    left join lateral (
      select sum(p.letters) as letters, sum(p.proved) as proved from site_proof p
      where p.site_id = r.site_id and p.day > (now() at time zone 'UTC')::date - 30) own on true`,
  cells: (sql) => ({
    id: sql`r.batch_id || ' ' || r.site`,
    batch: sql`r.batch_id`,
    site: sql`r.site`,
    email: sql`r.email`,
    held: sql`r.held`,
    orders: sql`r.orders`,
    waiting: sql`r.waiting`,
    buyers: sql`buyer.count`,
    largest: sql`coalesce(buyer.largest, 0)`,
    tied: sql`coalesce(buyer.tied, 0)::bigint`,
    since: sql`r.since`,
    letters: sql`month.letters`,
    proved: sql`month.proved`,
    own_letters: sql`coalesce(own.letters, 0)`,
    own_proved: sql`coalesce(own.proved, 0)`,
    complaints: sql`month.complaints`,
    refused: sql`r.refused`,
  }),
  search: (sql, text, lower) => sql`
    (r.batch_id = ${idOf(text)}::bigint or ${begins(sql, sql`r.site`, lower)} or ${begins(sql, sql`r.email`, lower)})`,
};

const newestOf = (sql: Sql, which: Part): Part => sql`
  select order_id from investor_share where complained_at is not null and ${which}
  order by complained_at desc limit ${officeTotalMax + 1}`;

export const complaints: Source<"complaints"> = {
  rows: (sql) => sql`
    select order_id, complained_at, complaint, buyer_id, batch_id, site_id from investor_share where complaint is not null`,
  beside: (sql) => sql`
    left join site on site.id = r.site_id left join users u on u.id = r.buyer_id left join orders o on o.id = r.order_id
    left join lateral (select count(*) as count from investor_share v
      where v.buyer_id = r.buyer_id and v.complained_at > now() - interval '30 days') buyer on true
    left join lateral (select count(*) as count from investor_share v
      where v.batch_id = r.batch_id and v.complained_at > now() - interval '30 days') batch on true`,
  cells: (sql) => ({
    id: sql`r.order_id`,
    at: sql`r.complained_at`,
    state: sql`r.complaint`,
    user: sql`r.buyer_id`,
    email: sql`u.email`,
    batch: sql`r.batch_id`,
    site: sql`site.name`,
    price: sql`o.price`,
    by_buyer: sql`buyer.count`,
    by_batch: sql`batch.count`,
  }),
  // Found first, then sorted, however rare they are.
  filters: {
    user: (sql, wanted) =>
      sql`r.order_id = any (array(${newestOf(sql, sql`buyer_id = ${idOf(String(wanted))}::bigint`)}))`,
    batch: (sql, wanted) =>
      sql`r.order_id = any (array(${newestOf(sql, sql`batch_id = ${idOf(String(wanted))}::bigint`)}))`,
  },
  search: (sql, text, lower) => sql`
    r.order_id = any (array(
      select ${idOf(text)}::bigint
      union all (${newestOf(
        sql,
        sql`buyer_id = any (array(
          select ${idOf(text)}::bigint
          union all (${keysThatBegin(sql, { key: sql`id`, table: sql`users`, column: sql`email` }, lower)})))`,
      )})))`,
};
