import { z } from "zod/mini";
import { all, maybe, one, type Sql } from "../platform/db/db.ts";

const Kind = z.enum(["own", "hosted"]);

const MailDomain = z.object({
  id: z.int(),
  name: z.string(),
  kind: Kind,
  price: z.bigint(),
  live: z.bigint(),
  enabled: z.boolean(),
  imap: z.nullable(z.string()),
  /** When the price changes next. */
  changesAt: z.nullable(z.date()),
});
export type MailDomain = z.infer<typeof MailDomain>;

const Site = z.object({
  id: z.int(),
  name: z.string(),
  blocked: z.boolean(),
  sandboxDomainId: z.nullable(z.int()),
});
export type Site = z.infer<typeof Site>;

const Name = z.object({ name: z.string() });
const Group = z.object({ name: z.string(), domain: z.string() });

/** Without sandbox domains: they are never on sale and get no mail from outside. */
export const selectDomains = (sql: Sql) =>
  all(
    MailDomain,
    sql`select id, name, kind, case when asks_from <= now() then price_of(null, id, now()) else price end as price, live, enabled,
               imap_host || ':' || imap_port || ' ' || imap_tls as imap,
               (select min(p.from_at) from price p
                where p.domain_id = d.id and p.site_id is null and p.undone_at is null and p.from_at > now()) as "changesAt"
        from mail_domain d where not is_sandbox order by id`,
  );

export const insertDomain = (sql: Sql, name: string, price: bigint, kind: string) =>
  maybe(
    z.object({ id: z.int() }),
    sql`insert into mail_domain (name, price, kind) values (${name}, ${price}, ${kind}) on conflict do nothing returning id`,
  );

export const updateDomain = (sql: Sql, name: string, enabled: boolean | null) =>
  maybe(
    z.object({ id: z.int() }),
    sql`update mail_domain set enabled = coalesce(${enabled}, enabled) where name = ${name} and not is_sandbox returning id`,
  );

export const updateImap = (sql: Sql, name: string, host: string, port: number, tls: string) =>
  maybe(
    z.object({ kind: Kind }),
    sql`update mail_domain set imap_host = ${host}, imap_port = ${port}, imap_tls = ${tls}
        where name = ${name} and kind = 'hosted' returning kind`,
  );

export const selectGroups = (sql: Sql) =>
  all(
    Group,
    sql`select g.name, d.name as domain from domain_group g join mail_domain d on d.id = g.domain_id order by g.name, d.id`,
  );

/** By name, alias or sender domain: sold as a site of its own, a sender domain's mailbox would show another site's letters. */
export const selectSite = (sql: Sql, name: string) =>
  maybe(
    Site,
    sql`select s.id, s.name, s.blocked, s.sandbox_domain_id as "sandboxDomainId" from site s
        where s.id = coalesce(
          (select site_id from site_alias where alias = ${name}),
          (select own.id from site own where own.name = ${name}
            and (exists (select from site_alias where site_id = own.id) or exists (select from site_sender where site_id = own.id))),
          (select min(site_id) from site_sender where domain = ${name}),
          (select id from site where name = ${name}))`,
  );

export const selectSiteNames = (sql: Sql, siteIds: readonly number[]) =>
  all(
    z.object({ id: z.int(), name: z.string() }),
    sql`select id, name from site where id = any (${siteIds}::integer[])`,
  );

/** Creates a site when it is asked for the first time; two callers at once get the same row (the update is for `returning`). */
export const addSite = (sql: Sql, name: string) =>
  one(
    Site,
    sql`insert into site (name) values (${name}) on conflict (name) do update set name = excluded.name
        returning id, name, blocked, sandbox_domain_id as "sandboxDomainId"`,
  );

export const setBlocked = (sql: Sql, siteId: number, blocked: boolean) =>
  one(z.object({ id: z.int() }), sql`update site set blocked = ${blocked} where id = ${siteId} returning id`);

export const selectAliases = (sql: Sql) =>
  all(
    Name,
    sql`select alias as name from site_alias where alias not like '%.%'
        union all select name from site where sandbox_domain_id is not null`,
  );

export const selectSenders = (sql: Sql, siteId: number) =>
  all(Name, sql`select domain as name from site_sender where site_id = ${siteId} order by domain`);

/** Whether letters from a domain are for any site, blocked or not. */
export const isSender = async (sql: Sql, domain: string): Promise<boolean> => {
  const found = await sql`
    select from site where name = ${domain}
    union all select from site_alias where alias = ${domain}
    union all select from site_sender where domain = ${domain} limit 1`;
  return found.length > 0;
};

const Shared = z.object({ domain: z.string(), sites: z.array(z.string()) });
export type Shared = z.infer<typeof Shared>;

/** The domains that are senders of other sites, or other sites themselves. */
export const selectShared = (sql: Sql, siteId: number, domains: readonly string[]) =>
  all(
    Shared,
    sql`select d.domain, array_agg(distinct s.name order by s.name) as sites
        from unnest(${domains}::text[]) as d (domain)
        join (
          select name as domain, id as site_id from site
          union all select alias, site_id from site_alias
          union all select domain, site_id from site_sender
        ) other on other.domain = d.domain and other.site_id <> ${siteId}
        join site s on s.id = other.site_id
        group by d.domain order by d.domain`,
  );

export const insertSender = (sql: Sql, siteId: number, domain: string) =>
  sql`insert into site_sender (site_id, domain) values (${siteId}, ${domain}) on conflict do nothing`;

export const deleteSenders = (sql: Sql, siteId: number, domains: readonly string[]) =>
  all(
    Name,
    sql`delete from site_sender where site_id = ${siteId} and domain = any (${domains}::text[]) returning domain as name`,
  );

export const selectShunned = (sql: Sql) =>
  all(
    Name,
    sql`select name from site where blocked
        union select d.domain from site_sender d join site s on s.id = d.site_id where s.blocked
        union select a.alias from site_alias a join site s on s.id = a.site_id where s.blocked and a.alias like '%.%'`,
  );

export const selectBlockedSites = (sql: Sql) =>
  all(
    Site,
    sql`select id, name, blocked, sandbox_domain_id as "sandboxDomainId" from site where blocked order by name`,
  );
