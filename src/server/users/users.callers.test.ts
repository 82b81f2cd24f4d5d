import { expect, onTestFinished, test, vi } from "vitest";
import { createSeal } from "../platform/seal.ts";
import { openCallers } from "./users.callers.ts";
import type { Holder } from "./users.sql.ts";

const seal = createSeal(Buffer.alloc(32, 2));
const tokenOf = (n: number) => String(n).padStart(32, "A");

/** A database of token holders with counted look-ups. */
function holders(found: (n: number) => Partial<Holder> | undefined = () => ({})) {
  const numbers = new Map<string, number>();
  const looked: number[] = [];
  const find = async ([hash]: readonly [Buffer, Buffer?]): Promise<Holder | undefined> => {
    const n = numbers.get(hash.toString("hex")) ?? 0;
    looked.push(n);
    const holder = found(n);
    return holder && { userId: BigInt(n), active: true, admin: false, investor: false, ...holder };
  };
  const token = (n: number) => {
    numbers.set(seal.hash("token", tokenOf(n)).toString("hex"), n);
    return tokenOf(n);
  };
  return { callers: openCallers(find, seal), looked, token };
}

test("a poll does not cost a look-up", async () => {
  const { callers, looked, token } = holders();
  for (let poll = 0; poll < 5; poll++) expect(await callers.callerOf(token(7))).toMatchObject({ userId: 7n });
  expect(looked).toEqual([7]);
});

test("who is not active yet, or unknown, is looked up each time", async () => {
  const { callers, looked, token } = holders((n) => (n === 1 ? { active: false } : undefined));
  for (const n of [1, 1, 2, 2]) await callers.callerOf(token(n));
  expect(looked).toEqual([1, 1, 2, 2]);
});

test("a look-up that a change overtakes is not remembered", async () => {
  let answer: (holder: Holder) => void = () => undefined;
  const old: Holder = { userId: 9n, active: true, admin: true, investor: false };
  const find = vi.fn<() => Promise<Holder | undefined>>(
    async () => new Promise((resolve) => (answer = resolve)),
  );
  const callers = openCallers(find, seal);
  const asked = callers.callerOf(tokenOf(9));
  callers.forget(9n);
  answer(old);
  await asked;
  const again = callers.callerOf(tokenOf(9));
  answer({ ...old, admin: false });
  expect(await again).toMatchObject({ admin: false });
  expect(find).toHaveBeenCalledTimes(2);
});

test("word of a change that never came is made up for within half a minute, and all at once after a break", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const { callers, looked, token } = holders();
  await callers.callerOf(token(3));
  vi.advanceTimersByTime(29_000);
  await callers.callerOf(token(3));
  expect(looked).toEqual([3]);
  vi.advanceTimersByTime(2_000);
  await callers.callerOf(token(3));
  expect(looked).toEqual([3, 3]);
  callers.forgetAll();
  await callers.callerOf(token(3));
  expect(looked).toEqual([3, 3, 3]);
});

test("memory is bounded: who was away longest is looked up again, who polls is not", async () => {
  const { callers, looked, token } = holders();
  for (let n = 1; n <= 20_000; n++) await callers.callerOf(token(n));
  await callers.callerOf(token(1));
  await callers.callerOf(token(20_001));
  looked.length = 0;
  await callers.callerOf(token(1));
  await callers.callerOf(token(2));
  expect(looked).toEqual([2]);
});
