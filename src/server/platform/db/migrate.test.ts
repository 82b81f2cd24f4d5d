import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, inject, test, vi } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { soon } from "../../../../test/kit/soon.ts";
import { connect, type Db } from "./db.ts";
import { checkMigrated, migrate, MigrationError, planOf } from "./migrate.ts";

const { db: shop, url, drop } = await createDatabase();
const folder = await mkdtemp(join(tmpdir(), "migrate-"));
const pools: Db[] = [];

afterAll(async () => {
  for (const pool of pools) await pool.end();
  await rm(folder, { recursive: true });
  await drop();
});

// Each test has a schema of its own, empty, as if it were a database.
let db: Db;
let number = 0;
beforeEach(async () => {
  number += 1;
  await shop.unsafe(`create schema test_${number}`);
  await rm(join(folder, "migrations"), { recursive: true, force: true });
  await rm(join(folder, "functions"), { recursive: true, force: true });
  await mkdir(join(folder, "migrations"));
  await mkdir(join(folder, "functions"));
  db = pool();
});

function pool(): Db {
  const address = new URL(url);
  address.searchParams.set("options", `-c search_path=test_${number}`);
  const made = connect(address.href, { max: 2 });
  pools.push(made);
  return made;
}

const write = (name: string, text: string) => writeFile(join(folder, name), text);

test("migrations are applied once, in the order of their names, several statements each", async () => {
  await write("migrations/0002_b.sql", "insert into thing values (2); insert into thing values (3);");
  await write("migrations/0001_a.sql", "create table thing (id int); insert into thing values (1);");
  await migrate(db, folder);
  await migrate(db, folder);
  await write("migrations/0003_c.sql", "insert into thing values (4)");
  await migrate(db, folder);
  expect((await db`select id from thing`).map((row) => row["id"] as number)).toEqual([1, 2, 3, 4]);
});

test("a migration that fails leaves nothing of itself, and those before it stay", async () => {
  await write("migrations/0001_a.sql", "create table thing (id int)");
  await write("migrations/0002_b.sql", "insert into thing values (1); insert into nothing values (1)");
  await expect(migrate(db, folder)).rejects.toThrow(/0002_b\.sql failed: relation "nothing" does not exist/);
  expect(await db`select * from thing`).toEqual([]);
  await write("migrations/0002_b.sql", "insert into thing values (7)");
  await migrate(db, folder);
  expect(await db`select id from thing`).toEqual([{ id: 7 }]);
});

test("an applied migration that was changed stops the start with a sentence that names it", async () => {
  await write("migrations/0001_a.sql", "create table thing (id int)");
  await migrate(db, folder);
  await write("migrations/0001_a.sql", "create table thing (id bigint)");
  const start = migrate(db, folder);
  await expect(start).rejects.toBeInstanceOf(MigrationError);
  await expect(start).rejects.toThrow("The migration 0001_a.sql was changed after it had been applied");
});

test("a database of a newer program stops the start with a sentence that says so", async () => {
  await write("migrations/0001_a.sql", "create table thing (id int)");
  await migrate(db, folder);
  await rm(join(folder, "migrations/0001_a.sql"));
  await expect(migrate(db, folder)).rejects.toThrow(
    "which this program does not know: it was last used by a newer one. Start that one, or restore a backup",
  );
});

test("a newer database lets a program run that its migrations are safe for, and keeps its own functions", async () => {
  await write("migrations/0001_a.sql", "create table thing (id int)");
  await write("functions/give.sql", "create function give() returns int language sql as 'select 1'");
  expect(await migrate(db, folder)).toEqual(["0001_a.sql"]);
  await write("migrations/0002_b.sql", "-- safe from 0001\nalter table thing add column name text");
  await write("functions/give.sql", "create function give() returns int language sql as 'select 2'");
  await expect(checkMigrated(db, folder)).rejects.toThrow("run `npm run shop -- migrate`");
  await migrate(db, folder);
  await checkMigrated(db, folder);
  // The program of before.
  await rm(join(folder, "migrations/0002_b.sql"));
  await write("functions/give.sql", "create function give() returns int language sql as 'select 1'");
  await checkMigrated(db, folder);
  expect(await migrate(db, folder)).toEqual([]);
  expect(await db`select give()`).toEqual([{ give: 2 }]);
  // One that is older still.
  await rm(join(folder, "migrations/0001_a.sql"));
  await expect(checkMigrated(db, folder)).rejects.toThrow("which this program does not know");
});

test("a program leaves functions of a higher version alone, and replaces those of a lower one", async () => {
  const give = (answer: number) =>
    write("functions/give.sql", `create function give() returns int language sql as 'select ${answer}'`);
  const given = async () => (await db<{ give: number }[]>`select give()`)[0]?.give;
  await give(2);
  await write("functions/version.txt", "2");
  await migrate(db, folder);
  await give(1);
  await write("functions/version.txt", "1");
  await checkMigrated(db, folder);
  await migrate(db, folder);
  expect(await given()).toBe(2);
  await give(3);
  await write("functions/version.txt", "3");
  await expect(checkMigrated(db, folder)).rejects.toBeInstanceOf(MigrationError);
  await migrate(db, folder);
  await checkMigrated(db, folder);
  expect(await given()).toBe(3);
});

test("a check changes nothing, neither of an empty database nor of one with older functions", async () => {
  await write("migrations/0001_a.sql", "create table thing (id int)");
  await expect(checkMigrated(db, folder)).rejects.toBeInstanceOf(MigrationError);
  expect(await db`select to_regclass('applied') as found`).toEqual([{ found: null }]);
  await migrate(db, folder);
  await write("functions/give.sql", "create function give() returns int language sql as 'select 1'");
  await expect(checkMigrated(db, folder)).rejects.toBeInstanceOf(MigrationError);
  expect(await db`select to_regproc('give') as found`).toEqual([{ found: null }]);
});

test("a plan says what would run, who would wait for it and who may go on, and changes nothing", async () => {
  await write("migrations/0001_a.sql", "create table thing (id int)");
  expect(await planOf(db, folder)).toEqual({
    migrations: [{ name: "0001_a", says: "", isSafe: true, steps: [] }],
    replacesFunctions: true,
  });
  expect(await db`select to_regclass('applied') as found`).toEqual([{ found: null }]);
  await migrate(db, folder);
  expect(await planOf(db, folder)).toEqual({ migrations: [], replacesFunctions: false });
  await db`insert into thing select generate_series(1, 1000)`;
  await db`analyze thing`;
  await write(
    "migrations/0002_b.sql",
    "-- safe from 0001: adds a column.\nalter table thing add column name text",
  );
  await write(
    "migrations/0003_c.sql",
    "-- safe from 0002, outside a transaction: an index.\nupdate thing set id = 1",
  );
  await write("migrations/0004_d.sql", "alter table thing drop column id");
  const { migrations } = await planOf(db, folder);
  expect(migrations.map(({ name, says, isSafe }) => [name, says, isSafe])).toEqual([
    ["0002_b", "adds a column", true],
    ["0003_c", "an index", false],
    ["0004_d", "", false],
  ]);
  expect(migrations.flatMap(({ steps }) => steps)).toMatchObject([
    { table: "thing", waits: "everybody", isLong: false, rows: 1000 },
    { table: "thing", waits: "writers", isLong: true },
    { table: "thing", waits: "everybody", isLong: false },
  ]);
  expect(await db`select name from applied where name like '0%'`).toEqual([{ name: "0001_a.sql" }]);
  await write("functions/give.sql", "create function give() returns int language sql as 'select 1'");
  expect(await planOf(db, folder)).toMatchObject({ replacesFunctions: true });
});

test("an index is built while others write, also when a second process waits to migrate", async () => {
  await write("migrations/0001_a.sql", "create table thing (id int)");
  await migrate(db, folder);
  const writer = await db.reserve();
  await writer`begin`;
  await writer`insert into thing values (1)`;
  await write(
    "migrations/0002_b.sql",
    "-- safe from 0001, outside a transaction\ndrop index concurrently if exists thing_id;\ncreate index concurrently thing_id on thing (id);\n",
  );
  const both = Promise.all([migrate(pool(), folder), migrate(pool(), folder)]);
  const waits = async () => {
    const rows = await shop`select from pg_stat_progress_create_index where datname = current_database()`;
    expect(rows).toHaveLength(1);
  };
  await vi.waitFor(waits, soon);
  await writer`insert into thing values (2)`;
  await writer`commit`;
  writer.release();
  expect((await both).flat()).toEqual(["0002_b.sql"]);
  expect(await db`select indisvalid from pg_index where indexrelid = 'thing_id'::regclass`).toEqual([
    { indisvalid: true },
  ]);
});

test("functions are replaced as a whole when one changed, columns too, and one whose file is gone goes", async () => {
  await write("functions/give.sql", "create function give() returns int language sql as 'select help() + 1'");
  await write("functions/help.sql", "create function help() returns int language sql as 'select 1'");
  await migrate(db, folder);
  expect(await db`select give()`).toEqual([{ give: 2 }]);
  await write(
    "functions/give.sql",
    "create function give() returns table (a int, b int) language sql as 'select 3, 4'",
  );
  await rm(join(folder, "functions/help.sql"));
  await migrate(db, folder);
  expect(await db.unsafe("select * from give()")).toEqual([{ a: 3, b: 4 }]);
  expect(await db`select to_regproc('help') as found`).toEqual([{ found: null }]);
});

test("a type of rows is made before the functions that hand them on, and is replaced with them", async () => {
  await write(
    "functions/give.sql",
    "create function give() returns pair[] language sql as 'select array[row(1, 2)::pair]'",
  );
  await write("functions/pair.sql", "create type pair as (a int, b int)");
  await migrate(db, folder);
  await write("functions/pair.sql", "-- Now texts.\ncreate type pair as (a text, b text)");
  await write(
    "functions/give.sql",
    "create function give() returns pair language sql as $$ select row('x', 'y')::pair $$",
  );
  await migrate(db, folder);
  expect(await db.unsafe("select * from give()")).toEqual([{ a: "x", b: "y" }]);
  await rm(join(folder, "functions/give.sql"));
  await rm(join(folder, "functions/pair.sql"));
  await migrate(db, folder);
  expect(await db`select to_regtype('pair') as found`).toEqual([{ found: null }]);
});

test("a start with nothing to do changes nothing", async () => {
  await write("migrations/0001_a.sql", "create table thing (id int)");
  await write("functions/give.sql", "create function give() returns int language sql as 'select 1'");
  await migrate(db, folder);
  const before =
    await db`select name, checksum, applied_at, 'give'::regproc::oid as oid from applied order by name`;
  await migrate(db, folder);
  expect(
    await db`select name, checksum, applied_at, 'give'::regproc::oid as oid from applied order by name`,
  ).toEqual(before);
});

test("two that start at once on an empty database both find it done", async () => {
  await write("migrations/0001_a.sql", "select pg_sleep(0.05); create table thing (id int)");
  await write("functions/give.sql", "create function give() returns int language sql as 'select 1'");
  await Promise.all([migrate(db, folder), migrate(pool(), folder), migrate(pool(), folder)]);
  expect(await db`select give()`).toEqual([{ give: 1 }]);
});

test("the shop's own schema is up to date on a migrated database", async () => {
  await migrate(shop);
  expect(await shop`select name from applied where name = '0001_ledger.sql'`).toHaveLength(1);
});

test("a role that may make no tables is told what to do", async () => {
  const role = `guest_of_${new URL(url).pathname.slice(1)}`;
  const address = new URL(inject("databaseServer").url);
  const admin = connect(address.href, { max: 1 });
  pools.push(admin);
  await admin.unsafe(`create role ${role} login password 'guest'`);
  Object.assign(address, { username: role, password: "guest", pathname: new URL(url).pathname });
  const guest = connect(address.href, { max: 1 });
  await expect(migrate(guest, folder)).rejects.toThrow(new RegExp(`alter database \\w+ owner to ${role}`));
  await guest.end();
  await admin.unsafe(`drop role ${role}`);
});
