import { z } from "zod/mini";
import { maybe, type Sql, type Tx } from "../platform/db/db.ts";

/** Up to which ids everything was checked and summed up. */
const Closing = z.object({ orderId: z.bigint(), transferId: z.bigint(), letterId: z.bigint() });
export type Closing = z.infer<typeof Closing>;

/** Undefined as long as nothing is closed. */
export const selectClosing = (sql: Sql) =>
  maybe(
    Closing,
    sql`select order_id as "orderId", transfer_id as "transferId", letter_id as "letterId" from closing`,
  );

/** The questions of db/audit name these tables; so they mean all rows, and nothing that is summed up. */
export const allRows = `
  closing as (select '-infinity'::date as open_day),
  closed_account as (select * from public.closed_account where false),
  closed_buyer as (select * from public.closed_buyer where false),
  any_order as (select * from public.orders),
  any_share as (select * from public.investor_share),
  any_letter as (select * from public.letter)`;

/** Closed rows that are read again each night at least, in parts. */
const partsMin = 10;

/**
 * So they mean what is not closed, with what came later for closed orders. `public.…` in a question still means all rows, for
 * look-ups. `closed_part` are those that were not looked at for longest, as many as there are new rows.
 */
export const openRows = ({ orderId, transferId, letterId }: Closing): Record<string, string> => {
  const orders = `orders as (select * from public.orders where id > ${orderId})`;
  const letters = (table: string, id = "letter_id") =>
    `${table} as (select * from public.${table} where ${id} > ${letterId})`;
  // Those that open rows may belong to: open ones by their range, closed ones each by its key.
  const withClosed = (table: string, key: string, closed: bigint, closedKeys: string) => `
    select * from public.${table} where ${key} > ${closed}
    union all
    select t.* from (select distinct ${closedKeys}) k (key)
      cross join lateral (select * from public.${table} where ${key} = k.key limit 1) t`;
  const paidOrders = `order_id from public.transfer where id > ${transferId} and order_id <= ${orderId}`;
  const readOrders = `order_id from public.delivery where letter_id > ${letterId} and order_id <= ${orderId}`;
  const readLetters = `letter_id from public.delivery where order_id > ${orderId} and letter_id <= ${letterId}`;
  const parts = (what: string, closed: bigint) => `
    (select * from public.closed_part where what = '${what}' order by checked_at, first_id
     limit (select ${partsMin} + greatest(coalesce(max(id), 0) - ${closed}, 0) / 10000 from public.${what}))`;
  return {
    "ledger.sql": `transfer as (select * from public.transfer where id > ${transferId})`,
    "orders.sql": `${orders},
      transfer as (
        select * from public.transfer where order_id > ${orderId}
        union all
        select * from public.transfer where id > ${transferId} and (order_id is null or order_id <= ${orderId})),
      investor_share as (select * from public.investor_share where order_id > ${orderId}),
      any_order as (${withClosed("orders", "id", orderId, paidOrders)}),
      any_share as (${withClosed("investor_share", "order_id", orderId, paidOrders)})`,
    "lists.sql": orders,
    "stock.open.sql": orders,
    "letters.sql": `${orders},
      delivery as (
        select * from public.delivery where order_id > ${orderId}
        union all
        select * from public.delivery where letter_id > ${letterId} and order_id <= ${orderId}),
      any_order as (${withClosed("orders", "id", orderId, readOrders)}),
      any_letter as (${withClosed("letter", "id", letterId, readLetters)}),
      ${letters("letter", "id")}, ${letters("recipient")}, ${letters("letter_body")}`,
    "closed.sql": `closed_part as (${parts("orders", orderId)} union all ${parts("transfer", transferId)})`,
  };
};

/** Notes that the parts which `openRows` means were looked at. */
const noteChecked = (tx: Tx, closing: Closing, at: Date) =>
  tx`with ${tx.unsafe(openRows(closing)["closed.sql"] ?? "")}
     update public.closed_part p set checked_at = ${at} from closed_part c where (c.what, c.first_id) = (p.what, p.first_id)`;

/**
 * Closes what came before a time and was checked in this transaction: orders up to the first that is newer or has not ended, and their transfers and letters. The time
 * lies so far back that whoever got a lower id has committed. Nothing else closes meanwhile.
 */
export async function close(tx: Tx, { before, at }: { before: Date; at: Date }): Promise<void> {
  const last = await selectClosing(tx);
  if (last) await noteChecked(tx, last, at);
  const { orderId: o, transferId: t, letterId: l } = last ?? nothing;
  await tx`
    insert into closing as old (closed_at, order_id, transfer_id, letter_id, open_day)
    select ${at}, o.id, t.id, l.id,
           coalesce((select (max(created_at) at time zone 'UTC')::date + 1 from orders where id > ${o} and id <= o.id), '-infinity')
    from (select coalesce(min(id) filter (where created_at >= ${before} or status = 'pending') - 1, max(id), ${o}) as id
          from orders where id > ${o}) o
    cross join lateral (
      select coalesce(min(id) filter (where at >= ${before} or order_id > o.id) - 1, max(id), ${t}) as id
      from transfer where id > ${t}) t
    cross join (
      select coalesce(min(id) filter (where arrived_at >= ${before} or judged_at is null) - 1, max(id), ${l}) as id
      from letter where id > ${l}) l
    on conflict (only_row) do update
      set closed_at = excluded.closed_at, order_id = excluded.order_id, transfer_id = excluded.transfer_id,
          letter_id = excluded.letter_id, open_day = greatest(old.open_day, excluded.open_day)`;
  await tx`
    insert into closed_account as old (account_id, credit, debit)
    select account_id, sum(credit), sum(debit)
    from (select credit as account_id, amount as credit, 0 as debit from transfer, closing where id > ${t} and id <= transfer_id
          union all
          select debit, 0, amount from transfer, closing where id > ${t} and id <= transfer_id) leg
    group by account_id
    on conflict (account_id) do update set credit = old.credit + excluded.credit, debit = old.debit + excluded.debit`;
  await tx`
    insert into closed_buyer as old (user_id, count, last)
    select user_id, count(*), max(number) from orders, closing where id > ${o} and id <= order_id group by user_id
    on conflict (user_id) do update set count = old.count + excluded.count, last = greatest(old.last, excluded.last)`;
  await tx`
    insert into closed_part (what, first_id, last_id, count, sum, checked_at)
    select 'orders', min(id), max(id), count(*), sum(print), ${at}::timestamptz
      from orders_print, closing where id > ${o} and id <= order_id group by id / 10000
    union all
    select 'transfer', min(id), max(id), count(*), sum(print), ${at}
      from transfer_print, closing where id > ${t} and id <= transfer_id group by id / 10000`;
}

const nothing: Closing = { orderId: 0n, transferId: 0n, letterId: 0n };

/** Everything is open again: the next close sums up whatever is there then. */
export async function reopen(tx: Tx): Promise<void> {
  for (const table of ["closing", "closed_account", "closed_buyer", "closed_part"])
    await tx`delete from ${tx(table)}`;
}
