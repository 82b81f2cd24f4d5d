import { z } from "zod/mini";
import { all, type Sql } from "../platform/db/db.ts";

export interface Pair {
  readonly domainId: number;
  /** Null: all sites without a price of their own. */
  readonly siteId: number | null;
}

const placesOf = (sql: Sql, pairs: readonly Pair[]) => sql`
  unnest(${pairs.map(({ domainId }) => domainId)}::integer[], ${pairs.map(({ siteId }) => siteId)}::integer[])
    with ordinality as t (domain_id, site_id, place)`;

/** The one that begins last of a pair's prices, among those that a condition names. */
const lastOf = (sql: Sql) => sql`order by p.from_at desc, p.id desc limit 1`;

const Priced = z.object({
  price: z.bigint(),
  general: z.bigint(),
  own: z.nullable(z.bigint()),
});

/** Of each pair at a moment: what applies, what applies for all sites, and the price of its own. A domain without changes has its column. */
export const selectPriced = (sql: Sql, pairs: readonly Pair[], at: Date | null) =>
  all(
    Priced,
    sql`select price_of(t.site_id, t.domain_id, m.at) as price, price_of(null, t.domain_id, m.at) as general,
               case when t.site_id is null then price_of(null, t.domain_id, m.at) else (
                 select p.price from price p
                 where p.domain_id = t.domain_id and p.site_id = t.site_id and p.undone_at is null and p.from_at <= m.at ${lastOf(sql)}) end as own
        from ${placesOf(sql, pairs)} cross join (select coalesce(${at}::timestamptz, clock_timestamp()) as at) m order by t.place`,
  );

const Letters = z.object({ letters: z.bigint() });

/**
 * Orders that got their letter in the last seven days, of each pair: those of all sites without a price of their own at that moment,
 * and without one of these pairs.
 */
export const selectLetters = (sql: Sql, pairs: readonly Pair[], at: Date | null) =>
  all(
    Letters,
    sql`with counted as (
          select o.site_id, o.domain_id, sum(o.count) as letters from outcome o
          where o.class >= 0 and o.since > now() - interval '7 days' and o.domain_id = any (${pairs.map(({ domainId }) => domainId)}::integer[])
          group by o.site_id, o.domain_id
        ), own as (
          select domain_id, site_id from (
            select distinct on (p.domain_id, p.site_id) p.domain_id, p.site_id, p.price from price p
            where p.site_id is not null and p.undone_at is null and p.from_at <= coalesce(${at}::timestamptz, now())
            order by p.domain_id, p.site_id, p.from_at desc, p.id desc) last where price is not null
          union
          select t.domain_id, t.site_id from ${placesOf(sql, pairs)} where t.site_id is not null
        ), served as (
          select c.domain_id, c.site_id, case when own.site_id is null then null else c.site_id end as of_site, c.letters
          from counted c left join own on own.domain_id = c.domain_id and own.site_id = c.site_id
        )
        select coalesce(sum(s.letters), 0)::bigint as letters
        from ${placesOf(sql, pairs)}
        left join served s on s.domain_id = t.domain_id and s.of_site is not distinct from t.site_id
        group by t.place order by t.place`,
  );

export interface NewPrice extends Pair {
  readonly price: bigint | null;
}

export interface Change {
  readonly by: string;
  readonly reason: string | undefined;
  readonly key: string | undefined;
  /** Undefined: now. */
  readonly from: Date | undefined;
}

const Changed = z.object({ changeId: z.bigint() });

/** Writes a change, with the prices of before the first one of each domain. Lock the domains before. */
export async function insertPrices(sql: Sql, prices: readonly NewPrice[], change: Change): Promise<bigint> {
  const { by, reason = null, key = null, from = null } = change;
  const domainIds = prices.map(({ domainId }) => domainId);
  await sql`
    insert into price (change_id, domain_id, price, from_at, made_at)
    select nextval('price_id_seq'), d.id, d.price, '-infinity', clock_timestamp() from mail_domain d
    where d.id = any (${domainIds}::integer[]) and not exists (select from price p where p.domain_id = d.id and p.site_id is null)`;
  const [made] = await all(
    Changed,
    sql`with change as materialized (select nextval('price_id_seq') as id, clock_timestamp() as at)
        insert into price (change_id, domain_id, site_id, price, from_at, made_at, made_by, reason, key)
        select c.id, t.domain_id, t.site_id, v.price, coalesce(${from}::timestamptz, c.at), c.at, ${by}, ${reason}, ${key}
        from change c cross join ${placesOf(sql, prices)}
        join unnest(${prices.map(({ price }) => price)}::bigint[]) with ordinality as v (price, place) using (place)
        returning change_id as "changeId"`,
  );
  if (!made) throw new Error("a change of no price");
  await showPrices(sql, domainIds);
  return made.changeId;
}

/** What of it the row of a mail domain says: the price of now, and from when on it does not. */
export const showPrices = (sql: Sql, domainIds: readonly number[]) =>
  sql`update mail_domain d set
        price = price_of(null, d.id, clock_timestamp()),
        asks_from = case
          when exists (select from price p where p.domain_id = d.id and p.site_id is not null and p.undone_at is null) then '-infinity'
          else (select min(p.from_at) from price p
                where p.domain_id = d.id and p.site_id is null and p.undone_at is null and p.from_at > clock_timestamp()) end
      where d.id = any (${domainIds}::integer[])`;

/** Serializes changes of prices. */
export const lockDomains = (sql: Sql, domainIds: readonly number[]) =>
  sql`select from mail_domain where id = any (${domainIds}::integer[]) order by id for no key update`;

/** The change of this key; answers how many prices it changed. */
export const selectKnown = (sql: Sql, by: string, key: string) =>
  all(
    z.object({ changeId: z.bigint(), count: z.int() }),
    sql`select change_id as "changeId", count(*)::integer as count from price where made_by = ${by} and key = ${key} group by change_id`,
  );

const Made = z.object({
  id: z.bigint(),
  domainId: z.int(),
  domain: z.string(),
  siteId: z.nullable(z.int()),
  site: z.nullable(z.string()),
  price: z.bigint(),
  before: z.bigint(),
  ownBefore: z.nullable(z.bigint()),
  waits: z.boolean(),
  undone: z.boolean(),
  /** Another price of the pair began since. */
  isOver: z.boolean(),
});

/** The prices of a change, and what applied before each. */
export const selectChange = (sql: Sql, changeId: bigint) =>
  all(
    Made,
    sql`select r.id, r.domain_id as "domainId", d.name as domain, r.site_id as "siteId", s.name as site,
               coalesce(r.price, price_of(null, r.domain_id, r.from_at)) as price,
               coalesce(b.price, price_of(null, r.domain_id, r.from_at - interval '1 microsecond')) as before, b.price as "ownBefore",
               r.from_at > clock_timestamp() as waits, r.undone_at is not null as undone,
               exists (select from price p
                       where p.domain_id = r.domain_id and p.site_id is not distinct from r.site_id and p.undone_at is null
                         and (p.from_at, p.id) > (r.from_at, r.id) and p.from_at <= clock_timestamp()) as "isOver"
        from price r join mail_domain d on d.id = r.domain_id left join site s on s.id = r.site_id
        left join lateral (
          select p.price from price p
          where p.domain_id = r.domain_id and p.site_id is not distinct from r.site_id and p.undone_at is null
            and (p.from_at, p.id) < (r.from_at, r.id) ${lastOf(sql)}) b on true
        where r.change_id = ${changeId} and r.from_at > '-infinity' order by r.id`,
  );

export const takeBack = (sql: Sql, changeId: bigint) =>
  sql`update price set undone_at = clock_timestamp() where change_id = ${changeId} and undone_at is null`;
