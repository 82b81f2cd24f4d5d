// What else in a letter may be its code, where one is not sure. Each has a pattern by which its like is known in the next letter of the site.
import type { Asked } from "./codes.asked.ts";
import { listedOf, type Line } from "./codes.lines.ts";
import type { Candidate } from "./codes.numbers.ts";
import { isAlone, isOffered, looks, nearness } from "./codes.weigh.ts";

/** What must speak for a number beside a code, and without one. */
const besideMin = 2;
const withoutMin = 4;
export const choicesMax = 5;

export interface Choice {
  readonly value: string;
  /** Form, place and context, as in "d6 alone near 1": nothing of the letter itself. */
  readonly pattern: string;
}

interface Weighed {
  readonly value: string;
  readonly pattern: string;
  readonly score: number;
}

/** The likeliest first; `code` is the first where there is one. */
export function choicesOf(
  lines: readonly Line[],
  asked: Asked,
  [from, to]: readonly [from: number, to: number],
  code: string | undefined,
): Choice[] {
  const best = new Map<string, Weighed>();
  for (let index = from; index < to; index++)
    for (const candidate of lines[index]?.candidates ?? []) {
      const weighed = weigh(lines, asked, index, candidate);
      if (weighed && weighed.score > (best.get(weighed.value)?.score ?? Number.NEGATIVE_INFINITY))
        best.set(weighed.value, weighed);
    }
  const listed = best.size < 2 ? new Set<string>() : listedOf(lines, from, to);
  const scoreMin = code === undefined ? withoutMin : besideMin;
  const order = (weighed: Weighed) => (weighed.value === code ? Number.POSITIVE_INFINITY : weighed.score);
  const likely = [...best.values()]
    .filter(({ value, score }) => value === code || (score >= scoreMin && !listed.has(value)))
    .toSorted((one, other) => order(other) - order(one))
    .slice(0, choicesMax);
  const seen = new Map<string, number>();
  return likely.map(({ value, pattern }) => {
    const count = (seen.get(pattern) ?? 0) + 1;
    seen.set(pattern, count);
    return { value, pattern: `${pattern} ${count}` };
  });
}

function weigh(
  lines: readonly Line[],
  asked: Asked,
  index: number,
  candidate: Candidate,
): Weighed | undefined {
  const line = lines[index];
  if (!line || isOffered(line, candidate)) return undefined;
  const { value } = candidate;
  const alone = isAlone(line, candidate);
  const named = nearness(lines, index, candidate);
  const evidence = index > 0 && /^[0-9]+$/.test(value) ? asked.evidence(index, candidate, alone) : 0;
  const near = Math.max(named, evidence);
  const place = index === 0 ? "subject" : alone ? "alone" : "text";
  const relation = named >= 7 ? "named" : named > 0 ? "near" : evidence > 0 ? "asked" : "bare";
  return {
    value,
    pattern: `${formOf(value)} ${place} ${relation}`,
    score: near + looks(lines, index, candidate, near),
  };
}

/** Digits, letters or both, and the lengths of the pieces: "d6", "m4-4-4". */
export function formOf(value: string): string {
  const kind = /^[0-9]+$/.test(value) ? "d" : /[0-9]/.test(value) ? "m" : "l";
  return (
    kind +
    value
      .split("-")
      .map(({ length }) => length)
      .join("-")
  );
}
