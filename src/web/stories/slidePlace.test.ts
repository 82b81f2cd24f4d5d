import { expect, test } from "vitest";
import { type Place, run, type Step, placeAfter, stop } from "./slidePlace.ts";

const slides = [2, 1, 3];
const from = (story: number, slide: number, ...steps: Step[]) =>
  steps.reduce<Place | undefined>((at, step) => at && placeAfter(slides, at, step), { story, slide });

test("slides follow each other, then the stories, and after the last slide of the last story it is over", () => {
  expect(from(0, 0, "forward")).toEqual({ story: 0, slide: 1 });
  expect(from(0, 1, "forward")).toEqual({ story: 1, slide: 0 });
  expect(from(1, 0, "forward", "forward", "forward")).toEqual({ story: 2, slide: 2 });
  expect(from(2, 2, "forward")).toBeUndefined();
  expect(from(2, 0, "nextStory")).toBeUndefined();
});

test("the way back leads over the same slides, and stays at the first one", () => {
  expect(from(2, 1, "back")).toEqual({ story: 2, slide: 0 });
  expect(from(2, 0, "back", "back")).toEqual({ story: 0, slide: 1 });
  expect(from(0, 0, "back")).toEqual({ story: 0, slide: 0 });
});

test("one can go to the ends of a story, and to the beginning of its neighbours", () => {
  expect(from(2, 1, "first")).toEqual({ story: 2, slide: 0 });
  expect(from(2, 1, "last")).toEqual({ story: 2, slide: 2 });
  expect(from(0, 1, "nextStory")).toEqual({ story: 1, slide: 0 });
  expect(from(2, 2, "previousStory")).toEqual({ story: 1, slide: 0 });
  expect(from(0, 1, "previousStory")).toEqual({ story: 0, slide: 0 });
});

test("a slide that is stopped keeps the time that it has left, however often and long it stands", () => {
  let turn = run({ leftMs: 5000 }, 1000);
  turn = stop(turn, 3000);
  expect(turn).toEqual({ leftMs: 3000 });
  expect(stop(turn, 9000)).toEqual({ leftMs: 3000 });
  turn = run(turn, 60_000);
  expect(run(turn, 61_000)).toBe(turn);
  expect(stop(turn, 62_500)).toEqual({ leftMs: 500 });
  // A busy browser may stop it late: never below zero.
  expect(stop(turn, 99_000)).toEqual({ leftMs: 0 });
});
