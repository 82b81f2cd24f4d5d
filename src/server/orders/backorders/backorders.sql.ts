import { z } from "zod/mini";
import { backorderRefusals } from "../../../contract/orders/backorders.ts";
import { all, maybe, one, type Sql, type Tx } from "../../platform/db/db.ts";

const states = ["waiting", "placed", "ended", "removed"] as const;

const Row = z.object({
  id: z.bigint(),
  userId: z.bigint(),
  tokenId: z.nullable(z.bigint()),
  siteId: z.int(),
  site: z.string(),
  domainIds: z.array(z.int()),
  domains: z.array(z.string()),
  priceMax: z.bigint(),
  subject: z.nullable(z.string()),
  regex: z.nullable(z.string()),
  note: z.nullable(z.string()),
  softId: z.nullable(z.bigint()),
  createdAt: z.date(),
  until: z.date(),
  state: z.enum(states),
  refused: z.nullable(z.enum(backorderRefusals)),
  orderId: z.nullable(z.bigint()),
});
export type Backorder = z.infer<typeof Row>;
export type BackorderRefusal = (typeof backorderRefusals)[number];

const columns = (sql: Sql) => sql`
  b.id, b.user_id as "userId", b.token_id as "tokenId", b.site_id as "siteId", s.name as site, b.domains as "domainIds",
  array(select d.name from unnest(b.domains) with ordinality as t (id, place) join mail_domain d on d.id = t.id order by t.place) as domains,
  b.price_max as "priceMax", b.subject, b.regex, b.note, b.soft_id as "softId", b.created_at as "createdAt", b.until, b.state,
  b.refused, b.order_id as "orderId"`;

/** Those that wait, and the newest of those that closed since then. */
export const selectOwn = (sql: Sql, userId: bigint, since: Date, size: number) =>
  all(
    Row,
    sql`select ${columns(sql)} from backorder b join site s on s.id = b.site_id
        where b.user_id = ${userId} and (b.closed_at is null or b.closed_at > ${since})
        order by b.state = 'waiting' desc, b.created_at desc, b.id limit ${size}`,
  );

export const selectSome = (sql: Sql, ids: readonly bigint[]) =>
  all(
    Row,
    sql`select ${columns(sql)} from backorder b join site s on s.id = b.site_id where b.id = any (${ids}::bigint[])`,
  );

export const selectByKey = (sql: Sql, userId: bigint, key: string) =>
  maybe(
    Row,
    sql`select ${columns(sql)} from backorder b join site s on s.id = b.site_id
        where b.user_id = ${userId} and b.key = ${key}`,
  );

/** Locks the user, so that of two calls at once the second counts the first. */
export const countWaiting = async (tx: Tx, userId: bigint): Promise<number> => {
  await tx`select 1 from users where id = ${userId} for no key update`;
  const counted = tx`select count(*)::integer as count from backorder where user_id = ${userId} and state = 'waiting'`;
  return (await one(z.object({ count: z.int() }), counted)).count;
};

export type NewBackorder = Pick<
  Backorder,
  "userId" | "siteId" | "domainIds" | "priceMax" | "createdAt" | "until"
> & {
  readonly tokenId: bigint | null;
  readonly subject: string | null;
  readonly regex: string | null;
  readonly note: string | null;
  readonly softId: bigint | null;
  readonly key: string | null;
};

/** Undefined when the key names another one. */
export const insertBackorder = (tx: Tx, added: NewBackorder) =>
  maybe(
    z.object({ id: z.bigint() }),
    tx`insert into backorder (user_id, token_id, site_id, domains, price_max, subject, regex, note, soft_id, key, created_at, until)
       values (${added.userId}, ${added.tokenId}, ${added.siteId}, ${added.domainIds}::integer[], ${added.priceMax}, ${added.subject},
         ${added.regex}, ${added.note}, ${added.softId}, ${added.key}, ${added.createdAt}, ${added.until})
       on conflict (user_id, key) where key is not null do nothing returning id`,
  );

/** Holds it until the transaction ends, so that nothing places it meanwhile. */
export const lockOwn = (tx: Tx, userId: bigint, id: bigint) =>
  maybe(
    Row,
    tx`select ${columns(tx)} from backorder b join site s on s.id = b.site_id
       where b.id = ${id} and b.user_id = ${userId} for update of b`,
  );

export interface Place {
  readonly at: Date;
  readonly id: bigint;
}

/** Waiting ones after a place that are over, or whose site has an address in one of their domains that they do not pass over, the oldest first. One that was refused after `before` rests. */
export const selectDue = (
  sql: Sql,
  { at, before, after, size }: { at: Date; before: Date; after: Place; size: number },
) =>
  all(
    z.object({ id: z.bigint(), createdAt: z.date() }),
    sql`select b.id, b.created_at as "createdAt" from backorder b
        where b.state = 'waiting' and (b.created_at, b.id) > (${after.at}, ${after.id})
          and (b.until <= ${at}
               or (b.tried_at is null or b.tried_at <= ${before})
                  and exists (select from unnest(b.domains) as t (id)
                              join mail_domain d on d.id = t.id and d.enabled
                              left join stock s on s.site_id = b.site_id and s.domain_id = d.id
                              where d.live - coalesce(s.taken, 0) > 0
                                and (cardinality(b.domains) = 1 or not exists (
                                  select from skipped_domain k
                                  where k.user_id = b.user_id and k.site_id = b.site_id and k.domain_id = d.id and k.expires_at > ${at}))))
        order by b.created_at, b.id limit ${size}`,
  );

/** Holds it until the transaction ends; undefined when another process does, or it waits no more. */
export const lockWaiting = (tx: Tx, id: bigint) =>
  maybe(
    Row,
    tx`select ${columns(tx)} from backorder b join site s on s.id = b.site_id
       where b.id = ${id} and b.state = 'waiting' for update of b skip locked`,
  );

/** By a messaging account. */
export const isConfirmed = async (sql: Sql, userId: bigint): Promise<boolean> =>
  (await sql`select from users where id = ${userId} and telegram_id is not null`).length > 0;

/** The order that has this key, however old it is. */
export const selectPlaced = (sql: Sql, userId: bigint, key: string) =>
  maybe(
    z.object({ orderId: z.bigint() }),
    sql`select id as "orderId" from orders where user_id = ${userId} and idempotency_key = ${key}`,
  );

export interface Became {
  readonly state: Backorder["state"];
  readonly refused?: BackorderRefusal | undefined;
  readonly orderId?: bigint | undefined;
}

/** What it became; without `refused` the reason stays that was told last. */
export const note = (tx: Tx, id: bigint, { state, refused, orderId }: Became, at: Date) =>
  tx`update backorder set state = ${state}, refused = coalesce(${refused ?? null}, refused), order_id = ${orderId ?? null},
       tried_at = ${at}, closed_at = case when ${state} <> 'waiting' then ${at}::timestamptz end
     where id = ${id}`;

export const log = (tx: Tx, { id, userId }: Backorder, status: string, orderId: bigint | undefined) =>
  tx`select log_backorder(${userId}, ${id}, ${status}, ${orderId ?? null})`;

export const deleteClosed = async (sql: Sql, before: Date): Promise<number> =>
  (await sql`delete from backorder where closed_at < ${before}`).count;

export const deleteOwn = (tx: Sql, userId: bigint) => tx`delete from backorder where user_id = ${userId}`;
