// How far the addresses of a network were read that must be asked about each by itself: those where money is expected at each
// poll, the others in rounds, a part at a poll. What comes there late is found late, but found.
import { z } from "zod/mini";

const PollLoop = z.object({
  /** From when on the round reads: when the one before it began. */
  from: z.int(),
  began: z.int(),
  /** The last address that was read; null between two rounds. */
  after: z.nullable(z.string()),
});

/** Times are seconds, by the clock of the network. */
export type PollLoop = z.infer<typeof PollLoop>;

// `open`: up to when the addresses with open payments were read. `month`: the round of all addresses, not of old ones
// alone, so that one that has just grown old is not left out between two rounds.
const Progress = z.object({ open: z.int(), week: PollLoop, month: PollLoop });
export type Progress = z.infer<typeof Progress>;

/** Which addresses to read now, since when, and where that leaves the round. */
export interface Part {
  readonly addresses: readonly string[];
  readonly since: number;
  readonly round: PollLoop;
}

const partSize = 50;

const beginning: PollLoop = { from: 0, began: 0, after: null };

/** Nothing was read: addresses of ours are young, so their whole past is soon read. */
export const unread: Progress = { open: 0, week: beginning, month: beginning };

export const show = (progress: Progress) => JSON.stringify(progress);

/** Reads what `show` wrote. Throws on anything else: to guess a place would be to leave out what lies before it. */
export function read(text: string): Progress {
  return Progress.parse(JSON.parse(text));
}

/** Whether a part of a round is to be read: one is under way, or the last began so many seconds ago. */
export function isDue(round: PollLoop, everySeconds: number, at: number): boolean {
  return round.after !== null || at - round.began >= everySeconds;
}

/**
 * The next part of a round, or the first of a new one. An address that comes among them while a round is under way is read
 * back to that round's beginning by the next one.
 */
export function nextPart(round: PollLoop, at: number, all: ReadonlySet<string>): Part {
  const { from, began, after } =
    round.after === null ? { from: round.began, began: at, after: "" } : { ...round, after: round.after };
  const left = [...all].filter((address) => address > after).toSorted();
  const addresses = left.slice(0, partSize);
  const last = left.length > partSize ? (addresses.at(-1) ?? null) : null;
  return { addresses, since: from, round: { from, began, after: last } };
}
