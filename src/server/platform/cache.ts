import { type Db, listen } from "./db/db.ts";

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
  return {
    get: () => (kept ??= begin()),
    after: (work) => work.finally(forget),
    close: await listen(db, channel, forget),
  };
}
