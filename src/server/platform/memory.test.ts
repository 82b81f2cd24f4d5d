import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { notify } from "./db/db.ts";
import { openMemory } from "./memory.ts";
import { soon } from "../../../test/kit/soon.ts";

const { db } = await createDatabase();

async function remembering() {
  const read = vi.fn(async () => read.mock.calls.length);
  const memory = await openMemory(db, "test", read);
  onTestFinished(() => memory.close());
  return { memory, read };
}

test("what is read once is remembered, also by those who ask meanwhile", async () => {
  const { memory, read } = await remembering();
  expect(await Promise.all([memory.recall(), memory.recall()])).toEqual([1, 1]);
  expect(await memory.recall()).toBe(1);
  expect(read).toHaveBeenCalledTimes(1);
});

test("it is read anew when somebody says that he changed it", async () => {
  const { memory } = await remembering();
  expect(await memory.recall()).toBe(1);
  await notify(db, "test", "");
  await vi.waitFor(async () => expect(await memory.recall()).toBe(2), soon);
});

test("who changed it sees it at once, also where the change failed", async () => {
  const { memory } = await remembering();
  await memory.recall();
  expect(await memory.after(Promise.resolve("changed"))).toBe("changed");
  expect(await memory.recall()).toBe(2);
  await expect(memory.after(Promise.reject(new Error("half")))).rejects.toThrow("half");
  expect(await memory.recall()).toBe(3);
});

test("a reading that a change overtook is not remembered", async () => {
  const { memory, read } = await remembering();
  const slow = Promise.withResolvers<number>();
  read.mockReturnValueOnce(slow.promise);
  const before = memory.recall();
  await memory.after(Promise.resolve());
  slow.resolve(0);
  expect(await before).toBe(0);
  expect(await memory.recall()).toBe(2);
});

test("a reading that failed is not remembered, nor does it forget the next one", async () => {
  const { memory, read } = await remembering();
  const slow = Promise.withResolvers<number>();
  read.mockReturnValueOnce(slow.promise);
  const before = memory.recall();
  await memory.after(Promise.resolve());
  expect(await memory.recall()).toBe(2);
  slow.reject(new Error("down"));
  await expect(before).rejects.toThrow("down");
  expect(await memory.recall()).toBe(2);
  await memory.after(Promise.resolve());
  read.mockRejectedValueOnce(new Error("down again"));
  await expect(memory.recall()).rejects.toThrow("down again");
  expect(await memory.recall()).toBe(4);
});
