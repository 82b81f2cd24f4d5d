import { z } from "zod/mini";
import { earningWays, withdrawalStates } from "../../contract/account/withdrawals.ts";
import { Invariant } from "../../contract/office/audit.ts";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";

/** Coins travel as text: they may exceed the database's bigint. */
const Units = z.pipe(
  z.string(),
  z.transform((text: string) => BigInt(text)),
);

export const WithdrawalRow = z.object({
  id: z.bigint(),
  userId: z.bigint(),
  book: z.enum(earningWays),
  amount: z.bigint(),
  currency: z.string(),
  units: Units,
  address: z.string(),
  canonical: z.string(),
  askedAt: z.date(),
  state: z.enum(withdrawalStates),
  txid: z.nullable(z.string()),
  checked: z.boolean(),
  sentBy: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  closedAt: z.nullable(z.date()),
});
export type WithdrawalRow = z.infer<typeof WithdrawalRow>;

const columns = (sql: Sql) => sql`
  id, user_id as "userId", book, amount, currency, units::text, address, canonical, asked_at as "askedAt", state, txid, checked,
  sent_by as "sentBy", reason, closed_at as "closedAt"`;

/** Until the transaction ends nobody else asks for the account. */
export const lockAsker = (tx: Tx, userId: bigint) =>
  tx`select from users where id = ${userId} for no key update`;

export const selectByKey = (sql: Sql, userId: bigint, key: string) =>
  maybe(
    WithdrawalRow,
    sql`select ${columns(sql)} from withdrawal where user_id = ${userId} and key = ${key}`,
  );

/** What an account has asked for since then; what was refused or canceled does not count. */
export const sumAsked = (sql: Sql, userId: bigint, since: Date) =>
  one(
    z.object({ sum: z.bigint() }),
    sql`select coalesce(sum(amount), 0)::bigint as sum from withdrawal
        where user_id = ${userId} and asked_at > ${since} and state not in ('refused', 'canceled')`,
  );

export const insertWithdrawal = (
  tx: Tx,
  asked: Pick<
    WithdrawalRow,
    "userId" | "book" | "amount" | "currency" | "units" | "address" | "canonical"
  > & {
    chain: string;
    rate: bigint;
    key: string | null;
    at: Date;
  },
) =>
  one(
    WithdrawalRow,
    tx`insert into withdrawal (user_id, book, amount, currency, chain, units, rate, address, canonical, key, asked_at)
       values (${asked.userId}, ${asked.book}, ${asked.amount}, ${asked.currency}, ${asked.chain},
               ${String(asked.units)}::text::numeric, ${asked.rate}, ${asked.address}, ${asked.canonical}, ${asked.key}, ${asked.at})
       returning ${columns(tx)}`,
  );

export const selectPage = (sql: Sql, userId: bigint, { skip, size }: { skip: number; size: number }) =>
  all(
    WithdrawalRow,
    sql`select ${columns(sql)} from withdrawal where user_id = ${userId}
        order by asked_at desc, id offset ${skip} limit ${size}`,
  );

export const countOwn = (sql: Sql, userId: bigint) =>
  one(
    z.object({ count: z.int() }),
    sql`select count(*)::integer as count from withdrawal where user_id = ${userId}`,
  );

export const selectOne = (sql: Sql, id: bigint) =>
  maybe(WithdrawalRow, sql`select ${columns(sql)} from withdrawal where id = ${id}`);

/** Whoever ends it holds its row, so that it ends once. */
export const lockWithdrawal = (tx: Tx, id: bigint) =>
  maybe(WithdrawalRow, tx`select ${columns(tx)} from withdrawal where id = ${id} for no key update`);

export const lockWaiting = (tx: Tx, userId: bigint) =>
  all(
    WithdrawalRow,
    tx`select ${columns(tx)} from withdrawal where user_id = ${userId} and state = 'waiting' order by id for no key update`,
  );

/** Of the accounts that have a withdrawal: where its mails go. */
export const selectAsker = (sql: Sql, userId: bigint) =>
  one(
    z.object({ email: z.string(), language: z.string() }),
    sql`select email, language from users where id = ${userId}`,
  );

/** False: the transaction pays another withdrawal to the same address. One may pay many addresses, as exchanges do. */
export async function setSent(
  tx: Tx,
  { id, txid, by, checked, at }: { id: bigint; txid: string; by: string; checked: boolean; at: Date },
): Promise<boolean> {
  // Of two at once the second finds what the first wrote.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`withdrawal by ${txid}`}, 0))`;
  const done = await tx`
    update withdrawal w set state = 'sent', txid = ${txid}, sent_by = ${by}, sent_at = ${at}, checked = ${checked}, found = null
    where id = ${id}
      and not exists (select from withdrawal o where o.chain = w.chain and o.txid = ${txid} and o.canonical = w.canonical and o.id <> w.id)
    returning id`;
  return done.length === 1;
}

export const setClosed = (
  tx: Tx,
  { id, state, reason = null, at }: { id: bigint; state: string; reason?: string | null; at: Date },
) =>
  tx`update withdrawal set state = ${state}, reason = ${reason}, closed_at = ${at}, found = null where id = ${id}`;

/** It waits for another transaction: the chain shows that this one is none. */
export const setWaiting = (tx: Tx, id: bigint, found: string) =>
  tx`update withdrawal set state = 'waiting', txid = null, sent_by = null, sent_at = null, checked = false, found = ${found}
     where id = ${id}`;

export const setFound = (sql: Sql, id: bigint, found: string | null) =>
  sql`update withdrawal set found = ${found} where id = ${id} and state = 'sent' and found is distinct from ${found}`;

export const selectSent = (sql: Sql) =>
  all(
    z.extend(WithdrawalRow, { sentAt: z.date() }),
    sql`select ${columns(sql)}, sent_at as "sentAt" from withdrawal where closed_at is null and state = 'sent' order by sent_at, id`,
  );

/** How many wait for the operator, and since when the oldest. */
export const selectStanding = (sql: Sql) =>
  one(
    z.object({ waiting: z.int(), sent: z.int(), oldest: z.nullable(z.date()) }),
    sql`select (count(*) filter (where state = 'waiting'))::integer as waiting, (count(*) filter (where state = 'sent'))::integer as sent,
               min(asked_at) as oldest
        from withdrawal where closed_at is null`,
  );

/** What withdrawals promise of the ledger; `bad` names the first 20 that break it. */
export const selectInvariants = (sql: Sql) =>
  all(
    Invariant,
    sql`with broken (name, id) as (
          select 'held for withdrawals', 'account ' || a.id from account a
            left join (select user_id, book || '.asked' as book, sum(amount) as amount from withdrawal where closed_at is null group by 1, 2) w
              on w.user_id = a.user_id and w.book = a.book
            where a.book in ('referrals.asked', 'soft.asked', 'investor.asked') and a.balance <> coalesce(w.amount, 0)
          union all
          select 'withdrawals', w.id::text
            from withdrawal w
            left join account a on a.user_id = w.user_id and a.book = w.book
            left join account k on k.user_id = w.user_id and k.book = w.book || '.asked'
            left join transfer h on h.kind = 'withdraw' and h.idempotency_key = 'withdrawal ' || w.id
            left join transfer b on b.kind = 'withdraw' and b.idempotency_key = 'withdrawal ' || w.id || ' back'
            left join transfer p on p.kind = 'payout' and p.idempotency_key = 'withdrawal ' || w.id
            where (h.debit, h.credit, h.amount) is distinct from (a.id, k.id, w.amount)
               or (b.id is not null) <> (w.state in ('refused', 'canceled'))
               or (p.id is not null) <> (w.state = 'paid')
               or b.id is not null and (b.debit, b.credit, b.amount) is distinct from (k.id, a.id, w.amount)
               or p.id is not null and (p.debit, p.credit, p.amount) is distinct from (k.id, 5::bigint, w.amount)
        )
        select r.name, r.says, coalesce((select array_agg(b.id) from (select id from broken where name = r.name order by id limit 20) b), '{}') as bad
        from (values
          ('held for withdrawals', 'the sums of open withdrawals are held, and nothing else'),
          ('withdrawals', 'each withdrawal was held once, and ended once as it says: paid, or back in its earnings')
        ) as r (name, says)`,
  );
