import { createHash } from "node:crypto";
import { imageBytesMax } from "../../contract/limits.ts";
import * as journal from "../journal/journal.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { readWhole } from "../platform/http/upload.ts";
import { Drawing, type DrawOptions } from "./stories.draw.ts";
import * as rows from "./stories.pictures.sql.ts";

const daySeconds = 24 * 60 * 60;
/** Of recently used pictures, in bytes. */
const memoryMax = 32 * 1024 * 1024;

export interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

export type Size = "whole" | "thumb";

export interface Pictures {
  /** Throws `TooLong`, `BatcherFull`, and the error of a file that breaks off. */
  readonly bring: (
    file: AsyncIterable<Uint8Array>,
    hand: { by: string; at: Date },
  ) => Promise<Picture | "picture">;
  readonly find: (name: string, size: Size) => Promise<Uint8Array | undefined>;
  readonly forget: (at: Date) => Promise<number>;
  readonly close: () => void;
}

interface Parts {
  readonly db: Db;
  readonly log: { info(details: object, message: string): void };
  readonly drawing?: Partial<DrawOptions>;
}

export function openPictures({ db, log, drawing: options }: Parts): Pictures {
  const drawing = new Drawing(options);
  const memory = new Memory();
  return {
    async bring(file, { by, at }) {
      const bytes = await readWhole(file, imageBytesMax);
      const name = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
      const there = await rows.touch(db, name, at);
      if (there) return { name, ...there };
      const drawn = await drawing.draw(bytes);
      if ("failed" in drawn) {
        log.info({ by, bytes: bytes.length, failed: drawn.failed }, "a picture was refused");
        return "picture";
      }
      const { width, height } = drawn;
      await attempt(db, async (tx) => {
        if (!(await rows.insert(tx, { name, ...drawn, at }))) return;
        const after = { width, height, bytes: drawn.whole.length };
        await journal.note(tx, { by, did: "picture add", about: `picture ${name}`, after });
      });
      return { name, width, height };
    },
    async find(name, size) {
      const key = `${name} ${size}`;
      const kept = memory.get(key);
      if (kept) return kept;
      const found = await rows.select(db, name, size);
      if (found) memory.keep(key, found.bytes);
      return found?.bytes;
    },
    forget: async (at) => (await rows.forget(db, new Date(at.getTime() - daySeconds * 1_000))).length,
    close: () => drawing.close(),
  };
}

/** An LRU cache without invalidation, as a name never gets other bytes. */
class Memory {
  readonly #kept = new Map<string, Uint8Array>();
  #size = 0;

  get(key: string): Uint8Array | undefined {
    const bytes = this.#kept.get(key);
    if (!bytes) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, bytes);
    return bytes;
  }

  keep(key: string, bytes: Uint8Array): void {
    if (this.#kept.has(key)) return;
    this.#kept.set(key, bytes);
    this.#size += bytes.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#size <= memoryMax) return;
      this.#kept.delete(oldest);
      this.#size -= length;
    }
  }
}
