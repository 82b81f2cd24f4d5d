import { Asked } from "./codes.asked.ts";
import { choicesMax, choicesOf, formOf, type Choice } from "./codes.choices.ts";
import { codeInLink } from "./codes.link.ts";
import { linesOf, listedOf, quoteOf, type Line } from "./codes.lines.ts";
import type { Candidate } from "./codes.numbers.ts";
import type { Link } from "../mime/mime.ts";
import { Prominence, type Prominent, spacedPoints } from "./codes.prominence.ts";
import { isAlone, isOffered, looks, nearness, reachAbove, reachBelow } from "./codes.weigh.ts";

export { visibleOf } from "./codes.lines.ts";
export { findLink } from "./codes.link.ts";
export type { Choice } from "./codes.choices.ts";

const scoreMin = 7;
const shortLineMax = 30;
/** With being alone in its line just enough. */
const foreignNear = 3;
/** What speaks for a number that is set apart, where no word asks for it. */
const shownNear = 2;
/** A code is sure when so much more speaks for it than for any other number of its text. */
const sureLead = 5;
/** Without a word for "code". */
const sureUnnamedMin = 11;
/** From here on it is likely; less is a guess. */
const likelyLead = 3;
export interface Readable {
  readonly subject: string;
  readonly text: string;
  readonly plain: string;
  /** Shown beside the subject, or in place of pictures. */
  readonly unseen: string;
  readonly prominent?: readonly Prominent[];
  readonly links?: readonly Link[];
}

export type Confidence = "sure" | "likely" | "unsure";

export interface CodeFound {
  readonly value: string | undefined;
  /** Undefined without a code. */
  readonly confidence: Confidence | undefined;
  /** What may be the code, the likeliest first, the code itself among them; empty when the code is sure. */
  readonly candidates: readonly Choice[];
}

export const noCode: CodeFound = { value: undefined, confidence: undefined, candidates: [] };

/** The verification code of a letter: of the visible text, else of the plain part, of the unseen text, of the address that confirms. */
export function codeOf({ subject, text, plain, unseen, prominent, links }: Readable): CodeFound {
  const found = readCode(subject, text, prominent);
  if (found.value !== undefined) return found;
  const inPlain = plain === text || plain === "" ? noCode : readCode(subject, plain);
  if (inPlain.value !== undefined) return inPlain;
  const inUnseen = unseen === "" ? noCode : readCode(subject, unseen);
  if (inUnseen.value !== undefined) return inUnseen;
  const value = codeInLink(links ?? [], subject);
  if (value === undefined) return found;
  const choice = { value, pattern: `${formOf(value)} link named 1` };
  return { value, confidence: "likely", candidates: [choice, ...found.candidates].slice(0, choicesMax) };
}

/** The verification code as it is typed, without separators and prefix ("G-482913"); undefined when nothing looks like one. Linear time. */
export const findCode = (subject: string, text: string): string | undefined => readCode(subject, text).value;

/** The same letter when buyers of its site choose the candidate of one pattern: only where the code is not sure. */
export function prefer(found: CodeFound, pattern: string | undefined): CodeFound {
  const preferred = found.candidates.find((candidate) => candidate.pattern === pattern);
  if (!preferred || found.confidence === "sure") return found;
  return {
    value: preferred.value,
    confidence: "likely",
    candidates: [preferred, ...found.candidates.filter((candidate) => candidate !== preferred)],
  };
}

function readCode(subject: string, text: string, prominent: readonly Prominent[] = []): CodeFound {
  const lines = linesOf(subject, text);
  const asked = new Asked(lines);
  const quoted = quoteOf(lines);
  const shown = new Prominence(prominent);
  let best: Best | undefined;
  let [from, to] = [0, quoted];
  for (;;) {
    const range = { lines, shown, from, to };
    best = bestOf(range, placesOf(lines, from, to), nearness) ?? askedOf(range, asked);
    if (best !== undefined || to === lines.length) break;
    [from, to] = [quoted, lines.length];
  }
  const confidence = best && confidenceOf(best);
  if (best && confidence === "sure") return { value: best.value, confidence, candidates: [] };
  const range = best ? ([from, to] as const) : ([0, quoted] as const);
  return { value: best?.value, confidence, candidates: choicesOf(lines, asked, range, best?.value) };
}

function confidenceOf({ score, second, by }: Best): Confidence {
  const lead = score - second;
  if (by === "form" || lead < likelyLead) return "unsure";
  return lead >= sureLead && (by === "word" || score >= sureUnnamedMin) ? "sure" : "likely";
}

/** How near a candidate is to what makes it a code; 0: nothing does. */
type Nearness = (lines: readonly Line[], index: number, candidate: Candidate) => number;

interface Best {
  readonly value: string;
  readonly score: number;
  /** The most that speaks for any other value. */
  readonly second: number;
  /** A word for "code", a request to use it, or in an unknown language its form alone. */
  readonly by: "word" | "request" | "form";
}

/** The lines of a letter from `from` on, before `to`. */
interface Range {
  readonly lines: readonly Line[];
  readonly shown: Prominence;
  readonly from: number;
  readonly to: number;
}

function bestOf(
  { lines, shown, from, to }: Range,
  places: readonly number[],
  near: Nearness,
): Best | undefined {
  if (places.length === 0) return undefined;
  const inTitle = new Set(lines[0]?.candidates.map(({ value }) => value));
  const scores = new Map<string, number>();
  for (const index of places)
    for (const candidate of lines[index]?.candidates ?? []) {
      const { value } = candidate;
      const nearby = near(lines, index, candidate);
      if (nearby === 0) continue;
      const isRepeated = index > 0 && inTitle.has(value);
      const score = nearby + looks(lines, index, candidate, nearby) + (isRepeated ? 3 : 0);
      if (score > (scores.get(value) ?? 0)) scores.set(value, score);
    }
  // Of one number that its words make a code the type need not be asked.
  if (scores.size > 1 || [...scores.values()].every((score) => score < scoreMin))
    for (const [value, score] of scores) scores.set(value, score + shown.pointsOf(value));
  const ranked = [...scores].toSorted(([, one], [, other]) => other - one);
  if ((ranked[0]?.[1] ?? 0) < scoreMin) return undefined;
  const listed = listedOf(lines, from, to);
  const [best, second] = ranked.filter(([value]) => !listed.has(value));
  if (!best || best[1] < scoreMin) return undefined;
  return { value: best[0], score: best[1], second: second?.[1] ?? 0, by: "word" };
}

/** Without a word for "code": a number that the reader is told to use, or that stands alone where something is to be confirmed. */
function askedOf(range: Range, asked: Asked): Best | undefined {
  const { lines, shown, from, to } = range;
  let isForeign: boolean | undefined;
  const near: Nearness = (_lines, index, candidate) => {
    const line = lines[index];
    if (!line || index === 0 || isOffered(line, candidate)) return 0;
    const alone = isAlone(line, candidate);
    const evidence = /^[0-9]{4,8}$/.test(candidate.value) ? asked.evidence(index, candidate, alone) : 0;
    if (evidence > 0 || !alone) return evidence;
    const points = shown.pointsOf(candidate.value);
    // A gap between its digits is set for codes alone; large type also for what is counted.
    if (points >= spacedPoints || (points > 0 && asked.isKeptSecret(index))) return shownNear;
    isForeign ??= asked.knowsNoWord();
    return isForeign && (points > 0 || isOnlyNumber(lines, candidate.value)) ? foreignNear : 0;
  };
  const places = [];
  for (let index = Math.max(1, from); index < to; index++)
    if ((lines[index]?.candidates.length ?? 0) > 0) places.push(index);
  const best = bestOf(range, places, near);
  return best && { ...best, by: isForeign ? "form" : "request" };
}

/** In a language that is not known here: the one number of the letter, alone in its line. */
const isOnlyNumber = (lines: readonly Line[], value: string): boolean =>
  lines.every((line, index) => index === 0 || line.candidates.every((other) => other.value === value));

/** The lines near a word for "code"; when the subject has one, also those with little else than a number, or the number of the subject. */
function placesOf(lines: readonly Line[], from: number, to: number): number[] {
  const isAsked = lines[0]?.namesCode() ?? false;
  const subjectCandidates = isAsked ? (lines[0]?.candidates ?? []) : [];
  const isPlace = new Uint8Array(lines.length);
  for (let index = from; index < to; index++) {
    const line = lines[index];
    if (!line) continue;
    if (line.namesCode())
      isPlace.fill(
        1,
        index === 0 ? 0 : Math.max(from, index - reachBelow),
        index === 0 ? 1 : index + reachAbove + 1,
      );
    else if (
      line.namesCode("weak") ||
      (isAsked && line.text.length <= shortLineMax) ||
      subjectCandidates.some(({ value }) => line.text.includes(value))
    )
      isPlace[index] = 1;
  }
  return Array.from(isPlace.keys()).filter((index) => index >= from && index < to && isPlace[index] === 1);
}
