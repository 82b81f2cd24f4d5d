import { randomBytes } from "node:crypto";
import { close, open, openSync, read, unlinkSync, write, writeSync } from "node:fs";
import { mkdir, readdir, statfs, unlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** Where letters lie that are too long for memory while they are received: files without a name, gone with the process. */
export interface Spool {
  /** A new empty file at once; undefined while the disk is too slow for that, and `open` is to be waited for. */
  tryOpen(): SpoolFile | undefined;
  /** A new empty file. Throws DiskFull when the disk has no more room to spare. */
  open(): Promise<SpoolFile>;
}

export interface SpoolFile {
  /** Bytes written so far. */
  readonly size: number;
  /** Adds to the end at once; false while the disk is too slow for that, and `write` is to be waited for. Throws DiskFull. */
  tryWrite(bytes: Buffer): boolean;
  /** Adds to the end; resolves when the disk has taken it. Throws DiskFull when it cannot. */
  write(bytes: Buffer): Promise<void>;
  /** Reads everything into the beginning of `into`. */
  read(into: Buffer): Promise<void>;
  /** Forgets everything. */
  close(): Promise<void>;
}

/** No room on the disk: the sender is asked to come again. */
export class DiskFull extends Error {
  override name = "DiskFull";
}

export interface SpoolOptions {
  /** Of the disk, left free for the database beside the spool. */
  reserveBytes: number;
  /** Told when the disk has no more room to spare, and when it has some again. */
  tell?: (isFull: boolean, freeBytes: number) => void;
  /** Asks how much of the disk is free; a test says it otherwise. */
  freeBytes?: (folder: string) => Promise<number>;
}

/** Opens the spool in a folder of its own. */
export async function openSpool(folder: string, options: SpoolOptions): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // What a crash left between the making of a file and the loss of its name.
  // Only that: the folder may be a disk of its own, with what belongs to disks.
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

/** How the files are called as long as they have a name. */
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

async function freeOn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** What is known of the disk: whether it has room, and whether it takes what it is given as memory would. */
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

  /** Throws DiskFull when the disk had no more to spare a second ago. */
  checkRoom(): void {
    if (performance.now() - this.#askedAt > askedEachMilliseconds) {
      // Whoever cannot even ask will hear of it from the next file that he opens.
      this.ask().catch(() => undefined);
    }
    if (this.#isFull) throw new DiskFull(`less than ${this.#options.reserveBytes} bytes are free`);
  }

  /** Whether the disk is so quick that nobody needs to wait for it. */
  isQuick(): boolean {
    return performance.now() >= this.#slowUntil;
  }

  /** Does what is not waited for. When it took long, the system holds up writers until the disk has caught up. */
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
          const written = saidPlainly(() => writeSync(fd, bytes, done, bytes.length - done, size));
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
      // Twice would close what has the number by then.
      if (isClosed) return;
      isClosed = true;
      await closeLater(fd);
    },
  };
}

function saidPlainly<Answer>(work: () => Answer): Answer {
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

/** Takes a file its name; another process that shares the folder may have done so already. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== "ENOENT") throw fault;
  });
}
