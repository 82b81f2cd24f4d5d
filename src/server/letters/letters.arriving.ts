// Notes whole letters that wait to be stored for longer than milliseconds: the order for which one came in time must not expire before.
import { randomUUID } from "node:crypto";
import type { Db } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import type { Log } from "../platform/log.ts";
import { deleteArriving, type ArrivingRow, insertArriving } from "./letters.arriving.sql.ts";

/** Orders expire so long after their end, when a letter that came in time is stored or noted. */
export const arrivalGraceSeconds = 1;

const noteMs = 250;

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

  /** Notes a letter for these mailboxes. Call the answered function when it is stored, or given up. */
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

  async drain(): Promise<void> {
    await Promise.all(this.#ending);
  }

  #end(noted: Promise<unknown>, letter: string): void {
    // A note that is not deleted ends by itself; the batcher logged one that failed.
    const ending = noted
      .then(() => this.#forgetting.submit(letter))
      .then(ignore, ignore)
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

const ignore = () => undefined;
