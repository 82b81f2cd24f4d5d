import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, statfs, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

/** Where letters lie that are too long for memory while they are received: files without a name, gone with the process. */
export interface Spool {
  /** A new empty file. Throws DiskFull when the disk has no more room to spare. */
  open(): Promise<SpoolFile>;
}

export interface SpoolFile {
  /** Bytes written so far. */
  readonly size: number;
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

const askedEachMilliseconds = 1_000;

/** Opens the spool in a folder of its own, and keeps `reserveBytes` of its disk free for the database beside it. */
export async function openSpool(folder: string, reserveBytes: number): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // What a crash left between the making of a file and the loss of its name.
  for (const name of await readdir(folder)) await remove(join(folder, name));

  let asked: { at: number; isRoom: Promise<boolean> } | undefined;
  const checkRoom = async () => {
    const at = performance.now();
    if (!asked || at - asked.at > askedEachMilliseconds)
      asked = { at, isRoom: hasRoom(folder, reserveBytes) };
    if (!(await asked.isRoom)) throw new DiskFull(`less than ${reserveBytes} bytes are free in ${folder}`);
  };

  return {
    async open() {
      await checkRoom();
      const path = join(folder, randomBytes(12).toString("hex"));
      const file = await open(path, "wx+", 0o600);
      await remove(path);
      return spoolFile(file, checkRoom);
    },
  };
}

function spoolFile(file: FileHandle, checkRoom: () => Promise<void>): SpoolFile {
  let size = 0;
  return {
    get size() {
      return size;
    },
    async write(bytes) {
      await checkRoom();
      try {
        for (let done = 0; done < bytes.length;) {
          const { bytesWritten } = await file.write(bytes, done, bytes.length - done, size);
          done += bytesWritten;
          size += bytesWritten;
        }
      } catch (cause) {
        throw isFull(cause) ? new DiskFull("a spooled letter found no room", { cause }) : cause;
      }
    },
    async read(into) {
      for (let done = 0; done < size;) {
        const { bytesRead } = await file.read(into, done, size - done, done);
        if (bytesRead === 0) throw new Error(`a spooled letter ended after ${done} of ${size} bytes`);
        done += bytesRead;
      }
    },
    close: () => file.close(),
  };
}

async function hasRoom(folder: string, reserveBytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > reserveBytes;
}

function isFull(fault: unknown): boolean {
  const { code } = fault as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT";
}

/** Takes a file its name; another process that shares the folder may have done so already. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== "ENOENT") throw fault;
  });
}
