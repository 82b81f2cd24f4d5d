/** Thrown by `submit` when too many asks wait already: the caller is told to come again, instead of everybody waiting longer. */
export class LaneFull extends Error {
  constructor(waiting: number) {
    super(`${waiting} asks wait already`);
    this.name = "LaneFull";
  }
}

export type LaneOptions = {
  /** Batches that run side by side. */
  lanes: number;
  /** Asks in one batch, at most. */
  cap: number;
  /** Asks that wait, at most. */
  waiting: number;
  /**
   * Whether after this fault of a batch nothing of it was kept, so that its asks may be tried one by one.
   * When it was perhaps kept (a connection that broke at the commit), trying again could do a thing twice. Default: always.
   */
  mayRepeat?: (fault: unknown) => boolean;
};

type Waiting<Ask, Answer> = {
  ask: Ask;
  resolve: (answer: Answer) => void;
  reject: (fault: unknown) => void;
};

/**
 * Gathers asks of many callers into batches. What arrives while a batch runs is the next batch: no timer, and no wait
 * when nothing else is going on. Each caller gets his own answer. A batch that fails falls back to its asks one by one,
 * so that a bad one harms no neighbour.
 */
export class Lane<Ask, Answer> {
  readonly #run: (asks: Ask[], lane: number) => Promise<Answer[]>;
  readonly #options: LaneOptions;
  readonly #idle: number[];
  #queue: Waiting<Ask, Answer>[] = [];
  #armed = false;
  #drained: (() => void)[] = [];

  /** `run` answers the asks of one batch, in their order; `lane` says which of the lanes it is (0 … lanes - 1). */
  constructor(run: (asks: Ask[], lane: number) => Promise<Answer[]>, options: LaneOptions) {
    this.#run = run;
    this.#options = options;
    this.#idle = Array.from({ length: options.lanes }, (_, index) => options.lanes - 1 - index);
  }

  /** Answers one ask. Throws LaneFull when too many wait, and what `run` threw for it. */
  submit(ask: Ask): Promise<Answer> {
    if (this.#queue.length >= this.#options.waiting)
      return Promise.reject(new LaneFull(this.#options.waiting));
    return new Promise((resolve, reject) => {
      this.#queue.push({ ask, resolve, reject });
      this.#arm();
    });
  }

  /** Resolves when nothing waits and nothing runs. */
  drain(): Promise<void> {
    if (this.#isQuiet()) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  #isQuiet(): boolean {
    return this.#queue.length === 0 && this.#idle.length === this.#options.lanes;
  }

  // One turn of the event loop is waited for, so that requests read from many sockets in one turn share the first batch.
  #arm(): void {
    if (this.#armed || this.#queue.length === 0 || this.#idle.length === 0) return;
    this.#armed = true;
    setImmediate(() => {
      this.#armed = false;
      while (this.#queue.length > 0 && this.#idle.length > 0) {
        const lane = this.#idle.pop()!;
        void this.#go(lane, this.#queue.splice(0, this.#options.cap));
      }
    });
  }

  async #go(lane: number, batch: Waiting<Ask, Answer>[]): Promise<void> {
    const fault = await this.#answer(lane, batch);
    if (fault) await this.#fallBack(lane, batch, fault.cause);
    this.#idle.push(lane);
    this.#arm();
    if (!this.#isQuiet()) return;
    const drained = this.#drained;
    this.#drained = [];
    for (const resolve of drained) resolve();
  }

  async #answer(lane: number, batch: Waiting<Ask, Answer>[]): Promise<{ cause: unknown } | undefined> {
    let answers: Answer[];
    try {
      answers = await this.#run(
        batch.map(({ ask }) => ask),
        lane,
      );
    } catch (cause) {
      return { cause };
    }
    // The work is done, perhaps committed: to repeat it would do it twice.
    if (answers.length !== batch.length) {
      const fault = new Error(`a batch of ${batch.length} asks got ${answers.length} answers`);
      for (const { reject } of batch) reject(fault);
      return undefined;
    }
    batch.forEach(({ resolve }, index) => resolve(answers[index]!));
    return undefined;
  }

  async #fallBack(lane: number, batch: Waiting<Ask, Answer>[], cause: unknown): Promise<void> {
    const mayRepeat = this.#options.mayRepeat?.(cause) ?? true;
    if (batch.length === 1 || !mayRepeat) {
      for (const { reject } of batch) reject(cause);
      return;
    }
    for (const waiting of batch) {
      const fault = await this.#answer(lane, [waiting]);
      if (fault) waiting.reject(fault.cause);
    }
  }
}
