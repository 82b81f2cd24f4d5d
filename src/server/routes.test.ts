import { expect, test } from "vitest";
import { createDatabase } from "../../test/kit/database.ts";
import { openLimits } from "./platform/http/rate-limits.ts";
import { createSeal } from "./platform/seal.ts";
import { callHooks } from "./routes.ts";
import { openCallers } from "./users/users.callers.ts";

async function openDoors() {
  const { db } = await createDatabase();
  const seal = createSeal(Buffer.alloc(32, 4));
  const tokenOf = (n: number) => String(n).padStart(32, "A");
  const owned = seal.hash("token", tokenOf(0)).toString("hex");
  let looks = 0;
  const users = openCallers(async ([hash]) => {
    looks++;
    const isOwned = hash.toString("hex") === owned;
    return isOwned ? { userId: 1n, active: true, admin: false, investor: false } : undefined;
  }, seal);
  const hooks = callHooks({ db, users, limits: openLimits(db, seal), events: { changed: () => undefined } });
  const call = async (n: number | undefined, address: string) => {
    const caller = n === undefined ? undefined : await hooks.callerOf(tokenOf(n), address);
    return caller ?? (await hooks.admit(`address ${address}`));
  };
  return { call, looked: () => looks };
}

test("a crowd behind one address that has used up its calls without a token keeps nobody out who brings one", async () => {
  const { call } = await openDoors();
  const crowd = "192.0.2.9";
  for (let n = 0; n < 700; n++) await call(undefined, crowd);
  expect(await call(undefined, crowd)).toBeGreaterThan(0);
  expect(await call(0, crowd)).toMatchObject({ userId: 1n });
});

test("tokens that nobody has cost so many look-ups of an address and no more; who is known there goes on", async () => {
  const { call, looked } = await openDoors();
  const stranger = "192.0.2.7";
  expect(await call(0, stranger)).toMatchObject({ userId: 1n });
  for (let n = 1; n <= 2_000; n++) await call(n, stranger);
  expect(looked()).toBeLessThan(700);
  const before = looked();
  expect(await call(9_999, stranger)).toBeGreaterThan(0);
  expect(looked()).toBe(before);
  expect(await call(0, stranger)).toMatchObject({ userId: 1n });
  expect(await call(9_998, "192.0.2.8")).toBeUndefined();
  expect(await call(9_997, "127.0.0.1")).toBeUndefined();
  expect(looked()).toBe(before + 2);
});
