import { mkdtemp, readdir, rm } from "node:fs/promises";
import { PassThrough } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { SMTPServerDataStream } from "smtp-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { receive, type Storage } from "./reception.body.ts";
import { memoryBudget } from "../platform/memory-budget.ts";
import { DiskFull, openSpool, type Spool, type SpoolFile } from "./reception.spool.ts";

let folder: string;
let spool: Spool;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postern-body-"));
  spool = await openSpool(folder, { reserveBytes: 0 });
});
afterAll(() => rm(folder, { recursive: true }));

const never = () => new AbortController().signal;
const memoryBytes = 500_000;

function storageWith(options: Partial<Storage> = {}) {
  const memory = memoryBudget(memoryBytes);
  const loading = memoryBudget(memoryBytes);
  const storage: Storage = { memory, loading, spool, spillBytes: 50_000, ...options };
  return { storage, isAllFree: () => memory.take(memoryBytes) && loading.take(memoryBytes) };
}

function letter(): SMTPServerDataStream {
  return Object.assign(new PassThrough(), { byteLength: 0, sizeExceeded: false });
}

function moody(isQuick: () => boolean): Spool {
  const moodyFile = (file: SpoolFile): SpoolFile => ({
    ...file,
    get size() {
      return file.size;
    },
    tryWrite: (bytes) => isQuick() && file.tryWrite(bytes),
  });
  return {
    tryOpen: () => {
      const file = isQuick() ? spool.tryOpen() : undefined;
      return file && moodyFile(file);
    },
    open: async () => moodyFile(await spool.open()),
  };
}

test("a letter comes out as it went in, short or long, in whatever pieces it came, on a quick disk and a slow one", async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: 12 });
  const moods = fc.infiniteStream(fc.boolean());
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 60_000 }), moods, async (lengths, spillBytes, mood) => {
      const { storage, isAllFree } = storageWith({ spillBytes, spool: moody(() => mood.next().value) });
      const stream = letter();
      const received = receive(stream, storage, () => undefined);
      const pieces = lengths.map((length, index) => Buffer.alloc(length, index + 1));
      for (const piece of pieces) stream.write(piece);
      stream.end();
      const whole = await received;
      const held = "load" in whole ? await whole.load(never) : undefined;
      expect(held?.raw.equals(Buffer.concat(pieces))).toBe(true);
      held?.release();
      expect(isAllFree()).toBe(true);
    }),
    { numRuns: 200 },
  );
  expect(await readdir(folder)).toEqual([]);
});

test("while the disk is busy nothing more is read", async () => {
  const disk = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const parts: Buffer[] = [];
  const file: SpoolFile = {
    size: 0,
    tryWrite: () => false,
    write: (bytes) => {
      parts.push(Buffer.from(bytes));
      began.resolve();
      return disk.promise;
    },
    read: async () => undefined,
    close: async () => undefined,
  };
  const { storage } = storageWith({
    spool: { tryOpen: () => undefined, open: async () => file },
    spillBytes: 1000,
  });
  const stream = letter();
  const received = receive(stream, storage, () => undefined);
  stream.write(Buffer.alloc(900));
  stream.write(Buffer.alloc(900));
  await began.promise;
  let isTaken = true;
  for (let count = 0; count < 100; count++) isTaken = stream.write(Buffer.alloc(10_000));
  await new Promise((resolve) => setImmediate(resolve));
  expect([isTaken, stream.isPaused(), parts.length]).toEqual([false, true, 1]);
  disk.resolve();
  stream.end();
  expect(await received).toHaveProperty("load");
});

function troubled(write: () => Promise<void>) {
  let closed = 0;
  const file: SpoolFile = {
    size: 0,
    tryWrite: () => false,
    write,
    read: async () => undefined,
    close: async () => void closed++,
  };
  return { spool: { tryOpen: () => undefined, open: async () => file }, isClosed: () => closed > 0 };
}

test("a letter that finds no room on the disk is read to its end and given up", async () => {
  const { spool: full, isClosed } = troubled(() => Promise.reject(new DiskFull()));
  const { storage, isAllFree } = storageWith({ spool: full });
  const stream = letter();
  const received = receive(stream, storage, () => undefined);
  for (let count = 0; count < 20; count++) stream.write(Buffer.alloc(10_000));
  stream.end();
  expect(await received).toEqual({ missing: "disk" });
  expect([isClosed(), isAllFree()]).toEqual([true, true]);
});

test("a disk that breaks is a fault, and takes no room with it", async () => {
  const { spool: broken, isClosed } = troubled(() => Promise.reject(new Error("input/output error")));
  const { storage, isAllFree } = storageWith({ spool: broken });
  const stream = letter();
  const received = receive(stream, storage, () => undefined);
  stream.write(Buffer.alloc(60_000));
  stream.end(Buffer.alloc(60_000));
  await expect(received).rejects.toThrow("input/output error");
  expect([isClosed(), isAllFree()]).toEqual([true, true]);
});

test("a letter whose sender hangs up gives everything back, also while it is being written", async () => {
  const disk = Promise.withResolvers<void>();
  const { spool: slow, isClosed } = troubled(() => disk.promise);
  for (const spillBytes of [50_000, 5_000]) {
    const { storage, isAllFree } = storageWith({ spool: slow, spillBytes });
    const stream = letter();
    const received = receive(stream, storage, () => undefined);
    stream.write(Buffer.alloc(20_000));
    await new Promise((resolve) => setImmediate(resolve));
    stream.destroy(new Error("gone"));
    expect(await received).toEqual({ missing: "gone" });
    disk.resolve();
    await expect.poll(isAllFree).toBe(true);
  }
  await expect.poll(isClosed).toBe(true);
});

test("a letter that waits too long for room is given up, and its file is closed", async () => {
  const { storage, isAllFree } = storageWith({ spillBytes: 1000 });
  storage.loading.take(memoryBytes);
  const stream = letter();
  const received = receive(stream, storage, () => undefined);
  stream.end(Buffer.alloc(5_000));
  const whole = await received;
  if (!("load" in whole)) throw new Error("the letter is whole");
  expect(await whole.load(() => AbortSignal.abort())).toBeUndefined();
  storage.loading.give(memoryBytes);
  expect(isAllFree()).toBe(true);
});

test("the last of the disk is not for letters", async () => {
  const modest = await openSpool(folder, { reserveBytes: Number.MAX_SAFE_INTEGER });
  await expect(modest.open()).rejects.toThrow(DiskFull);
});
