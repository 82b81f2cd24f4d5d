import { hideCodes } from "../letters/letters.ts";
import { begins, keysThatBegin } from "./office.find.sql.ts";
import type { Source } from "./office.page.sql.ts";

export const domains: Source<"domains"> = {
  rows: (sql) => sql`
    select *, case when asks_from <= now() then price_of(null, id, now()) else price end as price_now from mail_domain where not is_sandbox`,
  cells: (sql) => ({
    name: sql`r.name`,
    kind: sql`r.kind::text`,
    on: sql`r.enabled`,
    price: sql`r.price_now`,
    mailboxes: sql`r.live`,
    imap: sql`r.imap_host || ':' || r.imap_port`,
    tls: sql`r.imap_tls`,
  }),
  search: (sql, _, lower) => begins(sql, sql`r.name`, lower),
};

export const hosts: Source<"hosts"> = {
  rows: (sql) => sql`
    select i.*, i.host || ':' || i.port as name, coalesce(n.open, 0) as open, coalesce(n.waiting, 0) as waiting
    from imap_host i
    left join (
      select host_id, count(*) filter (where lease_until > clock_timestamp()) as open,
             count(*) filter (where since is not null and lease_until > clock_timestamp() is not true) as waiting
      from imap_mailbox where since is not null or lease_until > clock_timestamp() group by host_id) n on n.host_id = i.id`,
  cells: (sql) => ({
    host: sql`r.name`,
    tls: sql`(select min(d.imap_tls) from mail_domain d where d.kind = 'hosted' and d.imap_host = r.host and d.imap_port = r.port)`,
    own_ca: sql`r.ca is not null`,
    domains: sql`array(select d.name from mail_domain d
                       where d.kind = 'hosted' and d.imap_host = r.host and d.imap_port = r.port order by d.name)`,
    connections: sql`r.connections`,
    open: sql`r.open`,
    waiting: sql`r.waiting`,
    logins: sql`r.logins_per_minute`,
    failures: sql`r.failures`,
    error: sql`r.last_error`,
    error_at: sql`r.last_error_at`,
  }),
};

export const sites: Source<"sites"> = {
  rows: (sql) => sql`select * from site where sandbox_domain_id is null`,
  // Counted once for the page: pending orders have no index by site.
  beside: (sql) => sql`
    left join (select site_id, count(*) from orders where status = 'pending' group by site_id) living on living.site_id = r.id`,
  cells: (sql) => ({
    name: sql`r.name`,
    blocked: sql`r.blocked`,
    senders: sql`array(select s.domain from site_sender s where s.site_id = r.id order by s.domain)`,
    living: sql`coalesce(living.count, 0)`,
  }),
  filters: { blocked: (sql, wanted) => (wanted ? sql`r.blocked` : sql`not r.blocked`) },
  search: (sql, _, lower) => sql`
    r.id = any (array(${keysThatBegin(sql, { key: sql`id`, table: sql`site`, column: sql`name` }, lower)}))`,
};

/** A flood costs no more than this many rows. */
const unclaimedMax = 100_000;

export const unclaimed: Source<"turned_away"> = {
  rows: (sql) => sql`
    select t.*, coalesce(site.name, '') as site
    from (
      select site_id, domain, count(*) as letters, min(arrived_at) as first_at, max(arrived_at) as last_at
      from (select * from turned_away order by letter_id desc limit ${unclaimedMax}) newest
      where not is_signer and arrived_at > clock_timestamp() - interval '24 hours'
      group by site_id, domain) t
    left join site on site.id = t.site_id`,
  beside: (sql) => sql`
    left join lateral (
      select letter.id, letter.sender, letter.subject from turned_away t join letter on letter.id = t.letter_id
      where t.site_id = r.site_id and t.domain = r.domain and not t.is_signer and t.arrived_at = r.last_at
      order by letter.id limit 1) newest on true`,
  cells: (sql) => ({
    id: sql`r.site_id || ' ' || r.domain`,
    sender: sql`r.domain`,
    site: sql`nullif(r.site, '')`,
    letters: sql`r.letters`,
    first: sql`r.first_at`,
    last: sql`r.last_at`,
    from: sql`newest.sender`,
    subject: sql`newest.subject`,
    letter: sql`newest.id`,
  }),
  order: (sql) => ({ site: sql`r.site` }),
  // The subject may hold a buyer's code.
  tell: { subject: (subject) => hideCodes(String(subject)) },
  search: (sql, _, lower) =>
    sql`(${begins(sql, sql`r.domain`, lower)} or ${begins(sql, sql`r.site`, lower)})`,
};
