import { z } from "zod/mini";
import { eventHours } from "../../contract/limits.ts";
import { all, maybe, one, type Sql } from "../platform/db/db.ts";

/** In the order asked; 0 for a user who never had a balance. */
export async function selectRevisions(sql: Sql, userIds: bigint[]): Promise<bigint[]> {
  const rows = await sql<{ revision: bigint }[]>`
    select coalesce(b.revision, 0) as revision
    from unnest(${userIds}::bigint[]) with ordinality as u (user_id, place)
    left join buyer b on b.user_id = u.user_id
    order by u.place`;
  return rows.map(({ revision }) => revision);
}

const Row = z.object({
  userId: z.bigint(),
  id: z.bigint(),
  at: z.date(),
  /** One of `eventNames`, or of a newer release: who reads it skips what it does not know. */
  name: z.string(),
  orderId: z.nullable(z.bigint()),
  letterId: z.nullable(z.bigint()),
  paymentId: z.nullable(z.bigint()),
  status: z.nullable(z.string()),
  balance: z.nullable(z.bigint()),
  /** Of a low balance: the threshold. */
  amount: z.nullable(z.bigint()),
  backorderId: z.nullable(z.bigint()),
});

export type DatedEventRow = z.infer<typeof Row>;

/** It names what changed; the content is read when it is sent. */
export type EventRow = Omit<DatedEventRow, "at">;

export interface Place {
  readonly userId: bigint;
  readonly after: bigint;
}

/** Events after each place, at most `size` each, in their order. */
export const selectEvents = (sql: Sql, places: readonly Place[], size: number): Promise<DatedEventRow[]> =>
  all(
    Row,
    sql`select e.user_id as "userId", e.id, e.at, coalesce(e.name, e.kind::text) as name, e.order_id as "orderId",
               e.letter_id as "letterId", e.payment_id as "paymentId", e.status, e.balance, e.amount, e.backorder_id as "backorderId"
        from unnest(${usersOf(places)}::bigint[], ${aftersOf(places)}::bigint[]) as p (user_id, after)
        cross join lateral (
          select * from event where event.user_id = p.user_id and event.id > p.after order by event.id limit ${size}) e
        order by e.user_id, e.id`,
  );

/** Events after each place, in the order asked, counted up to `most`. */
export async function countEvents(sql: Sql, places: readonly Place[], most: number): Promise<number[]> {
  const rows = await sql<{ count: number }[]>`
    select count(e.id)::integer as count
    from unnest(${usersOf(places)}::bigint[], ${aftersOf(places)}::bigint[]) with ordinality as p (user_id, after, place)
    left join lateral (
      select event.id from event where event.user_id = p.user_id and event.id > p.after order by event.id limit ${most}) e on true
    group by p.place order by p.place`;
  return rows.map(({ count }) => count);
}

const usersOf = (places: readonly Place[]) => places.map(({ userId }) => userId);
const aftersOf = (places: readonly Place[]) => places.map(({ after }) => after);

const Watched = z.object({ userId: z.bigint(), since: z.bigint(), newest: z.bigint() });

/** Records the events of these users for some minutes more; see db/functions/watch.sql. */
export const callWatch = (sql: Sql, userIds: bigint[], seconds: number) =>
  all(
    Watched,
    sql`select user_id as "userId", since, newest
        from watch(${userIds}::bigint[], clock_timestamp() + make_interval(secs => ${seconds}))`,
  );

/**
 * Records the events of a user from now on, until `endWatch`. Returns the id after which they come. Must come first: it takes the locks of
 * money movements.
 */
export const watch = async (sql: Sql, userId: bigint): Promise<bigint> =>
  (
    await one(
      z.object({ newest: z.bigint() }),
      sql`select newest from watch(${[userId]}::bigint[], 'infinity')`,
    )
  ).newest;

/** Ends it at a time, unless a webhook or a chat of the user still wants them. */
export const endWatch = (sql: Sql, userId: bigint, until: Date) =>
  sql`select end_watch(${[userId]}::bigint[], ${until})`;

/** The id below which events were deleted: the oldest left, if old enough, with an hour for clock skew. By the statement's time, for the index. */
export const selectMark = (sql: Sql) =>
  maybe(
    z.object({ id: z.bigint() }),
    sql`select id from event where at < statement_timestamp() - make_interval(hours => ${eventHours - 1})
        order by at, id desc limit 1`,
  );

/** Deletes up to `size` events from before a time, except the newest, which stays as the mark. */
export async function deleteEvents(sql: Sql, before: Date, size: number): Promise<number> {
  const deleted = await sql`
    with old as (select user_id, id from event where at < ${before} order by at, id limit ${size})
    delete from event e using old
    where e.user_id = old.user_id and e.id = old.id and old.id < (select max(id) from old)`;
  return deleted.count;
}
