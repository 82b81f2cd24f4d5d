import { z } from "zod/mini";
import { all, maybe, one, type Sql, type Tx } from "../../platform/db/db.ts";
import { Coins, paymentColumns, PaymentRow } from "../payments.sql.ts";

/** The rounds over the addresses of a chain: of open payments, of those that ended within a month, of all, and of all by command. */
export type RoundName = "open" | "month" | "all" | "command";

const Recorded = z.object({
  paymentId: z.bigint(),
  currency: z.string(),
  /** The sum of the transfers that are there, final or not. */
  amount: Coins,
  /** The part that has been final for long enough to stand in every node's balance. */
  settled: Coins,
  isDoubted: z.boolean(),
});
export type Recorded = z.infer<typeof Recorded>;

export const selectRecorded = (sql: Sql, chain: string, paymentIds: readonly bigint[], settledBefore: Date) =>
  all(
    Recorded,
    sql`select payment_id as "paymentId", currency, sum(amount)::text as amount, bool_or(doubted) as "isDoubted",
               coalesce(sum(amount) filter (
                 where confirmed_at < ${settledBefore} or (by_balance and first_seen < ${settledBefore})), 0)::text as settled
        from chain_transfer where chain = ${chain} and alive and payment_id = any(${[...paymentIds]}::bigint[])
        group by payment_id, currency`,
  );

const Stood = z.object({
  paymentId: z.bigint(),
  currency: z.string(),
  balance: Coins,
  base: Coins,
  unexplained: Coins,
  since: z.nullable(z.date()),
  explainedAt: z.nullable(z.date()),
});
export type Stood = z.infer<typeof Stood>;

export const selectStood = (sql: Sql, chain: string, paymentIds: readonly bigint[]) =>
  all(
    Stood,
    sql`select payment_id as "paymentId", currency, balance::text, base::text, unexplained::text, since, explained_at as "explainedAt"
        from address_balance where chain = ${chain} and payment_id = any(${[...paymentIds]}::bigint[])`,
  );

export const putStood = (sql: Sql, chain: string, at: Date, stood: readonly Stood[]) => {
  const texts = (of: (one: Stood) => bigint) => stood.map((one) => String(of(one)));
  return sql`
    insert into address_balance (payment_id, chain, currency, balance, base, unexplained, since, asked_at, explained_at)
    select payment_id, ${chain}, currency, balance::numeric, base::numeric, unexplained::numeric, since::timestamptz, ${at},
           explained_at::timestamptz
    from unnest(${stood.map(({ paymentId }) => paymentId)}::bigint[], ${stood.map(({ currency }) => currency)}::text[],
                ${texts(({ balance }) => balance)}::text[], ${texts(({ base }) => base)}::text[],
                ${texts(({ unexplained }) => unexplained)}::text[], ${stood.map(({ since }) => since?.toISOString() ?? null)}::text[],
                ${stood.map(({ explainedAt }) => explainedAt?.toISOString() ?? null)}::text[])
      as t (payment_id, currency, balance, base, unexplained, since, explained_at)
    on conflict (payment_id, chain, currency) do update
      set balance = excluded.balance, base = excluded.base, unexplained = excluded.unexplained, since = excluded.since,
          asked_at = excluded.asked_at, explained_at = excluded.explained_at`;
};

/** Stores a rise that no transfer explains as one that an operator decides about. */
export const insertRise = (
  tx: Tx,
  rise: {
    payment: PaymentRow;
    chain: string;
    currency: string;
    amount: bigint;
    at: Date;
  },
) => {
  const { payment, chain, currency, amount, at } = rise;
  return tx`insert into chain_transfer
      (chain, txid, idx, payment_id, currency, amount, disputed, by_balance, first_seen)
    select ${chain}, ${`balance of ${payment.canonical}`},
           ${String(payment.id)} || case when count(*) = 0 then '' else ' ' || count(*) + 1 end, ${payment.id}, ${currency},
           ${String(amount)}::text::numeric, ${String(amount)}::text::numeric, true, ${at}
    from chain_transfer where payment_id = ${payment.id} and chain = ${chain} and by_balance`;
};

/** Payments whose addresses have a rise that is not explained yet. */
export const selectUnexplained = (sql: Sql, chain: string) =>
  all(
    PaymentRow,
    sql`select ${paymentColumns(sql)} from payment
        where id in (select payment_id from address_balance where chain = ${chain} and unexplained > 0) order by id limit 500`,
  );

/** The next payments of a round. */
export const selectAddresses = (
  sql: Sql,
  family: string,
  query: { round: RoundName; after: bigint; month: Date; size: number },
) => {
  const { round, after, month, size } = query;
  const open = sql`state in ('awaiting', 'underpaid', 'confirming', 'review')`;
  const which =
    round === "open"
      ? open
      : round === "month"
        ? sql`not ${open} and expires_at > ${month} and created_at > ${month}::timestamptz - interval '7 days'`
        : sql`true`;
  return all(
    PaymentRow,
    sql`select ${paymentColumns(sql)} from payment
        where family = ${family} and id > ${after} and ${which} order by id limit ${size}`,
  );
};

const Round = z.object({
  beganAt: z.date(),
  /** When the round before began; null in the first. */
  beforeAt: z.nullable(z.date()),
  afterId: z.nullable(z.bigint()),
});

export const selectRound = (sql: Sql, chain: string, round: RoundName) =>
  maybe(
    Round,
    sql`select began_at as "beganAt", before_at as "beforeAt", after_id as "afterId" from reconciliation where chain = ${chain} and round = ${round}`,
  );

export const beginRound = (sql: Sql, chain: string, round: RoundName, at: Date) =>
  sql`insert into reconciliation (chain, round, began_at, after_id) values (${chain}, ${round}, ${at}, 0)
      on conflict (chain, round) do update
        set before_at = reconciliation.began_at, began_at = excluded.began_at, after_id = 0, addresses = 0, asked = 0`;

const Count = z.object({ addresses: z.bigint(), asked: z.bigint() });
export type Count = z.infer<typeof Count>;

/** Adds what a part of a round has counted; without `after` the round is at its end. */
export const noteRound = (
  sql: Sql,
  chain: string,
  part: { round: RoundName; after: bigint | null; at: Date; count: Count },
) =>
  one(
    Count,
    sql`update reconciliation
        set after_id = ${part.after}, ended_at = case when ${part.after}::bigint is null then ${part.at} else ended_at end,
            addresses = addresses + ${part.count.addresses}, asked = asked + ${part.count.asked}
        where chain = ${chain} and round = ${part.round}
        returning addresses, asked`,
  );

/** Whether the watcher has read a chain to its end, and when its nodes failed last. */
export const selectReading = (sql: Sql, chain: string) =>
  maybe(
    z.object({ isRead: z.boolean(), failedAt: z.nullable(z.date()) }),
    sql`select failing_since is null and behind = 0 as "isRead", error_at as "failedAt" from chain_health where chain = ${chain}`,
  );

/** Rises of each chain that no transfer explains: those that are looked at again and those that wait for a decision. */
export const countUnexplained = (sql: Sql) =>
  all(
    z.object({ chain: z.string(), count: z.int() }),
    sql`with rise (chain) as (
          select chain from address_balance where unexplained > 0
          union all
          select chain from chain_transfer where by_balance and alive and decided_at is null
        )
        select h.chain, count(r.chain)::integer as count from chain_health h left join rise r using (chain) group by h.chain order by h.chain`,
  );
