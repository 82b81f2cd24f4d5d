import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer } from "../../../test/kit/shelf.ts";
import { soon } from "../../../test/kit/soon.ts";
import { tokensMax } from "../../contract/limits.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { usd } from "../platform/money.ts";
import { createSeal } from "../platform/seal.ts";
import { block, openUsers, type Users, type WantedToken } from "./users.ts";

const seal = createSeal(Buffer.alloc(32, 6));
const { db } = await createDatabase();
const open = () => openUsers({ db, seal, adminEmails: new Set() });
let users: Users;

beforeAll(async () => {
  users = await open();
  return () => users.close();
});

async function tokenFor(userId: bigint, wanted: Partial<WantedToken> = {}, at = now()) {
  const added = await users.tokens.add(userId, { name: "checker", ...wanted }, at);
  if (added === "too many") throw new Error(added);
  return added;
}

test("a limited token opens its account with its limits, and what it may not is told to every process", async () => {
  const userId = await buyer(db);
  const { text, made } = await tokenFor(userId, { siteIds: [3, 5], priceMax: usd("0.01") });
  expect(text).toMatch(/^postern[A-Za-z0-9]{25}$/);
  expect(await users.callerOf(text)).toMatchObject({
    userId,
    token: text,
    active: true,
    admin: false,
    investor: false,
    confirmed: false,
    referred: false,
    limits: { tokenId: made.id, siteIds: new Set([3, 5]), priceMax: usd("0.01") },
  });
  const free = await tokenFor(userId);
  expect((await users.callerOf(free.text))?.limits).toEqual({
    tokenId: free.made.id,
    siteIds: undefined,
    priceMax: undefined,
  });
});

test("the token lies nowhere in the database, only its keyed hash", async () => {
  const userId = await buyer(db);
  const { text } = await tokenFor(userId);
  const [row] = await db<{ all: string; hash: Buffer }[]>`
    select t::text as all, token_hash as hash from user_token t where user_id = ${userId}`;
  expect(row?.hash).toEqual(seal.hash("token", text));
  for (const secret of [text, Buffer.from(text).toString("hex")]) expect(row?.all).not.toContain(secret);
});

test("a revoked token opens nothing, at once here and soon in every other process; the others go on", async () => {
  const elsewhere = await open();
  onTestFinished(() => elsewhere.close());
  const userId = await buyer(db);
  const [first, second] = [await tokenFor(userId), await tokenFor(userId)];
  for (const each of [users, elsewhere])
    for (const { text } of [first, second]) expect(await each.callerOf(text)).toMatchObject({ userId });
  expect(await users.tokens.remove(userId, first.made.id, now())).toBe("removed");
  expect(await users.callerOf(first.text)).toBeUndefined();
  expect(await users.callerOf(second.text)).toMatchObject({ userId });
  await vi.waitFor(async () => expect(await elsewhere.callerOf(first.text)).toBeUndefined(), soon);
  expect(await elsewhere.callerOf(second.text)).toMatchObject({ userId });
  expect(await users.tokens.remove(userId, first.made.id, now())).toBe("no token");
});

test("nobody revokes the token of another account", async () => {
  const { text, made } = await tokenFor(await buyer(db));
  expect(await users.tokens.remove(await buyer(db), made.id, now())).toBe("no token");
  expect(await users.callerOf(text)).toBeDefined();
});

test("a token ends at its time, also where it is remembered", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const { text } = await tokenFor(await buyer(db), { expiresAt: new Date("2026-03-01T12:00:10Z") });
  expect(await users.callerOf(text)).toBeDefined();
  vi.setSystemTime(new Date("2026-03-01T12:00:09.999Z"));
  expect(await users.callerOf(text)).toBeDefined();
  vi.setSystemTime(new Date("2026-03-01T12:00:10Z"));
  expect(await users.callerOf(text)).toBeUndefined();
});

test("a blocked account's limited tokens open nothing; opened again they do", async () => {
  const userId = await buyer(db);
  const { text } = await tokenFor(userId);
  expect(await users.callerOf(text)).toBeDefined();
  await block(db, userId, true);
  await vi.waitFor(async () => expect(await users.callerOf(text)).toBeUndefined(), soon);
  await block(db, userId, false);
  await vi.waitFor(async () => expect(await users.callerOf(text)).toBeDefined(), soon);
});

test("replacing the account's own token leaves its limited ones", async () => {
  const userId = await buyer(db);
  const { text } = await tokenFor(userId);
  await users.replaceToken(userId);
  expect(await users.callerOf(text)).toMatchObject({ userId });
});

test("an account has so many living tokens and no more, however many it asks for at once", async () => {
  const userId = await buyer(db);
  const over = secondsAfter(now(), -5);
  await tokenFor(userId, { expiresAt: secondsAfter(over, 1) }, over);
  const asked = Array.from({ length: tokensMax + 8 }, () =>
    users.tokens.add(userId, { name: "many" }, now()),
  );
  const added = await Promise.all(asked);
  expect(added.filter((each) => each === "too many")).toHaveLength(8);
  const listed = await users.tokens.list(userId, now());
  expect(listed).toHaveLength(tokensMax + 1);
  // An expired token comes last and does not count against the limit.
  expect(listed.at(-1)?.expiresAt).toEqual(secondsAfter(over, 1));
  expect(await users.tokens.remove(userId, listed[0]!.id, now())).toBe("removed");
  expect(await users.tokens.add(userId, { name: "again" }, now())).not.toBe("too many");
});

test("what a token spent today is told, what it spent yesterday is not", async () => {
  const userId = await buyer(db);
  const { made } = await tokenFor(userId, { budgetDay: usd("5") });
  await db`insert into user_token_day values (${made.id}, '2026-03-01', ${usd("0.25")}), (${made.id}, '2026-03-02', ${usd("1")})`;
  const on = async (text: string) => (await users.tokens.list(userId, new Date(text)))[0]?.spentToday;
  expect(await on("2026-03-01T23:59:59Z")).toBe(usd("0.25"));
  expect(await on("2026-03-02T00:00:00Z")).toBe(usd("1"));
  expect(await on("2026-03-03T00:00:00Z")).toBe(0n);
});

test("what nobody can use or see any more is forgotten, and what can be stays", async () => {
  const userId = await buyer(db);
  const at = now();
  const daysAgo = (days: number) => secondsAfter(at, -days * 24 * 3600);
  const tokens = {
    living: await tokenFor(userId, {}, daysAgo(100)),
    revokedLately: await tokenFor(userId),
    revokedLongAgo: await tokenFor(userId),
    overLately: await tokenFor(userId, { expiresAt: daysAgo(29) }, daysAgo(60)),
    overLongAgo: await tokenFor(userId, { expiresAt: daysAgo(31) }, daysAgo(60)),
  };
  await users.tokens.remove(userId, tokens.revokedLately.made.id, daysAgo(29));
  await users.tokens.remove(userId, tokens.revokedLongAgo.made.id, daysAgo(31));
  await users.tokens.forget(at);
  const left = await db<{ id: bigint }[]>`select id from user_token where user_id = ${userId} order by id`;
  expect(left.map((row) => row.id)).toEqual(
    [tokens.living, tokens.revokedLately, tokens.overLately].map(({ made }) => made.id),
  );
});
