import { z } from "zod/mini";
import { all, bigints, maybe, one, type Sql, type Tx } from "../kit/db.ts";

/** Amounts of coins travel as text: they may be larger than the database's bigint. */
const Coins = z.pipe(
  z.string(),
  z.transform((text: string) => BigInt(text)),
);
const Id = z.object({ id: z.bigint() });
const Chain = z.enum(["sandbox", "ethereum", "bsc", "tron", "ton", "litecoin"]);

const states = [
  "awaiting",
  "underpaid",
  "confirming",
  "review",
  "credited",
  "expired",
  "expired_partial",
  "rejected",
] as const;

const PaymentRow = z.object({
  id: z.bigint(),
  userId: z.bigint(),
  currency: z.string(),
  chain: Chain,
  usd: z.bigint(),
  due: Coins,
  address: z.string(),
  canonical: z.string(),
  state: z.enum(states),
  received: Coins,
  credited: z.bigint(),
  createdAt: z.date(),
  expiresAt: z.date(),
});
export type PaymentRow = z.infer<typeof PaymentRow>;

const TransferRow = z.object({
  chain: Chain,
  txid: z.string(),
  index: z.string(),
  paymentId: z.bigint(),
  currency: z.string(),
  address: z.string(),
  amount: Coins,
  blockHeight: z.nullable(z.bigint()),
  blockHash: z.nullable(z.string()),
  blockAt: z.nullable(z.date()),
  firstSeen: z.date(),
  alive: z.boolean(),
  confirmedAt: z.nullable(z.date()),
  usd: z.nullable(z.bigint()),
});
export type TransferRow = z.infer<typeof TransferRow>;

/** Names one transfer for ever. */
export interface TransferKey {
  readonly chain: string;
  readonly txid: string;
  readonly index: string;
}

const columns = (sql: Sql) => sql`
  id, user_id as "userId", currency, chain, usd, due::text, address, canonical, state, received::text, credited,
  created_at as "createdAt", expires_at as "expiresAt"`;

const transferColumns = (sql: Sql) => sql`
  t.chain, t.txid, t.idx as index, t.payment_id as "paymentId", t.currency, p.canonical as address, t.amount::text,
  t.block_height as "blockHeight", t.block_hash as "blockHash", t.block_at as "blockAt", t.first_seen as "firstSeen",
  t.alive, t.confirmed_at as "confirmedAt", t.usd`;

/** An address number that nobody ever had. */
export const takeIndex = (sql: Sql, family: string) =>
  one(
    z.object({ index: z.bigint() }),
    sql`insert into address_counter as c (family, next_index) values (${family}, 1)
        on conflict (family) do update set next_index = c.next_index + 1
        returning next_index - 1 as index`,
  );

export const insertPayment = (
  sql: Sql,
  payment: {
    userId: bigint;
    currency: string;
    chain: string;
    usd: bigint;
    due: bigint;
    rate: bigint;
    rateSource: string;
    family: string;
    index: bigint;
    address: string;
    canonical: string;
    createdAt: Date;
    expiresAt: Date;
  },
) =>
  one(
    Id,
    sql`insert into payment (user_id, currency, chain, usd, due, rate, rate_source, family, address_index, address, canonical,
                             created_at, expires_at, judge_at)
        values (${payment.userId}, ${payment.currency}, ${payment.chain}, ${payment.usd}, ${String(payment.due)}::text::numeric,
                ${payment.rate}, ${payment.rateSource}, ${payment.family}, ${payment.index}, ${payment.address}, ${payment.canonical},
                ${payment.createdAt}, ${payment.expiresAt}, ${payment.expiresAt})
        returning id`,
  );

export const selectPayment = (sql: Sql, id: bigint) =>
  maybe(PaymentRow, sql`select ${columns(sql)} from payment where id = ${id}`);

export const lockPayment = (tx: Tx, id: bigint) =>
  maybe(PaymentRow, tx`select ${columns(tx)} from payment where id = ${id} for no key update`);

export const countAwaiting = (sql: Sql, userId: bigint, now: Date) =>
  one(
    z.object({ count: z.int() }),
    sql`select count(*)::integer as count from payment
        where user_id = ${userId} and state = 'awaiting' and expires_at > ${now}`,
  );

export const selectPayments = (
  sql: Sql,
  filter: { userId: bigint | null; states: string[] | null; before: bigint | null; size: number },
) =>
  all(
    PaymentRow,
    sql`select ${columns(sql)} from payment
        where (${filter.userId}::bigint is null or user_id = ${filter.userId})
          and (${filter.states}::text[] is null or state::text = any(${filter.states}::text[]))
          and (${filter.before}::bigint is null or id < ${filter.before})
        order by id desc limit ${filter.size}`,
  );

export const selectWatched = (sql: Sql, family: string, since: Date) =>
  all(
    z.object({ canonical: z.string() }),
    sql`select canonical from payment where family = ${family} and created_at > ${since}`,
  );

export const selectCursor = (sql: Sql, chain: string) =>
  maybe(
    z.object({ cursor: z.nullable(z.string()) }),
    sql`select cursor from chain_cursor where chain = ${chain}`,
  );

/** Moves the cursor if nobody else has moved it meanwhile. */
export const moveCursor = (
  tx: Tx,
  move: { chain: string; from: string | null; to: string; height: bigint; at: Date },
) =>
  maybe(
    z.object({ chain: z.string() }),
    tx`insert into chain_cursor as c (chain, cursor, height, scanned_at)
       values (${move.chain}, ${move.to}, ${move.height}, ${move.at})
       on conflict (chain) do update set cursor = excluded.cursor, height = excluded.height, scanned_at = excluded.scanned_at
         where c.cursor is not distinct from ${move.from}::text
       returning chain`,
  );

/** Keeps a transfer once. Answers its payment when it is new, is back, or stands in another block than before. */
export const keepTransfer = (
  tx: Tx,
  family: string,
  seen: TransferKey & {
    currency: string;
    address: string;
    amount: bigint;
    height: bigint | null;
    hash: string | null;
    blockAt: Date | null;
    at: Date;
  },
) =>
  maybe(
    z.object({ paymentId: z.bigint() }),
    tx`insert into chain_transfer as t
         (chain, txid, idx, payment_id, currency, amount, block_height, block_hash, block_at, first_seen)
       select ${seen.chain}, ${seen.txid}, ${seen.index}, p.id, ${seen.currency}, ${String(seen.amount)}::text::numeric,
              ${seen.height}::bigint, ${seen.hash}::text, ${seen.blockAt}::timestamptz, ${seen.at}::timestamptz
       from payment p where p.family = ${family} and p.canonical = ${seen.address}
       on conflict (chain, txid, idx) do update
         set alive = true, block_height = excluded.block_height, block_hash = excluded.block_hash, block_at = excluded.block_at
         where not t.alive or t.block_hash is distinct from excluded.block_hash
       returning payment_id as "paymentId"`,
  );

/**
 * Locks the payments that own these addresses. Whoever changes a payment's transfers locks the payment first, as judging
 * does: the other way round, two of them could wait for each other.
 */
export const lockPaymentsAt = (tx: Tx, family: string, addresses: string[]) =>
  all(
    Id,
    tx`select id from payment where family = ${family} and canonical = any(${addresses}::text[])
       order by id for no key update`,
  );

/** Sums up what came, and has the payments judged at the next occasion. They are locked already. */
export const noteNews = (tx: Tx, paymentIds: bigint[], now: Date) =>
  all(
    z.object({ id: z.bigint(), userId: z.bigint(), state: z.enum(states) }),
    tx`update payment p
       set judge_at = ${now},
           received = (select coalesce(sum(amount), 0) from chain_transfer t
                       where t.payment_id = p.id and t.alive and t.currency = p.currency)
       where id = any(${bigints(tx, paymentIds)}::bigint[])
       returning id, user_id as "userId", state`,
  );

/** Lets the users of payments know how these stand now: a poll, a stream or a webhook hears of it after the commit. */
export const callLogPayments = async (
  tx: Tx,
  payments: { id: bigint; userId: bigint; status: "pending" | "confirmed" | "rejected" }[],
) => {
  const users = payments.map(({ userId }) => userId);
  const ids = payments.map(({ id }) => id);
  const statuses = payments.map(({ status }) => status);
  await tx`select log_payments(${bigints(tx, users)}, ${bigints(tx, ids)}, ${statuses}::text[])`;
};

/** Transfers that are not final yet, and those above a height where the chain has changed. */
export const selectUnsure = (sql: Sql, chain: string, above: bigint | null, size: number) =>
  all(
    TransferRow,
    sql`select ${transferColumns(sql)} from chain_transfer t join payment p on p.id = t.payment_id
        where t.chain = ${chain} and t.alive and (t.confirmed_at is null or t.block_height > ${above}::bigint)
        order by t.first_seen limit ${size}`,
  );

export const setConfirmed = (sql: Sql, key: TransferKey, at: Date) =>
  maybe(
    z.object({ paymentId: z.bigint() }),
    sql`update chain_transfer set confirmed_at = ${at}
        where chain = ${key.chain} and txid = ${key.txid} and idx = ${key.index} and alive and confirmed_at is null
        returning payment_id as "paymentId"`,
  );

export const setGone = (sql: Sql, key: TransferKey) =>
  maybe(
    z.object({ paymentId: z.bigint() }),
    sql`update chain_transfer set alive = false
        where chain = ${key.chain} and txid = ${key.txid} and idx = ${key.index} and alive
        returning payment_id as "paymentId"`,
  );

export const setCredited = (tx: Tx, key: TransferKey, usd: bigint) =>
  one(
    z.object({ paymentId: z.bigint() }),
    tx`update chain_transfer set usd = ${usd}
       where chain = ${key.chain} and txid = ${key.txid} and idx = ${key.index} and usd is null
       returning payment_id as "paymentId"`,
  );

export const selectDue = (sql: Sql, chain: string, now: Date, size: number) =>
  all(
    PaymentRow,
    sql`select ${columns(sql)} from payment where chain = ${chain} and judge_at <= ${now} order by judge_at limit ${size}`,
  );

export const selectTransfers = (sql: Sql, paymentId: bigint) =>
  all(
    TransferRow,
    sql`select ${transferColumns(sql)} from chain_transfer t join payment p on p.id = t.payment_id
        where t.payment_id = ${paymentId} order by t.first_seen, t.chain, t.txid, t.idx`,
  );

export const updateJudged = (
  tx: Tx,
  id: bigint,
  verdict: { state: string; judgeAt: Date | null; credit: bigint },
) =>
  tx`update payment set state = ${verdict.state}::payment_state, judge_at = ${verdict.judgeAt}, credited = credited + ${verdict.credit}
     where id = ${id}`;

export const postpone = (sql: Sql, id: bigint, until: Date) =>
  sql`update payment set judge_at = ${until} where id = ${id} and state = 'awaiting' and received = 0`;

export const insertEvent = (
  sql: Sql,
  event: { paymentId: bigint; at: Date; what: string; detail: Record<string, unknown> },
) =>
  sql`insert into payment_event (payment_id, at, what, detail)
      values (${event.paymentId}, ${event.at}, ${event.what}, ${JSON.stringify(event.detail)}::text::jsonb)`;

export const selectEvents = (sql: Sql, paymentId: bigint) =>
  all(
    z.object({ at: z.date(), what: z.string(), detail: z.unknown() }),
    sql`select at, what, detail from payment_event where payment_id = ${paymentId} order by id`,
  );

const Invariant = z.object({ name: z.string(), says: z.string(), bad: z.array(z.string()) });
export type Invariant = z.infer<typeof Invariant>;

/** What must hold of payments; `bad` names what breaks it, the first 20. */
export const selectInvariants = (sql: Sql) =>
  all(
    Invariant,
    sql`with broken (name, id) as (
          select 'credited', p.id::text from payment p
            where p.credited <> (select coalesce(sum(t.usd), 0) from chain_transfer t where t.payment_id = p.id)
          union all
          select 'credited once', t.chain || ':' || t.txid || ':' || t.idx
            from chain_transfer t join payment p on p.id = t.payment_id
            where t.usd > 0 and 1 <> (
              select count(*) from transfer l join account a on a.id = l.credit
              where l.kind = 'topup' and l.idempotency_key = t.chain || ':' || t.txid || ':' || t.idx
                and l.amount = t.usd and a.user_id = p.user_id and a.book = 'balance')
          union all
          select 'top-ups', l.idempotency_key from transfer l
            where l.kind = 'topup' and not exists (
              select 1 from chain_transfer t where l.idempotency_key = t.chain || ':' || t.txid || ':' || t.idx and t.usd = l.amount)
        )
        select r.name, r.says, coalesce((select array_agg(b.id) from (select id from broken where name = r.name order by id limit 20) b), '{}') as bad
        from (values
          ('credited', 'a payment has been credited the sum of its transfers'),
          ('credited once', 'a credited transfer of a chain stands in the ledger once, for the user of its payment'),
          ('top-ups', 'a top-up in the ledger is for a transfer that a chain showed')
        ) as r (name, says)`,
  );
