import { expect, test } from "vitest";
import { createDatabase } from "../../test/kit/database.ts";
import { openLimits } from "./kit/limits.ts";
import { createSeal } from "./kit/seal.ts";
import { edge } from "./routes.ts";
import { openCallers } from "./users/users.callers.ts";

test("tokens that nobody has cost so many look-ups of an address and no more; who is known there goes on", async () => {
  const { db } = await createDatabase();
  const seal = createSeal(Buffer.alloc(32, 4));
  const tokenOf = (n: number) => String(n).padStart(32, "A");
  const owned = seal.hash("token", tokenOf(0)).toString("hex");
  let looks = 0;
  const users = openCallers(async (hash) => {
    looks++;
    const isOwned = hash.toString("hex") === owned;
    return isOwned ? { userId: 1n, active: true, admin: false, investor: false } : undefined;
  }, seal);
  const doors = edge({ users, limits: openLimits(db, seal), events: { changed: () => undefined } });
  const call = async (n: number, address: string) => {
    const caller = await doors.callerOf(tokenOf(n), address);
    return caller ?? (await doors.admit(`address ${address}`));
  };
  const stranger = "192.0.2.7";
  expect(await call(0, stranger)).toMatchObject({ userId: 1n });
  for (let n = 1; n <= 2_000; n++) await call(n, stranger);
  expect(looks).toBeLessThan(700);
  const before = looks;
  expect(await call(9_999, stranger)).toBeGreaterThan(0);
  expect(looks).toBe(before);
  expect(await call(0, stranger)).toMatchObject({ userId: 1n });
  // Other addresses, and the machine itself, are as they were.
  expect(await call(9_998, "192.0.2.8")).toBeUndefined();
  expect(await call(9_997, "127.0.0.1")).toBeUndefined();
  expect(looks).toBe(before + 2);
});
