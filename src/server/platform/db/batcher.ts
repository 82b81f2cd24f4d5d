import { AsyncLocalStorage } from "node:async_hooks";

/** Thrown by `submit` when too many asks wait already: the caller is told to come again, instead of everybody waiting longer. */
export class BatcherFull extends Error {
  constructor(queueMax: number) {
    super(`${queueMax} asks wait already`);
    this.name = "BatcherFull";
  }
}

export type BatcherOptions<Ask> = {
  /** Batches that run side by side. */
  concurrency: number;
  /** Asks in one batch, at most. */
  batchMax: number;
  /**
   * Asks that are worth a batch beside a running one: fewer wait for its end, and what waits is shared out among idle slots as
   * long as each gets so many. Default: any number begins, and each batch takes up to `batchMax`.
   */
  batchMin?: number;
  /**
   * What an ask keeps others from while its batch runs. An ask that shares a key with a running batch lets others go first,
   * because there it would only wait, and hold up all that are with it; but not for ever, and not when nobody else waits.
   */
  keysOf?: (ask: Ask) => readonly unknown[];
  /** Asks that wait, at most. */
  queueMax: number;
  /**
   * Whether after this fault of a batch nothing of it was kept, so that its asks may be tried one by one.
   * When it was perhaps kept (a connection that broke at the commit), trying again could do a thing twice. Default: always.
   */
  mayRepeat?: (fault: unknown) => boolean;
  /** Whether this fault says that another transaction has what the ask needs. Default: none does. */
  isHeldUp?: (fault: unknown) => boolean;
};

type Waiting<Ask, Answer> = {
  ask: Ask;
  keys: readonly unknown[];
  /** How often it let others go first. */
  yielded: number;
  /** Whether it was held up before beside a batch that shared a key with it. */
  wasHeldUp: boolean;
  resolve: (answer: Answer) => void;
  reject: (fault: unknown) => void;
};

/** How many times the size of a batch is looked through for asks that keep nobody waiting. */
const lookAhead = 4;
/** A batch that runs longer than this waits for something itself. */
const patienceMs = 50;

/**
 * Gathers asks of many callers into batches. What arrives while a batch runs is the next batch: no timer, and no wait
 * when nothing else is going on. Each caller gets his own answer. A batch that fails falls back to its asks one by one,
 * so that a bad one harms no neighbour.
 */
export class Batcher<Ask, Answer> {
  readonly #run: (asks: Ask[], slot: number) => Promise<Answer[]>;
  readonly #options: BatcherOptions<Ask>;
  readonly #idle: number[];
  /** A batch is of many callers: it runs in the context of none of them. */
  readonly #outside = AsyncLocalStorage.snapshot();
  /** How many running batches have each key. */
  readonly #taken = new Map<unknown, number>();
  /** When the newest batch began, by the monotonic clock. */
  #startedAt = 0;
  #queue: Waiting<Ask, Answer>[] = [];
  #armed = false;
  #drained: (() => void)[] = [];

  /** `run` answers the asks of one batch, in their order; `slot` says which slot it runs in (0 … concurrency - 1). */
  constructor(run: (asks: Ask[], slot: number) => Promise<Answer[]>, options: BatcherOptions<Ask>) {
    this.#run = run;
    this.#options = options;
    this.#idle = Array.from({ length: options.concurrency }, (_, index) => options.concurrency - 1 - index);
  }

  /** Answers one ask. Throws BatcherFull when too many wait, and what `run` threw for it. */
  submit(ask: Ask): Promise<Answer> {
    if (this.#queue.length >= this.#options.queueMax)
      return Promise.reject(new BatcherFull(this.#options.queueMax));
    return new Promise((resolve, reject) => {
      const keys = this.#options.keysOf?.(ask) ?? [];
      this.#queue.push({ ask, keys, yielded: 0, wasHeldUp: false, resolve, reject });
      this.#arm();
    });
  }

  /** Resolves when nothing waits and nothing runs. */
  drain(): Promise<void> {
    if (this.#isQuiet()) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  #isQuiet(): boolean {
    return this.#queue.length === 0 && this.#idle.length === this.#options.concurrency;
  }

  // One turn of the event loop is waited for, so that requests read from many sockets in one turn share the first batch.
  #arm(): void {
    if (this.#armed || this.#queue.length === 0 || this.#idle.length === 0) return;
    this.#armed = true;
    setImmediate(() => {
      this.#armed = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#mayStart()) {
      const slot = this.#idle.pop()!;
      void this.#go(slot, this.#next());
    }
  }

  // Beside a running batch a small one is not worth its commit: what waits goes together when that one ends. But nobody waits
  // for one that is held up.
  #mayStart(): boolean {
    const { concurrency, batchMin = 1 } = this.#options;
    if (this.#queue.length === 0 || this.#idle.length === 0) return false;
    if (this.#idle.length === concurrency || this.#queue.length >= batchMin) return true;
    return performance.now() - this.#startedAt > patienceMs;
  }

  #next(): Waiting<Ask, Answer>[] {
    const { batchMax, batchMin = batchMax, concurrency } = this.#options;
    const share = Math.ceil(this.#queue.length / (this.#idle.length + 1));
    const size = Math.min(Math.max(share, batchMin), batchMax);
    if (this.#taken.size === 0) return this.#queue.splice(0, size);
    const batch: Waiting<Ask, Answer>[] = [];
    const left: Waiting<Ask, Answer>[] = [];
    let seen = 0;
    const sight = Math.min(this.#queue.length, size * lookAhead);
    for (; seen < sight && batch.length < size; seen += 1) {
      const waiting = this.#queue[seen]!;
      const mayGo = waiting.yielded >= concurrency || !waiting.keys.some((key) => this.#taken.has(key));
      (mayGo ? batch : left).push(waiting);
    }
    if (batch.length === 0) batch.push(...left.splice(0, size));
    for (const waiting of left) waiting.yielded += 1;
    this.#queue.splice(0, seen, ...left);
    return batch;
  }

  #hold(batch: Waiting<Ask, Answer>[]): void {
    for (const { keys } of batch)
      for (const key of keys) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
  }

  #release(batch: Waiting<Ask, Answer>[]): void {
    for (const { keys } of batch)
      for (const key of keys) {
        const count = this.#taken.get(key)!;
        if (count === 1) this.#taken.delete(key);
        else this.#taken.set(key, count - 1);
      }
  }

  async #go(slot: number, batch: Waiting<Ask, Answer>[]): Promise<void> {
    this.#startedAt = performance.now();
    const outcome = await this.#ask(slot, batch);
    if (outcome instanceof Fault) await this.#fallBack(slot, batch, outcome);
    this.#idle.push(slot);
    // The next batch is on its way before the callers of this one are answered, so that both sides have work all the time.
    this.#start();
    if (!(outcome instanceof Fault)) batch.forEach(({ resolve }, index) => resolve(outcome[index]!));
    if (!this.#isQuiet()) return;
    const drained = this.#drained;
    this.#drained = [];
    for (const resolve of drained) resolve();
  }

  async #ask(slot: number, batch: Waiting<Ask, Answer>[]): Promise<Answer[] | Fault> {
    const wasBeside = this.#isBeside(batch);
    this.#hold(batch);
    let answers: Answer[];
    try {
      const asks = batch.map(({ ask }) => ask);
      answers = await this.#outside(() => this.#run(asks, slot));
    } catch (cause) {
      this.#release(batch);
      return new Fault(cause, true, wasBeside || this.#isBeside(batch));
    }
    this.#release(batch);
    if (answers.length === batch.length) return answers;
    // The work is done, perhaps committed: to repeat it would do it twice.
    return new Fault(
      new Error(`a batch of ${batch.length} asks got ${answers.length} answers`),
      false,
      false,
    );
  }

  /** Whether a running batch shares a key with one of these. */
  #isBeside(batch: Waiting<Ask, Answer>[]): boolean {
    return this.#taken.size > 0 && batch.some(({ keys }) => keys.some((key) => this.#taken.has(key)));
  }

  async #fallBack(slot: number, batch: Waiting<Ask, Answer>[], first: Fault): Promise<void> {
    const mayRepeat = first.isUndone && (this.#options.mayRepeat?.(first.cause) ?? true);
    // What one has waited for in vain is not waited for again by those that need the very same.
    const heldUp: { keys: readonly unknown[]; fault: Fault }[] = [];
    const again: Waiting<Ask, Answer>[] = [];
    for (const waiting of batch) {
      const known =
        mayRepeat && batch.length > 1 ? heldUp.find(({ keys }) => isSame(keys, waiting.keys))?.fault : first;
      const outcome = known ?? (await this.#ask(slot, [waiting]));
      if (!(outcome instanceof Fault)) {
        waiting.resolve(outcome[0]!);
        continue;
      }
      const isHeldUp = mayRepeat && waiting.keys.length > 0 && this.#options.isHeldUp?.(outcome.cause);
      if (isHeldUp && !known) heldUp.push({ keys: waiting.keys, fault: outcome });
      // Perhaps by a neighbour, who waited for a third: when he is gone, nobody is in the way.
      if (isHeldUp && outcome.isBeside && !waiting.wasHeldUp) {
        waiting.wasHeldUp = true;
        waiting.yielded = 0;
        again.push(waiting);
      } else waiting.reject(outcome.cause);
    }
    this.#queue.unshift(...again);
  }
}

const isSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((key, place) => key === other[place]);

/** Why a batch has no answers, whether its work was perhaps not kept, and whether another one shared a key with it. */
class Fault {
  readonly cause: unknown;
  readonly isUndone: boolean;
  readonly isBeside: boolean;
  constructor(cause: unknown, isUndone: boolean, isBeside: boolean) {
    this.cause = cause;
    this.isUndone = isUndone;
    this.isBeside = isBeside;
  }
}
