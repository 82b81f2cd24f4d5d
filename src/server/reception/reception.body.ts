import type { SMTPServerDataStream } from "smtp-server";
import type { MemoryBudget } from "../platform/memory-budget.ts";
import { DiskFull, type Spool, type SpoolFile } from "./reception.spool.ts";

export interface Storage {
  /** For letters in memory from the first byte on, as nearly all. */
  readonly memory: MemoryBudget;
  readonly loading: MemoryBudget;
  /** For long letters, and for any while `memory` is full. */
  readonly spool: Spool;
  readonly spillBytes: number;
}

/** A letter in memory until `release`. */
export interface Held {
  readonly raw: Buffer;
  readonly release: () => void;
}

export type Received =
  /** Loads the letter when there is memory; undefined when that took too long. */
  | { readonly load: (until: () => AbortSignal) => Promise<Held | undefined> }
  /** `size`: longer than announced; `disk`: no space; `gone`: the sender hung up. */
  | { readonly missing: "size" | "disk" | "gone" };

const blockBytes = 16 * 1024;

/** Reads one letter, no faster than it is stored. One without space is read and dropped: the sender reads the answer only at the end. */
export function receive(
  stream: SMTPServerDataStream,
  storage: Storage,
  onExcess: (bytes: number) => void,
): Promise<Received> {
  const letter = new Letter(storage);
  let missing: "size" | "disk" | "gone" | undefined;
  let fault: Error | undefined;
  let spilling: Promise<void> = Promise.resolve();
  return new Promise((resolve, reject) => {
    const lose = (why: "size" | "disk" | "gone") => {
      missing ??= why;
      letter.forget().catch(reject);
    };
    const fail = (cause: Error) => {
      if (!(cause instanceof DiskFull)) fault = cause;
      lose("disk");
    };
    stream.on("data", (chunk: Buffer) => {
      if (stream.sizeExceeded) onExcess(stream.byteLength);
      if (missing !== undefined) return;
      if (stream.sizeExceeded) return lose("size");
      let put: Put;
      try {
        put = letter.put(chunk);
      } catch (cause) {
        return fail(cause as Error);
      }
      if (put === "held") return;
      stream.pause();
      if (put === "written") return waitForTurn(() => stream.resume());
      spilling = letter
        .spill(chunk)
        .catch(fail)
        .finally(() => stream.resume());
    });
    // A stream whose last piece was read ends, paused or not.
    const conclude = () => {
      if (fault) reject(fault);
      else resolve(missing === undefined ? { load: (until) => letter.load(until) } : { missing });
    };
    stream.once("end", () => void spilling.then(conclude));
    stream.once("error", () => {
      lose("gone");
      resolve({ missing: "gone" });
    });
  });
}

type Put = "held" | "written" | "not";

const piecesEachTurn = 32;
const waiting: (() => void)[] = [];
let isArmed = false;

// So many pieces of long letters per turn of the event loop, in their order: a thousand busy senders must not block others.
function waitForTurn(go: () => void): void {
  waiting.push(go);
  if (isArmed) return;
  isArmed = true;
  setImmediate(takeTurn);
}

function takeTurn(): void {
  for (const go of waiting.splice(0, piecesEachTurn)) go();
  isArmed = waiting.length > 0;
  if (isArmed) setImmediate(takeTurn);
}

/** A growing letter: in a buffer that doubles, or in a file with a buffer in front. */
class Letter {
  readonly #storage: Storage;
  #buffer: Buffer = Buffer.alloc(0);
  #used = 0;
  /** Of `storage.memory`. The block in front of a file is not counted: one per connection. */
  #taken = 0;
  #file: SpoolFile | undefined;
  #spilling: Promise<void> = Promise.resolve();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Stores bytes in memory, or synchronously in the file; "not" when the caller must await `spill`. */
  put(chunk: Buffer): Put {
    const needed = this.#used + chunk.length;
    if (needed > this.#buffer.length && !this.#grow(needed))
      return this.#spillAtOnce(chunk) ? "written" : "not";
    chunk.copy(this.#buffer, this.#used);
    this.#used = needed;
    return "held";
  }

  // While the page cache has space, a synchronous write is cheaper than a thread.
  #spillAtOnce(chunk: Buffer): boolean {
    this.#file ??= this.#storage.spool.tryOpen();
    if (!this.#file?.tryWrite(this.#buffer.subarray(0, this.#used))) return false;
    this.#empty();
    return chunk.length > this.#buffer.length ? this.#file.tryWrite(chunk) : this.put(chunk) === "held";
  }

  // One buffer that doubles: with single bytes a list of chunks would cost more than the letter.
  #grow(needed: number): boolean {
    const { memory, spillBytes } = this.#storage;
    if (this.#file || needed > spillBytes) return false;
    const doubled = Math.min(Math.max(blockBytes, this.#buffer.length * 2), spillBytes);
    const length = Math.max(doubled, needed);
    if (!memory.take(length - this.#taken)) return false;
    this.#taken = length;
    const grown = Buffer.allocUnsafeSlow(length);
    this.#buffer.copy(grown, 0, 0, this.#used);
    this.#buffer = grown;
    return true;
  }

  spill(chunk: Buffer): Promise<void> {
    this.#spilling = this.#spill(chunk);
    return this.#spilling;
  }

  async #spill(chunk: Buffer): Promise<void> {
    const file = (this.#file ??= await this.#storage.spool.open());
    await file.write(this.#buffer.subarray(0, this.#used));
    this.#empty();
    if (this.put(chunk) === "not") await file.write(chunk);
  }

  #empty(): void {
    this.#used = 0;
    if (this.#taken === 0 && this.#buffer.length > 0) return;
    this.#giveBack();
    this.#buffer = Buffer.allocUnsafeSlow(blockBytes);
  }

  /** The whole letter in memory of its own; undefined when the signal was first, and the letter is dropped. */
  async load(until: () => AbortSignal): Promise<Held | undefined> {
    const { memory, loading } = this.#storage;
    const file = this.#file;
    if (!file) {
      const taken = this.#taken;
      return { raw: this.#buffer.subarray(0, this.#used), release: () => memory.give(taken) };
    }
    const length = file.size + this.#used;
    try {
      if (!(await loading.wait(length, until()))) return undefined;
      const raw = Buffer.allocUnsafeSlow(length);
      await file.read(raw).catch((fault: unknown) => {
        loading.give(length);
        throw fault;
      });
      this.#buffer.copy(raw, file.size, 0, this.#used);
      return { raw, release: () => loading.give(length) };
    } finally {
      await file.close();
    }
  }

  async forget(): Promise<void> {
    // The caller of the write gets its error.
    await this.#spilling.catch(() => undefined);
    this.#giveBack();
    this.#buffer = Buffer.alloc(0);
    this.#used = 0;
    await this.#file?.close();
  }

  #giveBack(): void {
    this.#storage.memory.give(this.#taken);
    this.#taken = 0;
  }
}
