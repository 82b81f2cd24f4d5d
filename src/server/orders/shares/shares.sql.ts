import { z } from "zod/mini";
import { all, maybe, one, type Sql, type Tx } from "../../platform/db/db.ts";

const Ids = z.object({ orderId: z.bigint() });

/** Ends held shares of these orders; answers those that were held until now. */
export const callEndShares = (
  tx: Tx,
  orderIds: readonly bigint[],
  state: "released" | "refused" | "refunded",
  shard: number,
) => all(Ids, tx`select end_shares as "orderId" from end_shares(${orderIds}::bigint[], ${state}, ${shard})`);

export const selectProved = (sql: Sql, orderIds: readonly bigint[]) =>
  all(Ids, sql`select proved_orders as "orderId" from proved_orders(${orderIds}::bigint[]) order by 1`);

export const setProved = (tx: Tx, orderIds: readonly bigint[]) =>
  tx`update investor_share set proved = true where order_id = any (${orderIds}::bigint[]) and not proved`;

export const selectHeldOf = (sql: Sql, letterId: bigint) =>
  all(
    Ids,
    sql`select s.order_id as "orderId" from delivery d join investor_share s on s.order_id = d.order_id and s.state = 'held' and not s.tied
        join batch b on b.id = s.batch_id and b.withdrawn_at is null
        where d.letter_id = ${letterId} order by s.order_id`,
  );

/** Counts a letter that was the first of orders of the shop's own mailboxes, and whether it is proved. */
export const insertProof = (tx: Tx, letterId: bigint, shard: number) =>
  tx`with first as materialized (
       select o.id, o.site_id from delivery d join orders o on o.id = d.order_id and o.price > 0
       join mailbox m on m.id = o.mailbox_id join lot l on l.id = m.lot_id join batch b on b.id = l.batch_id
       where d.letter_id = ${letterId} and b.investor_id is null
         and not exists (select from delivery e where e.order_id = d.order_id and e.letter_id < d.letter_id))
     insert into site_proof as old (site_id, day, shard, letters, proved)
       select f.site_id, (clock_timestamp() at time zone 'UTC')::date, ${shard}, count(*), count(p.id)
       from first f left join proved_orders(array(select id from first)) as p (id) on p.id = f.id
       group by f.site_id order by f.site_id
       on conflict (site_id, day, shard) do update
         set letters = old.letters + excluded.letters, proved = old.proved + excluded.proved`;

export const deleteOldProof = (sql: Sql, before: Date) =>
  sql`delete from site_proof where day < (${before}::timestamptz at time zone 'UTC')::date`;

const Pair = z.object({ batchId: z.int(), siteId: z.int() });
export type Pair = z.infer<typeof Pair>;

export const selectDuePair = (sql: Sql, at: Date) =>
  maybe(
    Pair,
    sql`select batch_id as "batchId", site_id as "siteId" from investor_share where due_at <= ${at} order by due_at limit 1`,
  );

export const lockDue = (tx: Tx, { batchId, siteId }: Pair, at: Date, size: number) =>
  all(
    Ids,
    tx`select order_id as "orderId" from investor_share
       where batch_id = ${batchId} and site_id = ${siteId} and state = 'held' and due_at <= ${at}
       order by order_id limit ${size} for update`,
  );

/** Locks the held shares of a batch for a site, due or waiting for the operator, with complaints under review. */
export const lockHeld = (tx: Tx, { batchId, siteId }: Pair, size: number) =>
  all(
    z.object({ orderId: z.bigint(), amount: z.bigint(), isComplained: z.boolean() }),
    tx`select order_id as "orderId", amount, complaint is not distinct from 'review' as "isComplained" from investor_share
       where batch_id = ${batchId} and site_id = ${siteId} and state = 'held' order by order_id limit ${size} for update`,
  );

export const setForOperator = (tx: Tx, orderIds: readonly bigint[]) =>
  tx`update investor_share set due_at = null where order_id = any (${orderIds}::bigint[])`;

const Proof = z.object({ letters: z.int(), proved: z.int() });

/** First letters to the shop's own mailboxes for a site since a day, and how many were proved. */
export const selectSiteProof = (sql: Sql, siteId: number, since: Date) =>
  one(
    Proof,
    sql`select coalesce(sum(letters), 0)::integer as letters, coalesce(sum(proved), 0)::integer as proved
        from site_proof where site_id = ${siteId} and day >= (${since}::timestamptz at time zone 'UTC')::date`,
  );

/** The same of a batch, with complaints; without the last hour, which may not be authenticated yet. */
export const selectBatchProof = (sql: Sql, { batchId, siteId }: Pair, since: Date, until: Date) =>
  one(
    z.extend(Proof, { complaints: z.int() }),
    sql`select count(*)::integer as letters, (count(*) filter (where proved))::integer as proved,
               (count(*) filter (where complaint in ('review', 'refunded')))::integer as complaints
        from investor_share where batch_id = ${batchId} and site_id = ${siteId} and earned_at between ${since} and ${until}`,
  );

export const isRefused = async (sql: Sql, { batchId, siteId }: Pair): Promise<boolean> => {
  const found = await sql`select from share_refusal where batch_id = ${batchId} and site_id = ${siteId}`;
  return found.length > 0;
};

export const putRefusal = (tx: Tx, { batchId, siteId }: Pair, at: Date) =>
  tx`insert into share_refusal (batch_id, site_id, refused_at) values (${batchId}, ${siteId}, ${at}) on conflict do nothing`;

export const deleteRefusal = (tx: Tx, { batchId, siteId }: Pair) =>
  tx`delete from share_refusal where batch_id = ${batchId} and site_id = ${siteId}`;

const Complained = z.object({
  state: z.enum(["held", "released", "refused", "refunded"]),
  complaint: z.nullable(z.enum(["review", "refunded", "rejected"])),
  proved: z.boolean(),
  earnedAt: z.date(),
  userId: z.bigint(),
  buyerId: z.bigint(),
  batchId: z.int(),
  siteId: z.int(),
  amount: z.bigint(),
  price: z.bigint(),
});
export type Complained = z.infer<typeof Complained>;

const complainedColumns = (sql: Sql) => sql`
  s.state, s.complaint, s.proved, s.earned_at as "earnedAt", s.user_id as "userId", s.buyer_id as "buyerId", s.batch_id as "batchId", s.site_id as "siteId", s.amount,
  (select price from orders where id = s.order_id) as price`;

/** Locks the share of an order until the transaction ends; undefined when no investor earns by it. */
export const lockShare = (tx: Tx, orderId: bigint) =>
  maybe(
    Complained,
    tx`select ${complainedColumns(tx)} from investor_share s where s.order_id = ${orderId} for update of s`,
  );

export const isBeingProved = async (sql: Sql, orderId: bigint): Promise<boolean> => {
  const found = await sql`
    select from delivery d join letter l on l.id = d.letter_id
    where d.order_id = ${orderId} and l.authentication_due_at is not null and l.authentication_tries < 2 limit 1`;
  return found.length > 0;
};

/** Complaints of a buyer since then, and how many of the newest orders of that time received a letter. */
export const countComplaints = (sql: Sql, buyerId: bigint, since: Date, ordersMax: number) =>
  one(
    z.object({ complaints: z.int(), received: z.int() }),
    sql`select (select count(*)::integer from investor_share where buyer_id = ${buyerId} and complained_at >= ${since}) as complaints,
               (select count(*)::integer from (select status, created_at from orders where user_id = ${buyerId}
                                               order by number desc limit ${ordersMax}) o
                where o.status = 'received' and o.created_at >= ${since}) as received`,
  );

/** Serializes complaints of a buyer, so that each counts the others. */
export const lockBuyer = (tx: Tx, buyerId: bigint) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`complaints ${buyerId}`}, 0))`;

export const setUnderReview = (tx: Tx, orderId: bigint, at: Date) =>
  tx`update investor_share set complaint = 'review', complained_at = ${at}, due_at = null where order_id = ${orderId}`;

/** A batch off sale: its shares wait for the operator. */
export const isWithdrawn = async (sql: Sql, batchId: number): Promise<boolean> => {
  const found = await sql`select from batch where id = ${batchId} and withdrawn_at is not null`;
  return found.length > 0;
};

/** Rejects a complaint: the share is held for its usual time; one that waits for the operator still does. */
export const setRejected = (tx: Tx, orderId: bigint) =>
  tx`update investor_share set complaint = 'rejected',
       due_at = case when not tied and not is_withdrawn(order_id) then earned_at + interval '3 days' end
     where order_id = ${orderId}`;

export const selectShareLimit = (sql: Sql) =>
  one(z.object({ ppm: z.int() }), sql`select ppm from share_limit where is_only`);

export const setShareLimit = (tx: Tx, ppm: number) => tx`update share_limit set ppm = ${ppm} where is_only`;

export const touchBuyer = (tx: Tx, buyerId: bigint) => tx`select touch_buyer(${buyerId})`;

export const selectSite = (sql: Sql, name: string) =>
  maybe(z.object({ siteId: z.int() }), sql`select id as "siteId" from site where name = ${name}`);
