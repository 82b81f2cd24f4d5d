// Letters that are here whole and not stored yet. Nearly all are stored within milliseconds; one that has to wait is noted, so that
// the order that it came in time for does not expire before it is given to it.
import { randomUUID } from "node:crypto";
import type { Db } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import type { Log } from "../platform/log.ts";
import { deleteArriving, type ArrivingRow, insertArriving } from "./letters.arriving.sql.ts";

/** Orders expire so long after their end: by then a letter that came before it is stored, or noted. */
export const arrivalGraceSeconds = 1;

const noteMs = 250;

/** Notes the letters of one process that wait to be stored. */
export class Arriving {
  readonly #noting: Batcher<ArrivingRow, undefined>;
  readonly #forgetting: Batcher<string, undefined>;
  readonly #noteMs: number;
  readonly #log: Pick<Log, "error">;
  readonly #ending = new Set<Promise<void>>();

  constructor(db: Db, log: Pick<Log, "error">, after = noteMs) {
    const bounds = { concurrency: 1, batchMax: 500, queueMax: Number.POSITIVE_INFINITY };
    this.#noting = new Batcher(async (rows) => {
      await insertArriving(db, rows);
      return rows.map(() => undefined);
    }, bounds);
    this.#forgetting = new Batcher(async (letters) => {
      await deleteArriving(db, letters);
      return letters.map(() => undefined);
    }, bounds);
    this.#noteMs = after;
    this.#log = log;
  }

  /** A letter for these mailboxes is here. Call what is answered when it is stored, or given up. */
  begin(mailboxIds: readonly bigint[]): () => void {
    const letter = randomUUID();
    let noted: Promise<unknown> | undefined;
    const timer = setTimeout(() => {
      noted = this.#noting.submit({ letter, mailboxIds });
      noted.catch((fault: unknown) =>
        this.#log.error({ err: fault }, "an order may expire before a letter that waits is stored"),
      );
    }, this.#noteMs);
    return () => {
      clearTimeout(timer);
      if (noted) this.#end(noted, letter);
    };
  }

  /** Resolves when nothing of what has ended is noted any more. */
  async drain(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #end(noted: Promise<unknown>, letter: string): void {
    // What is not forgotten ends by itself; and what could not be noted was said.
    const ending = noted
      .then(() => this.#forgetting.submit(letter))
      .then(ignore, ignore)
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

const ignore = () => undefined;
