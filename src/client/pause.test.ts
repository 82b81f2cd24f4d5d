import { expect, test } from "vitest";
import { backoffMilliseconds, pause } from "./pause.ts";

test("each failure in a row waits longer, within a bound, and no two clients the same", () => {
  const bounds = { min: 1000, max: 30_000 };
  const longest = [0, 1, 2, 9].map((failures) => backoffMilliseconds(failures, { ...bounds, random: 1 }));
  expect(longest).toEqual([1000, 2000, 4000, 30_000]);
  expect(backoffMilliseconds(0, { ...bounds, random: 0 })).toBe(500);
});

test("a pause ends when its signal aborts, and does not begin after", async () => {
  const stop = new AbortController();
  const paused = pause(1_000_000, stop.signal);
  stop.abort();
  await paused;
  await pause(1_000_000, stop.signal);
});
