import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReservedSql } from "postgres";
import type { Db } from "./db.ts";

const databaseFolder = fileURLToPath(new URL("../../../../db/", import.meta.url));

const lockSeconds = 30;

type Connection = ReservedSql<{ bigint: bigint }>;
type Statements = { name: string; text: string; checksum: string };

/** Thrown when the database and the files do not belong together. The message says what is wrong, for the operator. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

/**
 * Brings the database to the schema of `folder`: applies what is new of migrations/*.sql in the order of their names, each in
 * a transaction of its own, then replaces functions/*.sql as a whole when any of them changed. Processes that start
 * together wait for one another. Throws MigrationError when a migration that was applied is no longer what it was.
 */
export async function migrate(db: Db, folder: string = databaseFolder): Promise<void> {
  const [migrations, functions] = await Promise.all([
    read(join(folder, "migrations")),
    read(join(folder, "functions")),
  ]);
  const connection = await db.reserve();
  try {
    // Another process that migrates is waited for as long as it takes; somebody who reads a table is not: all would wait behind us.
    await connection`select pg_advisory_lock(hashtextextended('migrate', 0))`;
    await connection.unsafe(`set lock_timeout = '${lockSeconds}s'`);
    try {
      await apply(connection, migrations);
      await replaceFunctions(connection, functions);
    } finally {
      await connection`set lock_timeout = 0`;
      await connection`select pg_advisory_unlock(hashtextextended('migrate', 0))`;
    }
  } finally {
    connection.release();
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

async function apply(connection: Connection, migrations: Statements[]): Promise<void> {
  await connection.unsafe(`
    create table if not exists applied (
      name       text        primary key,
      checksum   text        not null,
      applied_at timestamptz not null default clock_timestamp()
    );
    comment on table applied is
      'Migrations and functions of the program that this database has. Functions stand as one row each, without a date that matters.'`);
  const applied = await connection<{ name: string; checksum: string }[]>`
    select name, checksum from applied where name not like 'function %' order by name`;
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const { name, checksum } of applied) {
    const file = known.get(name);
    if (!file)
      throw new MigrationError(
        `The database has the migration ${name}, which this program does not know: it was last used by a newer one. ` +
          "Start that one, or restore a backup from before it.",
      );
    if (file.checksum !== checksum)
      throw new MigrationError(
        `The migration ${name} was changed after it had been applied: add a new one instead.`,
      );
  }
  const done = new Set(applied.map(({ name }) => name));
  for (const migration of migrations.filter(({ name }) => !done.has(name)))
    await together(connection, `The migration ${migration.name} failed`, async () => {
      await connection.unsafe(migration.text);
      await connection`insert into applied (name, checksum) values (${migration.name}, ${migration.checksum})`;
    });
}

// A function cannot change its columns by "create or replace", and one whose file is gone must go: so all are dropped
// first. Other sessions keep the old ones until the commit. A file is named as the function that it makes, or as the
// type of rows that functions hand to each other: types are made before the functions that name them.
async function replaceFunctions(connection: Connection, functions: Statements[]): Promise<void> {
  const applied = await connection<{ name: string; checksum: string }[]>`
    select substr(name, 10) as name, checksum from applied where name like 'function %' order by name`;
  const stand = (list: readonly { name: string; checksum: string }[]) =>
    list
      .map(({ name, checksum }) => `${name} ${checksum}`)
      .toSorted()
      .join();
  if (stand(applied) === stand(functions)) return;
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
  });
}

async function dropFunctions(connection: Connection, names: string[]): Promise<void> {
  const old = await connection<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
    where pronamespace = current_schema()::regnamespace and proname = any(${names})`;
  for (const { signature } of old) await connection.unsafe(`drop function ${signature}`);
  const types = await connection<{ name: string }[]>`
    select oid::regclass::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'c' and relname = any(${names})`;
  for (const { name } of types) await connection.unsafe(`drop type ${name}`);
}

async function together(connection: Connection, failed: string, work: () => Promise<void>): Promise<void> {
  await connection`begin`;
  try {
    await work();
    await connection`commit`;
  } catch (cause) {
    await connection`rollback`;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError(`${failed}: ${reason}`, { cause });
  }
}
