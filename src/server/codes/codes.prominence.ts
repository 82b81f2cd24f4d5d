// What the type of a letter says of its numbers: codes are set in large type, with wide gaps between their digits.
import { linesOf } from "./codes.lines.ts";

/** Short text that its letter sets apart from the rest. */
export interface Prominent {
  readonly text: string;
  /** With wide gaps between its letters; else only in large type. */
  readonly isSpaced: boolean;
}

export const spacedPoints = 3;
const largePoints = 1;
const nothing: ReadonlyMap<string, number> = new Map();

/** Read when it is first asked for: most codes are found by their words. */
export class Prominence {
  readonly #texts: readonly Prominent[];
  #points: ReadonlyMap<string, number> | undefined;

  constructor(texts: readonly Prominent[]) {
    this.#texts = texts;
  }

  /** Zero for a text without a digit and for a year: headings are large too. */
  pointsOf(value: string): number {
    if (this.#texts.length === 0) return 0;
    this.#points ??= pointsIn(this.#texts);
    return this.#points.get(value) ?? 0;
  }
}

function pointsIn(texts: readonly Prominent[]): ReadonlyMap<string, number> {
  const numbers = texts.filter(({ text }) => /\p{N}/u.test(text));
  if (numbers.length === 0) return nothing;
  const points = new Map<string, number>();
  for (const { text, isSpaced } of numbers)
    for (const { candidates } of linesOf("", text).slice(1))
      for (const { value } of candidates)
        points.set(value, Math.max(points.get(value) ?? 0, pointsFor(value, isSpaced)));
  return points;
}

function pointsFor(value: string, isSpaced: boolean): number {
  if (!/[0-9]/.test(value) || /^(?:19|20)[0-9]{2}$/.test(value)) return 0;
  return isSpaced ? spacedPoints : largePoints;
}
