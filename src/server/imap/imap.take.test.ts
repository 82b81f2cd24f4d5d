import { expect, test } from "vitest";
import { clockOf } from "./imap.take.ts";

test("a host's clock is learnt from letters that were seen to come, and from no others", () => {
  const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000);
  const dated = (seconds: number) => at(seconds).getTime();
  // In time, as far as whole seconds can tell.
  expect(clockOf(dated(9), 0, at(8), at(10))).toBe(0);
  expect(clockOf(dated(11), 0, at(8), at(10))).toBe(0);
  // Five minutes ahead: no letter comes from the future.
  expect(clockOf(dated(310), 0, undefined, at(10))).toBe(300_000);
  // Five minutes behind: it came after a check that had not seen it.
  expect(clockOf(dated(-291), 0, at(8), at(10))).toBe(-298_000);
  // The same without such a check is an old letter.
  expect(clockOf(dated(-291), 0, undefined, at(10))).toBe(0);
  // Once known, it explains what comes.
  expect(clockOf(dated(310), 300_000, at(8), at(10))).toBe(300_000);
  // Last week's letter was moved here by somebody.
  expect(clockOf(dated(-600_000), 0, at(8), at(10))).toBe(0);
});
