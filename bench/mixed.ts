// Everything at once for an hour, while web processes are killed: does it stay as fast and as small as at the beginning, and is
// nothing lost? BENCH_SECONDS makes it shorter, BENCH_PACE multiplies the rates.
import { type Held, kinds, type Pace, type Soaked, soak } from "../test/kit/soak.ts";
import { at, printTable, withFolder } from "./process.kit.ts";

const seconds = Number(process.env["BENCH_SECONDS"] ?? 3600);
const factor = Number(process.env["BENCH_PACE"] ?? 1);

/** What two cores bear at some 60 % of their time. */
const pace: Pace = {
  seconds,
  orders: 30 * factor,
  polls: 50 * factor,
  signIns: 1 * factor,
  payments: 0.5 * factor,
  streams: Math.round(500 * factor),
  lines: Math.min(500_000, 1_000 * seconds),
  killSeconds: Math.min(300, seconds / 4),
};

export const measure = (): Promise<void> =>
  withFolder(async (folder) => {
    console.log(JSON.stringify(pace));
    const soaked = await soak(folder, pace);
    printTable(timesOf(soaked));
    printTable(heldOf(soaked));
    const { orders, letters, payments, unanswered, refused } = soaked.done;
    console.log(
      `acknowledged: ${orders.length} orders, ${letters.length} letters, ${payments.length} payments; ` +
        `${soaked.kills} kills left ${unanswered} unanswered, ${refused.length} refused ${[...new Set(refused)].join("; ")}`,
    );
    console.log(soaked.lost.length === 0 ? "nothing lost, the audit finds nothing" : soaked.lost.join("\n"));
  });

/** The first minute warms up and does not count. */
const warm = (from: number) => from + Math.min(60_000, (seconds * 1000) / 10);

function timesOf({ samples }: Soaked) {
  // An hour has more samples than a call may have arguments.
  const began = samples.reduce((least, [, begun]) => Math.min(least, begun), Infinity);
  const ended = samples.reduce((most, [, begun]) => Math.max(most, begun), 0);
  const length = (ended - warm(began)) / 5;
  return kinds.map((kind) => {
    const within = (from: number) =>
      samples
        .flatMap(([of, begun, took]) => (of === kind && begun >= from && begun < from + length ? [took] : []))
        .toSorted((one, other) => one - other);
    const [first, last] = [within(warm(began)), within(ended - length)];
    const ratio = (share: number) => (at(last, share) / at(first, share)).toFixed(2);
    const pair = (took: number[]) => `${at(took, 0.5).toFixed(1)}, ${at(took, 0.99).toFixed(1)}`;
    return {
      what: kind,
      count: samples.filter(([of]) => of === kind).length,
      "first fifth: p50, p99 ms": pair(first),
      "last fifth": pair(last),
      "p50, last of first": ratio(0.5),
      "p99, last of first": ratio(0.99),
    };
  });
}

/** Means of the fifth after the first ten minutes (a shorter run: its first fifth), and of the last one. */
function heldOf({ held }: Soaked) {
  const [start = 0] = held.map((one) => one.at);
  const from = held.filter((one) => one.at >= start + Math.min(600_000, (seconds * 1000) / 5));
  const fifth = Math.max(1, Math.floor(from.length / 5));
  const mean = (of: keyof Held, some: typeof held) =>
    some.reduce((sum, one) => sum + one[of], 0) / some.length;
  const shown = [
    ["megabytes", "memory of three processes, MB", 0],
    ["sessions", "sessions of the database", 0],
    ["work", "the same work of the processor, ms", 2],
  ] as const;
  return shown.map(([of, what, digits]) => {
    const [first, last] = [mean(of, from.slice(0, fifth)), mean(of, from.slice(-fifth))];
    return {
      what,
      "at first": first.toFixed(digits),
      "at last": last.toFixed(digits),
      "last of first": (last / first).toFixed(2),
    };
  });
}
