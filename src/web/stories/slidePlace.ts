/** Which slide of which story is shown, both counted from 0. */
export interface Place {
  story: number;
  slide: number;
}

export type Step = "forward" | "back" | "first" | "last" | "nextStory" | "previousStory";

/**
 * Where a step leads, given how many slides each story has: to the next slide, then to the next story (spec O §2).
 * Undefined past the last slide of the last story, where the viewer closes; before the very first one it stays.
 */
export function placeAfter(slides: readonly number[], at: Place, step: Step): Place | undefined {
  const last = (slides[at.story] ?? 1) - 1;
  const next = at.story + 1 < slides.length ? { story: at.story + 1, slide: 0 } : undefined;
  switch (step) {
    case "forward":
      return at.slide < last ? { ...at, slide: at.slide + 1 } : next;
    case "back":
      if (at.slide > 0) return { ...at, slide: at.slide - 1 };
      return at.story > 0 ? { story: at.story - 1, slide: (slides[at.story - 1] ?? 1) - 1 } : at;
    case "first":
      return { ...at, slide: 0 };
    case "last":
      return { ...at, slide: last };
    case "nextStory":
      return next;
    case "previousStory":
      return { story: Math.max(0, at.story - 1), slide: 0 };
  }
}

/** How much of its time a slide has left, and since when it runs; without `since` it stands. */
export interface SlideTimer {
  readonly leftMs: number;
  readonly since?: number;
}

/** Lets the time of a slide run from now on. */
export const run = (turn: SlideTimer, now: number): SlideTimer =>
  turn.since === undefined ? { leftMs: turn.leftMs, since: now } : turn;

/** Stops the time of a slide; what it has had stays spent. */
export const stop = (turn: SlideTimer, now: number): SlideTimer =>
  turn.since === undefined ? turn : { leftMs: Math.max(0, turn.leftMs - (now - turn.since)) };
