// Lists issued addresses in a file outside the database, which survives its restore or loss.
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

export interface IssuedAddress {
  readonly at: Date;
  readonly family: string;
  readonly index: bigint;
  readonly address: string;
}

export interface IssuedAddresses {
  /** Adds a line; it is on disk when the promise resolves. */
  note(issued: IssuedAddress): Promise<void>;
  highest(family: string): Promise<bigint | undefined>;
}

const line = /^[^,]+,([^,]+),([0-9]{1,10}),[^,]+$/;

/** Opens the list at a path; a line is time, family, index, address. Several processes may write to it. */
export function openIssuedAddresses(path: string): IssuedAddresses {
  return {
    note: async ({ at, family, index, address }) => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await using file = await open(path, "a+", 0o600);
      // One append, so that lines of two processes do not mix. A line cut short by a crash is ended first.
      const start = (await isCut(file)) ? "\n" : "";
      await file.write(`${start}${at.toISOString()},${family},${index},${address}\n`);
      await file.datasync();
    },
    highest: async (family) => {
      let highest: bigint | undefined;
      for await (const text of linesOf(path)) {
        const [, listed, digits = ""] = line.exec(text) ?? [];
        if (listed === family && (highest === undefined || BigInt(digits) > highest))
          highest = BigInt(digits);
      }
      return highest;
    },
  };
}

async function isCut(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== "\n";
}

async function* linesOf(path: string): AsyncGenerator<string> {
  try {
    await using file = await open(path);
    yield* file.readLines();
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "ENOENT") throw fault;
  }
}
