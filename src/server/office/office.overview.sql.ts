import { z } from "zod/mini";
import { WaitingCounts } from "../../contract/office/office.ts";
import { adjustmentDays } from "../../contract/limits.ts";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";

const Count = z.object({ count: z.int() });

export const countLiving = (sql: Sql) =>
  one(Count, sql`select count(*)::integer as count from orders where status = 'pending'`);

const unclaimedMax = 10_000;

/** What waits for the operator: reviews, held earnings and rates, unknown senders, broken invariants of the last audit. */
export const countWaiting = (sql: Sql) =>
  one(
    WaitingCounts,
    sql`select (select count(*) from payment where state = 'review')::integer as payments,
               (select count(*) from partner_tie where state = 'held')::integer as partners,
               (select count(*) from investor_batch where state = 'review')::integer as batches,
               (select count(distinct (batch_id, site_id)) from investor_share
                where state = 'held' and due_at is null and complaint is distinct from 'review')::integer as shares,
               (select count(*) from investor_share where complaint = 'review')::integer as complaints,
               (select count(*) from question where answered_at is null)::integer as questions,
               (select count(distinct (site_id, domain))
                from (select * from turned_away order by letter_id desc limit ${unclaimedMax}) newest
                where site_id <> 0 and not is_signer and arrived_at > clock_timestamp() - interval '24 hours')::integer as turned_away,
               (select count(*) from rate_hold)::integer as rates,
               (select count(*) from adjustment
                where state = 'waits' and asked_at > clock_timestamp() - make_interval(days => ${adjustmentDays}::integer))::integer as adjustments,
               (select coalesce(max(broken), 0) from audit_outcome)::integer as audit`,
  );

const Named = z.object({ name: z.string() });

const Job = z.object({
  name: z.string(),
  failures: z.int(),
  tookSeconds: z.nullable(z.number()),
  lateSeconds: z.number(),
});

/** `failures` in a row, seconds of the last run, and seconds that the next run is late. */
export const selectJobs = (sql: Sql) =>
  all(
    Job,
    sql`select name, failures, took_seconds as "tookSeconds",
               case when leased_until > clock_timestamp() then 0
                    else greatest(0, extract(epoch from clock_timestamp() - due_at)) end::float8 as "lateSeconds"
        from job order by name`,
  );

const Audited = z.object({ at: z.date(), broken: z.int() });

export const selectAudited = (sql: Sql) =>
  maybe(Audited, sql`select audited_at as at, broken from audit_outcome`);

/** The last daily backup (BACKUP_DIR). */
export const selectBackup = (sql: Sql) =>
  maybe(z.object({ at: z.date() }), sql`select made_at as at from backup_outcome`);

const Age = z.object({ seconds: z.number() });

/** Since the last audit; before the first, since the shop was made. */
export const selectAuditAge = (sql: Sql) =>
  one(
    Age,
    sql`select extract(epoch from clock_timestamp() - coalesce(
          (select audited_at from audit_outcome), (select min(applied_at) from applied)))::float8 as seconds`,
  );

const Stock = z.object({ name: z.string(), mailboxes: z.int() });

export const selectStock = (sql: Sql) =>
  all(
    Stock,
    sql`select name, live::integer as mailboxes from mail_domain where enabled and not is_sandbox order by name`,
  );

export const selectUnreached = (sql: Sql) =>
  all(
    Named,
    sql`select 'chain ' || chain as name from chain_health where failing_since is not null
        union all select 'imap ' || host || ':' || port from imap_host where failures > 0
        order by name`,
  );

/** Locks the mark of the last count. Empty right after a count: rows with an older id may not be committed yet. */
export const lockMark = (tx: Tx, before: Date) =>
  all(z.object({}), tx`select from shop_day_mark where seen_at < ${before} for update`);

export const addDays = (tx: Tx) =>
  tx`insert into shop_day as old (day, registrations, letters)
     select day, sum(registrations), sum(letters)
     from (
       select (u.created_at at time zone 'UTC')::date as day, 1 as registrations, 0 as letters
       from shop_day_mark m join users u on u.id > m.users_to and u.id <= m.users_seen
       union all
       select (l.arrived_at at time zone 'UTC')::date, 0, 1
       from shop_day_mark m join letter l on l.id > m.letters_to and l.id <= m.letters_seen) t
     group by day order by day
     on conflict (day) do update
       set registrations = old.registrations + excluded.registrations, letters = old.letters + excluded.letters`;

export const moveMark = (tx: Tx, at: Date) =>
  tx`update shop_day_mark
     set users_to = users_seen, users_seen = greatest(users_seen, (select coalesce(max(id), 0) from users)),
         letters_to = letters_seen, letters_seen = greatest(letters_seen, (select coalesce(max(id), 0) from letter)), seen_at = ${at}`;
