import { z } from "zod/mini";
import type { PaymentGroup } from "../../contract/payments.ts";
import { all, one, type Sql, type Tx } from "../platform/db/db.ts";
import { openStates } from "./payments.state.ts";
import { isDropped, paymentColumns, PaymentRow } from "./payments.sql.ts";

export interface OwnFilter {
  readonly group?: PaymentGroup | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** To its buyer a payment that he dropped has ended. */
const fitting = (sql: Sql, userId: bigint, { group, since, until }: OwnFilter) => sql`
  user_id = ${userId}
  and (${group ?? null}::text is null or ${group ?? null} = case
    when ${isDropped(sql)} then 'ended'
    when state = any(${openStates}::payment_state[]) then 'open'
    when state = 'credited' then 'credited' else 'ended' end)
  and (${since ?? null}::timestamptz is null or created_at >= ${since ?? null})
  and (${until ?? null}::timestamptz is null or created_at < ${until ?? null})`;

export const selectOwnPayments = (
  sql: Sql,
  userId: bigint,
  { offset, size, ...filter }: OwnFilter & { offset: number; size: number },
) =>
  all(
    PaymentRow,
    sql`select ${paymentColumns(sql)} from payment where ${fitting(sql, userId, filter)}
        order by id desc offset ${offset} limit ${size}`,
  );

export const countPayments = (sql: Sql, userId: bigint, filter: OwnFilter) =>
  one(
    z.object({ count: z.int() }),
    sql`select count(*)::integer as count from payment where ${fitting(sql, userId, filter)}`,
  );

/** The payments whose transfers have these keys in the ledger. */
export const selectPaymentsOf = (sql: Sql, keys: string[]) =>
  all(
    z.object({ key: z.string(), paymentId: z.bigint() }),
    sql`select k.key, c.payment_id as "paymentId"
        from unnest(${keys}::text[]) k (key) join chain_transfer c
          on c.chain = split_part(k.key, ':', 1) and c.txid = split_part(k.key, ':', 2) and c.idx = split_part(k.key, ':', 3)`,
  );

/** Until the transaction ends, no other payment of the user takes a place. */
export const lockPlaces = (tx: Tx, userId: bigint) =>
  tx`select pg_advisory_xact_lock(hashtextextended(${`payment places of ${userId}`}, 0))`;

const Places = z.object({ taken: z.int(), isStranger: z.boolean() });

/** Open payments, with those whose address is being asked for, and whether the user never confirmed the e-mail or never paid. */
export const selectPlaces = (sql: Sql, userId: bigint, now: Date) =>
  one(
    Places,
    sql`select (select count(*) from payment where user_id = ${userId} and state = 'awaiting' and expires_at > ${now})::integer
             + (select count(*) from payment_place where user_id = ${userId} and taken_at > clock_timestamp() - interval '1 minute')::integer
               as taken,
               not exists (select from users where id = ${userId} and activated_at is not null)
               or not exists (select from payment where user_id = ${userId} and credited > 0) as "isStranger"`,
  );

/** Whether none of the newest `run` addresses of a family was ever paid to. */
export const isUnpaidRun = async (sql: Sql, family: string, run: number): Promise<boolean> => {
  const [row] = await sql<{ is: boolean }[]>`
    select count(*) = ${run} and not coalesce(bool_or(received > 0), false) as is
    from (select received from payment where family = ${family} order by address_index desc limit ${run}) p`;
  return row?.is === true;
};

export const takePlace = (tx: Tx, userId: bigint) =>
  one(z.object({ id: z.bigint() }), tx`insert into payment_place (user_id) values (${userId}) returning id`);

export const leavePlace = (sql: Sql, id: bigint) => sql`delete from payment_place where id = ${id}`;
