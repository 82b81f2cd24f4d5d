import type { Db } from "./db/db.ts";
import { channelsOf } from "./db/channels.ts";

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
  const channels = channelsOf(db);
  const close = await channels.subscribe(channel, {
    received: forget,
    lost: forget,
    back: forget,
    unsure: forget,
  });
  return {
    // While it is unknown whether every change is heard, nothing is believed.
    get: () => (channels.isCurrent() ? (kept ??= begin()) : begin()),
    after: (work) => work.finally(forget),
    close,
  };
}
