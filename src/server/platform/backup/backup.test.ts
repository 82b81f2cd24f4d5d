// @module-tag slow
import { copyFile, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { lookAtEverything } from "../../../../test/kit/everything.ts";
import type { Db } from "../db/db.ts";
import { migrate } from "../db/migrate.ts";
import { checkBackup, restoreBackup, Unusable, writeBackup } from "./backup.ts";
import { makeKeys, readPrivateKey, readPublicKey } from "./keys.ts";

/** A restore applies every migration there ever was. */
const patient = { timeout: 60_000 };

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "postern-backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function database(): Promise<Db> {
  const { db, drop } = await createDatabase({ isStocked: true });
  onTestFinished(drop);
  return db;
}

async function emptyDatabase(): Promise<Db> {
  const db = await database();
  await db.unsafe("drop schema public cascade; create schema public");
  return db;
}

const awkward = 'a\tb\\N\r\n\\. "ü" 字';

/** Rows of the kinds that a dump could change: bytes, arrays of enums, texts with what separates rows, what may only be added. */
async function fill(db: Db): Promise<void> {
  const [user] = await db<{ id: bigint }[]>`
    insert into users (email, password_hash, token_hash, token_sealed, name, activated_at)
    values ('pat@mail.test', '', ${Buffer.from([0, 10, 92, 255])}, '', ${awkward}, now()) returning id`;
  await db`insert into webhook (user_id, url, host, events, secret, told_up_to, created_at)
           values (${user!.id}, 'https://a.test/', 'a.test', '{letter,balance}', '', 0, now())`;
  await db`insert into audit_log (by, did, about, before) values ('operator', 'x', 'y', '{"a": null}')`;
  await db`insert into letter_raw (letter_id, arrived_at, raw)
           select n, now(), convert_to(repeat(md5(n::text), 100), 'UTF8') from generate_series(1, 200) n`;
}

const write = (db: Db, folder: string, more: Partial<Parameters<typeof writeBackup>[0]> = {}) =>
  writeBackup({ db, dataDir: join(folder, "data"), isEmbedded: true, folder, publicKey: undefined, ...more });

async function restore(path: string, db: Db, dataDir: string, privateKey?: Uint8Array) {
  const source = { path, privateKey };
  return restoreBackup(source, await checkBackup(source), { db, dataDir });
}

/** Every table with its rows, and what the schema is made of. */
async function everything(db: Db): Promise<string[]> {
  const schema = await db<{ line: string }[]>`
    select indexdef as line from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
              where connamespace = 'public'::regnamespace
    union all select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace
    union all select sequencename || ' ' || coalesce(last_value::text, '') from pg_sequences where schemaname = 'public'`;
  const rows = await (await lookAtEverything(db))();
  return [
    ...schema.map(({ line }) => line),
    ...rows.filter((line) => !line.startsWith("applied ")),
  ].toSorted();
}

const isWaiting = (db: Db) => async () =>
  (
    await db`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and application_name = 'postern-backup'`
  ).length === 1;

/** Holds a table until the answer is called: a backup waits in front of it. */
async function hold(db: Db, table: string): Promise<() => Promise<void>> {
  const session = await db.reserve();
  await session.unsafe(`begin; lock table ${table} in access exclusive mode`);
  return async () => {
    await session.unsafe("commit");
    session.release();
  };
}

test(
  "a backup brings back every row, the schema and DATA_DIR, and nothing that is there is lost",
  patient,
  async () => {
    const [db, other, folder] = [await database(), await emptyDatabase(), await makeFolder()];
    await fill(db);
    const line = (index: number) => `2026-11-01T00:00:00.000Z,evm,${index},0x${index}\n`;
    const [data, target] = [await makeFolder(), await makeFolder()];
    await writeFile(join(data, "secret.key"), "of the shop");
    await writeFile(join(data, "addresses.csv"), line(1) + line(2));
    await writeFile(join(target, "addresses.csv"), line(2) + line(3));
    const made = await write(db, folder, { dataDir: data });
    expect(made).toMatchObject({ isEncrypted: false, hasKey: true });
    expect((await stat(made.path)).mode & 0o777).toBe(0o600);

    expect(await restore(made.path, other, target)).toMatchObject({ files: ["secret.key", "addresses.csv"] });
    expect(await everything(other)).toEqual(await everything(db));
    const next = async (of: Db) =>
      (await of`insert into audit_log (by, did, about) values ('a', 'b', 'c') returning id`)[0]![
        "id"
      ] as bigint;
    expect(await next(other)).toBe(await next(db));
    expect(await readFile(join(target, "secret.key"), "utf8")).toBe("of the shop");
    expect((await stat(join(target, "secret.key"))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(target, "addresses.csv"), "utf8")).toBe(line(1) + line(2) + line(3));
  },
);

test(
  "an encrypted one tells nothing without its key; of an outside database it has no key of the shop",
  patient,
  async () => {
    const [db, other, folder] = [await database(), await emptyDatabase(), await makeFolder()];
    await fill(db);
    await writeFile(join(folder, "secret.key"), "of another shop");
    const { publicKey, privateKey } = makeKeys();
    const settings = { dataDir: folder, isEmbedded: false, publicKey: readPublicKey(publicKey) };
    const made = await write(db, folder, settings);
    expect(made).toMatchObject({ isEncrypted: true, hasKey: false });
    const bytes = await readFile(made.path);
    for (const secret of ["pat@mail.test", "audit_log", privateKey])
      expect(bytes.includes(secret)).toBe(false);
    await restore(made.path, other, join(folder, "other"), readPrivateKey(privateKey));
    expect(await everything(other)).toEqual(await everything(db));
  },
);

test(
  "it shows one moment, keeps a table only while it reads it, and leaves out letters that are dropped meanwhile",
  patient,
  async () => {
    const [db, other, folder] = [await database(), await emptyDatabase(), await makeFolder()];
    await fill(db);
    const release = await hold(db, "imap_host");
    const writing = write(db, folder);
    await expect.poll(isWaiting(db)).toBe(true);
    // Read already, and so another's to change.
    await db.begin((tx) => tx`lock table audit_log in access exclusive mode nowait`);
    await db`insert into audit_log (by, did, about) values ('operator', 'later', 'y')`;
    // Not read yet.
    await db`insert into rate_hold (coin, since, from_usd, to_usd) values ('BTC', now(), 100, 50)`;
    const [partition] = await db`select tableoid::regclass::text as name from letter_raw limit 1`;
    // As the job does it: it waits for those who use the letters.
    await db.unsafe(`alter table letter_raw detach partition ${partition!["name"]} concurrently`);
    await db.unsafe(`drop table ${partition!["name"]}`);
    await release();
    await restore((await writing).path, other, join(folder, "other"));
    expect(await other`select did from audit_log`).toEqual([{ did: "x" }]);
    expect(await other`select from rate_hold`).toHaveLength(0);
    expect(await other`select from letter_raw`).toHaveLength(0);
  },
);

test("a migration waits for no backup: it ends one, which leaves no file", async () => {
  const [db, folder] = [await database(), await makeFolder()];
  const newer = join(folder, "db");
  await cp(fileURLToPath(new URL("../../../../db", import.meta.url)), newer, { recursive: true });
  await writeFile(join(newer, "migrations/9999_next.sql"), "alter table account add column next integer;\n");
  const release = await hold(db, "users");
  const writing = write(db, join(folder, "out"));
  writing.catch(() => undefined);
  await expect.poll(isWaiting(db)).toBe(true);
  expect(await migrate(db, newer)).toEqual(["9999_next.sql"]);
  await expect(writing).rejects.toThrow(/migrated while the backup was written/);
  await release();
  expect(await readdir(join(folder, "out"))).toEqual([]);
});

test("one that is given up leaves no file and no session", async () => {
  const [db, folder] = [await database(), await makeFolder()];
  const release = await hold(db, "users");
  const giving = new AbortController();
  const writing = write(db, join(folder, "out"), { signal: giving.signal });
  writing.catch(() => undefined);
  await expect.poll(isWaiting(db)).toBe(true);
  giving.abort();
  await expect(writing).rejects.toThrow();
  await release();
  expect(await readdir(join(folder, "out"))).toEqual([]);
  await expect
    .poll(
      async () =>
        db`select from pg_stat_activity where application_name = 'postern-backup' and datname = current_database()`,
    )
    .toHaveLength(0);
});

test("what is cut, changed, foreign or not to be read is refused with a sentence", async () => {
  const [db, folder] = [await database(), await makeFolder()];
  await fill(db);
  const { publicKey, privateKey } = makeKeys();
  const key = readPrivateKey(privateKey);
  const plain = (await write(db, folder)).path;
  const sealed = (await write(db, folder, { publicKey: readPublicKey(publicKey) })).path;
  const refusal = async (path: string, privateKeyGiven = key) =>
    checkBackup({ path, privateKey: privateKeyGiven }).then(
      () => "taken",
      (fault: unknown) => {
        if (!(fault instanceof Unusable)) throw fault;
        return fault.message;
      },
    );
  for (const path of [plain, sealed]) {
    const bytes = await readFile(path);
    const changed = async (name: string, to: Buffer) => {
      await writeFile(join(folder, name), to);
      return refusal(join(folder, name));
    };
    expect(await changed("whole", bytes)).toBe("taken");
    for (const part of [0.3, 0.7, 0.99])
      expect(await changed("cut", bytes.subarray(0, Math.floor(bytes.length * part)))).toMatch(
        /is not whole/,
      );
    // Behind its last block a compressed file has a checksum, without which the library may take it; our own one is in that block.
    expect(await changed("cut", bytes.subarray(0, path === sealed ? -1 : -16))).toMatch(/is not whole/);
    for (const part of [0.3, 0.7]) {
      const flipped = Buffer.from(bytes);
      flipped[Math.floor(bytes.length * part)]! ^= 1;
      expect(await changed("flipped", flipped)).toMatch(/is damaged/);
    }
  }
  expect(await refusal(join(folder, "none"))).toMatch(/^There is no /);
  expect(await refusal(fileURLToPath(import.meta.url))).toMatch(/is no backup of a shop/);
  await expect(refusal(tmpdir())).rejects.toThrow("EISDIR");
  await writeFile(join(folder, "newer"), "postern backup 2 {}\n");
  expect(await refusal(join(folder, "newer"))).toMatch(/by a newer program/);
  expect(await refusal(sealed, undefined)).toBe("taken");
  await expect(checkBackup({ path: sealed, privateKey: undefined })).rejects.toThrow(publicKey);
  expect(await refusal(sealed, readPrivateKey(makeKeys().privateKey))).toContain(
    `is encrypted for ${publicKey}`,
  );
});

test("a place that is not empty stays as it is", async () => {
  const [db, other, folder] = [await database(), await database(), await makeFolder()];
  const { path } = await write(db, folder);
  const before = await everything(other);
  await expect(restore(path, other, join(folder, "other"))).rejects.toThrow(/not empty/);
  expect(await everything(other)).toEqual(before);
  expect(await readdir(folder)).not.toContain("other");
});

test(
  "a restore that broke off lets no program start, and is begun anew by the next one",
  patient,
  async () => {
    const [db, other, folder] = [await database(), await emptyDatabase(), await makeFolder()];
    await fill(db);
    // An administrator's, in the same schema: it makes a database neither full nor is it thrown away.
    for (const each of [db, other]) await each.unsafe("create extension citext");
    const { path } = await write(db, folder);
    const whole = await checkBackup({ path, privateKey: undefined });
    const cut = join(folder, "cut");
    await copyFile(path, cut);
    await writeFile(cut, (await readFile(path)).subarray(0, -200));
    const target = { db: other, dataDir: join(folder, "other") };
    await expect(restoreBackup({ path: cut, privateKey: undefined }, whole, target)).rejects.toThrow(
      /not whole/,
    );
    await expect(migrate(other)).rejects.toThrow(/restore <backup>/);
    await restore(path, other, target.dataDir);
    expect(await everything(other)).toEqual(await everything(db));
    expect(await migrate(other)).toEqual([]);
  },
);

test("an older backup is restored and migrated, one of a newer program is refused", patient, async () => {
  const [db, other, folder] = [await emptyDatabase(), await emptyDatabase(), await makeFolder()];
  const older = join(folder, "db");
  await cp(fileURLToPath(new URL("../../../../db", import.meta.url)), older, { recursive: true });
  const newest = (await readdir(join(older, "migrations"))).toSorted().slice(-2);
  for (const name of newest) await rm(join(older, "migrations", name));
  await migrate(db, older);
  await fill(db);
  const { path } = await write(db, folder);
  expect(await restore(path, other, join(folder, "other"))).toMatchObject({ migrated: newest, left: [] });
  await migrate(db);
  expect(await everything(other)).toEqual(await everything(db));

  await db`insert into applied (name, checksum) values ('9999_future.sql', 'x')`;
  const { path: future } = await write(db, folder);
  await expect(checkBackup({ path: future, privateKey: undefined })).rejects.toThrow(
    /9999_future.sql.*newer one/,
  );
});
