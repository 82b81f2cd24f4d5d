import { z } from "zod/mini";
import { all, maybe, type Sql } from "../../platform/db/db.ts";
import { orderStates } from "../../../contract/order-states.ts";

export interface OrderOf {
  readonly userId: bigint;
  readonly orderId: bigint;
}

const Life = z.object({
  status: z.enum(orderStates),
  isOver: z.boolean(),
  price: z.bigint(),
  regex: z.nullable(z.string()),
  createdAt: z.date(),
  closedAt: z.nullable(z.date()),
});
export type Life = z.infer<typeof Life>;

export const selectLife = (sql: Sql, { userId, orderId }: OrderOf) =>
  maybe(
    Life,
    sql`select status, expires_at <= clock_timestamp() as "isOver", price, regex, created_at as "createdAt", closed_at as "closedAt"
        from orders where id = ${orderId} and user_id = ${userId}`,
  );

const Money = z.object({ step: z.enum(["charged", "refunded"]), amount: z.bigint(), at: z.date() });
export type Money = z.infer<typeof Money>;

/** What the price of an order became: revenue and shares together, or the refund. The buyer does not see what a held share becomes. */
export const selectMoney = (sql: Sql, { orderId }: OrderOf) =>
  all(
    Money,
    sql`select case kind when 'refund' then 'refunded' else 'charged' end as step, sum(amount)::bigint as amount, min(at) as at
        from transfer where order_id = ${orderId} and kind not in ('hold', 'release', 'forfeit') group by 1`,
  );

const Seen = z.object({
  arrivedAt: z.date(),
  deliveredAt: z.nullable(z.date()),
  missed: z.nullable(z.enum(["sender", "subject", "regex"])),
  letterId: z.nullable(z.bigint()),
  sender: z.nullable(z.string()),
  subject: z.nullable(z.string()),
});
export type Seen = z.infer<typeof Seen>;

/** Whether the buyer may have and see letter m though it did not match: of the site, still kept, delivered to no other buyer. */
const isRescuable = (sql: Sql, { userId }: OrderOf) => sql`
  m.reason in ('subject', 'regex') and not exists (
    select from delivery given join orders o on o.id = given.order_id
    where given.letter_id = m.letter_id and o.user_id <> ${userId})`;

/** Whose eyes a timeline is for: the operator may see of each letter who wrote it. */
export type Reader = "buyer" | "operator";

/** The newest delivered letters, and the newest mismatches, of which the buyer may see some alone. */
export const selectSeen = (sql: Sql, order: OrderOf, { size, reader }: { size: number; reader: Reader }) =>
  all(
    Seen,
    sql`(select l.arrived_at as "arrivedAt", d.delivered_at as "deliveredAt", m.reason as missed, l.id as "letterId", l.sender, l.subject
         from delivery d
         join letter l on l.id = d.letter_id
         left join missed m on m.order_id = d.order_id and m.letter_id = d.letter_id
         where d.order_id = ${order.orderId}
         order by l.arrived_at desc limit ${size})
        union all
        (select m.arrived_at, null, m.reason, l.id, l.sender, l.subject
         from missed m
         left join letter l on l.id = m.letter_id and ${reader === "operator" ? sql`true` : isRescuable(sql, order)}
         where m.order_id = ${order.orderId}
           and not exists (select from delivery d where d.order_id = m.order_id and d.letter_id = m.letter_id)
         order by m.arrived_at desc limit ${size})`,
  );

export const isReleasable = async (sql: Sql, order: OrderOf, letterId: bigint): Promise<boolean> => {
  const found = await sql`
    select 1 from missed m join letter l on l.id = m.letter_id
    where m.order_id = ${order.orderId} and m.letter_id = ${letterId} and ${isRescuable(sql, order)}`;
  return found.length > 0;
};

const Whole = z.object({
  userId: z.bigint(),
  email: z.string(),
  site: z.string(),
  status: z.string(),
  price: z.bigint(),
  expiresAt: z.date(),
  subject: z.nullable(z.string()),
  regex: z.nullable(z.string()),
  reorderOf: z.nullable(z.bigint()),
  batchId: z.nullable(z.int()),
});

/** What the operator sees of an order beside its row in the table. */
export const selectWhole = (sql: Sql, orderId: bigint) =>
  maybe(
    Whole,
    sql`select o.user_id as "userId", m.local_part || '@' || d.name as email, s.name as site, o.status, o.price,
               o.expires_at as "expiresAt", o.subject, o.regex, o.reorder_of as "reorderOf", b.id as "batchId"
        from orders o join mailbox m on m.id = o.mailbox_id join mail_domain d on d.id = m.domain_id join site s on s.id = o.site_id
        left join lot on lot.id = m.lot_id left join held_lot h on h.id = m.lot_id
        left join batch b on b.id = coalesce(lot.batch_id, h.batch_id) and b.investor_id is not null
        where o.id = ${orderId}`,
  );

/** Orders of an address, the newest first. */
export const selectOfAddress = async (sql: Sql, address: string, size: number): Promise<bigint[]> => {
  const at = address.lastIndexOf("@");
  const found = await all(
    z.object({ id: z.bigint() }),
    sql`select o.id from mail_domain d join mailbox m on m.domain_id = d.id join orders o on o.mailbox_id = m.id
        where d.name = ${address.slice(at + 1)} and m.local_part = ${address.slice(0, at)} order by o.id desc limit ${size}`,
  );
  return found.map(({ id }) => id);
};
