import { z } from "zod/mini";
import { all, type Sql } from "../platform/db/db.ts";
import { PaymentRow, paymentColumns } from "./payments.sql.ts";

const ReportedRow = z.extend(PaymentRow, {
  reviewWhy: z.nullable(z.string()),
  isLate: z.boolean(),
  isSurplus: z.boolean(),
});

export const selectPayments = (
  sql: Sql,
  filter: {
    userId: bigint | null;
    states: string[] | null;
    /** The address of the payment, or a transaction that came to it. */
    place: string | null;
    before: bigint | null;
    size: number;
  },
) =>
  all(
    PaymentRow,
    sql`select ${paymentColumns(sql)} from payment
        where (${filter.userId}::bigint is null or user_id = ${filter.userId})
          and (${filter.states}::text[] is null or state::text = any(${filter.states}::text[]))
          and (${filter.place}::text is null or address = ${filter.place} or id = any (array(
                 select t.payment_id from chain_cursor c join chain_transfer t on t.chain = c.chain and t.txid = ${filter.place})))
          and (${filter.before}::bigint is null or id < ${filter.before})
        order by id desc limit ${filter.size}`,
  );

/** In review, undecided since `slowSince`, or with late or surplus money reported since `since`. */
export const selectReported = (sql: Sql, filter: { slowSince: Date; since: Date; size: number }) =>
  all(
    ReportedRow,
    sql`with reported as (
          select payment_id, bool_or(detail ? 'isLate') as late, bool_or(detail ? 'isSurplus') as surplus
          from payment_event
          where (detail ? 'isLate' or detail ? 'isSurplus') and at > ${filter.since} group by payment_id)
        select ${paymentColumns(sql)}, coalesce(late, false) as "isLate", coalesce(surplus, false) as "isSurplus",
               (select detail->>'why' from payment_event e where e.payment_id = payment.id and payment.state = 'review'
                order by e.id desc limit 1) as "reviewWhy"
        from payment left join reported on reported.payment_id = payment.id
        where id in (
          select payment_id from reported
          union select id from payment where state = 'review'
          union select id from payment where state in ('awaiting', 'underpaid', 'confirming') and expires_at < ${filter.slowSince})
        order by id desc limit ${filter.size}`,
  );
