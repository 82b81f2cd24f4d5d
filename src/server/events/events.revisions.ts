import { Batcher } from "../platform/db/batcher.ts";
import type { Subscriptions } from "./events.subscriptions.ts";

/** Maximum of users; drops the least recently used. */
const remembered = 50_000;

export interface Revisions {
  of(userId: bigint): Promise<bigint>;
  forget(userId: bigint): void;
}

/** Caches revisions while the subscriptions are current. `find` answers those of many users, in their order. */
export function openRevisions(
  subscriptions: Subscriptions,
  find: (userIds: bigint[]) => Promise<bigint[]>,
  max = remembered,
): Revisions {
  const known = new Map<bigint, bigint>();
  /** Queries under way. A change removes its user's: that answer is neither shared nor cached. */
  const looking = new Map<bigint, Promise<bigint>>();
  const lookUps = new Batcher<bigint, bigint>(find, {
    concurrency: 2,
    batchMax: 500,
    queueMax: 20_000,
    mayRepeat: () => false,
  });

  const forget = (userId: bigint): void => {
    known.delete(userId);
    looking.delete(userId);
  };
  subscriptions.subscribe((userIds) => {
    if (userIds === undefined) {
      known.clear();
      looking.clear();
      return;
    }
    userIds.forEach(forget);
  });

  const remember = (userId: bigint, revision: bigint): void => {
    known.set(userId, revision);
    const [oldest] = known.keys();
    if (known.size > max && oldest !== undefined) known.delete(oldest);
  };

  return {
    forget,
    async of(userId) {
      if (!subscriptions.isCurrent()) return lookUps.submit(userId);
      const revision = known.get(userId);
      if (revision !== undefined) {
        known.delete(userId);
        known.set(userId, revision);
        return revision;
      }
      const shared = looking.get(userId);
      if (shared) return shared;
      const mine = lookUps.submit(userId);
      looking.set(userId, mine);
      try {
        const found = await mine;
        if (looking.get(userId) === mine) remember(userId, found);
        return found;
      } finally {
        if (looking.get(userId) === mine) looking.delete(userId);
      }
    },
  };
}
