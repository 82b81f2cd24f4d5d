import type { Step } from "./slidePlace.ts";

/** A press longer than this holds the slide and is no click (spec O §2). */
export const holdMs = 300;
/** A finger that trembles this much still taps. */
const tapPixelsMax = 10;
const swipePixelsMin = 60;

/** A finger or mouse that went down and came up again. */
export interface Gesture {
  ms: number;
  /** How far it went, in pixels: to the right and downwards. */
  right: number;
  down: number;
}

/** Has this press been only a tap? Anything else opens no link and turns no slide. */
export const isTap = ({ ms, right, down }: Gesture): boolean =>
  ms <= holdMs && Math.hypot(right, down) <= tapPixelsMax;

/** Which way a tap leads: back on the left, forward on the right (spec O §2). */
export const tapStep = (share: number, isRightToLeft: boolean): Step => sided(share < 0.5, isRightToLeft);

/** Which way an arrow key leads: the same way as a tap on its side. */
export const arrowStep = (key: "ArrowLeft" | "ArrowRight", isRightToLeft: boolean): Step =>
  sided(key === "ArrowLeft", isRightToLeft);

/** What a swipe does: downwards it closes, sideways it pulls the next or the previous story in. */
export function swipeStep({ right, down }: Gesture, isRightToLeft: boolean): Step | "close" | undefined {
  if (Math.abs(right) > Math.abs(down)) {
    if (Math.abs(right) < swipePixelsMin) return undefined;
    return right < 0 !== isRightToLeft ? "nextStory" : "previousStory";
  }
  return down >= swipePixelsMin ? "close" : undefined;
}

/**
 * In Arabic all of it is mirrored: the bar of progress fills from right to left, as one reads, and what comes next is on the
 * left; a tap on the right that went forward would run against it. The specification's left and right are those of its own,
 * left-to-right pages.
 */
function sided(isLeft: boolean, isRightToLeft: boolean): Step {
  return isLeft === isRightToLeft ? "forward" : "back";
}
