import { z } from "zod/mini";
import { idempotencyHours } from "../../contract/limits.ts";
import { all, bigints, maybe, one, type Sql } from "../kit/db.ts";

const Status = z.enum(["pending", "received", "canceled", "expired"]);

export type PlaceRow = {
  userId: bigint;
  siteId: number;
  domainId: number;
  subject: string | null;
  regex: string | null;
  softId: bigint | null;
  key: string | null;
};

export type PlacedRow = {
  code: "ok" | "repeat" | "again" | "no user" | "no site" | "no domain" | "no stock" | "limit" | "no balance";
  orderId: bigint | null;
  address: string | null;
  price: bigint | null;
  balance: bigint | null;
  expiresAt: Date | null;
};

/** Orders of many buyers in one commit; the answers are in the order of the asks. Not parsed: this is the hottest path. */
export function callPlaceOrders(
  sql: Sql,
  asks: PlaceRow[],
  ttlSeconds: number,
  shard: number,
): Promise<PlacedRow[]> {
  const users = bigints(
    sql,
    asks.map((ask) => ask.userId),
  );
  const programs = bigints(
    sql,
    asks.map((ask) => ask.softId),
  );
  return sql<PlacedRow[]>`
    select code, order_id as "orderId", address, price, balance, expires_at as "expiresAt"
    from place_orders(
      ${users}, ${asks.map((ask) => ask.siteId)}::integer[], ${asks.map((ask) => ask.domainId)}::integer[],
      ${asks.map((ask) => ask.subject)}::text[], ${asks.map((ask) => ask.regex)}::text[],
      ${programs}, ${asks.map((ask) => ask.key)}::text[], make_interval(secs => ${ttlSeconds}),
      make_interval(hours => ${idempotencyHours}), ${shard})
    order by ask`;
}

export type ClosedRow = { orderId: bigint; userId: bigint; balance: bigint };

/** Cancels pending orders, each for its own buyer; answers those that were. */
export const callCancelOrders = (
  sql: Sql,
  orderIds: bigint[],
  userIds: bigint[],
  shard: number,
): Promise<ClosedRow[]> =>
  sql<ClosedRow[]>`
    select order_id as "orderId", user_id as "userId", balance
    from close_orders(${bigints(sql, orderIds)}, ${bigints(sql, userIds)}, 'canceled', ${shard})`;

export const callExpireDue = (sql: Sql, size: number, shard: number) =>
  one(z.object({ expired: z.int() }), sql`select expire_due(${size}, ${shard}) as expired`);

export const callHideOrder = (sql: Sql, userId: bigint, orderId: bigint) =>
  one(
    z.object({ answer: z.enum(["activation canceled", "activation already canceled", "no activation"]) }),
    sql`select hide_order(${userId}, ${orderId}) as answer`,
  );

const Reordered = z.object({
  code: z.enum(["ok", "repeat", "no user", "no activation", "no site", "banned", "limit", "no balance"]),
  orderId: z.nullable(z.bigint()),
  address: z.nullable(z.string()),
  price: z.nullable(z.bigint()),
  balance: z.nullable(z.bigint()),
  expiresAt: z.nullable(z.date()),
});

export const callReorder = (
  sql: Sql,
  ask: Omit<PlaceRow, "siteId" | "domainId"> & { orderId: bigint },
  ttlSeconds: number,
  shard: number,
) =>
  one(
    Reordered,
    sql`select code, order_id as "orderId", address, price, balance, expires_at as "expiresAt"
        from reorder_order(${ask.userId}, ${ask.orderId}, ${ask.subject}, ${ask.regex}, ${ask.softId}, ${ask.key},
          make_interval(secs => ${ttlSeconds}), make_interval(hours => ${idempotencyHours}), ${shard})`,
  );

/** The latest received order of a user for an address and a site. */
export const selectLatestReceived = (
  sql: Sql,
  userId: bigint,
  localPart: string,
  domain: string,
  siteId: number,
) =>
  maybe(
    z.object({ orderId: z.bigint() }),
    sql`select o.id as "orderId"
        from mail_domain d
        join mailbox m on m.domain_id = d.id and m.local_part = ${localPart}
        join orders o on o.mailbox_id = m.id and o.site_id = ${siteId}
        where d.name = ${domain} and o.user_id = ${userId} and o.status = 'received'
        order by o.id desc limit 1`,
  );

const Buyer = z.object({ ordersCount: z.int(), listedCount: z.int(), revision: z.bigint() });

export const selectBuyer = (sql: Sql, userId: bigint) =>
  maybe(
    Buyer,
    sql`select orders_count as "ordersCount", orders_count - gone_count as "listedCount", revision
        from buyer where user_id = ${userId}`,
  );

/** An order beside one of its letters; an order without a letter is one row with nulls. */
const OrderRow = z.object({
  orderId: z.bigint(),
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
  html: z.nullable(z.string()),
  text: z.nullable(z.string()),
  code: z.nullable(z.string()),
  link: z.nullable(z.string()),
  value: z.nullable(z.string()),
});
export type OrderRow = z.infer<typeof OrderRow>;

const orderColumns = (sql: Sql) => sql`
  o.id as "orderId", s.name as site, m.local_part || '@' || d.name as email, o.status, o.price,
  o.created_at as "createdAt", o.expires_at as "expiresAt", o.regex,
  l.id as "letterId", l.arrived_at as "arrivedAt", l.sender, l.subject, l.html, l.text, l.code, l.link, l.value`;

const orderNames = (sql: Sql) => sql`
  join site s on s.id = o.site_id join mailbox m on m.id = o.mailbox_id join mail_domain d on d.id = o.domain_id`;

/** The newest `size` letters of an order. The primary key of delivery begins with the order: few rows are read. */
const orderLetters = (sql: Sql, size: number) => sql`
  left join lateral (
    select letter.id, letter.arrived_at, letter.sender, letter.subject, letter.html, letter.text, letter.code, letter.link, delivery.value
    from delivery join letter on letter.id = delivery.letter_id
    where delivery.order_id = o.id
    order by letter.arrived_at desc, letter.id desc limit ${size}) l on true`;

export const selectOrder = (sql: Sql, userId: bigint, orderId: bigint, letters: number) =>
  all(
    OrderRow,
    sql`select ${orderColumns(sql)} from orders o ${orderNames(sql)} ${orderLetters(sql, letters)}
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
