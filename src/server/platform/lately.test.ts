import { expect, onTestFinished, test, vi } from "vitest";
import { Lately } from "./lately.ts";

function counted() {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const lately = new Lately();
  const add = (bad: number, good: number) => {
    for (let nth = 0; nth < bad + good; nth++) lately.add(nth < bad);
  };
  return { lately, add };
}

test("more than five that are more than a part of all are beyond it", () => {
  const { lately, add } = counted();
  add(5, 0);
  expect(lately.isBeyond(0.2)).toBe(false);
  add(1, 23);
  expect(lately.isBeyond(0.2)).toBe(true);
  add(0, 1);
  expect(lately.isBeyond(0.2)).toBe(false);
});

test("what is older than five minutes does not count, whether or not something has come since", () => {
  const { lately, add } = counted();
  add(10, 0);
  vi.advanceTimersByTime(4 * 60_000);
  expect(lately.isBeyond(0.2)).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(lately.isBeyond(0.2)).toBe(false);
  add(6, 0);
  expect(lately.isBeyond(0.9)).toBe(true);
});
