// Orders whose time is over are refunded, many in one transaction. One that cannot be is left to itself: the others get their money back.
import type { Db } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import { type LogOnce, logOnce } from "../platform/jobs/log-once.ts";
import { callExpire, callExpireDue, type Due, selectDue } from "./orders.sql.ts";

// An order beside it may have to wait as long as one batch takes.
const expireSize = 200;

/** Expires orders, and remembers those that could not be. */
export class Expiry {
  readonly #db: Db;
  readonly #shard: number;
  readonly #log: Pick<Log, "error"> | undefined;
  /** Orders that could not be expired, each tried alone at each run. */
  readonly #failing = new Map<bigint, LogOnce>();

  constructor(db: Db, shard: number, log: Pick<Log, "error"> | undefined) {
    this.#db = db;
    this.#shard = shard;
    this.#log = log;
  }

  /** Expires what is due since so many seconds; answers how many. */
  async run(graceSeconds: number): Promise<number> {
    let total = await this.#oneByOne([...this.#failing.keys()]);
    for (;;) {
      const due = { size: expireSize, graceSeconds, except: [...this.#failing.keys()] };
      const { expired, seen } = await this.#batch(due);
      total += expired;
      if (seen < expireSize) return total;
    }
  }

  async #batch(due: Due): Promise<{ expired: number; seen: number }> {
    try {
      const { expired } = await callExpireDue(this.#db, due, this.#shard);
      return { expired, seen: expired };
    } catch {
      // If one of them is why, it fails alone as well and is logged. With the database away this throws too.
      const orderIds = (await selectDue(this.#db, due)).orderIds ?? [];
      return { expired: await this.#oneByOne(orderIds), seen: orderIds.length };
    }
  }

  async #oneByOne(orderIds: readonly bigint[]): Promise<number> {
    let total = 0;
    for (const orderId of orderIds) {
      try {
        total += (await callExpire(this.#db, orderId, this.#shard)).expired;
        this.#failing.delete(orderId);
      } catch (fault) {
        const repeats = this.#failing.get(orderId) ?? this.#logOnce(orderId);
        this.#failing.set(orderId, repeats);
        repeats.failed(fault);
      }
    }
    return total;
  }

  #logOnce(orderId: bigint): LogOnce {
    return logOnce((fault) =>
      this.#log?.error({ err: fault, order: String(orderId) }, "an order could not be expired"),
    );
  }
}
