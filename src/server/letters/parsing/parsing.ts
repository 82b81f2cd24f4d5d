// Threads that parse letters. A hostile letter that takes too long or too much memory ends its thread and harms no other letter.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { leaveSealed, type ParsedLetter } from "./parsing.letter.ts";

export interface Bundle {
  /** The letters joined; the thread takes over this buffer without a copy. */
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
  /** The letter in work, counted from one; 0 before the first. The thread writes it. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** A parsed letter, or why it was kept as text of its raw bytes. */
export type Outcome = ParsedLetter & { readonly failed?: string };

export interface ParserPoolOptions {
  readonly file: URL;
  readonly secondsMax: number;
  readonly heapMegabytesMax: number;
}

const defaults: ParserPoolOptions = {
  file: new URL("parsing.worker.ts", import.meta.url),
  secondsMax: 5,
  heapMegabytesMax: 256,
};

const bundleBytesMax = 4 * 1024 * 1024;
/** Fewer small letters are not worth a message of their own. */
const bundleLeast = 8;
const looksPerSecond = 10;
const startsMax = 3;
export const parserThreads = Math.min(Math.max(availableParallelism() - 1, 1), 4);

export class ParserPool {
  readonly #options: ParserPoolOptions;
  #pool: Piscina<Bundle, ParsedLetter[]> | undefined;

  constructor(options: Partial<ParserPoolOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  /** Parses letters in their order. One beyond the bounds becomes text of its raw bytes, with the reason. */
  async open(raws: readonly Uint8Array[]): Promise<Outcome[]> {
    const bundles = bundlesOf(raws);
    const outcomes: Outcome[] = [];
    // No more than the threads take: each bundle copies its letters.
    while (bundles.length > 0) {
      const next = bundles.splice(0, parserThreads);
      const opened = await Promise.all(next.map((bundle) => this.#openTogether(bundle)));
      outcomes.push(...opened.flat());
    }
    return outcomes;
  }

  async close(): Promise<void> {
    const closing = this.#pool;
    this.#pool = undefined;
    await closing?.close();
  }

  // The letter in work when a thread ended has ended it: it stays raw, and the others are parsed without it.
  async #openTogether(raws: readonly Uint8Array[], starts = 1): Promise<Outcome[]> {
    if (raws.length === 0) return [];
    const progress = new Int32Array(new SharedArrayBuffer(4));
    try {
      return await this.#run(raws, progress);
    } catch (fault) {
      const at = Atomics.load(progress, 0) - 1;
      const guilty = raws[at];
      if (!guilty && starts >= startsMax) throw fault;
      if (!guilty) return this.#openTogether(raws, starts + 1);
      return [
        ...(await this.#openTogether(raws.slice(0, at))),
        { ...leaveSealed(guilty), failed: reasonOf(fault) },
        ...(await this.#openTogether(raws.slice(at + 1))),
      ];
    }
  }

  async #run(raws: readonly Uint8Array[], progress: Bundle["progress"]): Promise<ParsedLetter[]> {
    const bytes = new Uint8Array(raws.reduce((sum, raw) => sum + raw.length, 0));
    const ends: number[] = [];
    let end = 0;
    for (const raw of raws) {
      bytes.set(raw, end);
      ends.push((end += raw.length));
    }
    const stopping = new AbortController();
    const watch = watchOver(progress, this.#options.secondsMax, () => stopping.abort());
    try {
      this.#pool ??= this.#start();
      const { signal } = stopping;
      return await this.#pool.run({ bytes, ends, progress }, { transferList: [bytes.buffer], signal });
    } finally {
      clearInterval(watch);
    }
  }

  #start(): Piscina<Bundle, ParsedLetter[]> {
    const started = new Piscina<Bundle, ParsedLetter[]>({
      filename: fileURLToPath(this.#options.file),
      minThreads: 1,
      maxThreads: parserThreads,
      idleTimeout: 60_000,
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMegabytesMax },
      recordTiming: false,
    });
    // A thread ended without a letter in work: the next letter starts a new pool; the old one finishes its work.
    started.on("error", () => {
      if (this.#pool === started) this.#pool = undefined;
      void started.close();
    });
    return started;
  }
}

const pool = new ParserPool();

export const openAll = (raws: readonly Uint8Array[]): Promise<Outcome[]> => pool.open(raws);

export const closePool = (): Promise<void> => pool.close();

function bundlesOf(raws: readonly Uint8Array[]): Uint8Array[][] {
  const size = Math.max(Math.ceil(raws.length / parserThreads), bundleLeast);
  const found: Uint8Array[][] = [];
  let bytes = 0;
  for (const raw of raws) {
    const last = found.at(-1);
    bytes += raw.length;
    if (last && last.length < size && bytes <= bundleBytesMax) last.push(raw);
    else {
      found.push([raw]);
      bytes = raw.length;
    }
  }
  return found;
}

/** Why a letter was not parsed, without the message of the fault, which may quote the letter. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return typeof fault;
  return "code" in fault && typeof fault.code === "string" ? fault.code : fault.name;
}

/**
 * Calls `stop` when a thread takes longer than `secondsMax` over one letter. `progress` is 0 until the thread begins, so that
 * its start blames no letter; checks are counted and not seconds, so that a process that was suspended blames none either.
 */
export function watchOver(
  progress: Int32Array<SharedArrayBuffer>,
  secondsMax: number,
  stop: () => void,
): NodeJS.Timeout {
  let before = 0;
  let results = 0;
  return setInterval(() => {
    const at = Atomics.load(progress, 0);
    results = at === before && at > 0 ? results + 1 : 0;
    before = at;
    if (results >= secondsMax * looksPerSecond) stop();
  }, 1000 / looksPerSecond);
}
