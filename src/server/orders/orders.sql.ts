import { z } from "zod/mini";
import { all, bigints, maybe, one, type Sql } from "../platform/db/db.ts";
import { StoredHtml } from "../letters/letters.ts";

const Status = z.enum(["pending", "received", "canceled", "expired"]);

/** Which orders are due: since so many seconds, and without those that are left out. */
export interface Due {
  readonly size: number;
  readonly graceSeconds: number;
  readonly except: bigint[];
}

const dueOf = (sql: Sql, { graceSeconds, except }: Due) =>
  sql`make_interval(secs => ${graceSeconds}), ${bigints(sql, except)}`;

export const callExpireDue = (sql: Sql, due: Due, shard: number) =>
  one(
    z.object({ expired: z.int() }),
    sql`select expire_due(${due.size}, ${shard}, ${dueOf(sql, due)}) as expired`,
  );

export const selectDue = (sql: Sql, due: Due) =>
  one(
    z.object({ orderIds: z.nullable(z.array(z.bigint())) }),
    sql`select due_orders(${due.size}, ${dueOf(sql, due)}) as "orderIds"`,
  );

/** Expires one order; answers whether it was still due. */
export const callExpire = (sql: Sql, orderId: bigint, shard: number) =>
  one(
    z.object({ expired: z.int() }),
    sql`select count(*)::integer as expired from close_orders(${bigints(sql, [orderId])}, null, 'expired', ${shard})`,
  );

const Buyer = z.object({
  ordersCount: z.int(),
  listedCount: z.int(),
  waitingCount: z.int(),
  revision: z.bigint(),
});

export const selectBuyer = (sql: Sql, userId: bigint) =>
  maybe(
    Buyer,
    sql`select orders_count as "ordersCount", orders_count - gone_count as "listedCount", waiting_count as "waitingCount",
               revision
        from buyer where user_id = ${userId}`,
  );

/** What a letter brought, as `letters` writes it down. */
export const Attachments = z.array(z.object({ name: z.string(), type: z.string(), size: z.int() }));

/** An order beside one of its letters; an order without a letter is one row with nulls. */
const OrderRow = z.object({
  orderId: z.bigint(),
  siteId: z.int(),
  site: z.string(),
  email: z.string(),
  status: Status,
  price: z.bigint(),
  createdAt: z.date(),
  expiresAt: z.date(),
  regex: z.nullable(z.string()),
  letterId: z.nullable(z.bigint()),
  arrivedAt: z.nullable(z.date()),
  sender: z.nullable(z.string()),
  subject: z.nullable(z.string()),
  html: z.nullable(StoredHtml),
  text: z.nullable(z.string()),
  code: z.nullable(z.string()),
  link: z.nullable(z.string()),
  value: z.nullable(z.string()),
  attachments: z.nullable(Attachments),
  /** Of an order that is read: whether its buyer may say that the letter is not from the site, or what became of that. */
  notFromSite: z.optional(z.nullable(z.enum(["possible", "review", "refunded", "rejected"]))),
});
export type OrderRow = z.infer<typeof OrderRow>;

const orderColumns = (sql: Sql) => sql`
  o.id as "orderId", o.site_id as "siteId", s.name as site, m.local_part || '@' || d.name as email, o.status, o.price,
  o.created_at as "createdAt", o.expires_at as "expiresAt", o.regex,
  l.id as "letterId", l.arrived_at as "arrivedAt", l.sender, l.subject, l.html, l.text, l.code, l.link, l.value, l.attachments`;

const orderNames = (sql: Sql) => sql`
  join site s on s.id = o.site_id join mailbox m on m.id = o.mailbox_id join mail_domain d on d.id = o.domain_id`;

/** For which site an order of a user is. */
export const selectSiteOf = (sql: Sql, userId: bigint, orderId: bigint) =>
  maybe(
    z.object({ siteId: z.int() }),
    sql`select site_id as "siteId" from orders where id = ${orderId} and user_id = ${userId}`,
  );

/** The newest `size` letters of an order. The primary key of delivery begins with the order: few rows are read. */
const orderLetters = (sql: Sql, size: number) => sql`
  left join lateral (
    select letter.id, letter.arrived_at, letter.sender, letter.subject, body.html, body.text, body.code, body.link, body.attachments,
      delivery.value
    from delivery join letter on letter.id = delivery.letter_id
    left join letter_body body on body.letter_id = letter.id and body.arrived_at = letter.arrived_at
    where delivery.order_id = o.id
    order by letter.arrived_at desc, letter.id desc limit ${size}) l on true`;

export const selectOrder = (sql: Sql, userId: bigint, orderId: bigint, letters: number) =>
  all(
    OrderRow,
    sql`select ${orderColumns(sql)}, coalesce(v.complaint, case when v.state = 'held' then 'possible' end) as "notFromSite"
        from orders o ${orderNames(sql)} left join investor_share v on v.order_id = o.id ${orderLetters(sql, letters)}
        where o.id = ${orderId} and o.user_id = ${userId}
        order by l.arrived_at desc, l.id desc`,
  );

export const selectHistory = (sql: Sql, userId: bigint, page: number, size: number, letters: number) =>
  all(
    OrderRow,
    sql`select ${orderColumns(sql)} from history_page(${userId}, ${page}, ${size}) o ${orderNames(sql)} ${orderLetters(sql, letters)}
        order by o.number desc, l.arrived_at desc, l.id desc`,
  );

export const selectActivations = (sql: Sql, userId: bigint, page: number, size: number) =>
  all(
    OrderRow,
    sql`select ${orderColumns(sql)} from activations_page(${userId}, ${page}, ${size}) o ${orderNames(sql)} ${orderLetters(sql, 1)}
        order by o.number desc`,
  );

const Waiting = z.object({
  orderId: z.bigint(),
  userId: z.bigint(),
  mailboxId: z.bigint(),
  siteId: z.int(),
  site: z.string(),
  subject: z.nullable(z.string()),
  regex: z.nullable(z.string()),
  createdAt: z.date(),
  expiresAt: z.date(),
  status: z.enum(["pending", "received"]),
});
export type Waiting = z.infer<typeof Waiting>;

/**
 * Orders of mailboxes that a letter of the last hour may be for. First orders and reorders are found by an index each;
 * a received one is kept in sight beyond its end because a letter that came in time may be judged late.
 */
export const selectWaiting = (sql: Sql, mailboxIds: bigint[]) =>
  all(
    Waiting,
    sql`select o.id as "orderId", o.user_id as "userId", o.mailbox_id as "mailboxId", o.site_id as "siteId", s.name as site,
               o.subject, o.regex, o.created_at as "createdAt", o.expires_at as "expiresAt", o.status
        from (
          select * from orders
          where mailbox_id = any (${bigints(sql, mailboxIds)}) and status in ('pending', 'received') and reorder_of is null
          union all
          select * from orders
          where mailbox_id = any (${bigints(sql, mailboxIds)}) and status in ('pending', 'received') and reorder_of is not null
        ) o
        join site s on s.id = o.site_id
        where o.status = 'pending' or o.expires_at > now() - interval '1 hour'
        order by o.id`,
  );

const Held = z.object({ mailboxId: z.bigint(), userId: z.bigint(), siteId: z.int(), site: z.string() });

/** For which sites, and whose, mailboxes are or were: a reorder is for the site of its first order. */
export const selectHeld = (sql: Sql, mailboxIds: bigint[]) =>
  all(
    Held,
    sql`select o.mailbox_id as "mailboxId", o.user_id as "userId", o.site_id as "siteId", s.name as site
        from orders o join site s on s.id = o.site_id
        where o.mailbox_id = any (${bigints(sql, mailboxIds)}) and o.status in ('pending', 'received') and o.reorder_of is null`,
  );

const Delivered = z.object({
  orderId: z.bigint(),
  letterId: z.bigint(),
  userId: z.bigint(),
  isFirst: z.boolean(),
});
export type Delivered = z.infer<typeof Delivered>;

export function callDeliver(
  sql: Sql,
  deliveries: { letterId: bigint; orderId: bigint; value: string | null }[],
  shard: number,
): Promise<Delivered[]> {
  const letters = bigints(
    sql,
    deliveries.map((delivery) => delivery.letterId),
  );
  const orders = bigints(
    sql,
    deliveries.map((delivery) => delivery.orderId),
  );
  return all(
    Delivered,
    sql`select order_id as "orderId", letter_id as "letterId", user_id as "userId", first as "isFirst"
        from deliver_letters(${letters}, ${orders}, ${deliveries.map((delivery) => delivery.value)}::text[], ${shard})`,
  );
}
