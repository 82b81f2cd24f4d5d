import * as z from "zod/mini";
import { WeekChange, StockPace } from "../../contract/office/overview.ts";
import { maybe, type Sql } from "../platform/db/db.ts";
import type { Part } from "./office.page.sql.ts";

const shown = 10;
/** Stock for longer than so is not told. */
const stockDaysMax = 30;

/** Those whose ended orders changed most. `before` is null where the shop has not counted for two weeks. */
const changed = (sql: Sql, key: Part, name: Part): Part => sql`
  select coalesce(jsonb_agg(jsonb_build_object('name', name, 'orders', orders, 'received', received, 'before', before) order by place), '[]')
  from (
    select t.*, ${name} as name, row_number() over (order by abs(t.orders - coalesce(t.before, 0)) desc, t.orders desc, t.key) as place
    from (
      select ${key} as key, coalesce(sum(count) filter (where is_new), 0) as orders,
             coalesce(sum(count) filter (where is_new and class >= 0), 0) as received,
             case when is_known then coalesce(sum(count) filter (where not is_new), 0) end as before
      from counted cross join known group by key, is_known) t
    where t.orders <> coalesce(t.before, 0)
    order by place limit ${shown}) c`;

/** Writes down what of the week is too much to read for each look. */
export const putWeek = (sql: Sql, at: Date) => sql`
  with counted as materialized (
    select site_id, domain_id, class, since > ${at}::timestamptz - interval '7 days' as is_new, sum(count)::bigint as count
    from outcome where since > ${at}::timestamptz - interval '14 days' and since <= ${at}::timestamptz group by 1, 2, 3, 4
  ), known as (
    select exists (select from outcome where since <= ${at}::timestamptz - interval '13 days') as is_known
  ), sold as (
    -- Of a shop that began less than a week ago since then.
    select site_id, domain_id,
           sum(count) / greatest(1, least(7, (select extract(epoch from ${at}::timestamptz - min(since)) / 86400 from outcome))) as a_day
    from counted where is_new and class >= 0 group by site_id, domain_id
  ), lasting as (
    select s.name as site, d.name as domain, greatest(0, d.live - coalesce(k.taken, 0)) as available, p.a_day,
           greatest(0, d.live - coalesce(k.taken, 0)) / p.a_day as days
    from sold p
    join mail_domain d on d.id = p.domain_id and d.enabled and not d.is_sandbox
    join site s on s.id = p.site_id and not s.blocked
    left join stock k on k.site_id = p.site_id and k.domain_id = p.domain_id
  )
  insert into shop_week (made_at, sites, domains, stock)
  select ${at},
         (${changed(sql, sql`site_id`, sql`(select s.name from site s where s.id = t.key)`)}),
         (${changed(sql, sql`domain_id`, sql`(select d.name from mail_domain d where d.id = t.key)`)}),
         (select coalesce(jsonb_agg(jsonb_build_object('site', site, 'domain', domain, 'available', available, 'days', round(days::numeric, 1))
                                    order by days, a_day desc, site, domain), '[]')
          from (select * from lasting where days < ${stockDaysMax} order by days, a_day desc, site, domain limit ${shown}) l)
  on conflict (only_row) do update
    set made_at = excluded.made_at, sites = excluded.sites, domains = excluded.domains, stock = excluded.stock
    where excluded.made_at >= shop_week.made_at`;

const Week = z.object({
  at: z.date(),
  sites: z.array(WeekChange),
  domains: z.array(WeekChange),
  stock: z.array(StockPace),
});

export const selectWeek = (sql: Sql) =>
  maybe(Week, sql`select made_at as at, sites, domains, stock from shop_week`);
