import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { notify } from "./db/db.ts";
import { openCache } from "./cache.ts";
import { soon } from "../../../test/kit/soon.ts";

const { db } = await createDatabase();

async function remembering() {
  const read = vi.fn(async () => read.mock.calls.length);
  const cache = await openCache(db, "test", read);
  onTestFinished(() => cache.close());
  return { cache, read };
}

test("what is read once is remembered, also by those who ask meanwhile", async () => {
  const { cache, read } = await remembering();
  expect(await Promise.all([cache.get(), cache.get()])).toEqual([1, 1]);
  expect(await cache.get()).toBe(1);
  expect(read).toHaveBeenCalledTimes(1);
});

test("it is read anew when somebody says that he changed it", async () => {
  const { cache } = await remembering();
  expect(await cache.get()).toBe(1);
  await notify(db, "test", "");
  await vi.waitFor(async () => expect(await cache.get()).toBe(2), soon);
});

test("who changed it sees it at once, also where the change failed", async () => {
  const { cache } = await remembering();
  await cache.get();
  expect(await cache.after(Promise.resolve("changed"))).toBe("changed");
  expect(await cache.get()).toBe(2);
  await expect(cache.after(Promise.reject(new Error("half")))).rejects.toThrow("half");
  expect(await cache.get()).toBe(3);
});

test("a reading that a change overtook is not remembered", async () => {
  const { cache, read } = await remembering();
  const slow = Promise.withResolvers<number>();
  read.mockReturnValueOnce(slow.promise);
  const before = cache.get();
  await cache.after(Promise.resolve());
  slow.resolve(0);
  expect(await before).toBe(0);
  expect(await cache.get()).toBe(2);
});

test("a reading that failed is not remembered, nor does it forget the next one", async () => {
  const { cache, read } = await remembering();
  const slow = Promise.withResolvers<number>();
  read.mockReturnValueOnce(slow.promise);
  const before = cache.get();
  await cache.after(Promise.resolve());
  expect(await cache.get()).toBe(2);
  slow.reject(new Error("down"));
  await expect(before).rejects.toThrow("down");
  expect(await cache.get()).toBe(2);
  await cache.after(Promise.resolve());
  read.mockRejectedValueOnce(new Error("down again"));
  await expect(cache.get()).rejects.toThrow("down again");
  expect(await cache.get()).toBe(4);
});
