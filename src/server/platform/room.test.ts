import fc from "fast-check";
import { expect, test } from "vitest";
import { roomFor } from "./room.ts";

const never = new AbortController().signal;

test("what is free is taken at once, and no more than that", () => {
  const room = roomFor(10);
  expect([room.take(6), room.take(5), room.take(4), room.take(1)]).toEqual([true, false, true, false]);
  room.give(4);
  expect(room.take(4)).toBe(true);
});

test("who waits is let in by the order of coming, and nobody goes past him", async () => {
  const room = roomFor(10);
  const order: string[] = [];
  expect(room.take(9)).toBe(true);
  const large = room.wait(10, never).then(() => order.push("large"));
  const small = room.wait(1, never).then(() => order.push("small"));
  expect(room.take(1)).toBe(false);
  room.give(9);
  await large;
  expect(order).toEqual(["large"]);
  room.give(10);
  await small;
  expect(order).toEqual(["large", "small"]);
  expect(room.take(9)).toBe(true);
});

test("who leaves the line holds up nobody behind him", async () => {
  const room = roomFor(10);
  room.take(5);
  const leaving = new AbortController();
  const large = room.wait(8, leaving.signal);
  const small = room.wait(3, never);
  leaving.abort();
  expect(await Promise.all([large, small])).toEqual([false, true]);
  expect(await room.wait(1, leaving.signal)).toBe(false);
  room.give(8);
  expect(room.take(10)).toBe(true);
});

test("what can never be had is a mistake", () => {
  expect(() => roomFor(10).wait(11, never)).toThrow("never");
});

test("never is more in use than there is, whoever comes, waits and goes", async () => {
  const step = fc.record({
    bytes: fc.integer({ min: 1, max: 20 }),
    kind: fc.constantFrom("take", "wait", "give", "leave"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const room = roomFor(20);
      const held: number[] = [];
      const waiting: AbortController[] = [];
      for (const { bytes, kind } of steps) {
        if (kind === "take" && room.take(bytes)) held.push(bytes);
        if (kind === "wait") {
          const leaving = new AbortController();
          waiting.push(leaving);
          void room.wait(bytes, leaving.signal).then((isIn) => isIn && held.push(bytes));
        }
        if (kind === "give" && held.length > 0) room.give(held.shift()!);
        if (kind === "leave") waiting.shift()?.abort();
        await Promise.resolve();
        await Promise.resolve();
        expect(held.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(20);
      }
      for (const leaving of waiting) leaving.abort();
      await Promise.resolve();
      await Promise.resolve();
      for (const bytes of held) room.give(bytes);
      expect(room.take(20)).toBe(true);
    }),
  );
});
