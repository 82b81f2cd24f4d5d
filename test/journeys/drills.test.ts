// @module-tag full
// What an operator does to a database (docs/operations.md, drills), with Debian's PostgreSQL 15: the oldest that we serve.
import { sell } from "../kit/sell.ts";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { audit } from "../../src/server/orders/orders.ts";
import { checkBackup, restoreBackup, writeBackup } from "../../src/server/platform/backup/backup.ts";
import { connect, type Db } from "../../src/server/platform/db/db.ts";
import { createDatabase } from "../kit/database.ts";
import { type DatabaseServer, debianPrograms, makeServer, ownFolder, serverFolder } from "../kit/servers.ts";
import { startShop, type TestShop } from "../kit/shop.ts";

const has15 = existsSync("/usr/lib/postgresql/15/bin");
const without = has15 ? "" : "SKIPPED: there is no PostgreSQL 15 here (apt-get install postgresql-15)";

/** A server that archives what it writes, with a role that owns its database and is nothing else. */
async function startServer() {
  const folder = await serverFolder();
  const programs = debianPrograms(folder, 15);
  const archive = await ownFolder(programs, join(folder, "archive"));
  const server = await makeServer(programs, folder);
  await server.start({ archive_mode: "on", archive_command: `cp %p ${archive}/%f` });
  const admin = connect(server.url, { max: 1 });
  await admin.unsafe("create role shop login password 'of-a-shop'");
  await admin.unsafe("create database shop owner shop encoding utf8 template template0");
  await admin.end();
  return { folder, programs, archive, server };
}

const urlOf = ({ port }: DatabaseServer, database = "shop") =>
  `postgres://shop:of-a-shop@127.0.0.1:${port}/${database}`;

/** A shop on the database of `url`; `dataDir` is that of the one before. */
async function openShop(url: string, dataDir?: string): Promise<TestShop> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "postern-drill-")));
  const db = connect(url, { max: 4 });
  onTestFinished(async () => {
    await db.end();
    await rm(folder, { recursive: true, force: true });
  });
  const shop = await startShop({}, { db, databaseUrl: url, dataDir: folder });
  onTestFinished(() => shop.stop());
  return shop;
}

const broken = async ({ db }: TestShop) => (await audit(db)).filter(({ bad }) => bad.length > 0);

test.skipIf(!has15)(`PostgreSQL 15 and a role that owns its database alone will do ${without}`, async () => {
  const { server } = await startServer();
  const shop = await openShop(urlOf(server));
  const [role] =
    await shop.db`select version() as version, rolsuper as super from pg_roles where rolname = current_user`;
  expect(role).toMatchObject({ version: expect.stringContaining("PostgreSQL 15.") as string, super: false });
  await sell(shop, await shop.buyer(), "482913");
  expect(await broken(shop)).toEqual([]);
});

/** Starts the base backup in `folder`, which reads the archive up to a moment: as in docs/operations.md. */
async function restore(
  { folder, programs, archive }: Awaited<ReturnType<typeof startServer>>,
  until: string,
): Promise<DatabaseServer> {
  const restored = await makeServer(programs, folder, { name: "backup" });
  await writeFile(join(restored.cluster, "recovery.signal"), "");
  await restored.start({
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: until,
    recovery_target_action: "promote",
  });
  const db = connect(urlOf(restored), { max: 1 });
  const isRestored = async () => (await db`select not pg_is_in_recovery() as is`)[0]?.["is"] as boolean;
  await expect.poll(isRestored).toBe(true);
  await db.end();
  return restored;
}

test.skipIf(!has15)(
  `a base backup and the archive bring back the shop as it was at a moment ${without}`,
  async () => {
    const place = await startServer();
    const { server, folder, programs } = place;
    const shop = await openShop(urlOf(server));
    const token = await shop.buyer();
    const before = await sell(shop, token, "111111");
    const backup = await ownFolder(programs, join(folder, "backup"));
    await server.program("pg_basebackup", "-d", server.url, "-D", backup, "--checkpoint=fast");
    const after = await sell(shop, token, "222222");
    const admin = connect(server.url, { max: 1 });
    const [moment] = await admin<{ now: string }[]>`select clock_timestamp()::text as now`;
    await shop.db`truncate delivery`;
    const [last] = await admin<{ file: string }[]>`select pg_walfile_name(pg_switch_wal()) as file`;
    const archived = async () =>
      (await admin`select last_archived_wal as file from pg_stat_archiver`)[0]?.["file"] as string;
    await expect.poll(archived).toBe(last!.file);
    await admin.end();
    await shop.stop();
    await server.stop();

    const again = await openShop(urlOf(await restore(place, moment!.now)), shop.dataDir);
    for (const [id, code] of Object.entries({ [before]: "111111", [after]: "222222" }))
      expect(await again.get("/email/getmessage", { token, id })).toMatchObject({ code });
    await sell(again, token, "333333");
    expect(await broken(again)).toEqual([]);
  },
);

test.skipIf(!has15)(`a dump brings back the shop in another database ${without}`, async () => {
  const { folder, programs, server } = await startServer();
  const shop = await openShop(urlOf(server));
  const token = await shop.buyer();
  const id = await sell(shop, token, "111111");
  const dump = join(await ownFolder(programs, join(folder, "dump")), "shop.dump");
  await server.program("pg_dump", "-Fc", `--dbname=${shop.databaseUrl}`, `--file=${dump}`);
  await shop.stop();

  const admin = connect(server.url, { max: 1 });
  await admin.unsafe("create database restored owner shop encoding utf8 template template0");
  await admin.end();
  const url = urlOf(server, "restored");
  await server.program("pg_restore", "--no-owner", "--exit-on-error", `--dbname=${url}`, dump);
  const again = await openShop(url, shop.dataDir);
  expect(await again.get("/email/getmessage", { token, id })).toMatchObject({ code: "111111" });
  expect(await broken(again)).toEqual([]);
  await sell(again, token, "222222");
});

test.skipIf(!has15)(`a backup goes from PostgreSQL 15 into a newer one, and back ${without}`, async () => {
  const { folder, server } = await startServer();
  const shop = await openShop(urlOf(server));
  const token = await shop.buyer();
  const id = await sell(shop, token, "111111");
  const copy = async (from: Db, to: Db) => {
    const { path } = await writeBackup({
      db: from,
      dataDir: shop.dataDir,
      isEmbedded: false,
      folder: join(folder, "backups"),
      publicKey: undefined,
    });
    const source = { path, privateKey: undefined };
    await restoreBackup(source, await checkBackup(source), { db: to, dataDir: join(folder, "data") });
  };
  const newer = await createDatabase();
  await newer.db.unsafe("drop schema public cascade; create schema public");
  await copy(shop.db, newer.db);
  await shop.stop();

  const admin = connect(server.url, { max: 1 });
  await admin.unsafe("create database restored owner shop encoding utf8 template template0");
  await admin.end();
  const url = urlOf(server, "restored");
  const older = connect(url, { max: 4 });
  await copy(newer.db, older);
  await older.end();
  await newer.drop();
  const again = await openShop(url, shop.dataDir);
  expect(await again.get("/email/getmessage", { token, id })).toMatchObject({ code: "111111" });
  expect(await broken(again)).toEqual([]);
  await sell(again, token, "222222");
});
