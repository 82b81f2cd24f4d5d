import { z } from "zod/mini";
import { all, maybe, one, type Reserved, type Sql } from "../db/db.ts";
import { backupSession, halfRestored } from "../db/migrate.ts";

/** A table with rows of its own, as it stands in a backup. */
export const Table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** Of a partition: its table, and which rows are in it. */
  parent: z.nullable(z.string()),
  bound: z.nullable(z.string()),
});
export type Table = z.infer<typeof Table>;

export const Applied = z.object({ name: z.string(), checksum: z.string() });
export type Applied = z.infer<typeof Applied>;

export const Sequence = z.object({ name: z.string(), last: z.string() });
export type Sequence = z.infer<typeof Sequence>;

const Is = z.object({ is: z.boolean() });
const Counted = z.object({ count: z.int() });

/**
 * From now on the session sees the database as it is at this moment, which is the answer. It is known by its name: a migration ends it.
 * Locks: none that another statement than DDL waits for, and each only while its table is read.
 */
export async function beginSnapshot(session: Reserved): Promise<Date> {
  await session.unsafe("begin isolation level repeatable read read only");
  const { at } = await one(
    z.object({ at: z.date() }),
    session`select clock_timestamp() as at, set_config('application_name', ${backupSession}, true)`,
  );
  await session.unsafe("savepoint before_table");
  return at;
}

export const endSnapshot = (session: Reserved) => session.unsafe("rollback");

/** Of an extension, which the administrator of the database has made and not the shop. */
const foreign = (catalog: string, oid = "oid") =>
  `exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`;

// Unlogged tables hold what a crash may empty; what has `applied` is made by the migrations themselves.
const ofShop = (sql: Sql) => sql`
  c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
  and c.relname not in ('applied', ${halfRestored}) and not ${sql.unsafe(foreign("pg_class", "c.oid"))}`;

export const selectTables = (sql: Sql) =>
  all(
    Table,
    sql`select c.relname as name, i.inhparent::regclass::text as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
               (select coalesce(array_agg(attname::text order by attnum), '{}') from pg_attribute
                where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
        from pg_class c left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
        where ${ofShop(sql)} order by c.relname`,
  );

export const selectApplied = (sql: Sql) =>
  all(Applied, sql`select name, checksum from applied where name not like 'function %' order by name`);

/** Where counting goes on. Read after the snapshot began: no number in it is beyond. */
export const selectSequences = (sql: Sql) =>
  all(
    Sequence,
    sql`select sequencename as name, last_value::text as last from pg_sequences
        where schemaname = current_schema() and last_value is not null order by sequencename`,
  );

const named = (sql: Sql, { name, columns }: Pick<Table, "name" | "columns">) =>
  sql`${sql(name)} (${sql.unsafe(columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(", "))})`;

export const exists = async (sql: Sql, table: string): Promise<boolean> =>
  (await one(Is, sql`select to_regclass(quote_ident(${table})) is not null as is`)).is;

/** The rows of a table, whose lock ends with `afterTable`. */
export const giveTable = (session: Reserved, table: Table) =>
  session`copy ${named(session, table)} to stdout`.readable();

export const afterTable = (session: Reserved) => session.unsafe("rollback to savepoint before_table");

export const takeTable = (sql: Sql, table: Table) => sql`copy ${named(sql, table)} from stdin`.writable();

export const countRows = async (sql: Sql, table: string): Promise<number> =>
  (await one(Counted, sql`select count(*)::integer as count from ${sql(table)}`)).count;

export const setSequence = (sql: Sql, { name, last }: Sequence) =>
  sql`select setval(quote_ident(${name})::regclass, ${last}::bigint)`;

/** Whether there is nothing in the schema, or only what a restore has left that did not come to its end. */
export const standing = (sql: Sql) =>
  one(
    z.object({ state: z.enum(["empty", "half restored", "in use"]) }),
    sql`select case when to_regclass(${halfRestored}) is not null then 'half restored'
                    when exists (select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'S')
                                 and not ${sql.unsafe(foreign("pg_class"))})
                    then 'in use' else 'empty' end as state`,
  );

/** Serializes restores; false: another one is at work. Ends with the session. */
export const lockRestore = async (session: Reserved): Promise<boolean> =>
  (await one(Is, session`select pg_try_advisory_lock(hashtextextended('restore', 0)) as is`)).is;

export const unlockRestore = (session: Reserved) =>
  session`select pg_advisory_unlock(hashtextextended('restore', 0))`;

/** While it is there no program of the shop uses the database. */
export const noteHalfRestored = (sql: Sql) =>
  sql`create table if not exists ${sql(halfRestored)} (began_at timestamptz not null default clock_timestamp())`;

export const noteRestored = (sql: Sql) => sql`drop table ${sql(halfRestored)}`;

/** Drops everything in the schema but the note that a restore is at work: one after the other, for each takes others with it. */
export const wipe = (sql: Sql) =>
  sql.unsafe(`
    do $$
    declare
      home oid := current_schema()::regnamespace;
      thing text;
    begin
      loop
        select said into thing from (
          select format('%s %s', case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end, oid::regclass) as said
          from pg_class where relnamespace = home and relkind in ('r', 'p', 'v', 'S') and relname <> '${halfRestored}'
            and not ${foreign("pg_class")}
          union all
          select format('routine %s', oid::regprocedure) from pg_proc where pronamespace = home and not ${foreign("pg_proc")}
          union all
          select format('type %s', t.oid::regtype) from pg_type t left join pg_class c on c.oid = typrelid
          where typnamespace = home and (typtype in ('e', 'd') or relkind = 'c')
            and not ${foreign("pg_type", "t.oid")}) things
        -- A sequence of a column goes with its table, and not before.
        order by said like 'sequence %' limit 1;
        exit when not found;
        execute format('drop %s cascade', thing);
      end loop;
    end $$`);

const Definition = z.object({ table: z.string(), name: z.string(), text: z.string() });
export type Definition = z.infer<typeof Definition>;

/** Foreign keys, whose tables would else have to come in an order that need not exist. */
export const selectForeignKeys = (sql: Sql) =>
  all(
    Definition,
    sql`select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as text
        from pg_constraint
        where connamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0 order by conname`,
  );

export const dropForeignKey = (sql: Sql, { table, name }: Definition) =>
  sql.unsafe(`alter table ${table} drop constraint ${name}`);

export const addForeignKey = (sql: Sql, { table, name, text }: Definition) =>
  sql.unsafe(`alter table ${table} add constraint ${name} ${text}`);

/** Indexes that only make things faster: built at the end, they cost a fraction. */
export const selectIndexes = (sql: Sql) =>
  all(
    Definition,
    sql`select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as text
        from pg_index i join pg_class t on t.oid = i.indrelid
        where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and not t.relispartition and not i.indisunique
          and not exists (select from pg_constraint where conindid = i.indexrelid)
        order by 2`,
  );

export const dropIndex = (sql: Sql, { name }: Definition) => sql.unsafe(`drop index ${name}`);
export const addIndex = (sql: Sql, { text }: Definition) => sql.unsafe(text);

export const dropTable = (sql: Sql, table: string) => sql`drop table ${sql(table)}`;

export const addPartition = (sql: Sql, { name, parent, bound }: Table) =>
  sql`create table ${sql(name)} partition of ${sql.unsafe(parent ?? "")} ${sql.unsafe(bound ?? "")}`;

export const truncate = (sql: Sql, tables: readonly string[]) =>
  sql.unsafe(`truncate ${tables.map((name) => `"${name}"`).join(", ")}`);

export const hasRows = async (sql: Sql, table: string): Promise<boolean> =>
  (await one(Is, sql`select exists (select from ${sql(table)}) as is`)).is;

export const analyze = (sql: Sql) => sql.unsafe("analyze");

/** Whether a part of the letters is on other servers, whose moment cannot be the same. */
export async function isOnWorkers(sql: Sql): Promise<boolean> {
  const { is } = await one(Is, sql`select to_regclass('citus_tables') is not null as is`);
  return is && (await hasRows(sql, "citus_tables"));
}

/** Notes that a backup is whole, and what it is. */
export const putOutcome = (
  sql: Sql,
  made: {
    readonly at: Date;
    readonly tookSeconds: number;
    readonly sizeBytes: number;
    readonly isEncrypted: boolean;
  },
) =>
  sql`insert into backup_outcome (made_at, took_seconds, size_bytes, is_encrypted)
      values (${made.at}, ${made.tookSeconds}, ${made.sizeBytes}, ${made.isEncrypted})
      on conflict (only_row) do update
        set made_at = excluded.made_at, took_seconds = excluded.took_seconds, size_bytes = excluded.size_bytes,
            is_encrypted = excluded.is_encrypted`;

/** The last daily backup that is whole. */
export const selectOutcome = (sql: Sql) =>
  maybe(z.object({ at: z.date() }), sql`select made_at as at from backup_outcome`);

export const selectAge = (sql: Sql) =>
  one(
    z.object({ seconds: z.number() }),
    sql`select extract(epoch from clock_timestamp() - coalesce(
          (select made_at from backup_outcome), (select min(applied_at) from applied)))::float8 as seconds`,
  );
