import { z } from "zod/mini";
import { all, type Fragment, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";
import { StoredHtml } from "../letters/letters.ts";
import { orderStates } from "../../contract/order-states.ts";

const Status = z.enum(orderStates);

export interface Due {
  readonly size: number;
  readonly graceSeconds: number;
  readonly except: bigint[];
}

const dueOf = (sql: Sql, { graceSeconds, except }: Due) =>
  sql`make_interval(secs => ${graceSeconds}), ${except}::bigint[]`;

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

export const callExpire = (sql: Sql, orderId: bigint, shard: number) =>
  one(
    z.object({ expired: z.int() }),
    sql`select count(*)::integer as expired from close_orders(${[orderId]}::bigint[], null, 'expired', ${shard})`,
  );

const Buyer = z.object({
  ordersCount: z.int(),
  listedCount: z.int(),
  waitingCount: z.int(),
  openMax: z.nullable(z.int()),
  revision: z.bigint(),
});

export const selectBuyer = (sql: Sql, userId: bigint) =>
  maybe(
    Buyer,
    sql`select orders_count as "ordersCount", orders_count - gone_count as "listedCount", waiting_count as "waitingCount",
               open_max as "openMax", revision
        from buyer where user_id = ${userId}`,
  );

const orderShape = {
  orderId: z.bigint(),
  siteId: z.int(),
  site: z.string(),
  email: z.string(),
  status: Status,
  price: z.bigint(),
  createdAt: z.date(),
  expiresAt: z.date(),
  regex: z.nullable(z.string()),
  note: z.nullable(z.string()),
};

export const orderColumns = (sql: Sql) => sql`
  o.id as "orderId", o.site_id as "siteId", s.name as site, m.local_part || '@' || d.name as email, o.status, o.price,
  o.created_at as "createdAt", o.expires_at as "expiresAt", o.regex, o.note`;

export const orderNames = (sql: Sql) => sql`
  join site s on s.id = o.site_id join mailbox m on m.id = o.mailbox_id join mail_domain d on d.id = o.domain_id`;

/** `value` is what the order's pattern found in it. */
const letterShape = {
  letterId: z.bigint(),
  arrivedAt: z.date(),
  sender: z.string(),
  subject: z.string(),
  code: z.nullable(z.string()),
  link: z.nullable(z.string()),
  value: z.nullable(z.string()),
  codeConfidence: z.nullable(z.enum(["sure", "likely", "unsure"])),
  codeCandidates: z.nullable(z.array(z.object({ value: z.string(), pattern: z.string() }))),
  /** Which of the candidates the buyer chose, from 1 on. */
  chosen: z.nullable(z.int()),
};

const letterColumns = (sql: Sql) => sql`
  letter.id as "letterId", letter.arrived_at as "arrivedAt", coalesce(letter.sender, '') as sender,
  coalesce(letter.subject, '') as subject, body.code, body.link, delivery.value,
  body.code_confidence as "codeConfidence", body.code_candidates as "codeCandidates", delivery.chosen`;

const bodyShape = {
  html: z.nullable(StoredHtml),
  text: z.nullable(z.string()),
  attachments: z.array(z.object({ name: z.string(), type: z.string(), size: z.int() })),
};

const bodyColumns = (sql: Sql) => sql`body.html, body.text, coalesce(body.attachments, '[]') as attachments`;

const letterTables = (sql: Sql) => sql`
  join letter on letter.id = delivery.letter_id
  left join lateral body_of(letter.id, letter.arrived_at) body on true`;

const OrderLetter = z.object({ ...letterShape, ...bodyShape });
export type OrderLetter = z.infer<typeof OrderLetter>;

const listed = {
  ...orderShape,
  /** Whether the buyer may complain, or the state of the complaint; only of a single order. */
  notFromSite: z.optional(z.nullable(z.enum(["possible", "review", "refunded", "rejected"]))),
  /** How many letters it has; only of a single order. */
  messages: z.optional(z.int()),
};
export const OrderRow = z.union([
  z.object({ ...listed, letterId: z.null() }),
  z.object({ ...listed, ...letterShape, ...bodyShape }),
]);
export type OrderRow = z.infer<typeof OrderRow>;

export const selectSiteOf = (sql: Sql, userId: bigint, orderId: bigint) =>
  maybe(
    z.object({ siteId: z.int() }),
    sql`select site_id as "siteId" from orders where id = ${orderId} and user_id = ${userId}`,
  );

/** Sites and addresses of those orders that are the user's. */
export const selectNames = (sql: Sql, userId: bigint, orderIds: bigint[]) =>
  all(
    z.object({ id: z.bigint(), site: z.string(), email: z.string() }),
    sql`select o.id, s.name as site, m.local_part || '@' || d.name as email
        from orders o ${orderNames(sql)} where o.id = any (${orderIds}::bigint[]) and o.user_id = ${userId}`,
  );

/** Whose an order is, and what it costs. */
export const selectPriced = (sql: Sql, orderId: bigint) =>
  maybe(
    z.object({ userId: z.bigint(), price: z.bigint() }),
    sql`select user_id as "userId", price from orders where id = ${orderId}`,
  );

/** The newest `size` letters of an order, or one of its letters. The primary key of delivery begins with the order: few rows are read. */
export const orderLetters = (sql: Sql, size: number, letterId?: bigint) => sql`
  left join lateral (
    select ${letterColumns(sql)}, ${bodyColumns(sql)} from delivery ${letterTables(sql)}
    where delivery.order_id = o.id ${letterId === undefined ? sql`` : sql`and delivery.letter_id = ${letterId}`}
    order by letter.arrived_at desc, letter.id desc limit ${size}) l on true`;

const lettersOf = (sql: Sql, orderId: Fragment) =>
  sql`(select count(*)::integer from delivery e where e.order_id = ${orderId}) as messages`;

/** An order with its newest letter, or the one that is named. */
export const selectOrder = (
  sql: Sql,
  { userId, orderId, letterId }: { userId: bigint; orderId: bigint; letterId?: bigint | undefined },
) =>
  all(
    OrderRow,
    sql`select ${orderColumns(sql)}, l.*, ${lettersOf(sql, sql`o.id`)}, coalesce(v.complaint, case when v.state = 'held' and v.earned_at > now() - interval '3 days' then 'possible' end) as "notFromSite"
        from orders o ${orderNames(sql)} left join investor_share v on v.order_id = o.id ${orderLetters(sql, 1, letterId)}
        where o.id = ${orderId} and o.user_id = ${userId}`,
  );

const OrderFields = z.object(orderShape);
export type OrderFields = z.infer<typeof OrderFields>;

export const selectOrders = (sql: Sql, orderIds: bigint[]) =>
  all(
    OrderFields,
    sql`select ${orderColumns(sql)} from orders o ${orderNames(sql)} where o.id = any (${orderIds}::bigint[])`,
  );

const LetterFields = z.object({ ...letterShape, orderId: z.bigint() });
export type LetterFields = z.infer<typeof LetterFields>;

/** Letters of orders without bodies; the two arrays run in step. */
export const selectLetters = (sql: Sql, orderIds: bigint[], letterIds: bigint[]) =>
  all(
    LetterFields,
    sql`select delivery.order_id as "orderId", ${letterColumns(sql)}
        from unnest(${orderIds}::bigint[], ${letterIds}::bigint[]) as t (order_id, letter_id)
        join delivery on delivery.order_id = t.order_id and delivery.letter_id = t.letter_id ${letterTables(sql)}`,
  );

const ChosenLetter = z.object({ ...letterShape, siteId: z.int(), site: z.string() });
export type ChosenLetter = z.infer<typeof ChosenLetter>;

/** Locks the delivery of an order's letter, of the newest one without `letterId`, if its body is kept. */
export const lockDelivery = (
  tx: Tx,
  { orderId, userId }: { orderId: bigint; userId: bigint },
  letterId: bigint | undefined,
) =>
  maybe(
    ChosenLetter,
    tx`select ${letterColumns(tx)}, o.site_id as "siteId", s.name as site
       from orders o join site s on s.id = o.site_id join delivery on delivery.order_id = o.id ${letterTables(tx)}
       where o.id = ${orderId} and o.user_id = ${userId} and (${letterId ?? null}::bigint is null or letter.id = ${letterId ?? null})
       order by letter.arrived_at desc, letter.id desc limit 1 for update of delivery`,
  );

/** Notes which candidate of a letter its buyer means, and lets the lists of the buyer be read anew. */
export const saveChosen = async (
  tx: Tx,
  { orderId, letterId, userId }: { orderId: bigint; letterId: bigint; userId: bigint },
  chosen: number,
): Promise<void> => {
  await tx`update delivery set chosen = ${chosen} where order_id = ${orderId} and letter_id = ${letterId}`;
  await tx`select touch_buyer(${userId})`;
};

/** Whether the user has the order. Lets the lists of the buyer be read anew. */
export const saveNote = async (
  tx: Tx,
  { orderId, userId }: { orderId: bigint; userId: bigint },
  note: string | null,
): Promise<boolean> => {
  const found = await maybe(
    z.object({ id: z.bigint() }),
    tx`update orders set note = ${note} where id = ${orderId} and user_id = ${userId} returning id`,
  );
  if (found) await tx`select touch_buyer(${userId})`;
  return found !== undefined;
};

const DeliveredLetter = z.object({ ...letterShape, ...bodyShape, messages: z.int() });
export type DeliveredLetter = z.infer<typeof DeliveredLetter>;

export const selectDelivered = (sql: Sql, orderId: bigint, letterId: bigint) =>
  maybe(
    DeliveredLetter,
    sql`select ${letterColumns(sql)}, ${bodyColumns(sql)}, ${lettersOf(sql, sql`delivery.order_id`)}
        from delivery ${letterTables(sql)}
        where delivery.order_id = ${orderId} and delivery.letter_id = ${letterId}`,
  );

export const selectPending = (sql: Sql, orderIds: bigint[]) =>
  all(
    z.object({ orderId: z.bigint() }),
    sql`select id as "orderId" from orders where id = any (${orderIds}::bigint[]) and status = 'pending'`,
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

/** Orders that a letter of the last hour may be for. Received ones stay beyond their end: a letter that came in time may be matched late. */
export const selectWaiting = (sql: Sql, mailboxIds: bigint[]) =>
  all(
    Waiting,
    sql`select o.id as "orderId", o.user_id as "userId", o.mailbox_id as "mailboxId", o.site_id as "siteId", s.name as site,
               o.subject, o.regex, o.created_at as "createdAt", o.expires_at as "expiresAt", o.status
        from (
          select * from orders
          where mailbox_id = any (${mailboxIds}::bigint[]) and status in ('pending', 'received') and reorder_of is null
          union all
          select * from orders
          where mailbox_id = any (${mailboxIds}::bigint[]) and status in ('pending', 'received') and reorder_of is not null
        ) o
        join site s on s.id = o.site_id
        where o.status = 'pending' or o.expires_at > now() - interval '1 hour'
        order by o.id`,
  );

const Held = z.object({ mailboxId: z.bigint(), userId: z.bigint(), siteId: z.int(), site: z.string() });

/** The sites and buyers of orders of mailboxes; a reorder has the site of its first order. */
export const selectHeld = (sql: Sql, mailboxIds: bigint[]) =>
  all(
    Held,
    sql`select o.mailbox_id as "mailboxId", o.user_id as "userId", o.site_id as "siteId", s.name as site
        from orders o join site s on s.id = o.site_id
        where o.mailbox_id = any (${mailboxIds}::bigint[]) and o.status in ('pending', 'received') and o.reorder_of is null`,
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
  const letters = deliveries.map((delivery) => delivery.letterId);
  const orders = deliveries.map((delivery) => delivery.orderId);
  return all(
    Delivered,
    sql`select order_id as "orderId", letter_id as "letterId", user_id as "userId", first as "isFirst"
        from deliver_letters(${letters}, ${orders}, ${deliveries.map((delivery) => delivery.value)}::text[], ${shard})`,
  );
}
