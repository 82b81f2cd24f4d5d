import { expect, test } from "vitest";
import { Admission, Late } from "./matching.admission.ts";
import { LeftLetters } from "./matching.left.ts";

const letter = (id: number, bytes: number) => ({
  id: BigInt(id),
  arrivedAt: new Date(id),
  raw: Buffer.alloc(bytes),
  mailboxIds: [],
});

test("letters that were left are taken oldest first, as many as memory is given for them, and a large one alone", () => {
  const left = new LeftLetters();
  for (let id = 1; id <= 70; id++) left.add(letter(id, 10));
  left.add(letter(71, 5 * 1024 * 1024));
  left.add(letter(72, 10));
  const taken = Array.from({ length: 4 }, () => left.take().map(Number));
  const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  expect(taken).toEqual([ids(1, 64), ids(65, 70), [71], [72]]);
  expect(left.amount).toEqual({ letters: 0, bytes: 0 });
  expect(left.oldestArrivedAt).toBeUndefined();
});

test("what is being stored counts beside what is unmatched; who waits too long is refused, and the next goes on", async () => {
  let letters = 0;
  const admission = new Admission({ letters: 2, bytes: 1000 }, () => ({ letters, bytes: 100 * letters }));
  const never = () => new AbortController().signal;
  const gone = new AbortController();
  await admission.enter(10, never);
  await admission.enter(10, never);
  const refused = admission.enter(10, () => gone.signal);
  let isIn = false;
  const next = admission.enter(10, never).then(() => (isIn = true));
  gone.abort();
  await expect(refused).rejects.toBeInstanceOf(Late);
  letters = 1;
  admission.stored(10);
  await Promise.resolve();
  expect(isIn).toBe(false);
  letters = 0;
  admission.letIn();
  await next;
});
