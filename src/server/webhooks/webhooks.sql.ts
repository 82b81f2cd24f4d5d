import { z } from "zod/mini";
import { eventNames } from "../../contract/event-names.ts";
import { all, maybe, one, type Sql } from "../platform/db/db.ts";

const Bytes = z.instanceof(Uint8Array);

/** A webhook may want events of a newer release. */
const Events = z.pipe(
  z.array(z.string()),
  z.transform((wanted) => eventNames.filter((name) => wanted.includes(name))),
);

const Webhook = z.object({
  id: z.bigint(),
  userId: z.bigint(),
  url: z.string(),
  events: Events,
  secret: Bytes,
  secretBefore: z.nullable(Bytes),
  secretBeforeUntil: z.nullable(z.date()),
  disabledAt: z.nullable(z.date()),
  disabledReason: z.nullable(z.string()),
  createdAt: z.date(),
  lastFailure: z.nullable(z.string()),
});
export type Webhook = z.infer<typeof Webhook>;

const webhookColumns = (sql: Sql) => sql`
  w.id, w.user_id as "userId", w.url, w.events::text[] || w.more as events, w.secret, w.secret_before as "secretBefore",
  w.secret_before_until as "secretBeforeUntil", w.disabled_at as "disabledAt", w.disabled_reason as "disabledReason",
  w.created_at as "createdAt",
  (select d.failure from webhook_delivery d where d.webhook_id = w.id and d.tries > 0 order by d.id desc limit 1) as "lastFailure"`;

/** The values of `events` and `more`: `events` is read by the release before too, which knows the type's names alone. */
const eventValues = (sql: Sql, names: readonly string[]) => sql`
  array(select name::event_kind from unnest(${names}::text[]) name where name = any (enum_range(null::event_kind)::text[])),
  array(select name from unnest(${names}::text[]) name where name <> all (enum_range(null::event_kind)::text[]))`;

export const selectWebhooks = (sql: Sql, userId: bigint) =>
  all(Webhook, sql`select ${webhookColumns(sql)} from webhook w where w.user_id = ${userId} order by w.id`);

export const selectWebhook = (sql: Sql, userId: bigint, id: bigint) =>
  maybe(
    Webhook,
    sql`select ${webhookColumns(sql)} from webhook w where w.id = ${id} and w.user_id = ${userId}`,
  );

const State = z.object({ state: z.enum(["on", "failing", "off"]), count: z.int() });

export const countStates = (sql: Sql) =>
  all(
    State,
    sql`select case when disabled_at is not null then 'off' when failing_since is not null then 'failing' else 'on' end as state,
               count(*)::int as count
        from webhook group by 1`,
  );

const Waiting = z.object({
  /** Not tried yet. */
  fresh: z.int(),
  /** Tried, and not taken. */
  retried: z.int(),
  /** Given up, while its log is kept. */
  failed: z.int(),
  lagSeconds: z.number(),
  /** Nobody tries to send it now: its webhook pauses, or its account is blocked. */
  resting: z.int(),
});
export type Waiting = z.infer<typeof Waiting>;

/** How much waits. Its lag tells whether anybody sends, so it leaves out what rests and what waits for a slow answer. */
export const selectWaiting = (sql: Sql, at: Date) =>
  one(
    Waiting,
    sql`select count(*) filter (where not rests and failure is null)::int as fresh,
               count(*) filter (where not rests and failure is not null)::int as retried,
               count(*) filter (where rests)::int as resting,
               (select count(*) from webhook_delivery where done_at is not null and not delivered)::int as failed,
               greatest(0, coalesce(
                 extract(epoch from ${at}::timestamptz - min(due_at) filter (where not rests and not is_served)), 0
               ))::float8 as "lagSeconds"
        from (
          select w.id, w.rests_until is not null or u.blocked_at is not null as rests,
                 exists (select from webhook_delivery s
                         where s.webhook_id = w.id and s.due_at is not null and s.sending_until > ${at}) as is_served
          from webhook w join users u on u.id = w.user_id
          where w.disabled_at is null
        ) w join webhook_delivery d on d.webhook_id = w.id and d.due_at is not null`,
  );

/** Locks a user's webhooks; returns their number. Lock order everywhere: users, webhook, webhook_delivery, account. */
export const lockWebhooks = async (sql: Sql, userId: bigint): Promise<number> => {
  await sql`select from users where id = ${userId} for no key update`;
  return (await sql`select from webhook where user_id = ${userId} order by id for no key update`).count;
};

export const lockWebhook = (sql: Sql, id: bigint) =>
  sql`select from webhook where id = ${id} for no key update`;

export const insertWebhook = (
  sql: Sql,
  made: {
    userId: bigint;
    url: string;
    host: string;
    events: readonly string[];
    secret: Buffer;
    after: bigint;
    at: Date;
  },
) =>
  one(
    Webhook,
    sql`insert into webhook as w (user_id, url, host, events, more, secret, told_up_to, created_at)
        values (${made.userId}, ${made.url}, ${made.host}, ${eventValues(sql, made.events)}, ${made.secret},
                ${made.after}, ${made.at})
        returning ${webhookColumns(sql)}`,
  );

export const updateWebhook = (
  sql: Sql,
  id: bigint,
  change: { url: string; host: string; events: readonly string[] | undefined },
) =>
  one(
    Webhook,
    sql`update webhook as w
        set url = ${change.url}, host = ${change.host},
            ${change.events ? sql`(events, more) = row (${eventValues(sql, change.events)}),` : sql``}
            failures = 0, failing_since = null, rests_until = null
        where w.id = ${id} returning ${webhookColumns(sql)}`,
  );

export const enable = (sql: Sql, id: bigint, after: bigint) =>
  one(
    Webhook,
    sql`update webhook as w
        set disabled_at = null, disabled_reason = null, told_up_to = ${after},
            failures = 0, failing_since = null, rests_until = null
        where w.id = ${id} returning ${webhookColumns(sql)}`,
  );

/** Undefined when it is already off. `reason` null: by hand. */
export const disable = (sql: Sql, id: bigint, at: Date, reason: string | null) =>
  maybe(
    Webhook,
    sql`update webhook as w set disabled_at = ${at}, disabled_reason = ${reason}
        where w.id = ${id} and w.disabled_at is null returning ${webhookColumns(sql)}`,
  );

export const giveUpWaiting = (sql: Sql, webhookId: bigint, at: Date, failure: string) =>
  sql`update webhook_delivery
      set due_at = null, sending_until = null, done_at = ${at}, failure = coalesce(failure, ${failure})
      where webhook_id = ${webhookId} and due_at is not null`;

export const replaceSecret = (sql: Sql, id: bigint, secret: Buffer, beforeUntil: Date) =>
  one(
    Webhook,
    sql`update webhook as w
        set secret_before = w.secret, secret_before_until = ${beforeUntil}, secret = ${secret}
        where w.id = ${id} returning ${webhookColumns(sql)}`,
  );

export const deleteWebhooks = (tx: Sql, userId: bigint) => tx`delete from webhook where user_id = ${userId}`;

export const deleteWebhook = (sql: Sql, id: bigint) => sql`delete from webhook where id = ${id}`;

const Owner = z.object({ email: z.string(), language: z.string() });

export const selectOwner = (sql: Sql, userId: bigint) =>
  one(Owner, sql`select email, language from users where id = ${userId}`);

const Listener = z.object({ userId: z.bigint() });

export const selectListeners = (sql: Sql) =>
  all(Listener, sql`select distinct user_id as "userId" from webhook where disabled_at is null`);

const Behind = z.object({
  id: z.bigint(),
  userId: z.bigint(),
  events: Events,
  sentUpTo: z.bigint(),
});
export type Behind = z.infer<typeof Behind>;

/** Webhooks with events that are no deliveries yet; of these users, or null for all. */
export const selectBehind = (sql: Sql, userIds: readonly bigint[] | null) =>
  all(
    Behind,
    sql`select w.id, w.user_id as "userId", w.events::text[] || w.more as events, w.told_up_to as "sentUpTo"
        from webhook w join users u on u.id = w.user_id
        where w.disabled_at is null and u.blocked_at is null
          ${userIds === null ? sql`` : sql`and w.user_id = any(${userIds}::bigint[])`}
          and exists (select from event e where e.user_id = w.user_id and e.id > w.told_up_to)
        order by w.user_id, w.id`,
  );

export interface NewDelivery {
  readonly eventId: bigint | null;
  readonly event: string;
  readonly messageId: string;
  readonly body: Buffer;
  readonly createdAt: Date;
}

/** Moves the webhook to `upTo` and inserts its deliveries in one statement. Undefined when done before. */
export const insertDeliveries = (
  sql: Sql,
  { id, sentUpTo }: Behind,
  upTo: bigint,
  made: NewDelivery[],
  at: Date,
) =>
  sql`with moved as (
        update webhook set told_up_to = ${upTo}
        where id = ${id} and told_up_to = ${sentUpTo} and disabled_at is null returning id
      )
      insert into webhook_delivery (webhook_id, event_id, event, message_id, body, created_at, due_at)
      select moved.id, t.event_id, t.event, t.message_id, t.body::bytea, t.created_at, ${at}::timestamptz
      from moved, unnest(
        ${made.map(({ eventId }) => eventId)}::bigint[],
        ${made.map(({ event }) => event)}::text[], ${made.map(({ messageId }) => messageId)}::text[],
        ${made.map(({ body }) => `\\x${body.toString("hex")}`)}::text[],
        ${made.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[]
      ) with ordinality as t (event_id, event, message_id, body, created_at, place)
      order by t.place
      on conflict (webhook_id, event_id) do nothing`;

const Delivery = z.object({
  id: z.bigint(),
  messageId: z.string(),
  event: z.string(),
  createdAt: z.date(),
  dueAt: z.nullable(z.date()),
  tries: z.int(),
  httpStatus: z.nullable(z.int()),
  failure: z.nullable(z.string()),
  doneAt: z.nullable(z.date()),
  delivered: z.boolean(),
});
export type Delivery = z.infer<typeof Delivery>;

const deliveryColumns = (sql: Sql) => sql`
  d.id, d.message_id as "messageId", d.event, d.created_at as "createdAt", d.due_at as "dueAt", d.tries,
  d.http_status as "httpStatus", d.failure, d.done_at as "doneAt", d.delivered`;

export const selectDeliveries = (sql: Sql, webhookId: bigint, skip: number, size: number) =>
  all(
    Delivery,
    sql`select ${deliveryColumns(sql)} from webhook_delivery d
        join (select id from webhook_delivery where webhook_id = ${webhookId} order by id desc offset ${skip} limit ${size}) page
          using (id)
        order by d.id desc`,
  );

export const selectDelivery = (sql: Sql, webhookId: bigint, id: bigint) =>
  maybe(
    Delivery,
    sql`select ${deliveryColumns(sql)} from webhook_delivery d where d.id = ${id} and d.webhook_id = ${webhookId}`,
  );

const DeliveryDetail = z.extend(Delivery, { body: z.nullable(Bytes), exchange: z.nullable(Bytes) });
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

/** With what was sent and answered, sealed, while it is kept. */
export const selectDeliveryDetail = (sql: Sql, userId: bigint, webhookId: bigint, id: bigint) =>
  maybe(
    DeliveryDetail,
    sql`select ${deliveryColumns(sql)}, d.body, d.exchange from webhook_delivery d join webhook w on w.id = d.webhook_id
        where d.id = ${id} and w.id = ${webhookId} and w.user_id = ${userId}`,
  );

export const deleteOld = (sql: Sql, before: Date) =>
  sql`delete from webhook_delivery where done_at < ${before}`;

export const wipeBodies = (sql: Sql, before: Date) =>
  sql`update webhook_delivery set body = null, exchange = null where done_at < ${before} and body is not null`;
