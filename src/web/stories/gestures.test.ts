import { expect, test } from "vitest";
import { arrowStep, isTap, swipeStep, tapStep } from "./gestures.ts";

test("a press of up to 300 ms in one place is a tap; a longer one, or one that went elsewhere, is none", () => {
  expect(isTap({ ms: 300, right: 3, down: -4 })).toBe(true);
  expect(isTap({ ms: 301, right: 0, down: 0 })).toBe(false);
  expect(isTap({ ms: 80, right: 30, down: 0 })).toBe(false);
});

test("a tap on the left goes back and on the right forward; in Arabic the sides are changed, and so are the arrows", () => {
  expect([tapStep(0.2, false), tapStep(0.8, false)]).toEqual(["back", "forward"]);
  expect([tapStep(0.2, true), tapStep(0.8, true)]).toEqual(["forward", "back"]);
  expect([arrowStep("ArrowLeft", false), arrowStep("ArrowRight", false)]).toEqual(["back", "forward"]);
  expect([arrowStep("ArrowLeft", true), arrowStep("ArrowRight", true)]).toEqual(["forward", "back"]);
});

test("a swipe down closes, one to a side pulls in the story that lies on the other", () => {
  const ms = 150;
  expect(swipeStep({ ms, right: 20, down: 120 }, false)).toBe("close");
  expect(swipeStep({ ms, right: 0, down: -120 }, false)).toBeUndefined();
  expect(swipeStep({ ms, right: 40, down: 10 }, false)).toBeUndefined();
  expect(swipeStep({ ms, right: -90, down: 30 }, false)).toBe("nextStory");
  expect(swipeStep({ ms, right: 90, down: 30 }, false)).toBe("previousStory");
  expect(swipeStep({ ms, right: 90, down: 30 }, true)).toBe("nextStory");
});
