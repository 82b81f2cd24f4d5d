// What happened in a period: sums by hour, which a job keeps, so that nobody scans orders.
import type { Reply } from "../../contract/endpoint.ts";
import type { officeFigures } from "../../contract/office/overview.ts";
import type { FigurePeriod } from "../../contract/office/overview.ts";
import { secondsAfter, startOfDay, unixSeconds } from "../platform/clock.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import * as rows from "./office.hours.sql.ts";
import type { Span } from "./office.hours.sql.ts";

export type Figures = Reply<typeof officeFigures>;
export type FigureSums = Figures["now"];

const hour = 60 * 60;
const day = 24 * hour;
/** More than a statement runs that has taken its id and not begun to write. */
const settledSeconds = 30;
/** Two periods of 30 days, and the days at their ends. */
const hoursKeptDays = 62;

/**
 * Adds what is new to the sums of its hours, each row once, in however many processes and however late. `since`: outcomes since then
 * are added up anew.
 */
export async function countHours(db: Db, now: Date, since?: Date): Promise<void> {
  await attempt(db, async (tx) => {
    if ((await rows.lockMark(tx, secondsAfter(now, -settledSeconds))).length === 0) return;
    if (since) await rows.backOutcomes(tx, since);
    await rows.addHours(tx);
    await rows.addOutcomes(tx);
    await rows.foldHours(tx, secondsAfter(startOfDay(now), -hoursKeptDays * day));
    await rows.moveMark(tx, now);
  });
}

export interface Periods {
  readonly now: Span;
  readonly before: Span;
  /** Of both, oldest first; the last one is not over yet. */
  readonly steps: readonly Span[];
  /** How many steps are between one and the one it is compared with. */
  readonly back: number;
}

const monthOf = (at: Date, back: number) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1));

/** The steps between so many beginnings. */
const stepsOf = (count: number, beginning: (back: number) => Date): Span[] =>
  Array.from({ length: count }, (_, at) => ({
    from: beginning(count - 1 - at),
    to: beginning(count - 2 - at),
  }));

/** The period up to the last whole hour, and as much before it. The hour that runs is a step, and counts to neither. */
export function periodsOf(period: FigurePeriod, now: Date): Periods {
  const until = new Date(Math.floor(now.getTime() / hour / 1000) * hour * 1000);
  const today = startOfDay(now);
  if (period === "day") {
    const steps = stepsOf(49, (back) => secondsAfter(until, -back * hour));
    const [from, middle] = [secondsAfter(until, -2 * day), secondsAfter(until, -day)];
    return { now: { from: middle, to: until }, before: { from, to: middle }, steps, back: 24 };
  }
  if (period === "month") {
    const steps = stepsOf(60, (back) => secondsAfter(today, -back * day));
    const [from, middle] = [secondsAfter(today, -59 * day), secondsAfter(today, -29 * day)];
    return {
      now: { from: middle, to: until },
      before: { from, to: secondsAfter(until, -30 * day) },
      steps,
      back: 30,
    };
  }
  const steps = stepsOf(24, (back) => monthOf(now, back));
  // Days of a year ago are whole.
  const yearAgo = new Date(Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), now.getUTCDate() + 1));
  return {
    now: { from: monthOf(now, 11), to: until },
    before: { from: monthOf(now, 23), to: yearAgo },
    steps,
    back: 12,
  };
}

/** Interpolated in its class as in `outcomes`; undefined without a letter. */
export function medianOf(counts: ReadonlyMap<number, number>, bounds: readonly number[]): number | undefined {
  const classes = [...counts].filter(([place]) => place >= 0).toSorted(([one], [other]) => one - other);
  const half = classes.reduce((all, [, count]) => all + count, 0) / 2;
  let upTo = 0;
  for (const [place, count] of classes) {
    upTo += count;
    if (upTo < half) continue;
    const low = place === 0 ? 0 : (bounds[place - 1] ?? 0);
    const high = bounds[place] ?? low;
    return low + ((high - low) * (half - (upTo - count))) / count;
  }
  return undefined;
}

/** Sums over spans of time. `known`: of the outcomes, which older shops have counted for some days alone. */
export async function sumsOf(db: Db, spans: readonly Span[]): Promise<FigureSums[]> {
  const [sums, classes, { bounds }] = await Promise.all([
    rows.selectSpans(db, spans),
    rows.selectSpanClasses(db, spans),
    rows.selectBeginnings(db),
  ]);
  const byPlace = new Map(sums.map((row) => [Number(row.place), row]));
  const classesOf = Map.groupBy(classes, ({ place }) => Number(place));
  return spans.map((_, at) => {
    const row = byPlace.get(at + 1);
    const counts = new Map(classesOf.get(at + 1)?.map((one) => [one.class, Number(one.count)]));
    const ended = [...counts.values()].reduce((all, count) => all + count, 0);
    return {
      orders: Number(row?.orders ?? 0),
      letters: Number(row?.letters ?? 0),
      registrations: Number(row?.registrations ?? 0),
      refunds: Number(row?.refunds ?? 0),
      refunded: showUsd((row?.refunded ?? 0n) as Usd),
      revenue: showUsd((row?.revenue ?? 0n) as Usd),
      top_ups: showUsd((row?.topUps ?? 0n) as Usd),
      ended,
      received: ended - (counts.get(-1) ?? 0),
      seconds: medianOf(counts, bounds) ?? null,
    };
  });
}

/** The sums of a period and of the time before it, and those of its steps. The time before is null where the shop was not there for all of it. */
export async function readFigures(db: Db, period: FigurePeriod, now: Date): Promise<Figures> {
  const { now: span, before, steps, back } = periodsOf(period, now);
  const [all, beginnings] = await Promise.all([
    sumsOf(db, [span, before, ...steps]),
    rows.selectBeginnings(db),
  ]);
  const [total, past, ...ofSteps] = all as [FigureSums, FigureSums, ...FigureSums[]];
  const isKnown = (since: Date | null) => since !== null && since < before.from;
  const shown = steps.length - back;
  return {
    since: unixSeconds(span.from),
    until: unixSeconds(span.to),
    now: total,
    before: isKnown(beginnings.hours) ? past : null,
    before_outcomes: isKnown(beginnings.outcomes),
    steps: steps.slice(-shown).map(({ from }, at) => ({
      at: unixSeconds(from),
      now: ofSteps[steps.length - shown + at]!,
      before: ofSteps[steps.length - shown - back + at]!,
    })),
  };
}
