import { z } from "zod/mini";
import { paymentStates } from "../../contract/payments.ts";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";

/** Coins travel as text: they may exceed the database's bigint. */
export const Coins = z.pipe(
  z.string(),
  z.transform((text: string) => BigInt(text)),
);
const Id = z.object({ id: z.bigint() });
export const Chain = z.enum(["sandbox", "ethereum", "bsc", "tron", "ton", "litecoin", "btcpay"]);

export const PaymentRow = z.object({
  id: z.bigint(),
  userId: z.bigint(),
  currency: z.string(),
  chain: Chain,
  usd: z.bigint(),
  rate: z.bigint(),
  rateSource: z.string(),
  due: Coins,
  address: z.string(),
  canonical: z.string(),
  state: z.enum(paymentStates),
  received: Coins,
  credited: z.bigint(),
  createdAt: z.date(),
  expiresAt: z.date(),
  creditAsked: z.boolean(),
  isDropped: z.boolean(),
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
  disputed: z.nullable(Coins),
  decidedAt: z.nullable(z.date()),
  depthNow: z.nullable(z.int()),
  depthWanted: z.nullable(z.int()),
  sender: z.nullable(z.string()),
  doubted: z.boolean(),
  byBalance: z.boolean(),
  askedUsd: z.bigint(),
  due: Coins,
  /** All that came to its payment so far; null of another coin than was asked. */
  came: z.nullable(Coins),
});
export type TransferRow = z.infer<typeof TransferRow>;

export interface TransferKey {
  readonly chain: string;
  readonly txid: string;
  readonly index: string;
}

/** Its buyer will not pay it, which counts only as long as nothing came. */
export const isDropped = (sql: Sql) => sql`(dropped_at is not null and state = 'awaiting' and received = 0)`;

export const paymentColumns = (sql: Sql) => sql`
  id, user_id as "userId", currency, chain, usd, rate, rate_source as "rateSource", due::text, address, canonical, state, received::text, credited,
  created_at as "createdAt", expires_at as "expiresAt", credit_asked_at is not null as "creditAsked",
  ${isDropped(sql)} as "isDropped"`;

const transferColumns = (sql: Sql) => sql`
  t.chain, t.txid, t.idx as index, t.payment_id as "paymentId", t.currency, p.canonical as address, t.amount::text,
  t.block_height as "blockHeight", t.block_hash as "blockHash", t.block_at as "blockAt", t.first_seen as "firstSeen",
  t.alive, t.confirmed_at as "confirmedAt", t.usd, t.disputed::text, t.decided_at as "decidedAt",
  t.depth_now as "depthNow", t.depth_wanted as "depthWanted", t.sender,
  t.doubted, t.by_balance as "byBalance", p.usd as "askedUsd", p.due::text,
  case when t.currency = p.currency then greatest(t.amount, p.received)::text end as came`;

/** Has another process that was given the same address wait, so that one of both sees the other's payment. */
export const lockAddress = (tx: Tx, address: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`address ${address}`}, 0))`;

/** Undefined: another payment has had this address. */
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
    placeId: bigint;
  },
  detail: Record<string, string>,
) =>
  maybe(
    Id,
    sql`with made as (
          insert into payment (user_id, currency, chain, usd, due, rate, rate_source, family, address_index, address, canonical,
                               created_at, expires_at, judge_at)
          select ${payment.userId}::bigint, ${payment.currency}, ${payment.chain}, ${payment.usd}::bigint,
                 ${String(payment.due)}::text::numeric, ${payment.rate}::bigint, ${payment.rateSource}, ${payment.family},
                 ${payment.index}::bigint, ${payment.address}, ${payment.canonical}, ${payment.createdAt}::timestamptz,
                 ${payment.expiresAt}::timestamptz, ${payment.expiresAt}::timestamptz
          where not exists (select 1 from payment where address = ${payment.address})
          returning id),
        event as (
          insert into payment_event (payment_id, at, what, detail)
          select id, ${payment.createdAt}::timestamptz, 'created', ${JSON.stringify(detail)}::text::jsonb from made),
        placed as (delete from payment_place where id = ${payment.placeId}::bigint and exists (select from made))
        select id from made`,
  );

export const selectPayment = (sql: Sql, id: bigint) =>
  maybe(PaymentRow, sql`select ${paymentColumns(sql)} from payment where id = ${id}`);

export const lockPayment = (tx: Tx, id: bigint) =>
  maybe(PaymentRow, tx`select ${paymentColumns(tx)} from payment where id = ${id} for no key update`);

/** The addresses of payments that ended after `since.month`, or of one class. */
export const selectWatched = (
  sql: Sql,
  family: string,
  since: { created: Date; month: Date; week: Date; open: Date },
  which: string | null,
) =>
  all(
    z.object({ canonical: z.string() }),
    sql`select canonical from payment
        where family = ${family} and created_at > ${since.created} and expires_at > ${since.month}
          and (${which}::text is null or ${which} = case
            when state in ('awaiting', 'underpaid', 'confirming', 'review') or expires_at > ${since.open} then 'open'
            when expires_at > ${since.week} then 'week'
            else 'month' end)`,
  );

export const selectCursor = (sql: Sql, chain: string) =>
  maybe(
    z.object({ cursor: z.nullable(z.string()) }),
    sql`select cursor from chain_cursor where chain = ${chain}`,
  );

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

/**
 * Stores a transfer once. Returns its payment when it is new, is back, or is in another block. A BTCPay Server may number the
 * outputs of a transaction anew: the same amount of it at the same invoice counts once.
 */
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
    sender: string | null;
    at: Date;
  },
) =>
  maybe(
    z.object({ paymentId: z.bigint() }),
    tx`insert into chain_transfer as t
         (chain, txid, idx, payment_id, currency, amount, block_height, block_hash, block_at, sender, first_seen)
       select ${seen.chain}, ${seen.txid}, ${seen.index}, p.id, ${seen.currency}, ${String(seen.amount)}::text::numeric,
              ${seen.height}::bigint, ${seen.hash}::text, ${seen.blockAt}::timestamptz, ${seen.sender}::text, ${seen.at}::timestamptz
       from payment p where p.family = ${family} and p.canonical = ${seen.address} and not exists (
         select 1 from chain_transfer o
         where ${seen.chain} = 'btcpay' and o.chain = ${seen.chain} and o.txid = ${seen.txid} and o.idx <> ${seen.index}
           and o.payment_id = p.id and o.currency = ${seen.currency} and o.amount = ${String(seen.amount)}::text::numeric)
       on conflict (chain, txid, idx) do update
         set alive = true, block_height = excluded.block_height, block_hash = excluded.block_hash, block_at = excluded.block_at,
             depth_now = null
         where not t.alive or t.block_hash is distinct from excluded.block_hash
       returning payment_id as "paymentId"`,
  );

/** Locks payments before their transfers change, as computing a state does: else the two could deadlock. */
export const lockPaymentsAt = (
  tx: Tx,
  { family, chain }: { family: string; chain: string },
  addresses: string[],
  above: bigint | null,
) =>
  all(
    Id,
    tx`select id from payment
       where id in (
         select id from payment where family = ${family} and canonical = any(${addresses}::text[])
         union select payment_id from chain_transfer where chain = ${chain} and alive and block_height > ${above}::bigint)
       order by id for no key update`,
  );

/** The chain has shown a transfer after all, so a balance in its currency must not count too. */
export const retractBalance = (tx: Tx, paymentId: bigint, seen: { chain: string; currency: string }) =>
  tx`update chain_transfer set alive = false
     where payment_id = ${paymentId} and chain = ${seen.chain} and currency = ${seen.currency} and by_balance and usd is null and decided_at is null`;

export const doubtAbove = (tx: Tx, chain: string, above: bigint) =>
  tx`update chain_transfer set doubted = true, verify_at = '-infinity'
     where chain = ${chain} and alive and block_height > ${above} and confirmed_at is not null and not doubted`;

/** Sums up what came, and schedules the next state. The payments are locked already. */
export const noteNews = (tx: Tx, paymentIds: bigint[], now: Date) =>
  all(
    z.object({ id: z.bigint(), userId: z.bigint(), state: z.enum(paymentStates) }),
    tx`update payment p
       set judge_at = ${now},
           received = (select coalesce(sum(amount), 0) from chain_transfer t
                       where t.payment_id = p.id and t.alive and t.currency = p.currency)
       where id = any(${paymentIds}::bigint[])
       returning id, user_id as "userId", state`,
  );

/** Notifies the users of payments: polls, streams and webhooks get it after the commit. */
export const callLogPayments = async (tx: Tx, payments: { id: bigint; userId: bigint; status: string }[]) => {
  const users = payments.map(({ userId }) => userId);
  const ids = payments.map(({ id }) => id);
  const statuses = payments.map(({ status }) => status);
  await tx`select log_payments(${users}::bigint[], ${ids}::bigint[], ${statuses}::text[])`;
};

export const selectUnsure = (sql: Sql, chain: string, now: Date, size: number) =>
  all(
    TransferRow,
    sql`select ${transferColumns(sql)} from chain_transfer t join payment p on p.id = t.payment_id
        where t.chain = ${chain} and t.alive and (t.confirmed_at is null or t.doubted) and not t.by_balance
          and t.verify_at <= ${now} and (t.decided_at is null or t.usd is not null)
        order by t.verify_at, t.first_seen limit ${size}`,
  );

export const setVerifyAt = (sql: Sql, { chain, txid, index }: TransferKey, at: Date) =>
  sql`update chain_transfer set verify_at = ${at} where chain = ${chain} and txid = ${txid} and idx = ${index}`;

export const setUndoubted = (sql: Sql, { chain, txid, index }: TransferKey) =>
  sql`update chain_transfer set doubted = false where chain = ${chain} and txid = ${txid} and idx = ${index} and doubted`;

/** Stores the depth. Returns the payment when it changed. */
export const setDepth = (sql: Sql, key: TransferKey, depth: { now: number; wanted: number }) =>
  maybe(
    z.object({ paymentId: z.bigint() }),
    sql`update chain_transfer set depth_now = ${depth.now}, depth_wanted = ${depth.wanted}
        where chain = ${key.chain} and txid = ${key.txid} and idx = ${key.index} and alive
          and (depth_now, depth_wanted) is distinct from (${depth.now}::integer, ${depth.wanted}::integer)
        returning payment_id as "paymentId"`,
  );

export const setConfirmed = (sql: Sql, key: TransferKey, at: Date) =>
  maybe(
    z.object({ paymentId: z.bigint() }),
    sql`update chain_transfer set confirmed_at = ${at}, disputed = null
        where chain = ${key.chain} and txid = ${key.txid} and idx = ${key.index} and alive and confirmed_at is null
        returning payment_id as "paymentId"`,
  );

/** Marks another amount than was read. Returns the payment when that is new. */
export const setDisputed = (sql: Sql, key: TransferKey, amount: bigint) =>
  maybe(
    z.object({ paymentId: z.bigint() }),
    sql`update chain_transfer set disputed = ${String(amount)}::text::numeric
        where chain = ${key.chain} and txid = ${key.txid} and idx = ${key.index} and alive
          and disputed is distinct from ${String(amount)}::text::numeric
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

/** Payments that need a next state: those with news before those whose time is over. */
export const selectDue = (sql: Sql, chain: string, now: Date, size: number) =>
  all(
    PaymentRow,
    sql`select ${paymentColumns(sql)} from payment where chain = ${chain} and judge_at <= ${now}
        order by received = 0, judge_at limit ${size}`,
  );

export const selectTransfers = (sql: Sql, paymentId: bigint) =>
  all(
    TransferRow,
    sql`select ${transferColumns(sql)} from chain_transfer t join payment p on p.id = t.payment_id
        where t.payment_id = ${paymentId} order by t.first_seen, t.chain, t.txid, t.idx`,
  );

export const updateState = (
  tx: Tx,
  id: bigint,
  next: { state: string; dueAt: Date | null; credit: bigint },
) =>
  tx`update payment set state = ${next.state}::payment_state, judge_at = ${next.dueAt}, credited = credited + ${next.credit}
     where id = ${id}`;

/** Has the next pass credit what came; until then the payment asks for no more. */
export const setCreditAsked = (tx: Tx, id: bigint, at: Date) =>
  tx`update payment set credit_asked_at = ${at}, state = 'confirming', judge_at = ${at} where id = ${id}`;

export const setDropped = (tx: Tx, id: bigint, at: Date | null) =>
  tx`update payment set dropped_at = ${at} where id = ${id}`;

/** Postpones a payment whose next state failed, behind the others. */
export const postponeFailed = (sql: Sql, id: bigint, until: Date) =>
  sql`update payment set judge_at = ${until} where id = ${id} and judge_at < ${until}`;

/** Keeps an open payment from its end until then. */
export const postpone = (sql: Sql, id: bigint, until: Date) =>
  sql`update payment set judge_at = ${until} where id = ${id} and state in ('awaiting', 'underpaid', 'confirming')`;

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
