import { z } from "zod/mini";
import { all, type Sql, type Tx } from "../db/db.ts";

const Task = z.object({
  id: z.bigint(),
  kind: z.string(),
  key: z.string(),
  userId: z.nullable(z.bigint()),
  payload: z.unknown(),
  createdAt: z.date(),
  /** With the one that begins. */
  tries: z.int(),
  /** Of the try before. */
  failure: z.nullable(z.string()),
});
export type Task = z.infer<typeof Task>;

export interface NewTask {
  readonly queue: string;
  readonly kind: string;
  readonly key: string;
  readonly userId?: bigint | null | undefined;
  /** What it is about: of one thing a queue has one task. */
  readonly ref?: string | undefined;
  readonly payload: object;
  /** By the database's clock now, if left out: it runs on time whichever machine wrote it. */
  readonly dueAt?: Date | undefined;
  /** When its life began, if that is not when it is due. */
  readonly createdAt?: Date;
  readonly tries?: number;
  readonly failure?: string | null;
}

/** Adds a task in the transaction of what it is about. It takes the place of one about the same thing. */
export async function addTask(tx: Tx, task: NewTask): Promise<void> {
  const { queue, ref } = task;
  if (ref !== undefined) await tx`delete from task where queue = ${queue} and ref = ${ref}`;
  await insertTask(tx, task);
}

/** Adds tasks, but none about a thing that has one, or had one in the last days. */
export async function addTasks(tx: Tx, tasks: readonly NewTask[]): Promise<void> {
  await Promise.all(tasks.map((task) => insertTask(tx, task)));
}

const insertTask = (tx: Tx, task: NewTask) => {
  const { queue, kind, key, userId = null, ref = null, payload, tries = 0, failure = null } = task;
  const { dueAt = null, createdAt = dueAt } = task;
  return tx`
    insert into task (queue, kind, key, user_id, ref, payload, created_at, due_at, tries, failure)
    values (${queue}, ${kind}, ${key}, ${userId}, ${ref}, ${JSON.stringify(payload)}::jsonb,
      coalesce(${createdAt}::timestamptz, now()), coalesce(${dueAt}::timestamptz, now()), ${tries}, ${failure})
    on conflict do nothing`;
};

export interface Taking {
  readonly queue: string;
  readonly size: number;
  /** After a crash another process may take what this one took, unless it renews the lease. */
  readonly leaseSeconds: number;
  /** How many of one key may run at a time, in all processes. Those of keys with fewest come first. */
  readonly perKey?: number;
  /** Others are of a later release, and left to it. */
  readonly kinds?: readonly string[];
  /** What was running when its process died may have been done, and is given up. */
  readonly once?: boolean;
}

/** The failure of a task that may have been done. */
export const mayBeDone = "its process ended, and it may have been done";

/** Leases due tasks, the longest due first. */
export async function takeTasks(sql: Sql, taking: Taking, at: Date): Promise<Task[]> {
  const { queue, size, leaseSeconds, perKey, once = false } = taking;
  if (size <= 0) return [];
  if (once)
    await sql`update task set due_at = null, leased_until = null, failure = ${mayBeDone}
              where queue = ${queue} and due_at is not null and leased_until <= ${at}`;
  return all(
    Task,
    sql`with ${perKey === undefined ? firstDue(sql, taking, at) : fairly(sql, { ...taking, perKey }, at)}
        update task set tries = tries + 1, leased_until = ${at}::timestamptz + make_interval(secs => ${leaseSeconds})
        where id in (select id from due)
        returning id, kind, key, user_id as "userId", payload, created_at as "createdAt", tries, failure`,
  );
}

const isFree = (sql: Sql, at: Date) =>
  sql`due_at <= ${at} and (leased_until is null or leased_until <= ${at})`;

const isKnown = (sql: Sql, kinds: readonly string[] | undefined) =>
  kinds === undefined ? sql`true` : sql`kind = any (${[...kinds]}::text[])`;

const firstDue = (sql: Sql, { queue, size, kinds }: Taking, at: Date) => sql`
  due as (
    select id from task where queue = ${queue} and ${isFree(sql, at)} and ${isKnown(sql, kinds)}
    -- As the index has them, so that no more are read than are taken.
    order by due_at limit ${size} for update skip locked
  )`;

/** One step of the index for each key: a key with thousands of tasks costs no more than one with a few. */
const fairly = (sql: Sql, { queue, size, kinds, perKey }: Taking & { perKey: number }, at: Date) => sql`
  recursive keys (key) as (
    (select key from task where queue = ${queue} and done_at is null order by key limit 1)
    union all
    select (select key from task where queue = ${queue} and done_at is null and key > keys.key order by key limit 1)
    from keys where keys.key is not null
  ), chosen as (
    select first.id from keys
    cross join lateral (
      select count(*) as running from task
      where queue = ${queue} and key = keys.key and done_at is null and due_at is not null and leased_until > ${at}) busy
    cross join lateral (
      select id, due_at, busy.running + row_number() over (order by due_at, id) as place from task
      where queue = ${queue} and key = keys.key and done_at is null and ${isFree(sql, at)} and ${isKnown(sql, kinds)}
      order by due_at, id limit greatest(0, ${perKey} - busy.running)) first
    where keys.key is not null
    order by first.place, first.due_at, first.id limit ${size}
  ), due as (
    -- Said again, because another process may have taken it since it was chosen.
    select id from task where id in (select id from chosen) and ${isFree(sql, at)} for update skip locked
  )`;

export const renewTasks = (sql: Sql, tasks: readonly Task[], leaseSeconds: number) =>
  sql`update task set leased_until = now() + make_interval(secs => ${leaseSeconds})
      where id = any (${tasks.map(({ id }) => id)}::bigint[]) and due_at is not null`;

export const finishTasks = (sql: Sql, tasks: readonly Pick<Task, "id">[], at: Date) =>
  sql`update task set done_at = ${at}, due_at = null, leased_until = null, payload = null, failure = null
      where id = any (${tasks.map(({ id }) => id)}::bigint[])`;

export interface Failed {
  readonly failure: string;
  /** Undefined gives it up. */
  readonly dueAt: Date | undefined;
  /** The try is taken back, as none was made. */
  readonly isUncounted?: boolean;
  /** It must not be tried again by hand either. */
  readonly isFinal?: boolean;
}

/** Ends a try without success, unless another process has the task by now. */
export const failTask = (
  sql: Sql,
  { id, tries }: Task,
  { failure, dueAt, isUncounted = false, isFinal = false }: Failed,
) =>
  sql`update task set failure = ${failure}, due_at = ${dueAt ?? null}, leased_until = null,
        tries = tries - ${isUncounted ? 1 : 0}, payload = case when ${isFinal} then null else payload end
      where id = ${id} and tries = ${tries} and due_at is not null`;

/** Which tasks of a queue are meant: one, those of a key, those of an account, or all. */
export interface Which {
  readonly queue: string;
  readonly id?: bigint | undefined;
  readonly key?: string | undefined;
  readonly userId?: bigint | undefined;
}

const isMeant = (sql: Sql, { queue, id, key, userId }: Which) => sql`
  queue = ${queue} and id = coalesce(${id ?? null}::bigint, id) and key = coalesce(${key ?? null}::text, key)
  and user_id is not distinct from coalesce(${userId ?? null}::bigint, user_id)`;

/** Gives up what waits; answers how many. */
export const giveUpTasks = async (sql: Sql, which: Which, failure: string): Promise<number> =>
  (
    await sql`update task set due_at = null, leased_until = null, failure = ${failure}
              where ${isMeant(sql, which)} and due_at is not null`
  ).count;

/** Makes what waits or was given up due at once, with all its tries as far as it lives; answers how many. */
export const tryTasksAgain = async (sql: Sql, which: Which, at: Date): Promise<number> =>
  (
    await sql`update task set due_at = ${at}, tries = 0
              where ${isMeant(sql, which)} and done_at is null and payload is not null
                and (leased_until is null or leased_until <= ${at})`
  ).count;

export const deleteTasks = async (sql: Sql, before: Date): Promise<number> =>
  (await sql`delete from task where due_at is null and created_at < ${before}`).count;

/** All of an account, whatever they wait for. */
export const forgetTasks = (tx: Sql, userId: bigint) => tx`delete from task where user_id = ${userId}`;

const Size = z.object({
  queue: z.string(),
  fresh: z.int(),
  retried: z.int(),
  failed: z.int(),
  lagSeconds: z.number(),
});

/** How much of each queue that has any waits or was given up. */
export const selectSizes = (sql: Sql, at: Date) =>
  all(
    Size,
    sql`select queue, count(*) filter (where due_at is not null and failure is null)::int as fresh,
               count(*) filter (where due_at is not null and failure is not null)::int as retried,
               count(*) filter (where due_at is null)::int as failed,
               greatest(0, coalesce(extract(epoch from ${at}::timestamptz - min(due_at) filter (
                 where leased_until is null or leased_until <= ${at})), 0))::float8 as "lagSeconds"
        from task where done_at is null group by queue`,
  );
