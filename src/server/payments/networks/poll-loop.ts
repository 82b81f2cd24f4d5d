// Polls addresses one by one: those with open payments each time, the others in rounds, a part per poll.
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

// `open`: up to when open payments were read. `month`: a round of all, so that an address that changes class is not skipped.
const Progress = z.object({
  open: z.int(),
  week: PollLoop,
  month: PollLoop,
  /** Addresses with something that no node could tell: they are read from their beginning until one can. */
  unread: z._default(z.array(z.string()), []),
});
export type Progress = z.infer<typeof Progress>;

export interface Part {
  readonly addresses: readonly string[];
  readonly since: number;
  readonly round: PollLoop;
}

const partSize = 50;

const beginning: PollLoop = { from: 0, began: 0, after: null };

export const unread: Progress = { open: 0, week: beginning, month: beginning, unread: [] };

export const show = (progress: Progress) => JSON.stringify(progress);

/** Reads what `show` wrote. Throws on anything else: a guessed place would skip transfers. */
export function read(text: string): Progress {
  return Progress.parse(JSON.parse(text));
}

/** Whether a round is under way, or the last began `everySeconds` ago. */
export function isDue(round: PollLoop, everySeconds: number, at: number): boolean {
  return round.after !== null || at - round.began >= everySeconds;
}

/** The next part of a round, or the first of a new one. The next round catches up on addresses added meanwhile. */
export function nextPart(round: PollLoop, at: number, all: ReadonlySet<string>): Part {
  const { from, began, after } =
    round.after === null ? { from: round.began, began: at, after: "" } : { ...round, after: round.after };
  const left = [...all].filter((address) => address > after).toSorted();
  const addresses = left.slice(0, partSize);
  const last = left.length > partSize ? (addresses.at(-1) ?? null) : null;
  return { addresses, since: from, round: { from, began, after: last } };
}
