import { z } from "zod/mini";
import { sayFailure } from "../../contract/webhook-failures.ts";
import { all, maybe, type Sql } from "../platform/db/db.ts";
import type { Which } from "../platform/jobs/tasks.ts";
import type { NewDelivery } from "./webhooks.sql.ts";

const Bytes = z.instanceof(Uint8Array);

const Due = z.object({
  id: z.bigint(),
  webhookId: z.bigint(),
  userId: z.bigint(),
  event: z.string(),
  messageId: z.string(),
  body: Bytes,
  tries: z.int(),
  dueAt: z.date(),
  /** It goes before its time, to see whether the address is back: no try of its own. */
  isEarly: z.boolean(),
  sendingUntil: z.date(),
  /** Those of its webhook when it was taken. */
  failures: z.int(),
  url: z.string(),
  host: z.string(),
  secret: Bytes,
  secretBefore: z.nullable(Bytes),
});
export type Due = z.infer<typeof Due>;

const dueColumns = (sql: Sql, at: Date) => sql`
  d.id, d.webhook_id as "webhookId", w.user_id as "userId", d.event, d.message_id as "messageId", d.body, d.tries,
  d.due_at as "dueAt", d.due_at > ${at} as "isEarly", d.sending_until as "sendingUntil", w.failures, w.url, w.host, w.secret,
  case when w.secret_before_until > ${at} then w.secret_before end as "secretBefore"`;

export interface FreeSlots {
  readonly free: number;
  readonly ofHost: number;
  readonly ofAccount: number;
  readonly ofHostAndAccount: number;
  readonly flying: readonly { readonly host: string; readonly userId: bigint }[];
}

const candidates = (sql: Sql, at: Date, leaseSeconds: number, { free, ofHost, flying }: FreeSlots) => sql`
  flying (host, user_id) as (
    select * from unnest(
      ${flying.map(({ host }) => host)}::text[],
      ${flying.map(({ userId }) => userId)}::bigint[])
  ), waiting (webhook_id) as (
    -- In the order of the index of what is due: the log, which is far longer, is never read here.
    (select webhook_id from webhook_delivery where due_at is not null order by webhook_id, due_at limit 1)
    union all
    select (select d.webhook_id from webhook_delivery d
            where d.due_at is not null and d.webhook_id > waiting.webhook_id
            order by d.webhook_id, d.due_at limit 1)
    from waiting where waiting.webhook_id is not null
  ), of_webhooks as (
    select d.id, d.due_at, w.host, w.user_id
    from waiting
    join webhook w on w.id = waiting.webhook_id and w.disabled_at is null
      -- At the end of a pause one delivery goes, due or not, and no other while that one is on its way.
      and (w.rests_until is null or (w.rests_until <= ${at} and not exists (
        select from webhook_delivery first
        where first.webhook_id = w.id and first.due_at is not null and first.sending_until > ${at}
          and first.sending_until >= w.rests_until + make_interval(secs => ${leaseSeconds}))))
    join users u on u.id = w.user_id and u.blocked_at is null
    cross join lateral (
      select d.id, d.due_at from webhook_delivery d
      where d.webhook_id = w.id and (d.sending_until is null or d.sending_until <= ${at})
        and d.due_at <= case when w.rests_until is null then ${at}::timestamptz else 'infinity' end
      order by d.due_at, d.id
      limit case when w.rests_until is null
        then least(${ofHost}, 1 + 4 * ${free} / (select count(*) from waiting)) else 1 end
    ) d
  )`;

/** Leases due deliveries within the limits per host and account. Those with least in flight come first. */
export const takeDue = (sql: Sql, at: Date, leaseSeconds: number, slots: FreeSlots) =>
  all(
    Due,
    sql`with recursive ${candidates(sql, at, leaseSeconds, slots)}, by_turns as (
          select t.*, row_number() over (partition by t.user_id, t.host order by t.due_at, t.id)
            + (select count(*) from flying f where f.user_id = t.user_id and f.host = t.host) as turn
          from of_webhooks t
        ), of_accounts as (
          select t.*, row_number() over (partition by t.user_id order by t.turn, t.due_at, t.id)
            + (select count(*) from flying f where f.user_id = t.user_id) as place
          from by_turns t where t.turn <= ${slots.ofHostAndAccount}
        ), of_hosts as (
          select t.*, row_number() over (partition by t.host order by t.place, t.due_at, t.id)
            + (select count(*) from flying f where f.host = t.host) as place_at_host
          from of_accounts t where t.place <= ${slots.ofAccount}
        ), chosen as (
          select id, due_at from of_hosts where place_at_host <= ${slots.ofHost} order by place, due_at, id limit ${slots.free}
        ), due as (
          -- Said again, because another process may have taken it since it was chosen.
          select d.id from webhook_delivery d join chosen on chosen.id = d.id
          where d.due_at = chosen.due_at and (d.sending_until is null or d.sending_until <= ${at})
          for update of d skip locked
        )
        update webhook_delivery d
        set tries = d.tries + (d.due_at <= ${at})::int, sending_until = ${at}::timestamptz + make_interval(secs => ${leaseSeconds})
        from webhook w
        where d.id in (select id from due) and w.id = d.webhook_id
        returning ${dueColumns(sql, at)}`,
  );

/** Makes a test delivery and leases it; undefined when the user has no such webhook. */
export const insertTest = (
  sql: Sql,
  { userId, id }: { userId: bigint; id: bigint },
  made: NewDelivery,
  at: Date,
  leaseSeconds: number,
) =>
  maybe(
    Due,
    // The lock waits for a concurrent removal, after which there is nothing to test.
    sql`with owned as (
          select id from webhook where id = ${id} and user_id = ${userId} for key share
        ), d as (
          insert into webhook_delivery (webhook_id, event, message_id, body, created_at, due_at, tries, sending_until)
          select owned.id, ${made.event}::text, ${made.messageId}::text, ${made.body}::bytea, ${made.createdAt}::timestamptz,
                 ${at}::timestamptz, 1, ${at}::timestamptz + make_interval(secs => ${leaseSeconds})
          from owned
          returning *
        )
        select ${dueColumns(sql, at)} from d join webhook w on w.id = d.webhook_id`,
  );

/** Leases a delivery, done or not, as if it were new; undefined when its body is gone or it is being sent. */
export const takeAgain = (sql: Sql, webhookId: bigint, id: bigint, at: Date, leaseSeconds: number) =>
  maybe(
    Due,
    sql`update webhook_delivery d
        set due_at = ${at}, done_at = null, delivered = false, tries = 1, failure = null, http_status = null,
            sending_until = ${at}::timestamptz + make_interval(secs => ${leaseSeconds})
        from webhook w
        where d.id = ${id} and d.webhook_id = ${webhookId} and w.id = d.webhook_id and d.body is not null
          and (d.sending_until is null or d.sending_until <= ${at})
        returning ${dueColumns(sql, at)}`,
  );

export interface Delivered {
  readonly id: bigint;
  readonly webhookId: bigint;
  readonly httpStatus: number;
  readonly exchange: Buffer | null;
}

/** Also when the lease passed to another sender. */
export const markDelivered = (sql: Sql, done: readonly Delivered[], at: Date) =>
  sql`update webhook_delivery d
      set due_at = null, sending_until = null, done_at = ${at}, delivered = true, http_status = t.status, failure = null,
          exchange = t.exchange::bytea
      from unnest(
        ${done.map(({ id }) => id)}::bigint[],
        ${done.map(({ httpStatus }) => httpStatus)}::smallint[],
        ${done.map(({ exchange }) => exchange && `\\x${exchange.toString("hex")}`)}::text[]
      ) as t (id, status, exchange)
      where d.id = t.id`;

/**
 * Resets failures. What waits for a webhook that was away, for longer than one pause, is due at once, the oldest first; that is no try
 * of the schedule for what is younger than `uncountedSeconds`. In a transaction of its own, because deliveries are locked after webhooks.
 */
export const forgive = (sql: Sql, webhookIds: readonly bigint[], at: Date, uncountedSeconds: number) =>
  sql`with failing as (
        select id, rests_until is not null and failures > 1 as was_away from webhook
        where failing_since is not null and id = any(${webhookIds}::bigint[])
        order by id for no key update
      ), forgiven as (
        update webhook set failures = 0, failing_since = null, rests_until = null
        where id in (select id from failing)
      ), waiting as (
        select d.id from webhook_delivery d join failing on failing.id = d.webhook_id and failing.was_away
        where d.due_at is not null and (d.sending_until is null or d.sending_until <= ${at})
        for update of d skip locked
      )
      update webhook_delivery
      set due_at = ${at}, tries = tries
        - (tries > 0 and created_at > ${at}::timestamptz - make_interval(secs => ${uncountedSeconds}))::int
      where id in (select id from waiting)`;

interface Failed {
  readonly due: Due;
  readonly failure: string;
  readonly httpStatus: number | undefined;
  /** Null gives it up. */
  readonly dueAt: Date | null;
  readonly exchange: Buffer | null;
}

/** False when the lease had ended and another sender has it. A delivery of a webhook that is off is given up. */
export const markFailed = async (
  sql: Sql,
  { due, failure, httpStatus, dueAt, exchange }: Failed,
  at: Date,
): Promise<boolean> => {
  const marked = await sql`
    update webhook_delivery d
    set sending_until = null, failure = ${failure}, http_status = ${httpStatus ?? null}, exchange = ${exchange},
        due_at = case when w.disabled_at is null then ${dueAt}::timestamptz end,
        done_at = case when w.disabled_at is null and ${dueAt}::timestamptz is not null then null else ${at}::timestamptz end
    from webhook w
    where d.id = ${due.id} and d.sending_until = ${due.sendingUntil} and w.id = d.webhook_id`;
  return marked.count === 1;
};

/** Returns a delivery that we cut, without counting the try. */
export const putBack = (sql: Sql, due: Due) =>
  sql`update webhook_delivery set sending_until = null, tries = tries - ${due.isEarly ? 0 : 1}
      where id = ${due.id} and sending_until = ${due.sendingUntil}`;

const Failing = z.object({ failingSince: z.date() });

interface Rest {
  /** It pauses from so many failures in a row on. */
  readonly after: number;
  readonly secondsMax: number;
  /** A pause is no longer than this part of the time since the first failure. */
  readonly partOfOutage: number;
  /** What its answer asks for. */
  readonly until: Date | null;
}

/**
 * Counts a failure; the webhook pauses longer each time. A request that began before its pause counts no more: of many that fail
 * together one does. Undefined when it is off or gone.
 */
export const countFailure = (sql: Sql, { webhookId, failures }: Due, at: Date, rest: Rest) =>
  maybe(
    Failing,
    sql`update webhook w
        set failures = w.failures + counted.failures, failing_since = coalesce(w.failing_since, ${at}),
            -- What one answer has asked for, another that was on its way beside it does not take back.
            rests_until = greatest(w.rests_until, ${rest.until}::timestamptz,
              case when counted.failures = 1 and w.failures + 1 >= ${rest.after} then
                ${at}::timestamptz + make_interval(secs => greatest(1, least(
                  2 ^ least(w.failures + 1 - ${rest.after}, 20), ${rest.secondsMax},
                  ${rest.partOfOutage} * extract(epoch from ${at}::timestamptz - w.failing_since)::float8))) end)
        from (
          select id, case when rests_until is null or failures = ${failures} then 1 else 0 end as failures
          from webhook where id = ${webhookId} and disabled_at is null
        ) counted
        where w.id = counted.id
        returning w.failing_since as "failingSince"`,
  );

const isMeant = (sql: Sql, { id, key, userId }: Which) => sql`
  w.id = d.webhook_id and d.id = coalesce(${id ?? null}::bigint, d.id) and w.host = coalesce(${key ?? null}::text, w.host)
  and w.user_id = coalesce(${userId ?? null}::bigint, w.user_id)`;

/** Makes deliveries that wait or were given up due at once, with all their tries; answers how many. Not those without a body, or of a webhook that is off. */
export const retryDeliveries = async (sql: Sql, which: Which, at: Date): Promise<number> =>
  (
    await sql`update webhook_delivery d set due_at = ${at}, done_at = null, tries = 0 from webhook w
              where ${isMeant(sql, which)} and w.disabled_at is null and not d.delivered and d.body is not null
                and (d.sending_until is null or d.sending_until <= ${at})`
  ).count;

/** Gives up deliveries that wait; answers how many. */
export const giveUpDeliveries = async (sql: Sql, which: Which, at: Date): Promise<number> =>
  (
    await sql`update webhook_delivery d
              set due_at = null, sending_until = null, done_at = ${at}, failure = ${sayFailure("operator")} from webhook w
              where ${isMeant(sql, which)} and d.due_at is not null`
  ).count;
