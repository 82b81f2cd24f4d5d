import { type Db, listen } from "./db/db.ts";

/** A value of the database in memory, until a process changes it. */
export interface Cache<Thing> {
  /** The value, read again after a change. A failed read is not cached. */
  get(): Promise<Thing>;
  /** Waits for `work` that changes the value: its caller sees the change before the notification arrives. */
  after<Answer>(work: Promise<Answer>): Promise<Answer>;
  close(): Promise<void>;
}

/** Caches what `read` returns. A writer calls `notify` on `channel` in the transaction. */
export async function openCache<Thing>(
  db: Db,
  channel: string,
  read: () => Promise<Thing>,
): Promise<Cache<Thing>> {
  let kept: Promise<Thing> | undefined;
  const forget = () => {
    kept = undefined;
  };
  const begin = () => {
    const reading = read().catch((fault: unknown) => {
      if (kept === reading) forget();
      throw fault;
    });
    return reading;
  };
  return {
    get: () => (kept ??= begin()),
    after: (work) => work.finally(forget),
    close: await listen(db, channel, forget),
  };
}
