// @module-tag slow
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { connect } from "./db.ts";
import { migrate } from "./migrate.ts";
import { startEmbedded, type Embedded } from "./embedded.ts";
import { soon } from "../../../../test/kit/soon.ts";

const publicFile = fileURLToPath(new URL("embedded.ts", import.meta.url));
const log = { info: () => {}, warn: () => {} };

let dataDir: string;
let started: Embedded[];
let children: ChildProcess[];

// Making a cluster takes a second: most tests begin with a copy of this one, as an operator restores a backup.
const made = mkdtempSync(join(tmpdir(), "postern-embedded-"));
beforeAll(async () => (await startEmbedded({ dataDir: made, log })).stop());
afterAll(() => rmSync(made, { recursive: true }));

const restore = () => cpSync(made, dataDir, { recursive: true });

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "postern-embedded-"));
  started = [];
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const embedded of started) await embedded.stop();
  rmSync(dataDir, { recursive: true });
});

async function start(): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log });
  started.push(embedded);
  return embedded;
}

/** Starts the database from another process of the shop, which keeps it until it is killed. */
function startElsewhere(): { child: ChildProcess; url: Promise<string> } {
  const program = `
    const { startEmbedded } = await import(${JSON.stringify(publicFile)});
    const { url } = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, log: { info() {}, warn() {} } });
    console.log(url);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const url = new Promise<string>((done) =>
    child.stdout.once("data", (line: Buffer) => done(line.toString().trim())),
  );
  return { child, url };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await gone;
}

async function run(url: string, ...statements: string[]): Promise<unknown[]> {
  const db = connect(url, { max: 1 });
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = await db.unsafe(statement);
    return rows;
  } finally {
    await db.end();
  }
}

const pidFile = () => join(dataDir, "postgres/postmaster.pid");
const postmaster = () => Number(readFileSync(pidFile(), "utf8").split("\n")[0]);
const isRunning = () => existsSync(pidFile());

test("the shop is no superuser, and owns what the superuser of a cluster of before made for it", async () => {
  restore();
  const first = await start();
  const admin = connect(first.adminUrl, { max: 1 });
  // As releases of before left it.
  await admin.unsafe(`
    alter database postern owner to postern;
    create type mood as enum ('calm'); create type pair as (one integer, other mood); create domain small as integer;
    create table older (id bigint generated always as identity, kind mood, at small) partition by range (id);
    create table older_first partition of older for values from (1) to (100);
    create sequence numbers;
    create view seen as select kind from older;
    create function twice(given integer) returns integer language sql as 'select given * 2';`);
  await migrate(admin);
  await admin.end();
  await first.stop();

  const shop = connect((await start()).url, { max: 1 });
  onTestFinished(() => shop.end());
  const owners = await shop`
    select distinct rolname from (
      select relowner as owner from pg_class where relnamespace = 'public'::regnamespace
      union select proowner from pg_proc where pronamespace = 'public'::regnamespace
      union select typowner from pg_type where typnamespace = 'public'::regnamespace
      union select datdba from pg_database where datname = 'postern') owned
    join pg_roles on pg_roles.oid = owner`;
  expect(owners).toEqual([{ rolname: "postern_shop" }]);
  expect(await shop`select rolsuper from pg_roles where rolname = current_user`).toEqual([
    { rolsuper: false },
  ]);
  // Migrations change what is there, and no statement runs a program on the machine.
  await shop.unsafe(
    "alter table older add column more text; alter type mood add value 'glad'; drop function twice",
  );
  await migrate(shop);
  await expect(shop.unsafe("copy older_first (kind) from program 'echo calm'")).rejects.toThrow(
    "permission denied",
  );
});

test("what was stored is there after the next start, and the server is off in between", async () => {
  restore();
  const first = await start();
  await run(first.url, "create table kept (word text)", "insert into kept values ('ключ')");
  await first.stop();
  expect(isRunning()).toBe(false);
  const second = await start();
  expect(await run(second.url, "select word from kept")).toEqual([{ word: "ключ" }]);
});

test("the server is durable, speaks UTF-8 and UTC, and only this machine with the password gets in", async () => {
  restore();
  const { url } = await start();
  const wanted = {
    server_encoding: "UTF8",
    TimeZone: "UTC",
    fsync: "on",
    synchronous_commit: "on",
    listen_addresses: "127.0.0.1",
    password_encryption: "scram-sha-256",
  };
  const found = await run(
    url,
    `select name, setting from pg_settings where name in ('${Object.keys(wanted).join("','")}')`,
  );
  expect(
    Object.fromEntries((found as { name: string; setting: string }[]).map((row) => [row.name, row.setting])),
  ).toEqual(wanted);
  const wrong = new URL(url);
  wrong.password = "guess";
  await expect(run(wrong.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  expect(statSync(join(dataDir, "postgres.password")).mode & 0o777).toBe(0o600);
});

test("texts of failed statements stay out of the server's log", async () => {
  restore();
  const { url } = await start();
  await expect(
    run(
      url,
      "create table t (email text unique)",
      "insert into t values ('ann@secret.test'), ('ann@secret.test')",
    ),
  ).rejects.toThrow();
  const said = readFileSync(join(dataDir, "postgres.log"), "utf8");
  expect(said).toContain("duplicate key");
  expect(said).not.toContain("secret");
});

test("after kill -9 of the shop the next one takes over the server that was left, and turns it off at its end", async () => {
  restore();
  const elsewhere = startElsewhere();
  await run(await elsewhere.url, "create table kept (id int)");
  const left = postmaster();
  await kill(elsewhere.child);
  const next = await start();
  expect(postmaster()).toBe(left);
  expect(await run(next.url, "select count(*)::int as n from kept")).toEqual([{ n: 0 }]);
  await next.stop();
  expect(isRunning()).toBe(false);
});

test("after kill -9 of the server itself everything committed is there", async () => {
  restore();
  const first = await start();
  await run(first.url, "create table kept (id int)", "insert into kept select generate_series(1, 1000)");
  process.kill(postmaster(), "SIGKILL");
  const second = await start();
  expect(await run(second.url, "select count(*)::int as n from kept")).toEqual([{ n: 1000 }]);
});

test("a server that falls over is started again at the same place, by one of those that use it", async () => {
  restore();
  const [{ url }, elsewhere] = [await start(), startElsewhere()];
  expect(await elsewhere.url).toBe(url);
  const db = connect(url, { max: 2 });
  onTestFinished(() => db.end({ timeout: 1 }));
  await db`create table kept as select 1 as number`;
  const first = postmaster();
  process.kill(first, "SIGKILL");
  await vi.waitFor(() => expect(postmaster()).not.toBe(first), soon);
  const look = () => db`select number from kept`.catch(() => undefined);
  await vi.waitFor(async () => expect(await look()).toEqual([{ number: 1 }]), soon);
});

test(
  "a postmaster.pid whose number now belongs to another program does not stop the start",
  { tags: ["full"] },
  async () => {
    restore();
    const first = await start();
    await first.stop();
    writeFileSync(
      pidFile(),
      [process.pid, join(dataDir, "postgres"), 1, 1, "", "127.0.0.1", "0 0", "ready   "].join("\n"),
    );
    const second = await start();
    expect(await run(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(postmaster()).not.toBe(process.pid);
  },
);

test(
  "a start that was killed while it made the cluster leaves nothing in the way",
  { tags: ["full"] },
  async () => {
    const { child } = startElsewhere();
    const isMaking = () => existsSync(join(dataDir, "postgres.password"));
    await vi.waitUntil(isMaking, soon);
    await kill(child);
    const next = await start();
    expect(await run(next.url, "select 1 as one")).toEqual([{ one: 1 }]);
  },
);

test(
  "processes that start at the same moment share one server, and the last to leave turns it off",
  { tags: ["full"] },
  async () => {
    const elsewhere = startElsewhere();
    const [first, second, url] = await Promise.all([start(), start(), elsewhere.url]);
    expect(new Set([first.url, second.url, url]).size).toBe(1);
    await first.stop();
    await second.stop();
    expect(isRunning()).toBe(true);
    await kill(elsewhere.child);
    const last = await start();
    await last.stop();
    expect(isRunning()).toBe(false);
  },
);

test("a server that a foreign client still uses is left on", { tags: ["full"] }, async () => {
  restore();
  const embedded = await start();
  const foreign = connect(embedded.url, { max: 1, name: "psql" });
  await foreign`select 1`;
  await embedded.stop();
  expect(await foreign`select 1 as one`).toEqual([{ one: 1 }]);
  await foreign.end();
  await (await start()).stop();
  expect(isRunning()).toBe(false);
});

const isRoot = process.getuid?.() === 0;

test.runIf(isRoot)(
  "in folders that only root can enter a restored database is moved to where it can run, and a link without it is refused",
  { tags: ["full"] },
  async () => {
    // Only root enters what is above it.
    const [closed, archive] = [join(dataDir, "closed"), join(dataDir, "archive")];
    const open = async () => {
      const embedded = await startEmbedded({ dataDir: closed, log });
      started.push(embedded);
      return embedded;
    };
    const forget = () => rmSync(realpathSync(join(closed, "postgres")), { recursive: true, force: true });
    cpSync(made, closed, { recursive: true });
    const first = await open();
    await run(first.url, "create table kept (id int)");
    await first.stop();
    // As tar -h does.
    execFileSync("cp", ["-rL", closed, archive]);
    forget();
    await expect(open()).rejects.toThrow(
      /^the database of .+ is not there: .+postgres leads to \/var\/lib\/postern\//,
    );
    rmSync(closed, { recursive: true });
    cpSync(archive, closed, { recursive: true });
    const second = await open();
    expect(await run(second.url, "select count(*)::int as n from kept")).toEqual([{ n: 0 }]);
    await second.stop();
    expect(
      readdirSync(closed)
        .filter((name) => name.startsWith("postgres"))
        .toSorted(),
    ).toEqual(["postgres", "postgres.log", "postgres.password"]);
    forget();
  },
);

test("a data folder that is deleted gives a fresh database", { tags: ["full"] }, async () => {
  restore();
  const first = await start();
  await run(first.url, "create table kept (id int)");
  await first.stop();
  rmSync(dataDir, { recursive: true });
  const second = await start();
  expect(await run(second.url, "select to_regclass('kept') as found")).toEqual([{ found: null }]);
});
