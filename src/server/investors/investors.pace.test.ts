import { expect, test } from "vitest";
import { notTooSlow, Pace, TooSlow } from "./investors.pace.ts";

const pieceBytes = 512 * 1024;

/** The seconds that a file of 150 MB takes with one piece per `pieceMs`, in simulated time. `busy`: the utilization by piece. */
async function secondsOf(pieceMs: number, busy: (piece: number) => number): Promise<number> {
  let at = 0;
  let piece = 0;
  const pace = new Pace({
    clock: () => at,
    pause: async (milliseconds) => void (at += milliseconds),
    busy: () => busy(piece),
  });
  for (; piece * pieceBytes < 150_000_000; piece++) {
    at += pieceMs;
    await pace.keep(pieceBytes);
  }
  return at / 1000;
}

test("a file is read as fast as it goes while buyers ask little", async () => {
  expect(await secondsOf(10, () => 0.5)).toBeCloseTo(2.87);
});

test("a file is read at 4.6 MB a second while buyers ask much", async () => {
  expect(await secondsOf(10, () => 0.9)).toBeCloseTo(32.7, 0);
});

test("a file that comes more slowly than that waits for nobody", async () => {
  expect(await secondsOf(200, () => 0.9)).toBeCloseTo(57.4);
});

test("a file goes on at full pace when a rush of buyers is over", async () => {
  // The first half waits, the second comes at once.
  expect(await secondsOf(10, (piece) => (piece < 143 ? 0.9 : 0.1))).toBeCloseTo(16.3 + 1.44, 0);
});

test("the thread's own time is heeded", async () => {
  const pace = new Pace();
  const start = performance.now();
  while (performance.now() - start < 20);
  await pace.keep(460_000);
  // A timer may fire a millisecond early.
  expect(performance.now() - start).toBeGreaterThan(98);
});

async function take(
  pieces: number,
  { bytes, pieceMs, workMs = 0 }: { bytes: number; pieceMs: number; workMs?: number },
) {
  let at = 0;
  const file = async function* () {
    for (let piece = 0; piece < pieces; piece++) {
      at += pieceMs;
      yield new Uint8Array(bytes);
    }
  };
  for await (const _ of notTooSlow(file(), () => at)) at += workMs;
  return at / 1000;
}

test("a file that drips is given up after twenty seconds, and one that only waits for us is not", async () => {
  await expect(take(1_000, { bytes: 1_000, pieceMs: 100 })).rejects.toBeInstanceOf(TooSlow);
  expect(await take(15, { bytes: 1_000, pieceMs: 1_000 })).toBe(15);
  expect(await take(1_000, { bytes: 33_000, pieceMs: 1_000 })).toBe(1_000);
  expect(await take(100, { bytes: 33_000, pieceMs: 100, workMs: 5_000 })).toBe(510);
});
