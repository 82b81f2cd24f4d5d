import type { Sql } from "../platform/db/db.ts";
import { begins, idOf } from "./office.find.sql.ts";
import type { Part, Source } from "./office.page.sql.ts";

const ofPair = (sql: Sql): Part =>
  sql`p.domain_id = r.domain_id and p.site_id is not distinct from r.site_id and p.undone_at is null`;

export const prices: Source<"prices"> = {
  rows: (sql, { now }) => sql`
    select k.*, d.name as domain, coalesce(s.name, '') as site, coalesce(s.name || '/', '') || d.name as name, d.kind, d.enabled
    from (
      select id as domain_id, null::integer as site_id, price_of(null, id, ${now}::timestamptz) as price from mail_domain where not is_sandbox
      union all
      select * from (
        select distinct on (p.domain_id, p.site_id) p.domain_id, p.site_id, p.price from price p
        where p.site_id is not null and p.undone_at is null and p.from_at <= ${now}::timestamptz
        order by p.domain_id, p.site_id, p.from_at desc, p.id desc) own where price is not null) k
    join mail_domain d on d.id = k.domain_id left join site s on s.id = k.site_id`,
  beside: (sql) => sql`
    left join lateral (
      select coalesce(p.price, price_of(null, r.domain_id, p.from_at)) as price, p.from_at from price p
      where ${ofPair(sql)} and p.from_at > now() order by p.from_at, p.id desc limit 1) next on true`,
  cells: (sql) => ({
    name: sql`r.name`,
    domain: sql`r.domain`,
    site: sql`r.site`,
    kind: sql`r.kind::text`,
    on: sql`r.enabled`,
    price: sql`r.price`,
    next_price: sql`next.price`,
    next_at: sql`next.from_at`,
  }),
  search: (sql, _, lower) =>
    sql`(${begins(sql, sql`r.domain`, lower)} or ${begins(sql, sql`r.site`, lower)})`,
};

export const changes: Source<"price_changes"> = {
  rows: (sql, { now }) => sql`
    select r.*, d.name as domain, coalesce(s.name, '') as site,
           case when r.undone_at is not null then 'undone' when r.from_at > ${now}::timestamptz then 'waits'
                when exists (select from price p
                             where ${ofPair(sql)} and (p.from_at, p.id) > (r.from_at, r.id) and p.from_at <= ${now}::timestamptz) then 'replaced'
                else 'applies' end as state
    from price r join mail_domain d on d.id = r.domain_id left join site s on s.id = r.site_id
    where r.from_at > '-infinity'`,
  beside: (sql) => sql`
    left join lateral (
      select p.price from price p where ${ofPair(sql)} and (p.from_at, p.id) < (r.from_at, r.id)
      order by p.from_at desc, p.id desc limit 1) last on true`,
  cells: (sql) => ({
    id: sql`r.id`,
    number: sql`r.change_id`,
    domain: sql`r.domain`,
    site: sql`r.site`,
    before: sql`coalesce(last.price, price_of(null, r.domain_id, r.from_at - interval '1 microsecond'))`,
    after: sql`coalesce(r.price, price_of(null, r.domain_id, r.from_at))`,
    starts: sql`r.from_at`,
    state: sql`r.state`,
    made: sql`r.made_at`,
    by: sql`coalesce(r.made_by, '')`,
    reason: sql`r.reason`,
  }),
  search: (sql, text, lower) =>
    sql`(r.change_id = ${idOf(text)}::bigint or ${begins(sql, sql`r.domain`, lower)} or ${begins(sql, sql`r.site`, lower)})`,
};
