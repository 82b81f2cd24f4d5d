import { secondsAfter } from "../../platform/clock.ts";

// A chain's clock, and a payer's, may differ from ours.
const marginSeconds = 60 * 60;

/** The last block that is an hour older than `since`, or the first: from there a search misses nothing. Bisects up to `tip`. */
export async function heightBefore(
  timeOf: (height: bigint) => Promise<Date>,
  since: Date,
  tip: bigint,
): Promise<bigint> {
  const wanted = secondsAfter(since, -marginSeconds);
  let [low, high] = [0n, tip];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if ((await timeOf(middle)) < wanted) low = middle;
    else high = middle;
  }
  return low;
}
