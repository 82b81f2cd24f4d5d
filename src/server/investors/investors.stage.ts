// A file of mailboxes on its way into the database: cut into whole lines, which a thread judges and seals. Both threads see the same
// memory, which serves piece after piece: what is copied and left to be collected grows faster than it is collected beside orders.
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { TooLong } from "../platform/http/upload.ts";

/** A mail domain whose mailboxes are taken. */
export interface Registered {
  readonly id: number;
  readonly isHosted: boolean;
}

/** Whole lines, for the thread. */
export interface Lines {
  readonly lines: Uint8Array<SharedArrayBuffer>;
  /** Where the rows go that are taken, as COPY reads them in its binary format. */
  readonly buffer: Uint8Array<SharedArrayBuffer>;
  readonly domains: ReadonlyMap<string, Registered>;
}

/** What became of lines. */
export interface CheckedRows {
  /** So much of the buffer is rows. */
  readonly rowsBytes: number;
  readonly lines: number;
  readonly malformed: number;
  readonly unknownDomain: number;
}

const pieceBytes = 512 * 1024;
const lineBytesMax = 64 * 1024;
const lineFeed = 10;
const carriageReturn = 13;

/** What a line has at least, "a@b:c" and its end, and a row beyond what its line has: see investors.worker.ts. */
const lineBytesLeast = 6;
const rowBytesMore = 18 + 28;
/** Around the rows. */
const frameBytes = 21;
const roomBytes =
  pieceBytes + lineBytesMax + ((pieceBytes + lineBytesMax) / lineBytesLeast + 1) * rowBytesMore + frameBytes;

/** Memory for the rows of any piece. What is not written to takes no memory. */
export const newBuffer = (): Uint8Array<SharedArrayBuffer> =>
  new Uint8Array(new SharedArrayBuffer(Math.ceil(roomBytes)));

/** Short-lived strings are all that the thread has; left alone it would take as much for them as the process does. */
const youngMegabytes = 6;

/** The thread of a process that judges lines; it starts with the first file and ends when it was idle for a while. */
export class RowChecker {
  readonly #secretKey: Uint8Array;
  #pool: Piscina<Lines, CheckedRows> | undefined;

  constructor(secretKey: Uint8Array) {
    this.#secretKey = secretKey;
  }

  run(lines: Lines): Promise<CheckedRows> {
    this.#pool ??= new Piscina<Lines, CheckedRows>({
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

/**
 * Cuts a file into pieces of whole lines; each is there until the next is asked for. A line that does not end is not waited
 * for: `dropped` is told of it.
 */
export async function* piecesOf(
  file: AsyncIterable<Uint8Array>,
  bytesMax: number,
  dropped: () => void,
): AsyncGenerator<Uint8Array<SharedArrayBuffer>> {
  const piece = new Uint8Array(new SharedArrayBuffer(pieceBytes + lineBytesMax));
  let used = 0;
  let total = 0;
  let isDropping = false;
  for await (const chunk of file) {
    total += chunk.length;
    if (total > bytesMax) throw new TooLong(bytesMax);
    let rest = chunk;
    while (rest.length > 0) {
      if (isDropping) {
        const end = rest.findIndex(isEnd);
        isDropping = end < 0;
        rest = isDropping ? nothing : rest.subarray(end + 1);
        continue;
      }
      const taken = rest.subarray(0, piece.length - used);
      piece.set(taken, used);
      used += taken.length;
      rest = rest.subarray(taken.length);
      if (used < pieceBytes) continue;
      const end = piece.subarray(0, used).findLastIndex(isEnd) + 1;
      if (end > 0) yield piece.subarray(0, end);
      piece.copyWithin(0, end, used);
      used -= end;
      if (used <= lineBytesMax) continue;
      dropped();
      used = 0;
      isDropping = true;
    }
  }
  if (used > 0) yield piece.subarray(0, used);
}

const nothing = new Uint8Array(0);
const isEnd = (byte: number) => byte === lineFeed || byte === carriageReturn;
