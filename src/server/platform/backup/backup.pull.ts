// Reads a stream by lines and by pieces that say their size.
import type { Hash } from "node:crypto";

/** A backup cannot be used. The message is a sentence for the operator. */
export class Unusable extends Error {
  override name = "Unusable";
}

export const damaged = "The backup is damaged: some of its bytes are not those that were written.";
export const unfinished = "The backup is not whole: it was cut off, or its writing did not come to an end.";

const sizeBytes = 4;
/** Larger than any piece that is written; what claims to be larger is no backup. */
const pieceMax = 1 << 30;

/** A piece, after its size. */
export function withSize(piece: Uint8Array): Buffer {
  const size = Buffer.alloc(sizeBytes);
  size.writeUInt32BE(piece.length);
  return Buffer.concat([size, piece]);
}

export class Pull {
  readonly #source: AsyncIterator<Buffer>;
  readonly #hash: Hash | undefined;
  #held: Buffer[] = [];
  #size = 0;

  /** `hash` gets what is pulled, but for lines. */
  constructor(source: AsyncIterable<Buffer>, hash?: Hash) {
    this.#source = source[Symbol.asyncIterator]();
    this.#hash = hash;
  }

  /** So many bytes. Throws Unusable when there are fewer. */
  async take(size: number): Promise<Buffer> {
    while (this.#size < size) if (!(await this.#more())) throw new Unusable(unfinished);
    const taken = this.#split(size);
    this.#hash?.update(taken);
    return taken;
  }

  /** A piece that says its size. */
  async sized(): Promise<Buffer> {
    const size = (await this.take(sizeBytes)).readUInt32BE();
    if (size > pieceMax) throw new Unusable(damaged);
    return this.take(size);
  }

  /** Up to the next line feed, without it; undefined at the end. Throws Unusable for a line that has no end within `max` bytes. */
  async line(max: number = pieceMax): Promise<Buffer | undefined> {
    for (;;) {
      const end = this.#joined().indexOf(10);
      if (end !== -1) return this.#split(end + 1).subarray(0, end);
      if (this.#size > max) throw new Unusable(damaged);
      if (await this.#more()) continue;
      if (this.#size > 0) throw new Unusable(unfinished);
      return undefined;
    }
  }

  /** All that is left. */
  async *rest(): AsyncGenerator<Buffer> {
    do if (this.#size > 0) yield this.#split(this.#size);
    while (await this.#more());
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done) return false;
    this.#held.push(value);
    this.#size += value.length;
    return true;
  }

  #joined(): Buffer {
    if (this.#held.length !== 1) this.#held = [Buffer.concat(this.#held)];
    return this.#held[0]!;
  }

  #split(size: number): Buffer {
    const all = this.#joined();
    this.#held = [all.subarray(size)];
    this.#size -= size;
    return all.subarray(0, size);
  }
}
