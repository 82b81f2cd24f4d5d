// Queues durable letters for matching. Beyond the memory limit they are read again from disk: a rush delays letters and loses none.
import { secondsAfter } from "../../platform/clock.ts";
import { isLockTimeout, type Db } from "../../platform/db/db.ts";
import { Batcher } from "../../platform/db/batcher.ts";
import { type MemoryBudget, memoryBudget } from "../../platform/memory-budget.ts";
import {
  buyersOf,
  matchBacklog,
  matchLetters,
  type MatchedLetter,
  type LettersOptions,
  read,
  deliverMatches,
} from "./matching.ts";
import type { Read } from "../parsing/parsing.letter.ts";
import { closePool, parserThreads } from "../parsing/parsing.ts";
import { isLong, letGo } from "../letters.raw.ts";
import { readUnmatched, type Unmatched } from "../letters.sql.ts";

interface Left {
  readonly id: bigint;
  readonly arrivedAt: Date;
  readonly bytes: number;
}

const lettersMax = 10_000;
/** More is left to the backlog. */
const leftMax = 200_000;
/** After this wait the oldest go first, so that an endless rush does not starve them. */
const patienceSeconds = 20;
export interface MatchQueueLimits {
  /** In memory; more waits on disk. */
  readonly memoryBytes: number;
  /** A process so far behind takes no more than it matches: in a rush letters are seconds late, not minutes. */
  readonly behindLetters: number;
  readonly behindBytes: number;
  readonly longBytes: number;
}

const megabyte = 1024 * 1024;
const defaults: MatchQueueLimits = {
  memoryBytes: 32 * megabyte,
  behindLetters: 10_000,
  behindBytes: 256 * megabyte,
  longBytes: 24 * megabyte,
};
const refillLetters = 64;
const refillBytes = 4 * 1024 * 1024;

const never = new AbortController().signal;

/** Thrown for a letter that could not be taken in time; nothing of it is kept. */
export class Late extends Error {
  override name = "Late";
}

interface Coming {
  readonly bytes: number;
  readonly go: () => void;
}

export class MatchQueue {
  readonly #db: Db;
  readonly #options: LettersOptions;
  readonly #limits: MatchQueueLimits;
  /** The steps run in parallel: the parser threads have the next letters before the database has the last. */
  readonly #parsing: Batcher<Unmatched, Read>;
  readonly #matching: Batcher<Read, MatchedLetter>;
  readonly #delivering: Batcher<MatchedLetter, undefined>;
  readonly #held = new Set<Unmatched>();
  readonly #left: Left[] = [];
  readonly #coming = { letters: 0, bytes: 0 };
  readonly #waiting = new Set<Coming>();
  readonly #long: MemoryBudget;
  #bytes = 0;
  #leftBytes = 0;
  #refilling: Promise<void> | undefined;

  constructor(db: Db, options: LettersOptions, limits: Partial<MatchQueueLimits> = {}) {
    this.#db = db;
    this.#options = options;
    this.#limits = { ...defaults, ...limits };
    this.#long = memoryBudget(this.#limits.longBytes);
    const queueMax = 2 * lettersMax;
    const open = (letters: Unmatched[]) => read(options, letters);
    this.#parsing = new Batcher(open, {
      concurrency: parserThreads + 1,
      batchMax: 16,
      batchMin: 8,
      queueMax,
    });
    const batches = { concurrency: 2, batchMax: 64, batchMin: 16, queueMax };
    this.#matching = new Batcher((letters: Read[]) => matchLetters(db, options, letters), batches);
    const give = async (matched: MatchedLetter[]) => {
      await deliverMatches(db, options, matched);
      return matched.map(() => undefined);
    };
    // Letters of one buyer lock the same rows: a second transaction would only wait.
    this.#delivering = new Batcher(give, { ...batches, keysOf: buyersOf, isHeldUp: isLockTimeout });
  }

  /** Makes a letter durable by `store` when the queue has room, then queues it; takes over the bytes of a long one. Throws Late. */
  async take(
    letter: { readonly raw: Uint8Array },
    store: () => Promise<Unmatched>,
    until: () => AbortSignal = () => never,
  ): Promise<void> {
    const bytes = letter.raw.length;
    if (this.#isFarBehind()) await this.#turn(bytes, until());
    else this.#count(bytes);
    try {
      await (isLong(letter) ? this.#takeLong(bytes, store, until) : this.soon(await store()));
    } finally {
      this.#coming.letters--;
      this.#coming.bytes -= bytes;
      this.#letIn();
    }
  }

  async #takeLong(size: number, store: () => Promise<Unmatched>, until: () => AbortSignal): Promise<void> {
    const bytes = Math.min(size, this.#limits.longBytes);
    if (!(await this.#long.wait(bytes, until()))) throw new Late("too many long letters are to be judged");
    const stored = await store().catch((fault: unknown) => {
      this.#long.give(bytes);
      throw fault;
    });
    void this.#hold(stored).then(() => {
      letGo(stored.raw);
      this.#long.give(bytes);
    });
  }

  soon(letter: Unmatched): void {
    const isFull =
      this.#bytes + letter.raw.length > this.#limits.memoryBytes || this.#held.size >= lettersMax;
    const isLate =
      this.#left[0] && this.#left[0].arrivedAt < secondsAfter(letter.arrivedAt, -patienceSeconds);
    if ((!isFull && !isLate) || this.#held.size === 0) void this.#hold(letter);
    else if (this.#left.length < leftMax) {
      this.#left.push({ id: letter.id, arrivedAt: letter.arrivedAt, bytes: letter.raw.length });
      this.#leftBytes += letter.raw.length;
    }
  }

  /** Matches letters from before `until` that are older than anything queued here; answers how many. */
  backlog(until: Date, signal?: AbortSignal): Promise<number> {
    let oldest = Math.min(Number(until), Number(this.#left[0]?.arrivedAt ?? until));
    for (const { arrivedAt } of this.#held) oldest = Math.min(oldest, Number(arrivedAt));
    return matchBacklog(this.#db, this.#options, new Date(oldest), signal);
  }

  async drain(): Promise<void> {
    do {
      await this.#parsing.drain();
      await this.#matching.drain();
      await this.#delivering.drain();
      await this.#refilling;
    } while (this.#refilling !== undefined || this.#held.size > 0);
  }

  async close(): Promise<void> {
    this.#forgetLeft();
    await this.#refilling;
    await this.drain();
    await closePool();
  }

  async #hold(letter: Unmatched): Promise<void> {
    this.#held.add(letter);
    this.#bytes += letter.raw.length;
    try {
      const opened = await this.#parsing.submit(letter);
      await this.#delivering.submit(await this.#matching.submit(opened));
    } catch (fault) {
      this.#options.log.error({ err: fault, letter: String(letter.id) }, "a letter was not judged");
    } finally {
      this.#held.delete(letter);
      this.#bytes -= letter.raw.length;
      if (this.#hasWorkLeft()) this.#refilling ??= this.#refill();
      this.#letIn();
    }
  }

  #isFarBehind(): boolean {
    const { behindLetters, behindBytes } = this.#limits;
    const letters = this.#held.size + this.#left.length + this.#coming.letters;
    return letters >= behindLetters || this.#bytes + this.#leftBytes + this.#coming.bytes >= behindBytes;
  }

  #count(bytes: number): void {
    this.#coming.letters++;
    this.#coming.bytes += bytes;
  }

  #turn(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(coming);
        reject(new Late("too much is to be judged"));
      };
      const go = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const coming: Coming = { bytes, go };
      if (signal.aborted) return leave();
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.add(coming);
    });
  }

  #letIn(): void {
    for (const coming of this.#waiting) {
      if (this.#isFarBehind()) return;
      this.#waiting.delete(coming);
      this.#count(coming.bytes);
      coming.go();
    }
  }

  #forgetLeft(): void {
    this.#left.length = 0;
    this.#leftBytes = 0;
    this.#letIn();
  }

  #hasWorkLeft(): boolean {
    const hasRoom = this.#bytes <= this.#limits.memoryBytes / 2 && this.#held.size <= lettersMax / 2;
    return hasRoom && this.#left.length > 0;
  }

  async #refill(): Promise<void> {
    try {
      while (this.#hasWorkLeft()) {
        const letters = await readUnmatched(this.#db, this.#take());
        for (const letter of letters) void this.#hold(letter);
        // What another process has matched in between is not held, and its room is free.
        this.#letIn();
      }
    } catch (fault) {
      this.#forgetLeft();
      this.#options.log.error({ err: fault }, "letters that were left could not be read");
    } finally {
      this.#refilling = undefined;
    }
  }

  #take(): bigint[] {
    let bytes = 0;
    let count = 0;
    for (const letter of this.#left.slice(0, refillLetters)) {
      if (count > 0 && bytes + letter.bytes > refillBytes) break;
      bytes += letter.bytes;
      count += 1;
    }
    this.#leftBytes -= bytes;
    return this.#left.splice(0, count).map(({ id }) => id);
  }
}
