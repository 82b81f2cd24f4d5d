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
  /** The outside event that it stands for. */
  key: z.nullable(z.string()),
  /** Whether it is of a wanted kind, and whether it is the last that was looked at. */
  fits: z.boolean(),
  isLast: z.boolean(),
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

interface Lines {
  readonly before: { id: bigint; balance: bigint } | null;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly kinds: readonly Line["kind"][] | undefined;
  readonly size: number;
  /** So many movements are looked at; the last of them is always among the lines. */
  readonly reach: number;
}

/** Lines older than `before` with the balance after each, computed back from that line's balance, or the present one. */
export const selectStatement = (sql: Sql, userId: bigint, book: string, lines: Lines) => {
  const { before, since = null, until = null, size, reach } = lines;
  const kinds = lines.kinds ? [...lines.kinds] : null;
  return all(
    Line,
    sql`select id, at, kind, amount, balance, order_id as "orderId", reason, key, n = ${reach}::integer as "isLast", fits
        from (
          select *, id < til and (${kinds}::transfer_kind[] is null or kind = any(${kinds}::transfer_kind[])) as fits,
                 (start - coalesce(sum(amount) over (order by id desc rows between unbounded preceding and 1 preceding), 0))::bigint
                   as balance,
                 row_number() over (order by id desc) as n
          from (
            select t.id, t.at, t.kind, case when t.credit = a.id then t.amount else -t.amount end as amount, t.order_id, t.reason,
                   t.idempotency_key as key, coalesce(${before?.balance ?? null}::bigint, a.balance) as start, b.til
            from account a
            cross join lateral (
              select case when ${since}::timestamptz is null then 0 else statement_from(a.id, ${since}::timestamptz) end as since,
                     case when ${until}::timestamptz is null then ${newest}
                          else statement_from(a.id, ${until}::timestamptz) end as til offset 0) b
            cross join lateral statement_page(a.id, ${before?.id ?? newest}, ${reach}, b.since) t
            where a.user_id = ${userId} and a.book = ${book}) moved) looked
        where fits or n = ${reach}::integer
        order by id desc limit ${size}`,
  );
};

const Period = z.object({ end: z.bigint(), closing: z.bigint(), credit: z.bigint(), debit: z.bigint() });

/** What came and left in a period, the balance after it, and the id below which its movements are. */
export const selectPeriod = (
  sql: Sql,
  userId: bigint,
  book: string,
  { since, until }: Pick<Lines, "since" | "until">,
) =>
  maybe(
    Period,
    sql`select b.til as "end", (a.balance - later.credit + later.debit)::bigint as closing, within.credit, within.debit
        from account a
        cross join lateral (
          select statement_from(a.id, coalesce(${since ?? null}::timestamptz, '-infinity')) as since,
                 statement_from(a.id, coalesce(${until ?? null}::timestamptz, 'infinity')) as til offset 0) b
        cross join lateral statement_sums(a.id, b.til, ${newest}) later
        cross join lateral statement_sums(a.id, b.since, b.til) within
        where a.user_id = ${userId} and a.book = ${book}`,
  );

const Sums = z.object({
  earned: z.bigint(),
  payed: z.bigint(),
  payedDay: z.nullable(z.string()),
  held: z.bigint(),
  waiting: z.bigint(),
  count: z.int(),
});
export type Sums = z.infer<typeof Sums>;

interface Books {
  readonly book: string;
  readonly held: string;
  readonly asked: string;
}

export const selectSums = (sql: Sql, userId: bigint, { book, held, asked }: Books) =>
  one(
    Sums,
    sql`select (coalesce(sum(d.credit), 0) - coalesce(min(out.taken), 0) - coalesce(min(k.back), 0))::bigint as earned,
               (coalesce(min(out.payed), 0) + coalesce(min(k.payed), 0))::bigint as payed,
               to_char(greatest(min(out.payed_day), min(k.payed_day)), 'YYYY-MM-DD') as "payedDay",
               coalesce(sum(d.count), 0)::integer as count,
               coalesce((select balance from account where user_id = ${userId} and book = ${held}), 0)::bigint as held,
               coalesce((select balance from account where user_id = ${userId} and book = ${asked}), 0)::bigint as waiting
        from account a join account_day d on d.account_id = a.id
        -- A partner's book has few debits: payouts, withdrawals, and what an operator took back.
        cross join lateral (
          select sum(t.amount) filter (where t.kind = 'payout') as payed,
                 sum(t.amount) filter (where t.kind not in ('payout', 'withdraw')) as taken,
                 max((t.at at time zone 'UTC')::date) filter (where t.kind = 'payout') as payed_day
          from transfer t where t.debit = a.id and t.debit >= 1000) out
        -- Of what was asked for: what was paid, and what came back.
        cross join lateral (
          select sum(t.amount) filter (where t.kind = 'payout') as payed, sum(t.amount) filter (where t.kind = 'withdraw') as back,
                 max((t.at at time zone 'UTC')::date) filter (where t.kind = 'payout') as payed_day
          from account k join transfer t on t.debit = k.id and t.debit >= 1000
          where k.user_id = ${userId} and k.book = ${asked}) k
        where a.user_id = ${userId} and a.book = ${book}`,
  );

/** `credit` is less what an operator took back that day, and less what came back of withdrawals. */
export const selectDays = (sql: Sql, accountId: bigint, from: Date) =>
  all(
    Day,
    sql`select to_char(d.day, 'YYYY-MM-DD') as day,
               (sum(d.credit) - coalesce(min(t.amount), 0) - coalesce(min(b.amount), 0))::bigint as credit,
               (sum(d.debit) - coalesce(min(t.amount), 0) - coalesce(min(b.amount), 0))::bigint as debit,
               sum(d.count)::integer as count
        from account_day d
        left join (
          select (at at time zone 'UTC')::date as day, sum(amount) as amount
          from transfer where debit = ${accountId} and debit >= 1000 and kind not in ('payout', 'withdraw') group by 1) t
          on t.day = d.day
        left join (
          select (t.at at time zone 'UTC')::date as day, sum(t.amount) as amount
          from account a join account k on k.user_id = a.user_id and k.book = a.book || '.asked'
          join transfer t on t.debit = k.id and t.debit >= 1000 and t.kind = 'withdraw'
          where a.id = ${accountId} group by 1) b on b.day = d.day
        where d.account_id = ${accountId} and d.day >= (${from}::timestamptz at time zone 'UTC')::date
        group by d.day order by d.day`,
  );

export const selectDebits = (sql: Sql, accountIds: bigint[]) =>
  all(
    z.object({ accountId: z.bigint(), debit: z.bigint() }),
    sql`select account_id as "accountId", sum(debit)::bigint as debit from account_day
        where account_id = any(${accountIds}::bigint[]) group by account_id`,
  );
