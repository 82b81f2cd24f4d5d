import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Db, Reserved, Sql } from "./db.ts";
import { type Step, stepsOf } from "./migrate.steps.ts";

const databaseFolder = fileURLToPath(new URL("../../../../db/", import.meta.url));

/** How long a migration waits for a lock; behind it waits whoever wants the table. */
export const lockSeconds = 30;
/** Between two looks whether another process has migrated. */
const lockMs = 50;

type Statements = { name: string; text: string; checksum: string };

/** A table that is there while a restore fills the database. */
export const halfRestored = "restore_unfinished";
/** How a session is named that reads a backup. */
export const backupSession = "postern-backup";

/** Thrown when the database and the files do not belong together. The message says what is wrong, for the operator. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

/**
 * Brings the database to the schema of `folder`: applies what is new of migrations/*.sql in the order of their names, each in
 * a transaction of its own, then replaces functions/*.sql as a whole when any of them changed. Processes that start
 * together wait for one another. A database that is newer stays as it is, if its migrations say that this program may run on it.
 * Returns the names of the migrations that it applied. Throws MigrationError when this program may not run on the database, and when a
 * migration that was applied is no longer what it was.
 */
export async function migrate(db: Db, folder: string = databaseFolder): Promise<string[]> {
  const files = await filesOf(folder);
  return withLock(db, async (connection) => {
    await refuseHalfRestored(connection);
    await connection.unsafe(appliedTable);
    const { isNewer, missing } = compare(await appliedOf(connection), files.migrations);
    if (missing.length > 0) await endBackups(connection);
    for (const migration of missing) await apply(connection, migration);
    if (!isNewer) await replaceFunctions(connection, files);
    return missing.map(({ name }) => name);
  });
}

/** A migration that the database lacks. */
export interface Planned {
  readonly name: string;
  /** What its first line says it does; empty in old ones. */
  readonly says: string;
  /** Whether processes of the database's present schema may go on meanwhile. */
  readonly isSafe: boolean;
  /** With how many rows the statistics of each table count. */
  readonly steps: readonly (Step & { readonly rows: number })[];
}

/** What `migrate` would apply, in this order, and whether it would replace the functions. Changes nothing. Throws MigrationError as `migrate`. */
export async function planOf(
  db: Db,
  folder: string = databaseFolder,
): Promise<{ migrations: Planned[]; replacesFunctions: boolean }> {
  const files = await filesOf(folder);
  await refuseHalfRestored(db);
  const [table] = await db<{ exists: boolean }[]>`select to_regclass('applied') is not null as exists`;
  const applied = table?.exists ? await appliedOf(db) : [];
  const { isNewer, missing } = compare(applied, files.migrations);
  const newest = applied.at(-1)?.name;
  const counted = await db<{ name: string; rows: number }[]>`
    select relname as name, greatest(reltuples, 0)::float8 as rows from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`;
  const rows = new Map(counted.map((each) => [each.name, each.rows]));
  const migrations = missing.map(({ name, text }) => {
    const [, safeFrom, says = ""] =
      /^-- safe from (\d{4})(?:, outside a transaction)?: (.*?)\.?$/m.exec(text) ?? [];
    return {
      name: name.replace(/\.sql$/, ""),
      says,
      isSafe: newest === undefined || (safeFrom !== undefined && newest >= safeFrom),
      steps: stepsOf(text).map((step) => ({ ...step, rows: rows.get(step.table) ?? 0 })),
    };
  });
  const replacesFunctions =
    !isNewer &&
    (missing.length > 0 || !table?.exists || stand(await functionsOf(db)) !== stand(files.functions)) &&
    (!table?.exists || (await versionOf(db)) <= files.version);
  return { migrations, replacesFunctions };
}

/**
 * Applies these migrations alone to an empty database, for the rows of a backup. Throws MigrationError for one that the program does
 * not know, or knows otherwise.
 */
export async function migrateAsBefore(
  db: Db,
  wanted: readonly Pick<Statements, "name" | "checksum">[],
  folder: string = databaseFolder,
): Promise<void> {
  const { migrations } = await filesOf(folder);
  const lacking = unknownOf(wanted, migrations);
  if (lacking !== undefined) throw new MigrationError(`This program does not know the migration ${lacking}.`);
  const names = new Set(wanted.map(({ name }) => name));
  await withLock(db, async (connection) => {
    await connection.unsafe(appliedTable);
    for (const migration of migrations) if (names.has(migration.name)) await apply(connection, migration);
  });
}

/** The first of these migrations that the program does not have, as they are. */
export async function unknownMigration(
  wanted: readonly Pick<Statements, "name" | "checksum">[],
): Promise<string | undefined> {
  return unknownOf(wanted, (await filesOf(databaseFolder)).migrations);
}

function unknownOf(wanted: readonly Pick<Statements, "name" | "checksum">[], known: readonly Statements[]) {
  const checksums = new Map(known.map(({ name, checksum }) => [name, checksum]));
  return wanted.find(({ name, checksum }) => checksums.get(name) !== checksum)?.name;
}

/** What PostgreSQL says itself ("permission denied for schema public") names no remedy. */
async function refuseForeign(sql: Sql): Promise<void> {
  const [row] = await sql<{ may: boolean; role: string; database: string }[]>`
    select coalesce(has_schema_privilege(current_schema(), 'create'), false) as may,
           quote_ident(current_user) as role, quote_ident(current_database()) as database`;
  if (!row?.may)
    throw new MigrationError(
      `The role ${row?.role} may make no tables in the database ${row?.database}: let its administrator say ` +
        `alter database ${row?.database} owner to ${row?.role}.`,
    );
}

async function withLock<Answer>(db: Db, work: (connection: Reserved) => Promise<Answer>): Promise<Answer> {
  const connection = await db.reserve();
  try {
    // Another process that migrates is waited for as long as it takes; somebody who reads a table is not: all would wait behind us.
    await lock(connection);
    await connection.unsafe(`set lock_timeout = '${lockSeconds}s'`);
    await refuseForeign(connection);
    try {
      return await work(connection);
    } finally {
      await connection`set lock_timeout = 0`;
      await connection`select pg_advisory_unlock(hashtextextended('migrate', 0))`;
    }
  } finally {
    connection.release();
  }
}

/** Throws MigrationError when `migrate` would change the database, or would refuse it. Changes nothing. */
export async function checkMigrated(db: Db, folder: string = databaseFolder): Promise<void> {
  const { migrations, functions, version } = await filesOf(folder);
  await refuseHalfRestored(db);
  const [table] = await db<{ exists: boolean }[]>`select to_regclass('applied') is not null as exists`;
  const { isNewer, missing } = compare(table?.exists ? await appliedOf(db) : [], migrations);
  const isOlder =
    missing.length > 0 ||
    (!isNewer && (await versionOf(db)) <= version && stand(await functionsOf(db)) !== stand(functions));
  if (isOlder)
    throw new MigrationError(
      "The database is not migrated to this program: run `npm run shop -- migrate`, or start the shop.",
    );
}

async function refuseHalfRestored(sql: Sql): Promise<void> {
  const [row] = await sql<{ is: boolean }[]>`select to_regclass(${halfRestored}) is not null as is`;
  if (row?.is)
    throw new MigrationError(
      "A restore of a backup has not come to its end in this database: say it again, `npm run shop -- restore <backup>`.",
    );
}

/** A backup reads the schema as it was, and is made anew; who changes it waits for nobody, and nobody behind him. */
const endBackups = (sql: Sql) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = current_user and application_name = ${backupSession}`;

const appliedTable = `
  create table if not exists applied (
    name       text        primary key,
    checksum   text        not null,
    applied_at timestamptz not null default clock_timestamp()
  );
  comment on table applied is
    'Migrations and functions of the program that this database has. Functions stand as one row each, without a date that matters.';
  alter table applied add column if not exists safe_from text;
  comment on column applied.safe_from is
    'The oldest newest migration of a program that may run on a database with this one; null: it must know this one.'`;

interface Files {
  readonly migrations: Statements[];
  readonly functions: Statements[];
  /** Of the functions: a program leaves those of a higher version alone. */
  readonly version: number;
}

async function filesOf(folder: string): Promise<Files> {
  const functions = join(folder, "functions");
  const version = await readFile(join(functions, "version.txt"), "utf8").catch(() => "0");
  return {
    migrations: await read(join(folder, "migrations")),
    functions: await read(functions),
    version: Number.parseInt(version, 10),
  };
}

/** Asks again and again: a session that waits in a statement would be waited for by `create index concurrently`. */
async function lock(connection: Reserved): Promise<void> {
  for (;;) {
    const [row] = await connection<{ locked: boolean }[]>`
      select pg_try_advisory_lock(hashtextextended('migrate', 0)) as locked`;
    if (row?.locked) return;
    await sleep(lockMs);
  }
}

async function read(folder: string): Promise<Statements[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

type Applied = { name: string; checksum: string; safeFrom: string | null };

async function appliedOf(sql: Sql): Promise<Applied[]> {
  // The column is younger than the table.
  const rows = await sql<{ row: Record<string, string | null> }[]>`
    select to_jsonb(a) as row from applied a where name not like 'function %' order by name`;
  return rows.map(({ row }) => ({
    name: row["name"] ?? "",
    checksum: row["checksum"] ?? "",
    safeFrom: row["safe_from"] ?? null,
  }));
}

/** What the database lacks of the program's migrations, or whether it has more than they. Throws MigrationError when they do not go together. */
function compare(
  applied: readonly Applied[],
  migrations: readonly Statements[],
): { isNewer: boolean; missing: Statements[] } {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  const newest = migrations.at(-1)?.name ?? "";
  let isNewer = false;
  for (const { name, checksum, safeFrom } of applied) {
    const file = known.get(name);
    if (file && file.checksum !== checksum)
      throw new MigrationError(
        `The migration ${name} was changed after it had been applied: add a new one instead.`,
      );
    if (file) continue;
    if (safeFrom === null || newest < safeFrom)
      throw new MigrationError(
        `The database has the migration ${name}, which this program does not know: it was last used by a newer one. ` +
          "Start that one, or restore a backup from before it.",
      );
    isNewer = true;
  }
  const done = new Set(applied.map(({ name }) => name));
  return { isNewer, missing: migrations.filter(({ name }) => !done.has(name)) };
}

/** The first line of a migration that programs of an older schema can run on: `-- safe from 0056`, the newest migration that these know. */
const safeLine = /^-- safe from (\d{4})\b/;
/** For indexes on tables in use, in the same line: no statement is in a transaction, and each can be repeated. */
const apartLine = /^-- .*, outside a transaction/;

async function apply(connection: Reserved, { name, text, checksum }: Statements): Promise<void> {
  const failed = `The migration ${name} failed`;
  const note = async () => {
    const safeFrom = safeLine.exec(text)?.[1] ?? null;
    await connection`insert into applied (name, checksum, safe_from) values (${name}, ${checksum}, ${safeFrom})`;
  };
  if (!apartLine.test(text))
    return together(connection, failed, async () => {
      await connection.unsafe(text);
      await note();
    });
  try {
    for (const statement of text.split(/;\s*$/m))
      if (statement.trim() !== "") await connection.unsafe(statement);
  } catch (cause) {
    throw failure(failed, cause);
  }
  await note();
}

type Named = { readonly name: string; readonly checksum: string };

/** The row among those of the functions that has their version in the place of a checksum. */
const versionName = "function version";

const functionsOf = (sql: Sql) => sql<Named[]>`
  select substr(name, 10) as name, checksum from applied
  where name like 'function %' and name <> ${versionName} order by name`;

async function versionOf(sql: Sql): Promise<number> {
  const [row] = await sql<Named[]>`select checksum from applied where name = ${versionName}`;
  return Number(row?.checksum ?? 0);
}

/** A list of functions as one text, to compare two. */
const stand = (list: readonly Named[]): string =>
  list
    .map(({ name, checksum }) => `${name} ${checksum}`)
    .toSorted()
    .join();

// A function cannot change its columns by "create or replace", and one whose file is gone must go: so all are dropped
// first. Other sessions keep the old ones until the commit. A file is named as the function that it makes, or as the
// type of rows that functions hand to each other: types are made before the functions that name them.
async function replaceFunctions(connection: Reserved, { functions, version }: Files): Promise<void> {
  const applied = await functionsOf(connection);
  const known = await versionOf(connection);
  if (known > version || (known === version && stand(applied) === stand(functions))) return;
  const names = [...applied, ...functions].map(({ name }) => name.replace(/\.sql$/, ""));
  await together(connection, "The functions could not be replaced", async () => {
    await connection.unsafe("set local check_function_bodies = off");
    await dropFunctions(connection, [...new Set(names)]);
    await connection`delete from applied where name like 'function %'`;
    const isFunction = ({ text }: Statements) => Number(!/^create type /m.test(text));
    for (const { name, text, checksum } of functions.toSorted((a, b) => isFunction(a) - isFunction(b))) {
      await connection.unsafe(text);
      await connection`insert into applied (name, checksum) values (${`function ${name}`}, ${checksum})`;
    }
    await connection`insert into applied (name, checksum) values (${versionName}, ${String(version)})`;
  });
}

async function dropFunctions(connection: Reserved, names: string[]): Promise<void> {
  const old = await connection<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
    where pronamespace = current_schema()::regnamespace and proname = any(${names})`;
  for (const { signature } of old) await connection.unsafe(`drop function ${signature}`);
  const types = await connection<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'c' and relname = any(${names})`;
  for (const { name } of types) await connection.unsafe(`drop type ${name}`);
}

async function together(connection: Reserved, failed: string, work: () => Promise<void>): Promise<void> {
  await connection`begin`;
  try {
    await work();
    await connection`commit`;
  } catch (cause) {
    await connection`rollback`;
    throw failure(failed, cause);
  }
}

const failure = (failed: string, cause: unknown): MigrationError =>
  new MigrationError(`${failed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
