import { z } from "zod/mini";
import { all, maybe, one, type Sql } from "../kit/db.ts";

const Account = z.object({ id: z.bigint(), balance: z.bigint() });
const Moved = z.object({ moved: z.enum(["ok", "repeat", "no balance"]) });

const Line = z.object({
  id: z.bigint(),
  at: z.date(),
  kind: z.enum([
    "hold",
    "refund",
    "capture",
    "referral",
    "soft",
    "investor",
    "topup",
    "bonus",
    "adjust",
    "payout",
  ]),
  amount: z.bigint(),
  orderId: z.nullable(z.bigint()),
  reason: z.nullable(z.string()),
});
export type Line = z.infer<typeof Line>;

const Day = z.object({ day: z.string(), credit: z.bigint(), debit: z.bigint(), count: z.int() });
export type Day = z.infer<typeof Day>;

export const selectAccount = (sql: Sql, userId: bigint, book: string) =>
  maybe(Account, sql`select id, balance from account where user_id = ${userId} and book = ${book}`);

export const openAccount = (sql: Sql, userId: bigint, book: string) =>
  sql`select open_accounts(array[${userId}::bigint], array[${book}::text])`;

/** One movement, once for each (kind, key). */
export const moveMoney = (
  sql: Sql,
  move: { debit: bigint; credit: bigint; amount: bigint; kind: string; key: string; reason: string | null },
) =>
  one(
    Moved,
    sql`select move_money(${move.debit}, ${move.credit}, ${move.amount}, ${move.kind}, ${move.key}, ${move.reason}, 0) as moved`,
  );

export const selectStatement = (sql: Sql, accountId: bigint, before: bigint | null, size: number) =>
  all(
    Line,
    sql`select id, at, kind, case when credit = ${accountId} then amount else -amount end as amount, order_id as "orderId", reason
        from (
          (select * from transfer where debit = ${accountId} and debit >= 1000 and (${before}::bigint is null or id < ${before}) order by id desc limit ${size})
          union all
          (select * from transfer where credit = ${accountId} and credit >= 1000 and (${before}::bigint is null or id < ${before}) order by id desc limit ${size})
        ) t
        order by id desc limit ${size}`,
  );

export const selectDays = (sql: Sql, accountId: bigint, from: Date) =>
  all(
    Day,
    sql`select to_char(day, 'YYYY-MM-DD') as day, sum(credit)::bigint as credit, sum(debit)::bigint as debit, sum(count)::integer as count
        from account_day where account_id = ${accountId} and day >= (${from}::timestamptz at time zone 'UTC')::date
        group by account_day.day order by account_day.day`,
  );
