import { z } from "zod/mini";
import { all, one, type Sql } from "../platform/db/db.ts";

/** Makes the partitions that letters of these times miss; null is now. Answers how many were made. */
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

const Old = z.object({ parent: z.string(), name: z.string(), isLeaving: z.boolean() });
export type OldPartition = z.infer<typeof Old>;

/**
 * Partitions of which every letter is older than `days`, the oldest first, except those with the bytes of a letter that was
 * answered 250 and nobody has matched. Bytes before bodies: a letter that can still be matched has a place for its body.
 */
export const selectOld = (sql: Sql, days: number) =>
  all(
    Old,
    sql`select parent, name, is_leaving as "isLeaving" from letter_partition p
        where ends_at <= clock_timestamp() - make_interval(days => ${days})
          and not exists (select from letter where judged_at is null and arrived_at >= p.starts_at and arrived_at < p.ends_at)
        order by ends_at, parent desc`,
  );

/** Partitions too old to be kept that wait for a letter to be matched. */
export const selectHeld = (sql: Sql, days: number) =>
  all(
    z.object({ name: z.string() }),
    sql`select name from letter_partition p
        where ends_at <= clock_timestamp() - make_interval(days => ${days})
          and exists (select from letter where judged_at is null and arrived_at >= p.starts_at and arrived_at < p.ends_at)
        order by ends_at, parent`,
  );

/** Writes down, before it is so, that the bodies of a partition go. */
export const saveKeptSince = (sql: Sql, partition: string) =>
  sql`update letters_kept set since = p.ends_at
      from letter_partition p where p.parent = 'letter_body' and p.name = ${partition} and p.ends_at > since`;

const mark = "Taken out, to be dropped.";

/** Says of a partition that `selectTakenOut` may find it when it is one no more. */
export const markForDrop = (sql: Sql, partition: string) =>
  sql.unsafe(`comment on table ${partition} is '${mark}'`);

/** Takes a partition out without keeping anybody from the others; ends that if it was begun. Not within a transaction. */
export const takeOut = (sql: Sql, { parent, name, isLeaving }: OldPartition) =>
  sql.unsafe(`alter table ${parent} detach partition ${name} ${isLeaving ? "finalize" : "concurrently"}`);

/** Former partitions that are still there, because who took them out died or had to wait. */
export const selectTakenOut = (sql: Sql) =>
  all(
    z.object({ name: z.string() }),
    sql`select relname::text as name from pg_class
        where relkind = 'r' and not relispartition and relname ~ '^letter_(raw|body)_[0-9]{8}$'
          and obj_description(oid, 'pg_class') = ${mark}
        order by relname`,
  );

/** Drops a former partition. */
export const dropTakenOut = (sql: Sql, name: string) => sql.unsafe(`drop table ${name}`);

/** How long a statement of this connection waits for a lock; null: as long as it takes. */
export const setLockTimeout = (sql: Sql, milliseconds: number | null) =>
  sql`select set_config('lock_timeout', ${String(milliseconds ?? 0)}, false)`;

const Count = z.object({ count: z.int() });

/** Wipes what patterns found in letters that are older than `days`, at most `size`; answers how many. */
export const wipeValues = async (sql: Sql, days: number, size: number): Promise<number> => {
  const wiped = await one(
    Count,
    sql`select forget_values(clock_timestamp() - make_interval(days => ${days}), ${size}) as count`,
  );
  return wiped.count;
};

/** Deletes letters for postmasters that are older than `days`, at most `size`; answers how many. */
export const deleteForPostmaster = async (sql: Sql, days: number, size: number): Promise<number> => {
  const deleted = await one(
    Count,
    sql`select forget_letters(clock_timestamp() - make_interval(days => ${days}), true, ${size}) as count`,
  );
  return deleted.count;
};
