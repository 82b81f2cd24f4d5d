import { type Db, wasUndone } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import * as rows from "./events.sql.ts";

/** `ready`: nothing was missed. `reset`: something may have been. */
export interface Opened {
  readonly word: "ready" | "reset";
  readonly place: bigint;
}

/** Missed events up to this are sent; a client that missed more must reload its lists. */
export const missedMax = 1_000;

interface Ask {
  readonly userId: bigint;
  readonly after: bigint | undefined;
}

export class Opening {
  readonly #batcher: Batcher<Ask, Opened>;
  constructor(db: Db, watchSeconds: number) {
    this.#batcher = new Batcher((asks) => openAll(db, asks, watchSeconds), {
      concurrency: 2,
      batchMax: 200,
      queueMax: 20_000,
      mayRepeat: wasUndone,
    });
  }
  at(userId: bigint, after: bigint | undefined): Promise<Opened> {
    return this.#batcher.submit({ userId, after });
  }
}

async function openAll(db: Db, asks: readonly Ask[], watchSeconds: number): Promise<Opened[]> {
  const userIds = [...new Set(asks.map(({ userId }) => userId))];
  const watched = new Map((await rows.callWatch(db, userIds, watchSeconds)).map((row) => [row.userId, row]));
  const resumable = asks.filter(({ userId, after }) => {
    const row = watched.get(userId);
    return row && after !== undefined && after >= row.since && after <= row.newest;
  }) as rows.Place[];
  const places = new Set<unknown>(await withoutGap(db, resumable));
  return asks.map((ask) => {
    if (ask.after !== undefined && places.has(ask)) return { word: "ready", place: ask.after };
    const row = watched.get(ask.userId);
    if (!row) throw new Error(`user ${ask.userId} cannot be listened for`);
    return { word: ask.after === undefined ? "ready" : "reset", place: row.newest };
  });
}

async function withoutGap(db: Db, places: readonly rows.Place[]): Promise<readonly rows.Place[]> {
  if (places.length === 0) return [];
  const missed = await rows.countEvents(db, places, missedMax + 1);
  // Read after the count, to notice deletes in between.
  const mark = (await rows.selectMark(db))?.id ?? 0n;
  return places.filter(({ after }, index) => after >= mark && (missed[index] ?? 0) <= missedMax);
}
