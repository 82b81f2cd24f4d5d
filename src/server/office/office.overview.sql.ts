import { z } from "zod/mini";
import { WaitingCounts } from "../../contract/office/overview.ts";
import { adjustmentDays } from "../../contract/limits.ts";
import { all, maybe, one, type Sql } from "../platform/db/db.ts";

const Count = z.object({ count: z.int() });

export const countLiving = (sql: Sql) =>
  one(Count, sql`select count(*)::integer as count from orders where status = 'pending'`);

const unclaimedMax = 10_000;

/** Stock that lasts for less is told as what needs a decision. */
const stockDaysMin = 3;

/** What waits for the operator. `backupsSince`: there should be a backup of a later time, where backups are made at all. */
export const countWaiting = (sql: Sql, backupsSince: Date) =>
  one(
    WaitingCounts,
    sql`select (select count(*) from payment where state = 'review')::integer as payments,
               (select count(*) from partner_tie where state = 'held')::integer as partners,
               (select count(*) from withdrawal where closed_at is null and state = 'waiting')::integer as withdrawals,
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
               (select coalesce(max(broken), 0) from audit_outcome)::integer as audit,
               (select count(*) from shop_week, jsonb_array_elements(stock) pair
                where (pair->>'days')::numeric < ${stockDaysMin})::integer as stock,
               (select count(*) from (
                  select from backup_outcome where made_at < ${backupsSince}
                  union all
                  select from job where name = 'make backups' and not exists (select from backup_outcome)
                    and (select min(applied_at) from applied) < ${backupsSince}) late)::integer as backup,
               ((select count(*) from task where done_at is null and due_at is null)
                + (select count(*) from webhook_delivery where done_at is not null and not delivered))::integer as tasks`,
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

/** Whether mail of ours waits for another try; as the alert MailWaits has it (docs/alerts.yml). */
export const selectMailWaits = (sql: Sql) =>
  one(
    z.object({ isThere: z.boolean() }),
    sql`select exists (select from task where queue in ('codes', 'mail') and due_at is not null
                                          and failure is not null) as "isThere"`,
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
