import { z } from "zod/mini";
import { all, bigints, type Sql } from "../platform/db/db.ts";

const ToldOrder = z.object({
  orderId: z.bigint(),
  siteId: z.int(),
  site: z.string(),
  email: z.string(),
  price: z.bigint(),
  createdAt: z.date(),
  expiresAt: z.date(),
});

/** What events tell of these orders, beside the state of the moment. */
export const selectToldOrders = (sql: Sql, orderIds: bigint[]) =>
  all(
    ToldOrder,
    sql`select o.id as "orderId", o.site_id as "siteId", s.name as site, m.local_part || '@' || d.name as email, o.price,
               o.created_at as "createdAt", o.expires_at as "expiresAt"
        from orders o
        join site s on s.id = o.site_id join mailbox m on m.id = o.mailbox_id join mail_domain d on d.id = o.domain_id
        where o.id = any (${bigints(sql, orderIds)})`,
  );

const ToldLetter = z.object({
  orderId: z.bigint(),
  letterId: z.bigint(),
  sender: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  arrivedAt: z.date(),
  code: z.nullable(z.string()),
  link: z.nullable(z.string()),
  value: z.nullable(z.string()),
});

/** What events tell of letters that were given to orders; the two arrays run in step. */
export const selectToldLetters = (sql: Sql, orderIds: bigint[], letterIds: bigint[]) =>
  all(
    ToldLetter,
    sql`select t.order_id as "orderId", l.id as "letterId", l.sender, l.subject, l.arrived_at as "arrivedAt", b.code, b.link,
               delivery.value
        from unnest(${bigints(sql, orderIds)}, ${bigints(sql, letterIds)}) as t (order_id, letter_id)
        join delivery on delivery.order_id = t.order_id and delivery.letter_id = t.letter_id
        join letter l on l.id = t.letter_id
        left join letter_body b on b.letter_id = l.id and b.arrived_at = l.arrived_at`,
  );

/** Which of these orders have no letter and may still get one. */
export const selectPending = (sql: Sql, orderIds: bigint[]) =>
  all(
    z.object({ orderId: z.bigint() }),
    sql`select id as "orderId" from orders where id = any (${bigints(sql, orderIds)}) and status = 'pending'`,
  );
