import { z } from "zod/mini";
import { all, one, type Sql } from "../platform/db/db.ts";

/** Creates missing partitions for letters of these times; null is now. Answers how many. */
export const addPartitions = async (
  sql: Sql,
  from: Date | null,
  until: Date | null,
  { spanDays, spansAhead }: { spanDays: number; spansAhead: number },
): Promise<number> => {
  const { made } = await one(
    z.object({ made: z.int() }),
    sql`select add_letter_partitions(
          coalesce(${from}, clock_timestamp()),
          coalesce(${until}, clock_timestamp()) + make_interval(days => ${spanDays * spansAhead}), ${spanDays}) as made`,
  );
  return made;
};

const Old = z.object({
  parent: z.string(),
  name: z.string(),
  isLeaving: z.boolean(),
  isDistributed: z.boolean(),
});
export type OldPartition = z.infer<typeof Old>;

/**
 * Partitions older than `days`, except with an unmatched letter that was answered 250. Bytes first: a matched letter needs a place for its
 * body.
 */
export const selectOld = (sql: Sql, days: number) =>
  all(
    Old,
    sql`select parent, name, is_leaving as "isLeaving", is_distributed(parent::regclass) as "isDistributed" from letter_partition p
        where ends_at <= clock_timestamp() - make_interval(days => ${days})
          and not exists (select from letter where judged_at is null and arrived_at >= p.starts_at and arrived_at < p.ends_at)
        order by ends_at, parent desc`,
  );

export const selectHeld = (sql: Sql, days: number) =>
  all(
    z.object({ name: z.string() }),
    sql`select name from letter_partition p
        where ends_at <= clock_timestamp() - make_interval(days => ${days})
          and exists (select from letter where judged_at is null and arrived_at >= p.starts_at and arrived_at < p.ends_at)
        order by ends_at, parent`,
  );

/** Saves that the bodies of a partition go, before they do. */
export const saveKeptSince = (sql: Sql, partition: string) =>
  sql`update letters_kept set since = p.ends_at
      from letter_partition p where p.parent = 'letter_body' and p.name = ${partition} and p.ends_at > since`;

const mark = "Taken out, to be dropped.";

/** Marks a partition so that `selectTakenOut` finds it once it is detached. */
export const markForDrop = (sql: Sql, partition: string) =>
  sql.unsafe(`comment on table ${partition} is '${mark}'`);

/**
 * Detaches a partition without blocking others; finishes a detach that was begun. Not within a transaction. Citus cannot do so: there all
 * readers are waited for.
 */
export const takeOut = (sql: Sql, { parent, name, isLeaving, isDistributed }: OldPartition) => {
  const how = isLeaving ? "finalize" : isDistributed ? "" : "concurrently";
  return sql.unsafe(`alter table ${parent} detach partition ${name} ${how}`);
};

export const selectTakenOut = (sql: Sql) =>
  all(
    z.object({ name: z.string() }),
    sql`select relname::text as name from pg_class
        where relkind = 'r' and not relispartition and relname ~ '^letter_(raw|body)_[0-9]{8}$'
          and obj_description(oid, 'pg_class') = ${mark}
        order by relname`,
  );

export const dropTakenOut = (sql: Sql, name: string) => sql.unsafe(`drop table ${name}`);

/** Null waits for locks without a limit. */
export const setLockTimeout = (sql: Sql, milliseconds: number | null) =>
  sql`select set_config('lock_timeout', ${String(milliseconds ?? 0)}, false)`;

const Count = z.object({ count: z.int() });

export const deleteCodes = async (sql: Sql, days: number, size: number): Promise<number> => {
  const deleted = await one(
    Count,
    sql`select forget_codes(clock_timestamp() - make_interval(days => ${days}), ${size}) as count`,
  );
  return deleted.count;
};

export const wipeValues = async (sql: Sql, days: number, size: number): Promise<number> => {
  const wiped = await one(
    Count,
    sql`select forget_values(clock_timestamp() - make_interval(days => ${days}), ${size}) as count`,
  );
  return wiped.count;
};

export const deleteForPostmaster = async (sql: Sql, days: number, size: number): Promise<number> => {
  const deleted = await one(
    Count,
    sql`select forget_letters(clock_timestamp() - make_interval(days => ${days}), true, ${size}) as count`,
  );
  return deleted.count;
};
