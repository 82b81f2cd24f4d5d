// Takes letters in, to be stored and delivered at once, or stored and queued for matching. Beyond the memory limit they are read again from
// disk: a rush delays letters and loses none.
import { secondsAfter } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/db.ts";
import { type MemoryBudget, memoryBudget } from "../../platform/memory-budget.ts";
import { isLong, letGo } from "../letters.raw.ts";
import type { Incoming } from "../letters.incoming.ts";
import { readUnmatched, type Unmatched } from "../letters.sql.ts";
import { closePool } from "../parsing/parsing.ts";
import { Admission, Late } from "./matching.admission.ts";
import { LeftLetters } from "./matching.left.ts";
import { MatchPipeline, type Placed } from "./matching.pipeline.ts";
import { matchBacklog } from "./matching.deliver.ts";
import type { LettersOptions } from "./matching.ts";

const lettersMax = 10_000;
/** After this wait the oldest go first, so that an endless rush does not starve them. */
const patienceSeconds = 20;
export interface MatchQueueLimits {
  /** In memory; more waits on disk. */
  readonly memoryBytes: number;
  /** A process so far behind takes no more than it matches. */
  readonly behindLetters: number;
  readonly behindBytes: number;
  readonly longBytes: number;
  readonly calm: Calm;
}

/** Fewer and shorter letters than these are stored by the commit that delivers them. */
export interface Calm {
  readonly letters: number;
  readonly bytes: number;
  readonly bytesOfOne: number;
  /** One that takes longer until its orders are known is stored before: a hostile one delays no answer. */
  readonly readyMs: number;
}

const megabyte = 1024 * 1024;
const defaults: MatchQueueLimits = {
  memoryBytes: 32 * megabyte,
  behindLetters: 10_000,
  behindBytes: 256 * megabyte,
  longBytes: 24 * megabyte,
  calm: { letters: 32, bytes: 8 * megabyte, bytesOfOne: megabyte / 4, readyMs: 500 },
};

const never = new AbortController().signal;

export class MatchQueue {
  readonly #db: Db;
  readonly #options: LettersOptions;
  readonly #limits: MatchQueueLimits;
  readonly #admission: Admission;
  readonly #pipeline: MatchPipeline;
  readonly #left = new LeftLetters();
  readonly #long: MemoryBudget;
  #refilling: Promise<void> | undefined;

  constructor(
    db: Db,
    options: LettersOptions,
    limits: Partial<MatchQueueLimits> = {},
    placed: Placed = (_, work) => work(),
  ) {
    this.#db = db;
    this.#options = options;
    this.#limits = { ...defaults, ...limits };
    this.#long = memoryBudget(this.#limits.longBytes);
    this.#pipeline = new MatchPipeline(db, options, lettersMax, placed);
    const { behindLetters, behindBytes } = this.#limits;
    this.#admission = new Admission({ letters: behindLetters, bytes: behindBytes }, () => {
      const [held, left] = [this.#pipeline.amount, this.#left.amount];
      return { letters: held.letters + left.letters, bytes: held.bytes + left.bytes };
    });
  }

  /** Makes a letter durable by `store` when the queue has room, then queues it; takes over the bytes of a long one. Throws Late. */
  async take(
    letter: Incoming,
    store: () => Promise<Unmatched>,
    until: () => AbortSignal = () => never,
  ): Promise<void> {
    const bytes = letter.raw.length;
    await this.#admission.enter(bytes, until);
    try {
      if (isLong(letter)) await this.#takeLong(bytes, store, until);
      else if (this.#isCalm(bytes)) await this.#receive(letter, store);
      else this.soon(await store());
    } finally {
      this.#admission.stored(bytes);
    }
  }

  /** Whether a letter may be stored with its delivery: in a rush its sender does not wait for those before it. */
  #isCalm(size: number): boolean {
    const { letters, bytes } = this.#pipeline.amount;
    const { calm } = this.#limits;
    const hasRoom = letters < calm.letters && bytes < calm.bytes && size <= calm.bytesOfOne;
    return hasRoom && this.#left.amount.letters === 0;
  }

  async #receive(letter: Incoming, store: () => Promise<Unmatched>): Promise<void> {
    await this.#pipeline.receive(letter, store, this.#limits.calm.readyMs);
    this.#afterwards();
  }

  async #takeLong(size: number, store: () => Promise<Unmatched>, until: () => AbortSignal): Promise<void> {
    const bytes = Math.min(size, this.#limits.longBytes);
    if (!(await this.#long.wait(bytes, until()))) throw new Late("too many long letters wait to be matched");
    const stored = await store().catch((fault: unknown) => {
      this.#long.give(bytes);
      throw fault;
    });
    void this.#match(stored).then(() => {
      letGo(stored.raw);
      this.#long.give(bytes);
    });
  }

  soon(letter: Unmatched): void {
    const { letters, bytes } = this.#pipeline.amount;
    const isFull = bytes + letter.raw.length > this.#limits.memoryBytes || letters >= lettersMax;
    const oldest = this.#left.oldestArrivedAt;
    const isLate = oldest && oldest < secondsAfter(letter.arrivedAt, -patienceSeconds);
    if ((!isFull && !isLate) || letters === 0) void this.#match(letter);
    else this.#left.add(letter);
  }

  /** Matches letters from before `until` that are older than anything queued here; answers how many. */
  backlog(until: Date, signal?: AbortSignal): Promise<number> {
    const queued = [this.#left.oldestArrivedAt ?? until, ...this.#pipeline.arrivals()];
    const oldest = queued.reduce((first, at) => Math.min(first, Number(at)), Number(until));
    return matchBacklog(this.#db, this.#options, new Date(oldest), signal);
  }

  async drain(): Promise<void> {
    do {
      await this.#pipeline.drain();
      await this.#refilling;
    } while (this.#refilling !== undefined || this.#pipeline.amount.letters > 0);
  }

  async close(): Promise<void> {
    this.#forgetLeft();
    await this.#refilling;
    await this.drain();
    await closePool();
  }

  async #match(letter: Unmatched): Promise<void> {
    await this.#pipeline.match(letter);
    this.#afterwards();
  }

  #afterwards(): void {
    if (this.#hasRoomForLeft()) this.#refilling ??= this.#refill();
    this.#admission.letIn();
  }

  #forgetLeft(): void {
    this.#left.forget();
    this.#admission.letIn();
  }

  #hasRoomForLeft(): boolean {
    const { letters, bytes } = this.#pipeline.amount;
    const hasRoom = bytes <= this.#limits.memoryBytes / 2 && letters <= lettersMax / 2;
    return hasRoom && this.#left.amount.letters > 0;
  }

  async #refill(): Promise<void> {
    try {
      while (this.#hasRoomForLeft()) {
        const letters = await readUnmatched(this.#db, this.#left.take());
        for (const letter of letters) void this.#match(letter);
        // What another process has matched in between is not held, and its room is free.
        this.#admission.letIn();
      }
    } catch (fault) {
      this.#forgetLeft();
      this.#options.log.error({ err: fault }, "letters that were left could not be read");
    } finally {
      this.#refilling = undefined;
    }
  }
}
