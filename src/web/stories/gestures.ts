import type { Step } from "./slidePlace.ts";

/** A longer press holds the slide and is no click (spec O §2). */
export const holdMs = 300;
const tapPixelsMax = 10;
const swipePixelsMin = 60;

export interface Gesture {
  ms: number;
  /** Pixels to the right and downwards. */
  right: number;
  down: number;
}

/** Whether a press was a tap; nothing else follows a link or changes the slide. */
export const isTap = ({ ms, right, down }: Gesture): boolean =>
  ms <= holdMs && Math.hypot(right, down) <= tapPixelsMax;

/** A tap on the left goes back, on the right forward (spec O §2). */
export const tapStep = (share: number, isRightToLeft: boolean): Step => sided(share < 0.5, isRightToLeft);

/** An arrow key goes the same way as a tap on its side. */
export const arrowStep = (key: "ArrowLeft" | "ArrowRight", isRightToLeft: boolean): Step =>
  sided(key === "ArrowLeft", isRightToLeft);

/** A swipe down closes; sideways it changes the story. */
export function swipeStep({ right, down }: Gesture, isRightToLeft: boolean): Step | "close" | undefined {
  if (Math.abs(right) > Math.abs(down)) {
    if (Math.abs(right) < swipePixelsMin) return undefined;
    return right < 0 !== isRightToLeft ? "nextStory" : "previousStory";
  }
  return down >= swipePixelsMin ? "close" : undefined;
}

/** Mirrors sides in Arabic, like the progress bar. The specification's left and right are those of left-to-right pages. */
function sided(isLeft: boolean, isRightToLeft: boolean): Step {
  return isLeft === isRightToLeft ? "forward" : "back";
}
