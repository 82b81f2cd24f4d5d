import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryBudget } from "./memory-budget.ts";

const never = new AbortController().signal;

test("what is free is taken at once, and no more than that", () => {
  const budget = memoryBudget(10);
  expect([budget.take(6), budget.take(5), budget.take(4), budget.take(1)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  budget.give(4);
  expect(budget.take(4)).toBe(true);
});

test("who waits is let in by the order of coming, and nobody goes past him", async () => {
  const budget = memoryBudget(10);
  const order: string[] = [];
  expect(budget.take(9)).toBe(true);
  const large = budget.wait(10, never).then(() => order.push("large"));
  const small = budget.wait(1, never).then(() => order.push("small"));
  expect(budget.take(1)).toBe(false);
  budget.give(9);
  await large;
  expect(order).toEqual(["large"]);
  budget.give(10);
  await small;
  expect(order).toEqual(["large", "small"]);
  expect(budget.take(9)).toBe(true);
});

test("who leaves the line holds up nobody behind him", async () => {
  const budget = memoryBudget(10);
  budget.take(5);
  const leaving = new AbortController();
  const large = budget.wait(8, leaving.signal);
  const small = budget.wait(3, never);
  leaving.abort();
  expect(await Promise.all([large, small])).toEqual([false, true]);
  expect(await budget.wait(1, leaving.signal)).toBe(false);
  budget.give(8);
  expect(budget.take(10)).toBe(true);
});

test("what can never be had is a mistake", () => {
  expect(() => memoryBudget(10).wait(11, never)).toThrow("never");
});

test("never is more in use than there is, whoever comes, waits and goes", async () => {
  const step = fc.record({
    bytes: fc.integer({ min: 1, max: 20 }),
    kind: fc.constantFrom("take", "wait", "give", "leave"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const budget = memoryBudget(20);
      const held: number[] = [];
      const waiting: AbortController[] = [];
      for (const { bytes, kind } of steps) {
        if (kind === "take" && budget.take(bytes)) held.push(bytes);
        if (kind === "wait") {
          const leaving = new AbortController();
          waiting.push(leaving);
          void budget.wait(bytes, leaving.signal).then((isIn) => isIn && held.push(bytes));
        }
        if (kind === "give" && held.length > 0) budget.give(held.shift()!);
        if (kind === "leave") waiting.shift()?.abort();
        await Promise.resolve();
        await Promise.resolve();
        expect(held.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(20);
      }
      for (const leaving of waiting) leaving.abort();
      await Promise.resolve();
      await Promise.resolve();
      for (const bytes of held) budget.give(bytes);
      expect(budget.take(20)).toBe(true);
    }),
  );
});
