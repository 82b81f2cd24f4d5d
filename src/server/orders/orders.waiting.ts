import type { Db } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import { selectPending } from "./orders.sql.ts";

const remembered = 100_000;

/** Remembers which orders still wait. Programs poll every second: while the account's revision stays, no query is needed. */
export class StillWaiting {
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

  isKnown(order: { orderId: bigint; userId: bigint }, revision: bigint): boolean {
    const seen = this.#seen.get(order.orderId);
    return seen?.userId === order.userId && seen.revision === revision;
  }

  /** The revision must be read before the order. */
  note({ orderId, userId }: { orderId: bigint; userId: bigint }, revision: bigint): void {
    this.#seen.delete(orderId);
    this.#seen.set(orderId, { userId, revision });
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > remembered && oldest !== undefined) this.#seen.delete(oldest);
  }

  look(orderId: bigint): Promise<boolean> {
    return this.#batcher.submit(orderId);
  }
}
