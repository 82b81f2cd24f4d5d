export interface Place {
  story: number;
  slide: number;
}

export type Step = "forward" | "back" | "first" | "last" | "nextStory" | "previousStory";

/** The next place (spec O §2) by the slides of each story. Undefined past the last slide; stays before the first one. */
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

/** The remaining time of a slide, and its start; without `since` it is paused. */
export interface SlideTimer {
  readonly leftMs: number;
  readonly since?: number;
}

export const run = (turn: SlideTimer, now: number): SlideTimer =>
  turn.since === undefined ? { leftMs: turn.leftMs, since: now } : turn;

export const stop = (turn: SlideTimer, now: number): SlideTimer =>
  turn.since === undefined ? turn : { leftMs: Math.max(0, turn.leftMs - (now - turn.since)) };
