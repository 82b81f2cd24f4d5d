import { z } from "zod/mini";
import { all, type Sql } from "../db/db.ts";

/** When a job is due: so many seconds after its last end, or each day at a time in UTC ("08:00"). */
export interface Period {
  readonly name: string;
  readonly seconds: number;
  readonly at?: string | undefined;
}

const Named = z.object({ name: z.string() });

/** When a job with this row is due next, from now on. */
const next = (sql: Sql) => sql`
  case when clock_time is null then clock_timestamp() + make_interval(secs => seconds)
  else (
    select day at time zone 'UTC' from (
      select date_trunc('day', clock_timestamp() at time zone 'UTC') + clock_time::time + make_interval(days => days) as day
      from generate_series(0, 1) days) t
    where day at time zone 'UTC' > clock_timestamp() order by day limit 1)
  end`;

/** Makes jobs known; one whose period has changed is due by the new one. */
export const introduceJobs = (sql: Sql, jobs: readonly Period[]) => sql`
  with given as (
    select * from unnest(${jobs.map(({ name }) => name)}::text[], ${jobs.map(({ seconds }) => seconds)}::float8[],
                         ${jobs.map(({ at }) => at ?? null)}::text[]) as given (name, seconds, clock_time))
  insert into job (name, seconds, clock_time, due_at)
  select name, seconds, clock_time, ${next(sql)} from given order by name
  on conflict (name) do update
    set seconds = excluded.seconds, clock_time = excluded.clock_time, due_at = excluded.due_at
    where job.seconds <> excluded.seconds or job.clock_time is distinct from excluded.clock_time`;

// A time that is further away than it can be was written before the clock was put back.
const isFree = (sql: Sql, leaseMs: number) => sql`
  (leased_until is null or leased_until < clock_timestamp()
   or leased_until > clock_timestamp() + make_interval(secs => ${leaseMs / 1000}))`;

const untilIn = (sql: Sql, leaseMs: number) =>
  sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000})`;

interface Claim {
  readonly names: readonly string[];
  readonly by: string;
  readonly leaseMs: number;
  /** Those that are not due, too. */
  readonly isEarly?: boolean;
}

/** Leases jobs that are due and that nobody runs; answers which. */
export const claimJobs = (sql: Sql, { names, by, leaseMs, isEarly = false }: Claim) =>
  all(
    Named,
    sql`
      update job
      set leased_by = ${by}, leased_until = ${untilIn(sql, leaseMs)}, began_at = clock_timestamp(), runs = runs + 1
      where name in (
        select name from job
        where name = any(${names as string[]}) and ${isFree(sql, leaseMs)}
          and (${isEarly} or due_at <= clock_timestamp()
               or due_at > clock_timestamp() + make_interval(secs => seconds, days => (clock_time is not null)::integer))
        order by due_at for update skip locked)
      returning name`,
  );

/** Renews leases; answers those that are still ours. */
export const renewJobs = (sql: Sql, { names, by, leaseMs }: Claim) =>
  all(
    Named,
    sql`
      update job set leased_until = ${untilIn(sql, leaseMs)}
      where name = any(${names as string[]}) and leased_by = ${by}
      returning name`,
  );

/** Forgets jobs of these names that nobody has run for minutes. */
export const forgetJobs = (sql: Sql, names: readonly string[]) =>
  sql`delete from job where name = any(${names as string[]}) and due_at < clock_timestamp() - interval '5 minutes'
      and (leased_until is null or leased_until < clock_timestamp())`;

export const selectNames = (sql: Sql) => all(Named, sql`select name from job order by name`);

/** Gives up the lease of a job that did not run. */
export const releaseJob = (sql: Sql, { name, by }: { name: string; by: string }) =>
  sql`update job set leased_by = null, leased_until = null where name = ${name} and leased_by = ${by}`;

/** Who runs jobs now, of those whose name begins so. */
export const selectHolders = (sql: Sql, prefix: string) =>
  all(
    z.object({ by: z.string() }),
    sql`select distinct leased_by as by from job where starts_with(leased_by, ${prefix})`,
  );

/** Gives up the leases of processes that are gone. */
export const releaseAll = (sql: Sql, holders: readonly string[]) =>
  sql`update job set leased_by = null, leased_until = null where leased_by = any(${holders as string[]})`;

/** Ends a turn: writes down how it went (`error`: what was wrong), and when the next is due. Nothing when the lease was lost. */
export const finishJob = (
  sql: Sql,
  { name, by, error }: { name: string; by: string; error: string | null },
) => sql`
  update job
  set leased_by = null, leased_until = null, due_at = ${next(sql)}, ended_at = clock_timestamp(),
      took_seconds = extract(epoch from clock_timestamp() - began_at),
      failures = case when ${error}::text is null then 0 else failures + 1 end,
      error = coalesce(${error}, error), error_at = case when ${error}::text is null then error_at else clock_timestamp() end
  where name = ${name} and leased_by = ${by}`;
