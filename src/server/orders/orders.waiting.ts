import type { Db } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import { selectPending } from "./orders.sql.ts";

/** Orders remembered, at most; the one that was asked for longest ago goes first. */
const remembered = 100_000;

/**
 * Which orders still wait for their letter. Programs ask that every second, and nearly always nothing has changed: for as
 * long as nothing of the account did, it is known without a look-up.
 */
export class StillWaiting {
  /** The revision of the account at which each was seen to wait. */
  readonly #seen = new Map<bigint, { userId: bigint; revision: bigint }>();
  readonly #batcher: Batcher<bigint, boolean>;

  constructor(db: Db) {
    this.#batcher = new Batcher(
      async (orderIds) => {
        const pending = new Set((await selectPending(db, orderIds)).map(({ orderId }) => orderId));
        return orderIds.map((orderId) => pending.has(orderId));
      },
      { concurrency: 2, batchMax: 500, queueMax: 20_000, mayRepeat: () => false },
    );
  }

  /** Whether an order of this user was seen to wait at this revision of his account. */
  isKnown(order: { orderId: bigint; userId: bigint }, revision: bigint): boolean {
    const seen = this.#seen.get(order.orderId);
    return seen?.userId === order.userId && seen.revision === revision;
  }

  /** Remembers that an order waits. The revision was read before the order was. */
  note({ orderId, userId }: { orderId: bigint; userId: bigint }, revision: bigint): void {
    this.#seen.delete(orderId);
    this.#seen.set(orderId, { userId, revision });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > remembered && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** Looks whether an order waits, together with all others that are asked for now: many wait at one account. */
  look(orderId: bigint): Promise<boolean> {
    return this.#batcher.submit(orderId);
  }
}
