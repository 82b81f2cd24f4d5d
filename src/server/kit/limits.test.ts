import { expect, onTestFinished, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { openLimits } from "./limits.ts";
import { createSeal } from "./seal.ts";

async function limits() {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const seal = createSeal(Buffer.alloc(32, 1));
  return { db, limits: openLimits(db, seal), neighbour: openLimits(db, seal) };
}

test("the twenty-first guess at an account's password has to wait, in whatever process it is made", async () => {
  const { limits: here, neighbour } = await limits();
  for (let guess = 1; guess <= 20; guess++) {
    expect(await (guess % 2 ? here : neighbour).take("login of account", "a@example.com")).toBeUndefined();
  }
  const wait = await neighbour.take("login of account", "a@example.com");
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(15 * 60);
  expect(await here.take("login of account", "b@example.com")).toBeUndefined();
});

test("a window that is over counts from one again, and is forgotten", async () => {
  const { db, limits: here } = await limits();
  for (let guess = 1; guess <= 21; guess++) await here.take("login of account", "a@example.com");
  await db`update limit_bucket set ends_at = clock_timestamp() - interval '1 second'`;
  expect(await here.take("login of account", "a@example.com")).toBeUndefined();
  await db`update limit_bucket set ends_at = clock_timestamp() - interval '1 second'`;
  await here.forget();
  expect(await db`select 1 from limit_bucket`).toHaveLength(0);
});

test("guesses at once are all counted", async () => {
  const { limits: here } = await limits();
  const waits = await Promise.all(
    Array.from({ length: 30 }, () => here.take("login of account", "a@example.com")),
  );
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(20);
});

test("addresses of this machine are not counted, others are", async () => {
  const { limits: here } = await limits();
  const takes = (address: string) =>
    Promise.all(Array.from({ length: 31 }, () => here.take("registration from address", address)));
  expect((await takes("::ffff:127.0.0.1")).every((wait) => wait === undefined)).toBe(true);
  expect((await takes("198.51.100.7")).some((wait) => wait !== undefined)).toBe(true);
});

test("a token may poll in bursts, and is told how long to wait when it overdoes it", async () => {
  const { limits: here } = await limits();
  const waits = await Promise.all(Array.from({ length: 251 }, () => here.admit("user 1")));
  expect(waits.filter((wait) => wait !== undefined)).toHaveLength(1);
  expect(waits.at(-1)).toBeGreaterThan(0);
  expect(await here.admit("user 2")).toBeUndefined();
});
