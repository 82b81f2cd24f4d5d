import { begins, idOf } from "./office.find.sql.ts";
import type { Source } from "./office.page.sql.ts";

const lower = (text: string) => text.toLowerCase();

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
    since: sql`r.since`,
    letters: sql`month.letters`,
    proved: sql`month.proved`,
    own_letters: sql`coalesce(own.letters, 0)`,
    own_proved: sql`coalesce(own.proved, 0)`,
    complaints: sql`month.complaints`,
    refused: sql`r.refused`,
  }),
  search: (sql, text) => sql`
    (r.batch_id = ${idOf(text)}::bigint or ${begins(sql, sql`r.site`, lower(text))} or ${begins(sql, sql`r.email`, lower(text))})`,
};

export const complaints: Source<"complaints"> = {
  rows: (sql) => sql`
    select v.order_id, v.complained_at, v.complaint, v.buyer_id, v.batch_id, v.site_id, u.email, o.price
    from investor_share v join users u on u.id = v.buyer_id join orders o on o.id = v.order_id
    where v.complaint is not null`,
  beside: (sql) => sql`
    join site on site.id = r.site_id
    left join lateral (select count(*) as count from investor_share v
      where v.buyer_id = r.buyer_id and v.complained_at > now() - interval '30 days') buyer on true
    left join lateral (select count(*) as count from investor_share v
      where v.batch_id = r.batch_id and v.complained_at > now() - interval '30 days') batch on true`,
  cells: (sql) => ({
    id: sql`r.order_id`,
    at: sql`r.complained_at`,
    state: sql`r.complaint`,
    user: sql`r.buyer_id`,
    email: sql`r.email`,
    batch: sql`r.batch_id`,
    site: sql`site.name`,
    price: sql`r.price`,
    by_buyer: sql`buyer.count`,
    by_batch: sql`batch.count`,
  }),
  search: (sql, text) =>
    sql`(${idOf(text)}::bigint in (r.order_id, r.buyer_id) or ${begins(sql, sql`r.email`, lower(text))})`,
};
