import { z } from "zod/mini";
import { statementKinds } from "../../contract/statement.ts";
import { all, maybe, one, type Sql } from "../platform/db/db.ts";

const Account = z.object({ id: z.bigint(), balance: z.bigint() });
const Moved = z.object({ moved: z.enum(["ok", "repeat", "no balance"]) });

const Line = z.object({
  id: z.bigint(),
  at: z.date(),
  // A capture moves no money of a person; held money has no statement until its release.
  kind: z.enum(statementKinds),
  amount: z.bigint(),
  balance: z.bigint(),
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

export const moveMoney = (
  sql: Sql,
  move: {
    debit: bigint;
    credit: bigint;
    amount: bigint;
    kind: string;
    key: string;
    reason: string | null;
    count: number;
  },
) =>
  one(
    Moved,
    sql`select move_money(${move.debit}, ${move.credit}, ${move.amount}, ${move.kind}, ${move.key}, ${move.reason}, 0, ${move.count}) as moved`,
  );

export const selectMoved = (sql: Sql, kind: string, key: string) =>
  one(
    z.object({ debit: z.bigint(), credit: z.bigint(), amount: z.bigint() }),
    sql`select debit, credit, amount from transfer where kind = ${kind}::transfer_kind and idempotency_key = ${key}`,
  );

const newest = 2n ** 63n - 1n;

/** Lines older than `before` with the balance after each, computed back from that line's balance, or the present one. */
export const selectStatement = (
  sql: Sql,
  userId: bigint,
  book: string,
  before: { id: bigint; balance: bigint } | null,
  size: number,
) =>
  all(
    Line,
    sql`select id, at, kind, amount, order_id as "orderId", reason,
               (start - coalesce(sum(amount) over (order by id desc rows between unbounded preceding and 1 preceding), 0))::bigint
                 as balance
        from (
          select t.id, t.at, t.kind, case when t.credit = a.id then t.amount else -t.amount end as amount, t.order_id, t.reason,
                 coalesce(${before?.balance ?? null}::bigint, a.balance) as start
          from account a cross join lateral statement_page(a.id, ${before?.id ?? newest}, ${size}) t
          where a.user_id = ${userId} and a.book = ${book}) line
        order by id desc`,
  );

const Sums = z.object({
  earned: z.bigint(),
  payed: z.bigint(),
  payedDay: z.nullable(z.string()),
  held: z.bigint(),
  count: z.int(),
});
export type Sums = z.infer<typeof Sums>;

export const selectSums = (sql: Sql, userId: bigint, book: string, held: string) =>
  one(
    Sums,
    sql`select (coalesce(sum(d.credit), 0) - coalesce(min(out.taken), 0))::bigint as earned, coalesce(min(out.payed), 0)::bigint as payed,
               to_char(min(out.payed_day), 'YYYY-MM-DD') as "payedDay", coalesce(sum(d.count), 0)::integer as count,
               coalesce((select balance from account where user_id = ${userId} and book = ${held}), 0)::bigint as held
        from account a join account_day d on d.account_id = a.id
        -- A partner's book has few debits: payouts, and what an operator took back.
        cross join lateral (
          select sum(t.amount) filter (where t.kind = 'payout') as payed, sum(t.amount) filter (where t.kind <> 'payout') as taken,
                 max((t.at at time zone 'UTC')::date) filter (where t.kind = 'payout') as payed_day
          from transfer t where t.debit = a.id and t.debit >= 1000) out
        where a.user_id = ${userId} and a.book = ${book}`,
  );

/** `credit` is less what an operator took back that day. */
export const selectDays = (sql: Sql, accountId: bigint, from: Date) =>
  all(
    Day,
    sql`select to_char(d.day, 'YYYY-MM-DD') as day, (sum(d.credit) - coalesce(min(t.amount), 0))::bigint as credit,
               (sum(d.debit) - coalesce(min(t.amount), 0))::bigint as debit, sum(d.count)::integer as count
        from account_day d
        left join (
          select (at at time zone 'UTC')::date as day, sum(amount) as amount
          from transfer where debit = ${accountId} and debit >= 1000 and kind <> 'payout' group by 1) t on t.day = d.day
        where d.account_id = ${accountId} and d.day >= (${from}::timestamptz at time zone 'UTC')::date
        group by d.day order by d.day`,
  );

export const selectDebits = (sql: Sql, accountIds: bigint[]) =>
  all(
    z.object({ accountId: z.bigint(), debit: z.bigint() }),
    sql`select account_id as "accountId", sum(debit)::bigint as debit from account_day
        where account_id = any(${accountIds}::bigint[]) group by account_id`,
  );
