// Refunds expired orders, many in one transaction. One that fails is retried alone and blocks no other.
import type { Db } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import { type LogOnce, logOnce } from "../platform/jobs/log-once.ts";
import { endCounts } from "./orders.counts.ts";
import { callExpire, callExpireDue, type Due, selectDue } from "./orders.sql.ts";

// A concurrent order may wait for one batch.
const expireSize = 200;

export class Expiry {
  readonly #db: Db;
  readonly #shard: number;
  readonly #log: Pick<Log, "error"> | undefined;
  /** Orders that failed, each retried alone at each run. */
  readonly #failing = new Map<bigint, LogOnce>();

  constructor(db: Db, shard: number, log: Pick<Log, "error"> | undefined) {
    this.#db = db;
    this.#shard = shard;
    this.#log = log;
  }

  async run(graceSeconds: number): Promise<number> {
    const total = await this.#all(graceSeconds);
    endCounts.add("expired", total);
    return total;
  }

  async #all(graceSeconds: number): Promise<number> {
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
      // An order that made the batch fail fails alone too, and is logged. Without the database this throws as well.
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
