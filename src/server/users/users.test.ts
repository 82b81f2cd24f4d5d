// @module-tag slow
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { soon } from "../../../test/kit/soon.ts";
import { secondsAfter } from "../platform/clock.ts";
import { type Db, attempt } from "../platform/db/db.ts";
import { createSeal } from "../platform/seal.ts";
import { balance } from "../ledger/ledger.ts";
import { block, find, grant, openUsers, type Users } from "./users.ts";

const seal = createSeal(Buffer.alloc(32, 6));
const at = new Date("2026-03-01T12:00:00Z");
const password = "correct horse";
let db: Db;
let users: Users;
let people = 0;

beforeAll(async () => {
  ({ db } = await createDatabase());
  users = await open();
  return () => users.close();
});

const open = (adminEmails: string[] = ["boss@example.com"]) =>
  openUsers({ db, seal, adminEmails: new Set(adminEmails) });

async function register(email = `person${++people}@example.com`, when = at) {
  const made = await users.register({ email, password, language: "en" }, when);
  if (typeof made === "string") throw new Error(made);
  return { email, ...made };
}

async function member(email?: string) {
  const made = await register(email);
  expect(await users.activate(made.userId, await mailed(made.email), at)).toBeUndefined();
  return made;
}

/** How many mails were written until now; a code takes the place of an older one. */
async function mailsSoFar(): Promise<number> {
  const [mail] = await db<{ last: bigint }[]>`select coalesce(max(id), 0) as last from task`;
  return Number(mail?.last);
}

async function mailed(email: string): Promise<string> {
  const [mail] = await db<{ sealed: string }[]>`
    select payload->>'sealed' as sealed from task where payload->>'to' = ${email} order by id desc limit 1`;
  if (!mail) throw new Error(`nothing was mailed to ${email}`);
  return (JSON.parse(seal.open(Buffer.from(mail.sealed, "base64"))) as { code: string }).code;
}

const wrong = (code: string) => (code === "000000" ? "000001" : "000000");

test("who registers has an account with a token, an empty balance and a code in the mail", async () => {
  const { userId, token, email } = await register("new.person@example.com");
  expect(token).toMatch(/^postern[A-Za-z0-9]{25}$/);
  expect(await mailed(email)).toMatch(/^[0-9]{6}$/);
  expect(await balance(db, userId)).toBe(0n);
  expect(await db`select 1 from account where user_id = ${userId} and book = 'balance'`).toHaveLength(1);
  expect(await db`select 1 from buyer where user_id = ${userId}`).toHaveLength(1);
  expect(await users.callerOf(token)).toMatchObject({
    userId,
    token,
    active: false,
    admin: false,
    investor: false,
    confirmed: false,
    referred: false,
  });
  expect(await users.information(userId)).toMatchObject({ name: "new.person", email, activatedAt: null });
});

test("two registrations of one address at once make one account", async () => {
  const ask = { email: "twin@example.com", password, language: "en" };
  const before = await mailsSoFar();
  const made = await Promise.all(Array.from({ length: 6 }, () => users.register(ask, at)));
  expect(made.filter((each) => each === "email already registered")).toHaveLength(5);
  expect(await db`select 1 from users where email = ${ask.email}`).toHaveLength(1);
  expect((await mailsSoFar()) - before).toBe(1);
});

test("neither password, token nor code lies open in the database", async () => {
  const { email, token } = await register();
  const code = await mailed(email);
  const [row] = await db<{ all: string }[]>`
    select u::text || c::text || t::text || encode(decode(t.payload->>'sealed', 'base64'), 'hex') as all
    from users u join user_code c on c.user_id = u.id join task t on t.user_id = u.id where u.email = ${email}`;
  for (const secret of [password, token, Buffer.from(token).toString("hex")])
    expect(row?.all).not.toContain(secret);
  for (const written of [`"${code}"`, Buffer.from(`"${code}"`).toString("hex")])
    expect(row?.all).not.toContain(written);
});

test("an owner is recognised by email and password, activated or not", async () => {
  const { userId, email } = await register();
  expect(await users.authorize({ email, password })).toEqual({ userId, isActive: false });
  expect(await users.authorize({ email, password: "wrong horse" })).toBe("invalid password");
  expect(await users.authorize({ email: "nobody@example.com", password })).toBe("user not found");
});

test("the code of the mail activates, once", async () => {
  const { userId, token, email } = await register();
  const code = await mailed(email);
  expect(await users.activate(userId, wrong(code), at)).toBe("invalid code");
  expect(await users.activate(userId, code, at)).toBeUndefined();
  expect(await users.callerOf(token)).toMatchObject({ active: true });
  expect(await users.activate(userId, code, at)).toBe("invalid code");
});

test("of many activations at once one uses the code up", async () => {
  const { userId, email } = await register();
  const code = await mailed(email);
  const answers = await Promise.all(Array.from({ length: 4 }, () => users.activate(userId, code, at)));
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
  expect(answers.filter((answer) => answer === "invalid code")).toHaveLength(3);
});

test("a code dies after fifteen minutes", async () => {
  const { userId, email } = await register();
  const code = await mailed(email);
  expect(await users.activate(userId, code, secondsAfter(at, 15 * 60))).toBe("token expired");
  expect(await users.activate(userId, code, secondsAfter(at, 15 * 60 - 1))).toBeUndefined();
});

test("a code can be tried five times, also by many at once, and then not even the right one opens", async () => {
  const { userId, email } = await register();
  const code = await mailed(email);
  const tries = await Promise.all(Array.from({ length: 9 }, () => users.activate(userId, wrong(code), at)));
  expect(tries).toEqual(Array(9).fill("invalid code"));
  expect(await users.activate(userId, code, at)).toBe("token expired");
});

test("the code of one account or purpose opens no other", async () => {
  const [ann, bob] = [await register(), await register()];
  const code = await mailed(ann.email);
  if (code !== (await mailed(bob.email)))
    expect(await users.activate(bob.userId, code, at)).toBe("invalid code");
  expect(await users.changePassword(ann.userId, { code, password: "new one" }, at)).toBe("invalid code");
});

test("a new code is sent after a minute, not before, and the old one is dead", async () => {
  const { userId, email } = await register();
  const first = await mailed(email);
  expect(await users.sendCode(userId, "activation", secondsAfter(at, 12.3))).toBe(48);
  expect(await users.secondsToCode(userId, "activation", secondsAfter(at, 59.5))).toBe(1);
  const later = secondsAfter(at, 60);
  expect(await users.secondsToCode(userId, "activation", later)).toBe(0);
  expect(await users.sendCode(userId, "activation", later)).toBe(0);
  const second = await mailed(email);
  if (first !== second) expect(await users.activate(userId, first, later)).toBe("invalid code");
  expect(await users.activate(userId, second, later)).toBeUndefined();
});

test("after a code that a clock sent that ran ahead, nobody waits for that clock", async () => {
  const { userId } = await register(undefined, secondsAfter(at, 3600));
  expect(await users.secondsToCode(userId, "activation", at)).toBe(0);
  expect(await users.sendCode(userId, "activation", at)).toBe(0);
  expect(await users.sendCode(userId, "activation", secondsAfter(at, 1))).toBe(59);
});

test("of many new codes asked for at once one is sent", async () => {
  const { userId } = await register();
  const before = await mailsSoFar();
  const later = secondsAfter(at, 61);
  const waits = await Promise.all(
    Array.from({ length: 5 }, () => users.sendCode(userId, "activation", later)),
  );
  expect(waits.toSorted((a, b) => a - b)).toEqual([0, 60, 60, 60, 60]);
  expect((await mailsSoFar()) - before).toBe(1);
});

test("who forgot the password sets a new one with the code, and only the new one opens", async () => {
  const { userId, email, token } = await member();
  expect(await users.idOf(email)).toBe(userId);
  expect(await users.idOf("nobody@example.com")).toBeUndefined();
  expect(await users.sendCode(userId, "reset", at)).toBe(0);
  const code = await mailed(email);
  expect(await users.changePassword(userId, { code: wrong(code), password: "new horse" }, at)).toBe(
    "invalid code",
  );
  expect(await users.changePassword(userId, { code, password: "new horse" }, secondsAfter(at, 901))).toBe(
    "token expired",
  );
  expect(await users.changePassword(userId, { code, password: "new horse" }, at)).toBeUndefined();
  expect(await users.authorize({ email, password })).toBe("invalid password");
  const entered = await users.authorize({ email, password: "new horse" });
  if (typeof entered === "string") throw new Error(entered);
  expect(await users.tokenOf(userId)).not.toBe(token);
  expect(await users.callerOf(await users.tokenOf(userId))).toMatchObject({ userId });
});

test("the first administrators have the ids 1, 2 and 3; everybody else begins above them", async () => {
  const { db: fresh } = await createDatabase();
  const emails = ["ann", "bob", "cat", "dan"].map((name) => `${name}@example.com`);
  const shop = await openUsers({ db: fresh, seal, adminEmails: new Set(emails) });
  onTestFinished(() => shop.close());
  const registered = async (email: string) => {
    const made = await shop.register({ email, password, language: "en" }, at);
    return typeof made === "string" ? made : made.userId;
  };
  expect(await registered("stranger@example.com")).toBe(1001n);
  const first = await Promise.all(emails.slice(0, 2).map(registered));
  expect(new Set(first)).toEqual(new Set([1n, 2n]));
  expect(await registered("ann@example.com")).toBe("email already registered");
  expect(await registered("another@example.com")).toBe(1002n);
  expect([await registered("cat@example.com"), await registered("dan@example.com")]).toEqual([3n, 1003n]);
});

test("a new password ends the old token at once in every process", async () => {
  const { userId, email, token } = await member();
  const elsewhere = await open();
  onTestFinished(() => elsewhere.close());
  expect(await elsewhere.callerOf(token)).toMatchObject({ userId });
  expect(await users.callerOf(token)).toMatchObject({ userId });
  await users.sendCode(userId, "reset", at);
  const reset = { code: await mailed(email), password: "new horse" };
  expect(await users.changePassword(userId, { ...reset, code: wrong(reset.code) }, at)).toBe("invalid code");
  expect(await users.callerOf(token)).toMatchObject({ userId });
  expect(await users.changePassword(userId, reset, at)).toBeUndefined();
  expect(await users.callerOf(token)).toBeUndefined();
  await vi.waitFor(async () => expect(await elsewhere.callerOf(token)).toBeUndefined(), soon);
});

test("registering an administrator's address first makes no administrator when its owner takes it over", async () => {
  const boss = "early.boss@example.com";
  const early = await open([boss]);
  onTestFinished(() => early.close());
  const { userId, token: stranger } = await register(boss);
  await early.sendCode(userId, "reset", at);
  await early.changePassword(userId, { code: await mailed(boss), password: "new horse" }, at);
  await early.sendCode(userId, "activation", secondsAfter(at, 61));
  expect(await early.activate(userId, await mailed(boss), secondsAfter(at, 61))).toBeUndefined();
  const owner = await early.authorize({ email: boss, password: "new horse" });
  if (typeof owner === "string") throw new Error(owner);
  expect(await early.callerFor(owner.userId)).toMatchObject({ admin: true });
  expect(await early.callerOf(stranger)).toBeUndefined();
});

test("a replaced token dies at once in every process", async () => {
  const { userId, token } = await member();
  const elsewhere = await open();
  onTestFinished(() => elsewhere.close());
  expect(await elsewhere.callerOf(token)).toMatchObject({ userId });
  expect(await users.callerOf(token)).toMatchObject({ userId });
  const fresh = await users.replaceToken(userId);
  expect(await users.callerOf(token)).toBeUndefined();
  expect(await users.callerOf(fresh)).toMatchObject({ userId, token: fresh });
  await vi.waitFor(async () => expect(await elsewhere.callerOf(token)).toBeUndefined(), soon);
});

test("a blocked account is closed everywhere until it is opened again", async () => {
  const { userId, token, email } = await member();
  expect(await users.callerOf(token)).toBeDefined();
  await attempt(db, async (tx) => {
    await block(tx, userId, true);
    return undefined;
  });
  await vi.waitFor(async () => expect(await users.callerOf(token)).toBeUndefined(), soon);
  expect(await users.authorize({ email, password })).toBe("user not found");
  expect(await users.idOf(email)).toBeUndefined();
  expect((await find(db, email))?.blockedAt).toBeInstanceOf(Date);
  await block(db, userId, false);
  await vi.waitFor(async () => expect(await users.callerOf(token)).toMatchObject({ userId }), soon);
});

test("a granted role is known to every process, and a refused change to none", async () => {
  const { userId, token } = await member();
  expect(await users.callerOf(token)).toMatchObject({ admin: false, investor: false });
  await attempt(db, async (tx) => {
    await grant(tx, userId, "admin");
    return "changed my mind";
  });
  await grant(db, userId, "investor");
  await vi.waitFor(async () => expect(await users.callerOf(token)).toMatchObject({ investor: true }), soon);
  expect(await users.callerOf(token)).toMatchObject({ admin: false });
  await expect(grant(db, 4_000_000n, "admin")).rejects.toThrow();
});

test("an address of ADMIN_EMAILS is an administrator once activated, not before, and nobody else is", async () => {
  const boss = await register("boss@example.com");
  expect(await users.callerOf(boss.token)).toMatchObject({ admin: false });
  await users.activate(boss.userId, await mailed(boss.email), at);
  expect(await users.callerOf(boss.token)).toMatchObject({ admin: true });
  const other = await member();
  expect(await users.callerOf(other.token)).toMatchObject({ admin: false });
});

test("an address that the operator names later is an administrator after the next start, if it is activated", async () => {
  const [active, waiting] = [await member(), await register()];
  const elsewhere = await open([active.email, waiting.email]);
  onTestFinished(() => elsewhere.close());
  expect(await elsewhere.callerOf(active.token)).toMatchObject({ admin: true });
  expect(await elsewhere.callerOf(waiting.token)).toMatchObject({ admin: false });
});

test("what is no token is nobody, and nobody's token neither", async () => {
  for (const token of ["", "short", "A".repeat(32), "A".repeat(33), "ü".repeat(32), `${"A".repeat(31)}\n`])
    expect(await users.callerOf(token)).toBeUndefined();
});

test("a caller is looked up once, and a change that comes during the look-up is not overlooked", async () => {
  const { userId, token } = await member();
  // Both run at once: a dead token is never cached, whichever is first.
  for (let round = 0; round < 20; round++) {
    const looking = users.callerOf(token);
    await block(db, userId, true);
    await looking;
    await vi.waitFor(async () => expect(await users.callerOf(token)).toBeUndefined(), soon);
    await block(db, userId, false);
    await vi.waitFor(async () => expect(await users.callerOf(token)).toBeDefined(), soon);
  }
});

test("an account is found by its address however it is written", async () => {
  const { userId, email } = await register();
  expect(await find(db, ` ${email.toUpperCase()} `)).toMatchObject({ id: userId, isAdmin: false });
  expect(await find(db, "nobody@example.com")).toBeUndefined();
});
