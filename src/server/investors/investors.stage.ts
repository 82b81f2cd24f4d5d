// Brings an uploaded file into the database. Shares reused memory with its thread: copies grow faster than they are collected.
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { TooLong } from "../platform/http/upload.ts";

export interface Registered {
  readonly id: number;
  readonly isHosted: boolean;
}

export interface Lines {
  readonly lines: Uint8Array<SharedArrayBuffer>;
  /** For accepted rows, in COPY's binary format. */
  readonly buffer: Uint8Array<SharedArrayBuffer>;
  readonly domains: ReadonlyMap<string, Registered>;
}

export interface CheckedRows {
  readonly rowsBytes: number;
  readonly lines: number;
  readonly malformed: number;
  readonly unknownDomain: number;
  readonly otherColumns: number;
}

const pieceBytes = 512 * 1024;
const lineBytesMax = 64 * 1024;
const lineFeed = 10;
const carriageReturn = 13;

/** The least of a line, "a@b:c" and its end, and the most that a row adds to its line: see investors.worker.ts. */
const lineBytesLeast = 6;
const rowBytesMore = 18 + 28;
const frameBytes = 21;
const roomBytes =
  pieceBytes + lineBytesMax + ((pieceBytes + lineBytesMax) / lineBytesLeast + 1) * rowBytesMore + frameBytes;

/** Memory for the rows of any piece; unwritten pages take none. */
export const newBuffer = (): Uint8Array<SharedArrayBuffer> =>
  new Uint8Array(new SharedArrayBuffer(Math.ceil(roomBytes)));

/** The thread has only short-lived strings; without a limit it would take as much memory as the process. */
const youngMegabytes = 6;

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

/** Cuts a file into pieces of whole lines; each is valid until the next is asked for. Skips a line that does not end and calls `dropped`. */
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
