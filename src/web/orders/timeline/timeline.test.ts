import { expect, test } from "vitest";
import { isOver, type Step, toneOf, wordsOf } from "./timeline.ts";

const ordered: Step = { at: 1, step: "ordered", amount: "0.0035" };
const missed: Step = { at: 2, step: "letter", fits: false, missed: "subject" };

test("a letter that did not fit is told apart by words and colour from one that did", () => {
  expect([wordsOf(missed), toneOf(missed)]).toEqual(["timeline.letterMissed", "warn"]);
  expect([wordsOf({ ...missed, fits: true }), toneOf({ ...missed, fits: true })]).toEqual([
    "timeline.letter",
    "good",
  ]);
});

test("a cancel by support is told apart from the buyer's own", () => {
  expect(wordsOf({ at: 2, step: "canceled" })).toBe("timeline.canceled");
  expect(wordsOf({ at: 2, step: "canceled", by: "shop" })).toBe("timeline.canceled.shop");
});

test("an activation is awaited until it is paid for or closed", () => {
  expect(isOver([ordered, missed])).toBe(false);
  expect(isOver([ordered, missed, { at: 3, step: "expired" }])).toBe(true);
  expect(isOver([ordered, { at: 3, step: "charged", amount: "0.0035" }])).toBe(true);
});
