import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { Batcher, BatcherFull, type BatcherOptions } from "./batcher.ts";

type Batch = {
  asks: number[];
  slot: number;
  finish: (answers: number[]) => void;
  fail: (fault: Error) => void;
};

/** A batcher whose batches are finished by the test. */
function openBatcher(options: Partial<BatcherOptions<number>> = {}) {
  const running: Batch[] = [];
  const made = new Batcher<number, number>(
    (asks, slot) => new Promise((finish, fail) => running.push({ asks, slot, finish, fail })),
    { concurrency: 1, batchMax: 10, queueMax: 100, ...options },
  );
  return { made, running };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("asks of one turn share a batch, and what arrives while it runs is the next", async () => {
  const { made, running } = openBatcher();
  const first = [made.submit(1), made.submit(2)];
  await turn();
  const second = [made.submit(3), made.submit(4), made.submit(5)];
  await turn();
  expect(running.map(({ asks }) => asks)).toEqual([[1, 2]]);
  running[0]?.finish([10, 20]);
  expect(await Promise.all(first)).toEqual([10, 20]);
  await expect.poll(() => running.length).toBe(2);
  expect(running[1]?.asks).toEqual([3, 4, 5]);
  running[1]?.finish([30, 40, 50]);
  expect(await Promise.all(second)).toEqual([30, 40, 50]);
});

test("a full queue refuses at once, and takes asks again when there is room", async () => {
  const { made, running } = openBatcher({ batchMax: 1, queueMax: 2 });
  const first = made.submit(1);
  await turn();
  const waiting = [made.submit(2), made.submit(3)];
  await expect(made.submit(4)).rejects.toBeInstanceOf(BatcherFull);
  running[0]?.finish([1]);
  await first;
  await expect.poll(() => running.length).toBe(2);
  const late = made.submit(5);
  for (const at of [1, 2, 3]) {
    await expect.poll(() => running.length).toBeGreaterThan(at);
    running[at]?.finish([at]);
  }
  expect(await Promise.all([...waiting, late])).toEqual([1, 2, 3]);
});

test("draining waits for what runs and for what waits, and not for nothing", async () => {
  const { made, running } = openBatcher({ batchMax: 1 });
  await made.drain();
  const asks = [made.submit(1), made.submit(2)];
  let isDrained = false;
  const drained = made.drain().then(() => (isDrained = true));
  await turn();
  running[0]?.finish([1]);
  await expect.poll(() => running.length).toBe(2);
  expect(isDrained).toBe(false);
  running[1]?.finish([2]);
  await drained;
  expect(await Promise.all(asks)).toEqual([1, 2]);
});

test("a fault after which the work may have been kept is told to everybody and nothing is tried again", async () => {
  let runs = 0;
  const made = new Batcher<number, number>(
    () => {
      runs += 1;
      return Promise.reject(new Error("the connection broke"));
    },
    { concurrency: 1, batchMax: 10, queueMax: 10, mayRepeat: () => false },
  );
  const answers = await Promise.allSettled([made.submit(1), made.submit(2)]);
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(runs).toBe(1);
});

test("a batch that answers too few is a fault for all of it and is not repeated", async () => {
  const { made, running } = openBatcher();
  const asks = Promise.allSettled([made.submit(1), made.submit(2)]);
  await turn();
  running[0]?.finish([1]);
  expect((await asks).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(running.length).toBe(1);
});

test("what waits is shared out among idle concurrency, but for a batch that would be too small: it waits for one that runs", async () => {
  const { made, running } = openBatcher({ concurrency: 3, batchMax: 10, batchMin: 2 });
  const asks = [1, 2, 3, 4, 5].map((ask) => made.submit(ask));
  await turn();
  expect(running.map((batch) => batch.asks)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  running[0]?.finish([1, 2]);
  await Promise.all(asks.slice(0, 2));
  await turn();
  expect(running).toHaveLength(2);
  running[1]?.finish([3, 4]);
  await expect.poll(() => running[2]?.asks).toEqual([5]);
  running[2]?.finish([5]);
  expect(await Promise.all(asks)).toEqual([1, 2, 3, 4, 5]);
});

test("nobody waits for a batch that is held up", async () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(1_000);
  const { made, running } = openBatcher({ concurrency: 2, batchMax: 10, batchMin: 5 });
  const asks = [made.submit(1)];
  await turn();
  asks.push(made.submit(2));
  await turn();
  expect(running).toHaveLength(1);
  clock.mockReturnValue(1_051);
  asks.push(made.submit(3));
  await turn();
  expect(running.map((batch) => batch.asks)).toEqual([[1], [2, 3]]);
  running.forEach(({ asks: given, finish }) => finish(given));
  expect(await Promise.all(asks)).toEqual([1, 2, 3]);
  clock.mockRestore();
});

test("an ask whose key is in a running batch lets others go first, and goes when the key is free", async () => {
  const { made, running } = openBatcher({ concurrency: 2, batchMin: 1, keysOf: (ask) => [ask % 10] });
  const first = made.submit(1);
  await turn();
  const later = [made.submit(11), made.submit(2), made.submit(21)];
  await turn();
  expect(running.map(({ asks }) => asks)).toEqual([[1], [2]]);
  running[0]?.finish([1]);
  await first;
  await expect.poll(() => running.length).toBe(3);
  expect(running[2]?.asks).toEqual([11, 21]);
  running[1]?.finish([2]);
  running[2]?.finish([11, 21]);
  expect(await Promise.all(later)).toEqual([11, 2, 21]);
});

test("an ask does not wait for a key when nobody else wants the idle slot", async () => {
  const { made, running } = openBatcher({ concurrency: 2, batchMin: 1, keysOf: () => ["the same"] });
  const first = made.submit(1);
  await turn();
  const second = made.submit(2);
  await turn();
  expect(running.map(({ asks }) => asks)).toEqual([[1], [2]]);
  running[1]?.finish([2]);
  running[0]?.finish([1]);
  expect(await Promise.all([first, second])).toEqual([1, 2]);
});

test("an ask lets others go first only as often as there are slots", async () => {
  const { made, running } = openBatcher({
    concurrency: 2,
    batchMax: 1,
    batchMin: 1,
    keysOf: (ask) => [ask % 10],
  });
  void made.submit(1);
  await turn();
  const asks = [11, 2, 3, 4, 5].map((ask) => made.submit(ask));
  await turn();
  for (const at of [1, 2, 3, 4, 5]) {
    await expect.poll(() => running.length).toBeGreaterThan(at);
    running[at]?.finish([0]);
  }
  await Promise.all(asks);
  expect(running.map(({ asks: given }) => given[0])).toEqual([1, 2, 3, 11, 4, 5]);
  running[0]?.finish([1]);
});

test("who was held up beside another batch with his key goes once more, and is refused when he is held up alone", async () => {
  const { made, running } = openBatcher({
    concurrency: 2,
    batchMin: 1,
    keysOf: (ask) => [ask % 10],
    isHeldUp: () => true,
  });
  const heldUp = new Error("held up");
  const first = made.submit(1);
  await turn();
  const beside = [made.submit(11), made.submit(21)];
  const asks = () => running.map((batch) => batch.asks);
  await turn();
  running[1]?.fail(heldUp);
  await expect.poll(asks).toEqual([[1], [11, 21], [11]]);
  // Now he alone waits in vain for the key of the first batch: so does the other, who need not try.
  running[2]?.fail(heldUp);
  running[0]?.finish([1]);
  await expect.poll(asks).toEqual([[1], [11, 21], [11], [11, 21]]);
  running[3]?.fail(heldUp);
  await expect.poll(() => running.length).toBe(5);
  running[4]?.fail(heldUp);
  expect(await Promise.allSettled([first, ...beside])).toEqual([
    { status: "fulfilled", value: 1 },
    { status: "rejected", reason: heldUp },
    { status: "rejected", reason: heldUp },
  ]);
  expect(asks()).toEqual([[1], [11, 21], [11], [11, 21], [11]]);
});

test("whatever the load, everybody gets his own answer, the bad ones their own fault, within the bounds", async () => {
  const load = fc.record({
    concurrency: fc.integer({ min: 1, max: 4 }),
    batchMax: fc.integer({ min: 1, max: 7 }),
    batchMin: fc.integer({ min: 1, max: 7 }),
    // Which asks are bad, which key they have, and after which a turn of the event loop passes.
    asks: fc.array(fc.record({ isBad: fc.boolean(), key: fc.nat(5), thenTurn: fc.boolean() }), {
      maxLength: 60,
    }),
  });
  await fc.assert(
    fc.asyncProperty(load, async ({ concurrency, batchMax, batchMin, asks }) => {
      let running = 0;
      const busy = new Set<number>();
      const made = new Batcher<number, number>(
        async (batch, slot) => {
          running += 1;
          expect(running).toBeLessThanOrEqual(concurrency);
          expect(busy.has(slot)).toBe(false);
          busy.add(slot);
          expect(batch.length).toBeLessThanOrEqual(batchMax);
          await turn();
          running -= 1;
          busy.delete(slot);
          const bad = batch.find((ask) => asks[ask]?.isBad);
          if (bad !== undefined) throw new Error(`bad ${bad}`);
          return batch.map((ask) => ask * 2);
        },
        { concurrency, batchMax, batchMin, queueMax: 100, keysOf: (ask) => [asks[ask]?.key] },
      );
      const answers: Promise<PromiseSettledResult<number>[]>[] = [];
      for (const [index, { thenTurn }] of asks.entries()) {
        answers.push(Promise.allSettled([made.submit(index)]));
        if (thenTurn) await turn();
      }
      const settled = (await Promise.all(answers)).flat();
      await made.drain();
      expect(running).toBe(0);
      settled.forEach((answer, index) => {
        if (asks[index]?.isBad)
          expect(answer).toMatchObject({ status: "rejected", reason: { message: `bad ${index}` } });
        else expect(answer).toEqual({ status: "fulfilled", value: index * 2 });
      });
    }),
  );
});
