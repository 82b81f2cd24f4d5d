import { waitsMax } from "../../contract/limits.ts";
import type { Subscriptions } from "./events.subscriptions.ts";

export interface Waits {
  /** Calls `look` now and after each change of the user until it answers; undefined at the end of the time. Holds no connection. */
  until<Answer>(
    wait: { userId: bigint; seconds: number; gone: AbortSignal },
    look: () => Promise<Answer | undefined>,
  ): Promise<Answer | "full" | undefined>;
  count(): number;
}

export function openWaits(subscriptions: Subscriptions): Waits {
  const waiting = new Map<bigint, Set<Waiter>>();
  let total = 0;

  const wake = (waiters: Iterable<Waiter> = []): void => {
    for (const waiter of waiters) waiter.wake();
  };
  subscriptions.subscribe((userIds) => {
    if (userIds === undefined) for (const waiters of waiting.values()) wake(waiters);
    else for (const userId of userIds) wake(waiting.get(userId));
  });

  const enter = (userId: bigint, waiter: Waiter): boolean => {
    const waiters = waiting.get(userId) ?? new Set();
    if (waiters.size >= waitsMax) return false;
    waiting.set(userId, waiters.add(waiter));
    total++;
    return true;
  };
  const leave = (userId: bigint, waiter: Waiter): void => {
    const waiters = waiting.get(userId);
    if (!waiters?.delete(waiter)) return;
    total--;
    if (waiters.size === 0) waiting.delete(userId);
  };

  return {
    async until({ userId, seconds, gone }, look) {
      const waiter = new Waiter();
      if (!enter(userId, waiter)) return "full";
      const end = () => waiter.end();
      const timer = setTimeout(end, seconds * 1000);
      gone.addEventListener("abort", end);
      if (gone.aborted) end();
      try {
        for (;;) {
          // Before `look`, so that a change meanwhile is not lost.
          const next = waiter.next();
          const answer = await look();
          if (answer !== undefined || waiter.isOver) return answer;
          await next;
          if (waiter.isOver) return undefined;
        }
      } finally {
        clearTimeout(timer);
        gone.removeEventListener("abort", end);
        leave(userId, waiter);
      }
    },
    count: () => total,
  };
}

class Waiter {
  isOver = false;
  #next = Promise.withResolvers<void>();
  next(): Promise<void> {
    this.#next = Promise.withResolvers();
    if (this.isOver) this.#next.resolve();
    return this.#next.promise;
  }
  wake(): void {
    this.#next.resolve();
  }
  end(): void {
    this.isOver = true;
    this.wake();
  }
}
