import { expect, test } from "vitest";
import { agoText, nearText } from "./ago.ts";

test.each([
  [-30, "now"],
  [59, "now"],
  [60, "1 minute ago"],
  [3599, "59 minutes ago"],
  [3600, "1 hour ago"],
  [86_399, "23 hours ago"],
  [86_400, undefined],
  [-61, undefined],
])("what was %i seconds ago is told as %s", (seconds, said) => {
  expect(agoText("en", 1_795_258_800, 1_795_258_800 + seconds)).toBe(said);
});

test.each([
  [3, "3 sec. ago"],
  [0, "now"],
  [-4, "in 4 sec."],
  [-3 * 3600, "in 3 hr."],
  [86_400, undefined],
])("the last and next turn of a job, %i seconds from now, is told as %s", (seconds, said) => {
  expect(nearText("en", 1_795_258_800, 1_795_258_800 + seconds)).toBe(said);
});
