import { z } from "zod/mini";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";

const Low = z.object({ threshold: z.bigint(), isLow: z.boolean(), warnedAt: z.nullable(z.date()) });

export const selectLow = (sql: Sql, userId: bigint) =>
  maybe(
    Low,
    sql`select threshold, is_low as "isLow", told_at as "warnedAt" from low_balance where user_id = ${userId}`,
  );

/** The balance, held until the transaction ends: whoever moves money of the account waits. */
export const lockBalance = async (tx: Tx, userId: bigint): Promise<bigint> => {
  const held = tx`select balance from account where user_id = ${userId} and book = 'balance' for update`;
  return (await maybe(z.object({ balance: z.bigint() }), held))?.balance ?? 0n;
};

/** A time of the last telling stays. */
export const putLow = (tx: Tx, userId: bigint, { threshold, isLow }: { threshold: bigint; isLow: boolean }) =>
  tx`insert into low_balance (user_id, threshold, is_low) values (${userId}, ${threshold}, ${isLow})
     on conflict (user_id) do update set threshold = excluded.threshold, is_low = excluded.is_low`;

export const deleteLow = (tx: Sql, userId: bigint) => tx`delete from low_balance where user_id = ${userId}`;

/** Accounts whose balance is on the other side of the threshold than when it was last looked at; of those that fell, the ones not told since `before`. */
export const selectCrossed = (sql: Sql, before: Date, size: number) =>
  all(
    z.object({ userId: z.bigint() }),
    sql`select l.user_id as "userId" from low_balance l
        join account a on a.user_id = l.user_id and a.book = 'balance'
        where case when l.is_low then a.balance >= l.threshold
                   else a.balance < l.threshold and (l.told_at is null or l.told_at <= ${before}) end
        order by l.user_id limit ${size}`,
  );

export const noteAbove = (tx: Tx, userId: bigint) =>
  tx`update low_balance set is_low = false where user_id = ${userId}`;

export const noteWarned = (tx: Tx, userId: bigint, at: Date) =>
  tx`update low_balance set is_low = true, told_at = ${at} where user_id = ${userId}`;

/** The account is held: ids of its events grow in the order of the commits. */
export const logLow = (
  tx: Tx,
  userId: bigint,
  { balance, threshold }: { balance: bigint; threshold: bigint },
) => tx`select log_low_balance(${userId}, ${balance}, ${threshold})`;

const Owner = z.object({ email: z.string(), language: z.string(), mayBeMailed: z.boolean() });

export const selectOwner = (tx: Tx, userId: bigint) =>
  one(
    Owner,
    tx`select email, language, activated_at is not null and blocked_at is null as "mayBeMailed"
       from users where id = ${userId}`,
  );
