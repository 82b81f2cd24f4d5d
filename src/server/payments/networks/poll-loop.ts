// Tracks reading where each address needs a request: those with open payments at each poll, the others in rounds, a part per
// poll.
import { z } from "zod/mini";

const PollLoop = z.object({
  /** The round reads from here: when the one before it began. */
  from: z.int(),
  began: z.int(),
  /** The last address that was read; null between two rounds. */
  after: z.nullable(z.string()),
});

/** Times are seconds, by the clock of the network. */
export type PollLoop = z.infer<typeof PollLoop>;

// `open`: up to when addresses with open payments were read. `month`: the round of all addresses, so that one that changes class
// is not skipped between two rounds.
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

/** Nothing was read yet. */
export const unread: Progress = { open: 0, week: beginning, month: beginning };

export const show = (progress: Progress) => JSON.stringify(progress);

/** Reads what `show` wrote. Throws on anything else: a guessed place would skip transfers. */
export function read(text: string): Progress {
  return Progress.parse(JSON.parse(text));
}

/** Whether a round is under way, or the last began `everySeconds` ago. */
export function isDue(round: PollLoop, everySeconds: number, at: number): boolean {
  return round.after !== null || at - round.began >= everySeconds;
}

/**
 * The next part of a round, or the first of a new one. An address added meanwhile is read by the next round, back to the
 * beginning of this one.
 */
export function nextPart(round: PollLoop, at: number, all: ReadonlySet<string>): Part {
  const { from, began, after } =
    round.after === null ? { from: round.began, began: at, after: "" } : { ...round, after: round.after };
  const left = [...all].filter((address) => address > after).toSorted();
  const addresses = left.slice(0, partSize);
  const last = left.length > partSize ? (addresses.at(-1) ?? null) : null;
  return { addresses, since: from, round: { from, began, after: last } };
}
