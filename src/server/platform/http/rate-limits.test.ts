import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { secondsAfter } from "../clock.ts";
import type { Db } from "../db/db.ts";
import { type Guarded, type Limits, openLimits, type Who } from "./rate-limits.ts";
import { createSeal } from "../seal.ts";

const seal = createSeal(Buffer.alloc(32, 5));
const at = new Date("2026-03-01T12:00:00Z");
let db: Db;
let limits: Limits;

beforeAll(async () => {
  ({ db } = await createDatabase());
  limits = openLimits(db, seal);
});

async function until(what: Guarded, who: Who, most = 200): Promise<number> {
  for (let done = 0; done < most; done++) if (await limits.take(what, who, at)) return done;
  return most;
}

test("a guesser of one account's password is stopped after ten tries, and told how long", async () => {
  const who = { account: "ann@example.com", address: "192.0.2.1" };
  expect(await until("login", who)).toBe(10);
  expect(await limits.take("login", who, secondsAfter(at, 60))).toBeCloseTo(14 * 60, 0);
  expect(await limits.take("login", { ...who, address: "192.0.2.2" }, at)).toBeUndefined();
  expect(await limits.take("login", { ...who, account: "bob@example.com" }, at)).toBeUndefined();
});

test("after its window a limit is open again", async () => {
  const who = { account: "eve@example.com", address: "192.0.2.3" };
  await until("login", who);
  expect(await limits.take("login", who, secondsAfter(at, 15 * 60 + 1))).toBeUndefined();
});

test("a clock that ran ahead and was put right makes nobody wait longer than the rule", async () => {
  const who = { account: "ahead@example.com", address: "192.0.2.5" };
  for (let n = 0; n < 11; n++) await limits.take("login", who, secondsAfter(at, 60 * 60));
  expect(await limits.take("login", who, at)).toBeCloseTo(15 * 60, 0);
  expect(await limits.take("login", who, secondsAfter(at, 15 * 60 + 1))).toBeUndefined();
  vi.useFakeTimers({ toFake: ["Date"], now: secondsAfter(at, 60 * 60) });
  onTestFinished(() => void vi.useRealTimers());
  await Promise.all(Array.from({ length: 600 }, () => limits.admit("address 192.0.2.5")));
  vi.setSystemTime(at);
  expect(await limits.admit("address 192.0.2.5")).toBeLessThanOrEqual(60);
});

test("guessing one account from many addresses is stopped as well", async () => {
  const account = "many@example.com";
  const tries = Array.from({ length: 120 }, (_, n) =>
    limits.take("login", { account, address: `198.51.100.${n}` }, at),
  );
  expect((await Promise.all(tries)).filter((wait) => wait === undefined)).toHaveLength(100);
});

test("one address that tries many accounts is stopped as well", async () => {
  const tries = Array.from({ length: 120 }, (_, n) =>
    limits.take("login", { account: `victim${n}@example.com`, address: "192.0.2.66" }, at),
  );
  expect((await Promise.all(tries)).filter((wait) => wait === undefined)).toHaveLength(100);
});

test("the owner who got in has a clean sheet", async () => {
  const who = { account: "owner@example.com", address: "192.0.2.4" };
  for (let n = 0; n < 9; n++) await limits.take("login", who, at);
  await limits.forgive("login", who);
  expect(await until("login", who)).toBe(10);
});

test("a crowd behind one address signs in without end, and a guesser among them is stopped as before", async () => {
  const address = "192.0.2.77";
  const person = (n: number) => ({ account: `colleague${n}@example.com`, address });
  for (let n = 0; n < 150; n++) {
    expect(await limits.take("login", person(n), at)).toBeUndefined();
    await limits.forgive("login", person(n));
  }
  const guesses = Array.from({ length: 120 }, (_, n) =>
    limits.take("login", { account: `target${n}@example.com`, address }, at),
  );
  expect((await Promise.all(guesses)).filter((wait) => wait === undefined)).toHaveLength(100);
});

test("the owner's sign-in gives nobody elsewhere who guesses fresh guesses", async () => {
  const account = "guessed@example.com";
  const guess = (n: number) => limits.take("login", { account, address: `198.51.100.${n}` }, at);
  for (let n = 0; n < 90; n++) expect(await guess(n)).toBeUndefined();
  await limits.forgive("login", { account, address: "192.0.2.4", whence: "home" });
  const more = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(100 + n)));
  expect(more.filter((wait) => wait === undefined)).toHaveLength(10);
});

test("two processes count together, also at once", async () => {
  const other = openLimits(db, seal);
  const who = { address: "192.0.2.5" };
  const takes = Array.from({ length: 80 }, (_, n) => (n % 2 ? limits : other).take("registration", who, at));
  expect((await Promise.all(takes)).filter((wait) => wait === undefined)).toHaveLength(60);
});

test("the operator's own machine is not counted by its address, but its accounts are", async () => {
  for (const address of ["127.0.0.1", "::1", "::ffff:127.0.0.1"])
    expect(await until("registration", { address })).toBe(200);
  expect(await until("login", { account: "local@example.com", address: "127.0.0.1" })).toBe(10);
});

test("the addresses of one IPv6 household count as one", async () => {
  for (let n = 0; n < 60; n++)
    await limits.take("registration", { address: `2001:db8:0:7::${n.toString(16)}` }, at);
  expect(await limits.take("registration", { address: "2001:DB8:0:7:8:9:a:b" }, at)).toBeGreaterThan(0);
  expect(await limits.take("registration", { address: "2001:db8:0:8::1" }, at)).toBeUndefined();
});

test("a /56 and a /48 of IPv6 are stopped too, after four and sixteen times as much", async () => {
  const taken = async (addresses: string[], what: "registration" = "registration") =>
    (await Promise.all(addresses.map((address) => limits.take(what, { address }, at)))).filter(
      (wait) => wait === undefined,
    ).length;
  const half = Array.from(
    { length: 150 },
    (_, n) => `2001:db8:1:20${(n % 10).toString(16).padStart(2, "0")}::${n}`,
  );
  expect((await taken(half)) + (await taken(half))).toBe(240);
  const all = Array.from({ length: 1_000 }, (_, n) => `2001:db8:2:${(n * 65).toString(16)}::1`);
  expect(await taken(all)).toBe(960);
  expect(await taken(["2001:db8:3::1"])).toBe(1);
  const calls = Array.from({ length: 9_700 }, (_, n) => `address 2001:db8:4:${n.toString(16)}::1`);
  const admitted = await Promise.all(calls.map((key) => limits.admit(key)));
  expect(admitted.filter((wait) => wait === undefined)).toHaveLength(9_600);
  for (let n = 0; n < 9_600; n++) await limits.missed(`2001:db8:5:${n.toString(16)}::1`);
  expect(await limits.isSpent("2001:db8:5:ffff::1")).toBe(true);
  expect(await limits.isSpent("2001:db8:6::1")).toBe(false);
});

test("a /64 that is refused again and again uses up nothing of its neighbours", async () => {
  for (let n = 0; n < 300; n++) await limits.take("registration", { address: "2001:db8:7:100::1" }, at);
  expect(await limits.take("registration", { address: "2001:db8:7:101::1" }, at)).toBeUndefined();
});

test("a program may poll in bursts, its neighbour does not suffer, and an endless loop is slowed down", async () => {
  const waits = await Promise.all(Array.from({ length: 4_000 }, () => limits.admit("user 1")));
  expect(waits.slice(0, 3_000).every((wait) => wait === undefined)).toBe(true);
  expect(waits.at(-1)).toBeGreaterThan(0);
  expect(await limits.admit("user 2")).toBeUndefined();
});

test("calls without a token are counted by address, save those of the machine itself", async () => {
  const ask = (address: string) =>
    Promise.all(Array.from({ length: 700 }, () => limits.admit(`address ${address}`)));
  expect((await ask("203.0.113.9")).at(-1)).toBeGreaterThan(0);
  expect((await ask("127.0.0.1")).at(-1)).toBeUndefined();
});

test("windows that are over are deleted, and no address was kept in clear", async () => {
  await limits.take("codes", { account: "9", address: "192.0.2.9" }, at);
  const [row] = await db<{ text: string }[]>`select string_agg(key::text, ' ') as text from limit_bucket`;
  expect(row?.text).not.toContain(Buffer.from("192.0.2").toString("hex"));
  expect(await limits.forget(secondsAfter(at, 2 * 60 * 60))).toBeGreaterThan(0);
  expect(await db`select 1 from limit_bucket`).toHaveLength(0);
});
