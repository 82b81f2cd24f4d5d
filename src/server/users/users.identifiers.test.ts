import { beforeAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { secondsAfter } from "../platform/clock.ts";
import { createSeal } from "../platform/seal.ts";
import { openUsers, type Users } from "./users.ts";

const seal = createSeal(Buffer.alloc(32, 8));
const at = new Date("2026-03-01T12:00:00Z");
const days = (count: number) => secondsAfter(at, count * 24 * 3_600);
let db: Db;
let users: Users;
let people = 0;

beforeAll(async () => {
  ({ db } = await createDatabase());
  users = await openUsers({ db, seal, adminEmails: new Set() });
  return () => users.close();
});

async function register(address?: string) {
  const email = `person${++people}@example.com`;
  const made = await users.register({ email, password: "correct horse", language: "en", address }, at);
  if (typeof made === "string") throw new Error(made);
  return made;
}

async function shared(one: bigint, other: bigint): Promise<string[]> {
  const rows = await db<{ kind: string }[]>`
    select a.kind from user_mark a join user_mark b on a.kind = b.kind and a.hash = b.hash
    where a.user_id = ${one} and b.user_id = ${other} order by 1`;
  return rows.map(({ kind }) => kind);
}

test("who registers from one address, or one network of IPv6, shares it; nobody's address can be read", async () => {
  const [one, other] = [await register("198.51.100.7"), await register("::ffff:198.51.100.7")];
  expect(await shared(one.userId, other.userId)).toEqual(["address"]);
  const six = [
    await register("2001:db8::1"),
    await register("2001:db8::2"),
    await register("2001:db8:0:1::1"),
  ];
  const [first = 0n, second = 0n, third = 0n] = six.map(({ userId }) => userId);
  expect([await shared(first, second), await shared(first, third)]).toEqual([["address"], []]);
  const [row] = await db<{ text: string }[]>`select string_agg(m::text, ' ') as text from user_mark m`;
  expect(row?.text).not.toMatch(/198\.51|2001:db8/);
});

test("an address goes after a month, and lives on when it is seen again; a wallet stays", async () => {
  const { userId } = await register("198.51.100.9");
  await users.identifiers.note(userId, { wallet: "0xabc" }, at);
  const left = async () => {
    const rows = await db<
      { kind: string }[]
    >`select kind from user_mark where user_id = ${userId} order by 1`;
    return rows.map(({ kind }) => kind);
  };
  await users.identifiers.note(userId, { address: "198.51.100.9" }, days(20));
  await users.identifiers.forget(days(31));
  expect(await left()).toEqual(["address", "email", "wallet"]);
  await users.identifiers.forget(days(51));
  expect(await left()).toEqual(["email", "wallet"]);
});

test("a messaging account that is refused because it confirmed another marks both", async () => {
  const [one, other, third] = [await register(), await register(), await register()];
  const confirm = async (token: string, telegramId: bigint) => {
    const done = await attempt(db, (tx) => users.links.confirm(tx, { token, telegramId }, at));
    if (typeof done === "string") await users.links.suspect({ token, telegramId }, at);
    return done;
  };
  const link = await users.links.make(other.userId, at);
  expect(await confirm(one.token, 7n)).toMatchObject({ isNew: true });
  expect(await confirm(link.token, 7n)).toBe("confirmed another");
  expect(await shared(one.userId, other.userId)).toEqual(["telegram"]);
  // The link is still valid for its owner.
  expect(await confirm(link.token, 8n)).toMatchObject({ isNew: true });
  expect(await confirm(other.token, 9n)).toBe("confirmed by another");
  expect(await confirm(third.token, 9n)).toMatchObject({ isNew: true });
  expect(await shared(other.userId, third.userId)).toEqual(["telegram"]);
  expect(await shared(one.userId, third.userId)).toEqual([]);
  await users.links.suspect({ token: "of nobody", telegramId: 77n }, at);
});

test("a new account of a person who closed one is confirmed by the same messaging account, without a second bonus", async () => {
  const [gone, fresh] = [await register(), await register()];
  const confirm = async (token: string) =>
    attempt(db, (tx) => users.links.confirm(tx, { token, telegramId: 55n }, at));
  expect(await confirm(gone.token)).toMatchObject({ isNew: true });
  const given = async (userId: bigint) =>
    (await db`select from account where user_id = ${userId} and balance > 0`).length;
  expect(await given(gone.userId)).toBe(1);
  expect(await confirm(fresh.token)).toBe("confirmed another");
  await attempt(db, async (tx) => ({ done: await users.closeAccess(tx, gone.userId, at) }));
  const kept = await db`select kind from user_mark where user_id = ${gone.userId}`;
  expect(kept).toEqual([{ kind: "telegram" }]);
  expect(await confirm(fresh.token)).toEqual({ userId: fresh.userId, isNew: false });
  expect(await given(fresh.userId)).toBe(0);
  const [row] = await db`select telegram_id as id from users where id = ${fresh.userId}`;
  expect(row).toEqual({ id: 55n });
  const other = await register();
  expect(await confirm(other.token)).toBe("confirmed another");
});
