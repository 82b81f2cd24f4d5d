// @module-tag slow
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../test/kit/command.ts";
import { createDatabase } from "../../test/kit/database.ts";
import { noticesFor } from "../../test/kit/outbox.ts";
import { openReceiver } from "../../test/kit/receiver.ts";
import { startShop, type TestShop } from "../../test/kit/shop.ts";
import { hashedColumns, isOver, keyStanding, sealAnew, sealedColumns } from "./keys.ts";
import { now, secondsAfter } from "./platform/clock.ts";
import { readConfig } from "./platform/config/config.ts";
import { attempt, type Db } from "./platform/db/db.ts";
import { createLog } from "./platform/log.ts";
import { openOrNone, type Seal } from "./platform/seal.ts";
import { sealOf } from "./platform/secret-key.ts";
import { openUsers } from "./users/users.ts";

const first = "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602";
const second = "5f0d9a1be77c42386d94a0c35b1e8f62c9d3477a10be65f84e2b9c70d6a1385e";
const third = "b1c0867d8fe24b0c9a0c3f7d15e2968a47c20fd5637e4bb19d81e5a60c2f9473";
const log = createLog("silent");

/** A place for shops that come one after another, or stand beside each other. */
async function place() {
  const { db, url: databaseUrl } = await createDatabase({ isStocked: true });
  const dataDir = await mkdtemp(join(tmpdir(), "postern-keys-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return { db, databaseUrl, dataDir };
}

const keys = (key: string, before?: string) => ({
  SECRET_KEY: key,
  ...(before !== undefined && { SECRET_KEY_OLD: before }),
});
const sealBy = (key: string, before?: string): Seal =>
  sealOf(readConfig({ ...keys(key, before), DATA_DIR: "/nonexistent" }));

/** Columns with a text that the key alone does not open. */
async function foreign(db: Db, { openOwn: open }: Seal): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column, field } of sealedColumns) {
    const bytes = field === undefined ? db(column) : db`decode(${db(column)} ->> ${field}, 'base64')`;
    const values = await db<{ bytes: Buffer }[]>`
      select ${bytes} as bytes from ${db(table)} where ${bytes} <> ''`;
    if (values.some((value) => openOrNone({ open }, value.bytes) === undefined))
      found.push(`${table}.${column}`);
  }
  return found;
}

async function sealAll(db: Db, seal: Seal): Promise<number> {
  let renewed = 0;
  for (let passes = 0; passes < 5; passes++) {
    renewed += await sealAnew(db, seal, log, now());
    if ((await keyStanding(db, seal))?.isSealed) return renewed;
  }
  throw new Error("no pass found nothing");
}

/** The newest activation code whose mail waits. */
async function waitingCode(db: Db, seal: Seal): Promise<string> {
  const [mail] = await db<{ sealed: string }[]>`
    select payload->>'sealed' as sealed from task where kind = 'activation-code' order by id desc limit 1`;
  return (JSON.parse(seal.open(Buffer.from(mail!.sealed, "base64"))) as { code: string }).code;
}

const password = "correct horse";
const signIn = async (shop: TestShop, email: string) =>
  ((await shop.post("/user/authorize", { email, password, captcha: "off" }))["data"] as { token: string })
    ?.token;
/** The token of the account, which is sealed, by a new session, which is hashed. */
const accountToken = async (shop: TestShop, email: string) => {
  const { data } = await shop.get("/user/information", { token: await signIn(shop, email) });
  return (data as { token: string }).token;
};
const balance = async (shop: TestShop, token: string) => (await shop.get("/user/balance", { token })).status;
const limited = async (shop: TestShop, token: string, name: string) =>
  String((await shop.post("/user/tokens/add", { token, name }))["token"]);

test("the key changes while all goes on: sign-in, tokens, mail that waits, webhooks, passwords of the stock", async () => {
  const where = await place();
  const { db, dataDir } = where;
  const program = await openReceiver();
  onTestFinished(() => program.close());
  const open = { WEBHOOK_PRIVATE: "127.0.0.1", WEBHOOK_PORTS: String(program.port) };

  // Without the role jobs mail waits.
  const old = await startShop({ ...keys(first), ...open, ROLES: "web" }, where);
  const email = "keyed@example.com";
  const asked = { email, password, localization: "en", recaptcha: "off" };
  const token = String((await old.post("/user/registration", asked))["token"]);
  const code = await waitingCode(db, sealBy(first));
  expect((await old.post("/user/activate", { token, code })).status).toBe("success");
  const account = await accountToken(old, email);
  const used = await limited(old, token, "used");
  const idle = await limited(old, token, "idle");
  const { secret, webhook } = (await old.post("/user/webhooks/add", {
    token,
    url: program.url,
    events: "balance",
  })) as unknown as { secret: string; webhook: { id: string } };
  const hosted = db`(select min(id) from mailbox)`;
  await db`update mailbox set secret = ${sealBy(first).seal("its password")} where id = ${hosted}`;
  await old.stop();

  // The two keys, before anything is sealed anew.
  const both = await startShop({ ...keys(second, first), ...open, ROLES: "web" }, where);
  expect(await balance(both, token)).toBe("success");
  expect(await balance(both, used)).toBe("success");
  expect(await accountToken(both, email)).toBe(account);
  const seal = sealBy(second, first);
  expect(await keyStanding(db, seal)).toMatchObject({ isSealed: false, tokens: 1, lost: 0 });
  const figures = async () => (await fetch(`${both.url}/metrics`)).text();
  expect(await figures()).toMatch(/^postern_key_left\{what="tokens"\} 1$/m);
  const settings = { DATABASE_URL: where.databaseUrl, ...keys(second, first) };
  expect((await sayTo(db, ["secret", "show"], settings)).out).toContain("SECRET_KEY_OLD is needed");

  const before = ["users.token_sealed", "mailbox.secret", "webhook.secret", "task.payload"];
  expect(await foreign(db, seal)).toEqual(expect.arrayContaining(before));
  expect(await sealAll(db, seal)).toBeGreaterThanOrEqual(before.length);
  expect(await foreign(db, seal)).toEqual([]);
  expect(await balance(both, token)).toBe("success");
  expect(await accountToken(both, email)).toBe(account);
  expect((await sayTo(db, ["secret", "show"], settings)).out).toContain("1 limited tokens end");
  expect(await balance(both, idle)).toBe("success");
  expect(await figures()).toMatch(
    /^postern_key_left\{what="sealed"\} 0\npostern_key_left\{what="tokens"\} 0$/m,
  );
  const standing = (await keyStanding(db, seal))!;
  expect(standing).toMatchObject({ isSealed: true, tokens: 0, lost: 0 });
  expect(isOver(standing, now())).toBe(false);
  expect(isOver(standing, secondsAfter(now(), 31 * 24 * 60 * 60))).toBe(true);
  await both.stop();

  // The key before is gone.
  const alone = await startShop({ ...keys(second), ...open }, where);
  for (const each of [token, account, used, idle]) expect(await balance(alone, each)).toBe("success");
  expect(await accountToken(alone, email)).toBe(account);
  // Of two tokens and a webhook.
  await expect.poll(async () => (await noticesFor(dataDir, email)).length).toBe(3);
  await alone.post("/user/webhooks/test", { token, id: webhook.id });
  const [heard] = await program.until(1);
  expect(new Webhook(secret).verify(heard!.body, heard!.headers as Record<string, string>)).toBeDefined();
  const [mailbox] = await db<{ secret: Buffer }[]>`select secret from mailbox where id = ${hosted}`;
  expect(sealBy(second).open(mailbox!.secret)).toBe("its password");
  await alone.stop();
});

test("no start takes the key before away while something is sealed with it", async () => {
  const where = await place();
  const old = await startShop({ ...keys(first), ROLES: "web" }, where);
  await old.stop();
  const both = await startShop({ ...keys(second, first), ROLES: "web" }, where);
  await both.stop();
  await expect(startShop(keys(second), where)).rejects.toThrow(/^SECRET_KEY_OLD must still name/);
  await expect(startShop(keys(third, second), where)).rejects.toThrow(/^SECRET_KEY_OLD must still name/);
  await expect(startShop(keys(first), where)).rejects.toThrow(/^SECRET_KEY .+ is not the one/);
  await sealAll(where.db, sealBy(second, first));
  const alone = await startShop({ ...keys(second), ROLES: "web" }, where);
  await alone.stop();
});

test("processes that name the two keys the other way round read each other's, and the one that started last decides which is written", async () => {
  const where = await place();
  const one = await startShop({ ...keys(first, second), ROLES: "web,jobs" }, where);
  const session = await one.member("admin@example.com");
  const token = await accountToken(one, "admin@example.com");
  const two = await startShop({ ...keys(second, first), ROLES: "web,jobs" }, where);
  await two.member("two@example.com");
  const other = await accountToken(two, "two@example.com");
  for (const shop of [one, two]) {
    expect(await accountToken(shop, "admin@example.com")).toBe(token);
    expect(await accountToken(shop, "two@example.com")).toBe(other);
  }
  expect(await sealAnew(where.db, sealBy(first, second), log, now())).toBe(0);
  const page = async () => (await two.get("/api/admin/setup", { token: session }))["key"];
  expect(await page()).toMatchObject({ state: "sealing", tokens: 0 });
  await sealAll(where.db, sealBy(second, first));
  expect(await page()).toMatchObject({ state: "sealed", tokens: 0 });
  for (const shop of [one, two]) expect(await accountToken(shop, "admin@example.com")).toBe(token);
  // What the other one goes on to write is found within the hour.
  await one.member("late@example.com");
  const late = await accountToken(one, "late@example.com");
  const hour = secondsAfter(now(), 3_601);
  expect(await sealAnew(where.db, sealBy(second, first), log, now())).toBe(0);
  expect(await sealAnew(where.db, sealBy(second, first), log, hour)).toBeGreaterThan(0);
  expect((await keyStanding(where.db, sealBy(second, first)))?.isSealed).toBe(false);
  expect(await sealAnew(where.db, sealBy(second, first), log, hour)).toBe(0);
  expect((await keyStanding(where.db, sealBy(second, first)))?.isSealed).toBe(true);
  expect(await accountToken(two, "late@example.com")).toBe(late);
  await two.stop();
  await one.stop();
});

test("a process that knows only the key before says that it is not ready, replaces no token, and lets mail wait", async () => {
  const where = await place();
  const only = await startShop({ ...keys(first), ROLES: "web,jobs" }, where);
  await only.member("only@example.com");
  const two = await startShop({ ...keys(second, first), ROLES: "web" }, where);
  await two.post("/user/registration", {
    email: "new@example.com",
    password,
    localization: "en",
    recaptcha: "off",
  });
  const token = await accountToken(two, "new@example.com");
  const ready = await fetch(`${only.url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ down: ["key"] });
  expect((await fetch(`${two.url}/readyz`)).status).toBe(200);
  const refused = await fetch(`${only.url}/user/information`, {
    headers: { authorization: `Bearer ${await signIn(only, "new@example.com")}` },
  });
  expect(refused.status).toBe(500);
  expect(await accountToken(two, "new@example.com")).toBe(token);
  const task = async () =>
    (
      await where.db<{ tries: number; failure: string | null; waits: boolean }[]>`
        select tries, failure, due_at is not null as waits from task where payload->>'to' = 'new@example.com'`
    )[0];
  await expect.poll(async () => (await task())?.failure).toContain("another key");
  expect(await task()).toMatchObject({ tries: 0, waits: true });
  await two.stop();
  await only.stop();
});

test("codes, links and places that the key before has hashed are known beside the new one", async () => {
  const { db } = await createDatabase();
  const [old, seal] = [sealBy(first), sealBy(second, first)];
  const users = await openUsers({ db, seal: old, adminEmails: new Set() });
  const anew = await openUsers({ db, seal, adminEmails: new Set() });
  const at = now();
  const place = "203.0.113.9";
  const made = await users.register(
    { email: "a.b+c@gmail.com", password, language: "en", address: place },
    at,
  );
  if (typeof made === "string") throw new Error(made);
  const { userId } = made;
  expect(await anew.isAtHome(userId, place, at)).toBe(true);
  expect(await anew.askedFrom(userId, place, at)).toBe(true);
  expect(await anew.activate(userId, await waitingCode(db, seal), at)).toBeUndefined();
  const link = await users.links.make(userId, at);
  const confirmed = await attempt(db, (tx) =>
    anew.links.confirm(tx, { token: link.token, telegramId: 77n }, at),
  );
  expect(confirmed).toEqual({ userId, isNew: true });
  const marks = async () => (await db`select kind from user_mark where user_id = ${userId}`).length;
  // Two of each but of the first address: what is noted from now on is compared with both.
  expect(await marks()).toBe(4);
  await db`insert into shop_key (mark) values (${seal.hash("shop", "key")})`;
  await sealAll(db, seal);
  const known = [seal.hash("mark email", "ab@gmail.com"), seal.hash("mark telegram", "77")];
  const found =
    await db`select from user_mark where user_id = ${userId} and hash in (${known[0]!}, ${known[1]!})`;
  expect(found).toHaveLength(2);
  expect(await marks()).toBe(3);
  await users.close();
  await anew.close();
});

test("every column of bytes is declared: sealed, hashed, or neither", async () => {
  const { db } = await createDatabase();
  const columns = await db<{ name: string }[]>`
    select c.table_name || '.' || c.column_name as name from information_schema.columns c
    join pg_class t on t.relname = c.table_name and t.relnamespace = 'public'::regnamespace
    where c.table_schema = 'public' and c.data_type = 'bytea' and not t.relispartition`;
  /** Letters, pictures, and hashes without a key of texts that are no secret. */
  const plain = [
    "box_mark.mark",
    "imap_seen.digest",
    "investor_batch.file_hash",
    "letter_body.html",
    "letter_raw.raw",
    "picture.thumb",
    "picture.whole",
    "user_factor.public_key",
  ];
  const declared = [
    ...sealedColumns
      .filter(({ field }) => field === undefined)
      .map(({ table, column }) => `${table}.${column}`),
    ...sealedColumns.flatMap(({ table, hash }) => (hash ? [`${table}.${hash.column}`] : [])),
    ...Object.keys(hashedColumns),
    ...plain,
  ];
  expect(columns.map(({ name }) => name).toSorted()).toEqual(declared.toSorted());
});

test("every value that the key opens is in a declared column", async () => {
  const where = await place();
  const shop = await startShop(keys(first), where);
  const token = await shop.buyer();
  await limited(shop, token, "one");
  await shop.post("/user/webhooks/add", { token, url: "https://program.example/", events: "balance" });
  const seal = sealBy(first);
  const opens = (value: unknown): boolean =>
    (JSON.stringify(value ?? "").match(/[\w+/=]{38,}/g) ?? [])
      .flatMap((text) => [Buffer.from(text.replace(/^x/, ""), "hex"), Buffer.from(text, "base64")])
      .some((bytes) => bytes.length >= 28 && openOrNone(seal, bytes) !== undefined);
  const tables = await where.db<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  const holders = new Set<string>();
  for (const { name } of tables) {
    const found = await where.db<{ row: Record<string, unknown> }[]>`
      select to_jsonb(t) as row from ${where.db(name)} t limit 200`;
    const cells = found.flatMap(({ row }) => Object.entries(row));
    for (const [column] of cells.filter(([, value]) => opens(value))) holders.add(`${name}.${column}`);
  }
  const declared = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(declared).toEqual(expect.arrayContaining([...holders]));
  expect([...holders]).toEqual(expect.arrayContaining(["users.token_sealed", "webhook.secret"]));
  await shop.stop();
});

test("every place that seals is known with its column", () => {
  const root = new URL("../../", import.meta.url).pathname;
  const files = globSync("src/server/**/*.ts", { cwd: root }).filter((path) => !path.endsWith(".test.ts"));
  const sealing = files.filter(
    (path) =>
      /\bseal\.seal\b|[^.\w]seal\(\w/.test(readFileSync(join(root, path), "utf8")) &&
      !path.includes("/platform/"),
  );
  expect(sealing.toSorted()).toEqual(
    [
      // Whatever is declared.
      "src/server/keys.ts",
      // mailbox.secret
      "src/server/investors/investors.worker.ts",
      "src/server/shop/imports.ts",
      // task.payload
      "src/server/mailer/mailer.ts",
      // users.token_sealed
      "src/server/users/users.access.ts",
      "src/server/users/users.sessions.ts",
      // user_factor.secret, user_recovery_code.hash, user_challenge.sealed
      "src/server/users/factors/factors.add.ts",
      // webhook_delivery.body
      "src/server/webhooks/webhooks.fan-out.ts",
      // webhook_delivery.exchange
      "src/server/webhooks/webhooks.try.ts",
      // webhook.secret
      "src/server/webhooks/webhooks.ts",
    ].toSorted(),
  );
});
