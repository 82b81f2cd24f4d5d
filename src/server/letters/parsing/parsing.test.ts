// @module-tag full
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { ParserPool, watchOver, type ParserPoolOptions } from "./parsing.ts";

const opened: ParserPool[] = [];
afterEach(async () => {
  for (const pool of opened.splice(0)) await pool.close();
});

function poolWith(options: Partial<ParserPoolOptions> = {}): ParserPool {
  const pool = new ParserPool(options);
  opened.push(pool);
  return pool;
}

const hostile = new URL("../../../../test/kit/hostile.worker.ts", import.meta.url);
const letter = (subject: string) =>
  Buffer.from(`From: a@b.test\r\nSubject: ${subject}\r\n\r\nYour code is 482913\r\n`);
const letters = (...subjects: string[]) => subjects.map(letter);

test("letters come back in their order, each with what is found in it", async () => {
  const subjects = Array.from({ length: 300 }, (_, index) => `letter ${index}`);
  const found = await poolWith().open(letters(...subjects));
  expect(found.map(({ parsed }) => parsed.subject)).toEqual(subjects);
  expect(new Set(found.map(({ code }) => code.value))).toEqual(new Set(["482913"]));
});

test("the bytes of a letter stay with who gave them", async () => {
  const raw = letter("mine");
  const whole = Buffer.concat([Buffer.alloc(100, "x"), raw, Buffer.alloc(100, "y")]);
  const [found] = await poolWith().open([whole.subarray(100, 100 + raw.length)]);
  expect(found?.parsed.text).toBe("Your code is 482913");
  expect(whole.subarray(100, 100 + raw.length).equals(raw)).toBe(true);
});

test.each([
  ["takes too long", "hang", "AbortError"],
  ["fills the memory", "swell", "ERR_WORKER_OUT_OF_MEMORY"],
  ["ends its thread", "exit", "Error"],
  ["throws", "throw", "Error"],
])("a letter that %s is kept as text, and costs no other letter anything", async (_what, how, reason) => {
  const pool = poolWith({ file: hostile, secondsMax: how === "hang" ? 1 : 30, heapMegabytesMax: 32 });
  const found = await pool.open(letters("one", how, "two", "three"));
  expect(found.map(({ parsed }) => parsed.subject)).toEqual(["one", how, "two", "three"]);
  expect(found.map(({ failed }) => failed)).toEqual([undefined, reason, undefined, undefined]);
  expect(found[1]).toMatchObject({ code: { value: undefined }, parsed: { senderDomain: "b.test" } });
  expect(found[1]?.parsed.text).toContain("Subject: ");
  expect(found[2]?.code.value).toBe("482913");
});

test("letters that come while the threads end are opened by new ones", async () => {
  const pool = poolWith();
  const first = pool.open(letters("one"));
  const closing = pool.close();
  const second = pool.open(letters("two"));
  expect((await first)[0]?.parsed.subject).toBe("one");
  await closing;
  expect((await second)[0]?.parsed.subject).toBe("two");
});

test("threads that cannot start are a fault, and nothing waits for them for ever", async () => {
  const pool = poolWith({ file: new URL("samples/missing.worker.ts", import.meta.url) });
  await expect(pool.open(letters("one"))).rejects.toThrow();
});

test("the time of a letter counts from when its thread begins it, and anew for each", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const stop = vi.fn<() => void>();
  const watch = watchOver(progress, 2, stop);
  onTestFinished(() => clearInterval(watch));
  vi.advanceTimersByTime(60_000);
  for (const letter of [1, 2]) {
    progress[0] = letter;
    vi.advanceTimersByTime(1_900);
  }
  expect(stop).not.toHaveBeenCalled();
  vi.advanceTimersByTime(300);
  expect(stop).toHaveBeenCalled();
});
