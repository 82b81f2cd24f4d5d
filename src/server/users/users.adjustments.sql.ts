import { z } from "zod/mini";
import { maybe, one, type Sql, type Tx } from "../platform/db/db.ts";
import { books } from "../../contract/fields.ts";

const Asked = z.object({
  id: z.bigint(),
  askedBy: z.bigint(),
  userId: z.bigint(),
  book: z.literal(books),
  amount: z.bigint(),
  reason: z.string(),
  key: z.string(),
  state: z.literal(["made", "waits", "approved", "refused"]),
});

const columns = (sql: Sql) =>
  sql`id, asked_by as "askedBy", user_id as "userId", book, amount, reason, key, state`;

export const selectByKey = (sql: Sql, askedBy: bigint, key: string) =>
  maybe(Asked, sql`select ${columns(sql)} from adjustment where asked_by = ${askedBy} and key = ${key}`);

/** What a person changed alone since then, up and down. */
export const sumMade = (sql: Sql, askedBy: bigint, since: Date) =>
  one(
    z.object({ sum: z.bigint() }),
    sql`select coalesce(sum(abs(amount)), 0)::bigint as sum from adjustment
        where asked_by = ${askedBy} and asked_at > ${since} and state = 'made'`,
  );

interface NewAdjustment extends Pick<
  z.infer<typeof Asked>,
  "askedBy" | "userId" | "book" | "amount" | "reason" | "key"
> {
  readonly state: "made" | "waits";
  readonly at: Date;
}

export const insertAdjustment = (
  sql: Sql,
  { askedBy, userId, book, amount, reason, key, state, at }: NewAdjustment,
) =>
  one(
    z.object({ id: z.bigint() }),
    sql`insert into adjustment (asked_by, user_id, book, amount, reason, key, state, asked_at)
        values (${askedBy}, ${userId}, ${book}, ${amount}, ${reason}, ${key}, ${state}, ${at}) returning id`,
  );

/** Undefined when it was decided, or asked for before `since`. */
export const lockWaiting = (tx: Tx, id: bigint, since: Date) =>
  maybe(
    Asked,
    tx`select ${columns(tx)} from adjustment where id = ${id} and state = 'waits' and asked_at > ${since} for update`,
  );

export const setDecided = (
  tx: Tx,
  { id, state, by, at }: { id: bigint; state: "approved" | "refused"; by: bigint | null; at: Date },
) => tx`update adjustment set state = ${state}, decided_by = ${by}, decided_at = ${at} where id = ${id}`;
