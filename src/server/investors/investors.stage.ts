// A file of mailboxes on its way into the database: cut into whole lines, which a thread judges and seals.
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { TooLong } from "../kit/upload.ts";

/** A mail domain whose mailboxes are taken. */
export interface Registered {
  readonly id: number;
  readonly isHosted: boolean;
}

/** Whole lines, for the thread. */
export interface Lines {
  readonly bytes: Uint8Array;
  readonly domains: ReadonlyMap<string, Registered>;
}

/** What became of lines: `rows` are those that are taken, as COPY reads them in its binary format. */
export interface Judged {
  readonly rows: Uint8Array;
  readonly lines: number;
  readonly malformed: number;
  readonly unknownDomain: number;
}

const pieceBytes = 512 * 1024;
const lineBytesMax = 64 * 1024;
const lineFeed = 10;
const carriageReturn = 13;

/** Short-lived strings are all that the thread has; left alone it would take as much for them as the process does. */
const youngMegabytes = 16;

/** The thread of a process that judges lines; it starts with the first file and ends when it was idle for a while. */
export class Judge {
  readonly #secretKey: Uint8Array;
  #pool: Piscina<Lines, Judged> | undefined;

  constructor(secretKey: Uint8Array) {
    this.#secretKey = secretKey;
  }

  run(lines: Lines): Promise<Judged> {
    this.#pool ??= new Piscina<Lines, Judged>({
      filename: fileURLToPath(new URL("investors.worker.ts", import.meta.url)),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 10_000,
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
      workerData: { secretKey: this.#secretKey },
      recordTiming: false,
    });
    return this.#pool.run(lines);
  }

  async close(): Promise<void> {
    await this.#pool?.close();
    this.#pool = undefined;
  }
}

/** Cuts a file into pieces of whole lines. A line that does not end is not waited for: `dropped` is told of it. */
export async function* piecesOf(
  file: AsyncIterable<Uint8Array>,
  bytesMax: number,
  dropped: () => void,
): AsyncGenerator<Uint8Array> {
  let whole: Uint8Array[] = [];
  let tail: Uint8Array[] = [];
  let total = 0;
  let isDropping = false;
  for await (const chunk of file) {
    total += chunk.length;
    if (total > bytesMax) throw new TooLong(bytesMax);
    const end = Math.max(chunk.lastIndexOf(lineFeed), chunk.lastIndexOf(carriageReturn)) + 1;
    if (end > 0) {
      whole.push(...tail, chunk.subarray(isDropping ? firstEnd(chunk) : 0, end));
      tail = [];
      isDropping = false;
    }
    if (!isDropping && end < chunk.length) tail.push(chunk.subarray(end));
    if (sizeOf(tail) > lineBytesMax) {
      isDropping = true;
      tail = [];
      dropped();
    }
    if (sizeOf(whole) < pieceBytes) continue;
    yield Buffer.concat(whole);
    whole = [];
  }
  const last = Buffer.concat([...whole, ...tail]);
  if (last.length > 0) yield last;
}

const sizeOf = (parts: readonly Uint8Array[]) => parts.reduce((sum, part) => sum + part.length, 0);

const firstEnd = (chunk: Uint8Array) => {
  const ends = [chunk.indexOf(lineFeed), chunk.indexOf(carriageReturn)].filter((at) => at >= 0);
  return Math.min(...ends) + 1;
};
