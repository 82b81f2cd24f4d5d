import { z } from "zod/mini";
import { all, type Sql, type Tx } from "../../platform/db/db.ts";
import { Raw } from "../letters.raw.ts";

export interface UnclaimedRow {
  readonly letterId: bigint;
  readonly siteId: number;
  readonly domain: string;
  readonly isSigner: boolean;
}

export const saveUnclaimed = (tx: Tx, rows: readonly UnclaimedRow[]) =>
  tx`
    insert into turned_away (letter_id, site_id, domain, is_signer, arrived_at)
    select t.letter_id, t.site_id, t.domain, t.is_signer, letter.arrived_at
    from unnest(
      ${rows.map(({ letterId }) => letterId)}::bigint[], ${rows.map(({ siteId }) => siteId)}::integer[], ${rows.map(({ domain }) => domain)}::text[],
      ${rows.map(({ isSigner }) => String(isSigner))}::text[]::boolean[]
    ) as t (letter_id, site_id, domain, is_signer)
    join letter on letter.id = t.letter_id
    on conflict do nothing`;

export const deleteUnclaimed = (tx: Tx, letterIds: readonly bigint[]) =>
  tx`delete from turned_away where letter_id = any (${letterIds}::bigint[])`;

export const deleteDecided = (tx: Tx, letterIds: readonly bigint[], siteIds: readonly number[]) =>
  tx`delete from turned_away t using unnest(${letterIds}::bigint[], ${siteIds}::integer[]) as d (letter_id, site_id)
     where t.letter_id = d.letter_id and t.site_id = d.site_id`;

const Group = z.object({
  domain: z.string(),
  siteId: z.int(),
  site: z.nullable(z.string()),
  letters: z.int(),
  firstAt: z.date(),
  lastAt: z.date(),
  sender: z.nullable(z.string()),
  subject: z.nullable(z.string()),
});
export type Group = z.infer<typeof Group>;

/** A flood costs the operator no more than this many rows. */
const lookedAtMax = 100_000;

const newest = (sql: Sql) => sql`
  (select * from turned_away order by letter_id desc limit ${lookedAtMax}) unclaimed`;

const ofSite = (sql: Sql, siteId: number) =>
  sql`(select * from turned_away where site_id = ${siteId}) unclaimed`;

/** By domain and site, most letters first; of one site, or among the newest. The newest letter stands for its group. */
export const selectGroups = (
  sql: Sql,
  { siteId, size, offset }: { siteId: number | null; size: number; offset: number },
) =>
  all(
    Group,
    sql`select g.domain, g.site_id as "siteId", site.name as site, g.letters, g.first_at as "firstAt", g.last_at as "lastAt",
               newest.sender, newest.subject
        from (
          select site_id, domain, count(*)::integer as letters, min(arrived_at) as first_at, max(arrived_at) as last_at
          from ${siteId === null ? newest(sql) : ofSite(sql, siteId)}
          where not is_signer and arrived_at > clock_timestamp() - interval '24 hours'
          group by site_id, domain
          order by letters desc, last_at desc, site_id, domain limit ${size} offset ${offset}) g
        left join site on site.id = g.site_id
        left join lateral (
          select letter.sender, letter.subject from turned_away t join letter on letter.id = t.letter_id
          where t.site_id = g.site_id and t.domain = g.domain and not t.is_signer and t.arrived_at = g.last_at
          limit 1) newest on true
        order by g.letters desc, g.last_at desc, g.site_id, g.domain`,
  );

const Waiting = z.object({ letterId: z.bigint(), bytes: z.int() });

/** Locks the oldest letters whose domain their site takes by now: of one site, or of all whose sender was added a minute ago or more. */
export const lockWaiting = (tx: Tx, siteId: number | null, without: readonly bigint[], size: number) =>
  all(
    Waiting,
    tx`select letter.id as "letterId", letter.size_bytes as bytes
       from letter
       where letter.id in (
           select w.letter_id from (
             select t.letter_id, t.arrived_at
             from site_sender s
             cross join lateral (
               select t.letter_id, t.arrived_at from turned_away t join letter l on l.id = t.letter_id and not l.is_given
               where t.site_id = s.site_id and t.domain = s.domain and t.arrived_at > clock_timestamp() - interval '24 hours'
                 and t.letter_id <> all (${without}::bigint[])
               order by t.arrived_at limit ${size}) t
             where ${siteId}::integer is not null and s.site_id = ${siteId}
               or ${siteId}::integer is null and s.added_at < clock_timestamp() - interval '1 minute'
             order by t.arrived_at limit ${size}) w)
         and not letter.is_given
       order by letter.arrived_at, letter.id for update of letter skip locked`,
  );

const Unclaimed = z.object({
  id: z.bigint(),
  arrivedAt: z.date(),
  raw: Raw,
  mailboxIds: z.array(z.bigint()),
  siteIds: z.array(z.int()),
  signers: z.array(z.string()),
});
export type Unclaimed = z.infer<typeof Unclaimed>;

export const selectUnclaimed = (tx: Tx, letterIds: readonly bigint[]) =>
  all(
    Unclaimed,
    tx`select letter.id, letter.arrived_at as "arrivedAt", stored.raw,
              array(select mailbox_id from recipient where letter_id = letter.id order by mailbox_id) as "mailboxIds",
              array(select distinct t.site_id from turned_away t
                    join site_sender s on s.site_id = t.site_id and s.domain = t.domain
                    where t.letter_id = letter.id) as "siteIds",
              array(select distinct t.domain from turned_away t where t.letter_id = letter.id and t.is_signer) as signers
       from letter cross join lateral raw_of(letter.id, letter.arrived_at) stored
       where letter.id = any (${letterIds}::bigint[])
       order by letter.arrived_at, letter.id`,
  );

export const selectSendersNow = (sql: Sql, siteIds: readonly number[]) =>
  all(
    z.object({ siteId: z.int(), domain: z.string() }),
    sql`select site_id as "siteId", domain from site_sender where site_id = any (${siteIds}::integer[])`,
  );

/** Replaces the mismatch by sender when the domain has become one of the site. */
export const correctMismatches = (
  tx: Tx,
  mismatches: readonly { orderId: bigint; letterId: bigint; reason: string }[],
) =>
  tx`update missed set reason = m.reason
     from unnest(
       ${mismatches.map(({ orderId }) => orderId)}::bigint[], ${mismatches.map(({ letterId }) => letterId)}::bigint[],
       ${mismatches.map(({ reason }) => reason)}::text[]::missed_reason[]
     ) as m (order_id, letter_id, reason)
     where missed.order_id = m.order_id and missed.letter_id = m.letter_id`;
