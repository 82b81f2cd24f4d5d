import type { Db } from "./db/db.ts";
import { channelsOf } from "./db/channels.ts";

/** What this process remembers of the database, until somebody changes it, in whichever process. */
export interface Cache<Thing> {
  /** It as it is; read anew when it was changed since. A reading that failed is not remembered. */
  get(): Promise<Thing>;
  /** Waits for work that changes it: whoever did it sees it at once, before the database has told us of it. */
  after<Answer>(work: Promise<Answer>): Promise<Answer>;
  close(): Promise<void>;
}

/** Opens a cache of what `read` gives. `channel` is told by everyone who changes it (`notify`), when he commits. */
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
