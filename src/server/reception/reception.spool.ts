import { randomBytes } from "node:crypto";
import { close, open, openSync, read, unlinkSync, write, writeSync } from "node:fs";
import { mkdir, readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { freeBytes as freeOn } from "../platform/config/data-dir.ts";

/** Files for letters too long for memory, unlinked at once: they end with the process. */
export interface Spool {
  /** A new file without waiting; undefined while the disk is slow: then await `open`. */
  tryOpen(): SpoolFile | undefined;
  /** A new empty file. Throws DiskFull at the reserve. */
  open(): Promise<SpoolFile>;
}

export interface SpoolFile {
  readonly size: number;
  /** Appends without waiting; false while the disk is slow: then await `write`. Throws DiskFull. */
  tryWrite(bytes: Buffer): boolean;
  /** Appends; resolves when the disk has taken it. Throws DiskFull. */
  write(bytes: Buffer): Promise<void>;
  read(into: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** No space: the sender is asked to retry. */
export class DiskFull extends Error {
  override name = "DiskFull";
}

export interface SpoolOptions {
  /** Left free for the database on the same disk. */
  reserveBytes: number;
  /** Called when the disk reaches the reserve, and when it has space again. */
  tell?: (isFull: boolean, freeBytes: number) => void;
  freeBytes?: (folder: string) => Promise<number>;
}

export async function openSpool(folder: string, options: SpoolOptions): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Files of a crash before their unlink. Only those: the folder may be the root of a disk.
  for (const name of await readdir(folder)) if (ours.test(name)) await remove(join(folder, name));
  const disk = new Disk(folder, options);
  await disk.ask();
  const newPath = () => join(folder, randomBytes(12).toString("hex"));
  return {
    tryOpen() {
      disk.checkRoom();
      if (!disk.isQuick()) return undefined;
      return disk.timed(() => {
        const path = newPath();
        const fd = openSync(path, flags, mode);
        unlinkSync(path);
        return spoolFile(fd, disk);
      });
    },
    async open() {
      disk.checkRoom();
      const path = newPath();
      const fd = await openLater(path, flags, mode);
      await remove(path);
      return spoolFile(fd, disk);
    },
  };
}

const ours = /^[0-9a-f]{24}$/;
const flags = "wx+";
const mode = 0o600;
const openLater = promisify(open);
const writeLater = promisify(write);
const readLater = promisify(read);
const closeLater = promisify(close);

const slowMilliseconds = 50;
const restMilliseconds = 1_000;
const askedEachMilliseconds = 1_000;

class Disk {
  readonly #folder: string;
  readonly #options: SpoolOptions;
  #askedAt = 0;
  #isFull = false;
  #slowUntil = 0;

  constructor(folder: string, options: SpoolOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  async ask(): Promise<void> {
    this.#askedAt = performance.now();
    const { reserveBytes, tell, freeBytes = freeOn } = this.#options;
    const free = await freeBytes(this.#folder);
    const isFull = free <= reserveBytes;
    if (isFull !== this.#isFull) tell?.(isFull, free);
    this.#isFull = isFull;
  }

  checkRoom(): void {
    if (performance.now() - this.#askedAt > askedEachMilliseconds) {
      // Opening the next file reports the same failure.
      this.ask().catch(() => undefined);
    }
    if (this.#isFull) throw new DiskFull(`less than ${this.#options.reserveBytes} bytes are free`);
  }

  isQuick(): boolean {
    return performance.now() >= this.#slowUntil;
  }

  /** Times synchronous work: when it is slow, the system blocks writers until the disk catches up. */
  timed<Answer>(work: () => Answer): Answer {
    const start = performance.now();
    const answer = work();
    const end = performance.now();
    if (end - start > slowMilliseconds) this.#slowUntil = end + restMilliseconds;
    return answer;
  }
}

function spoolFile(fd: number, disk: Disk): SpoolFile {
  let size = 0;
  let isClosed = false;
  return {
    get size() {
      return size;
    },
    tryWrite(bytes) {
      disk.checkRoom();
      if (!disk.isQuick()) return false;
      disk.timed(() => {
        for (let done = 0; done < bytes.length;) {
          const written = withPlainFault(() => writeSync(fd, bytes, done, bytes.length - done, size));
          done += written;
          size += written;
        }
      });
      return true;
    },
    async write(bytes) {
      disk.checkRoom();
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await writeLater(fd, bytes, done, bytes.length - done, size).catch(
          sayPlainly,
        );
        done += bytesWritten;
        size += bytesWritten;
      }
    },
    async read(into) {
      for (let done = 0; done < size;) {
        const { bytesRead } = await readLater(fd, into, done, size - done, done);
        if (bytesRead === 0) throw new Error(`a spooled letter ended after ${done} of ${size} bytes`);
        done += bytesRead;
      }
    },
    async close() {
      // A second close would close another file with the same number.
      if (isClosed) return;
      isClosed = true;
      await closeLater(fd);
    },
  };
}

function withPlainFault<Answer>(work: () => Answer): Answer {
  try {
    return work();
  } catch (fault) {
    return sayPlainly(fault);
  }
}

function sayPlainly(fault: unknown): never {
  const { code } = fault as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT")
    throw new DiskFull("a spooled letter found no room", { cause: fault });
  throw fault;
}

/** Unlinks a file; another process with the same folder may have done so. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== "ENOENT") throw fault;
  });
}
