import { z } from "zod/mini";
import { all, maybe, one, type Sql } from "../platform/db/db.ts";

const Domain = z.object({ id: z.int(), name: z.string(), kind: z.enum(["own", "hosted"]) });
const Added = z.object({ added: z.int() });
const Mailbox = z.object({ id: z.bigint(), dead: z.boolean() });

const Quantity = z.object({
  domainId: z.int(),
  domain: z.string(),
  price: z.bigint(),
  available: z.bigint(),
});
export type Quantity = z.infer<typeof Quantity>;

export const selectDomain = (sql: Sql, domainId: number) =>
  maybe(Domain, sql`select id, name, kind from mail_domain where id = ${domainId}`);

export const insertBatch = (sql: Sql, investorId: bigint | null, sharePpm: number, title: string) =>
  one(
    z.object({ id: z.int() }),
    sql`insert into batch (investor_id, share_ppm, title) values (${investorId}, ${sharePpm}, ${title}) returning id`,
  );

export const insertStock = (
  sql: Sql,
  batchId: number,
  domainId: number,
  localParts: string[],
  secrets: Buffer[] | null,
) =>
  one(
    Added,
    sql`select add_stock(${batchId}, ${domainId}, ${localParts}::text[], ${secrets}::bytea[]) as added`,
  );

export const updateSecrets = (
  sql: Sql,
  batchId: number,
  domainId: number,
  localParts: string[],
  secrets: Buffer[],
) =>
  all(
    Mailbox,
    sql`update mailbox m set secret = t.secret
        from unnest(${localParts}::text[], ${secrets}::bytea[]) as t (local_part, secret), lot l, batch b
        where m.domain_id = ${domainId} and m.local_part = t.local_part
          and l.id = m.lot_id and b.id = l.batch_id and b.investor_id is null and b.id <> ${batchId}
        returning m.id, m.dead`,
  );

/** By lower-case addresses; `position` (from 1) says which. Held mailboxes are excluded: their batch may never be on sale. */
export const selectMailboxes = (sql: Sql, localParts: readonly string[], domains: readonly string[]) =>
  all(
    z.object({ position: z.int(), id: z.bigint(), dead: z.boolean() }),
    sql`select t.position::integer as position, m.id, m.dead
        from unnest(${localParts}::text[], ${domains}::text[]) with ordinality as t (local_part, domain, position)
        join mail_domain d on d.name = t.domain and d.kind = 'own'
        join mailbox m on m.domain_id = d.id and m.local_part = t.local_part
        join lot l on l.id = m.lot_id`,
  );

/** Mailboxes of these lower-case addresses of any domain, on sale or not. */
export const selectStock = (sql: Sql, localParts: readonly string[], domains: readonly string[]) =>
  all(
    z.object({ position: z.int(), id: z.bigint() }),
    sql`select t.position::integer as position, m.id
        from unnest(${localParts}::text[], ${domains}::text[]) with ordinality as t (local_part, domain, position)
        join mail_domain d on d.name = t.domain
        join mailbox m on m.domain_id = d.id and m.local_part = t.local_part`,
  );

export const selectQuantity = (sql: Sql, siteId: number | null) =>
  all(
    Quantity,
    sql`select domain_id as "domainId", domain, price, available from quantity(${siteId}::integer)`,
  );

export const callBlockBatch = (sql: Sql, batchId: number, siteId: number) =>
  sql`select block_batch(${batchId}, ${siteId})`;

export const callUnblockBatch = (sql: Sql, batchId: number, siteId: number) =>
  sql`select unblock_batch(${batchId}, ${siteId})`;

export const callSetDead = (sql: Sql, mailboxIds: bigint[], isDead: boolean, isWiped: boolean) =>
  one(
    z.object({ changed: z.int() }),
    sql`select set_dead(${mailboxIds}::bigint[], ${isDead}, ${isWiped}) as changed`,
  );

export const wipeDead = (sql: Sql, mailboxIds: bigint[]) =>
  sql`update mailbox set secret = null where id = any (${mailboxIds}::bigint[]) and dead and secret is not null`;

export const callHoldMailboxes = (sql: Sql, batchId: number) =>
  all(
    z.object({ domainId: z.int(), held: z.int(), brought: z.int() }),
    sql`select domain_id as "domainId", held, brought from hold_mailboxes(${batchId})`,
  );

export const callJoinStock = (sql: Sql, batchId: number) => sql`select join_stock(${batchId})`;

export const callWipeHeld = (sql: Sql, batchId: number) => sql`select wipe_held(${batchId})`;
