import { Batcher } from "../platform/db/batcher.ts";
import type { Subscriptions } from "./events.subscriptions.ts";

/** Users remembered, at most; the one who was away longest goes first. */
const remembered = 50_000;

/** The revisions of users, so that a poll where nothing changed costs no query at all. */
export interface Revisions {
  of(userId: bigint): Promise<bigint>;
  /** Something of the user changed: the next who asks is told anew. */
  forget(userId: bigint): void;
}

/** Remembers revisions for as long as every change is heard. `find` answers those of many users, in their order. */
export function openRevisions(
  subscriptions: Subscriptions,
  find: (userIds: bigint[]) => Promise<bigint[]>,
  max = remembered,
): Revisions {
  const known = new Map<bigint, bigint>();
  /** Look-ups under way. One that a change overtakes is taken out: its answer is neither shared nor remembered. */
  const looking = new Map<bigint, Promise<bigint>>();
  const lookUps = new Batcher<bigint, bigint>(find, {
    concurrency: 2,
    batchMax: 500,
    queueMax: 20_000,
    // All failed for the same reason; one by one they would only take longer.
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
        // To the end of the line: a Map keeps the order in which its keys were set.
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
