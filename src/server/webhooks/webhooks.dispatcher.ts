import { setTimeout as wait } from "node:timers/promises";
import { now } from "../platform/clock.ts";
import { type Db, listen } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import { type LogOnce, logOnce } from "../platform/jobs/log-once.ts";
import { type Due, takeDue } from "./webhooks.due.sql.ts";
import { selectListeners } from "./webhooks.sql.ts";
import { leaseSeconds, type Tries } from "./webhooks.try.ts";

/** Reports the users with changes in any process; undefined: any user may have some. */
export type Subscribe = (onChange: (userIds: readonly bigint[] | undefined) => void) => void;

/** Notifies every process of a webhook that was made, removed, or switched on or off. */
export const channel = "webhooks";

/** Concurrent requests of this process. Each may take ten seconds and costs little more than a socket. */
const atOnce = 256;
/** Limits per host and account, so that slow hosts leave slots to others. */
const limits = {
  ofHost: 32,
  ofAccount: 48,
  /** Half: no account takes a host from the others. */ ofHostAndAccount: 16,
};
/** The poll for due tries and missed notifications. */
const tickMs = 1_000;
const usualGraceMs = 2_000;

interface Parts {
  readonly db: Db;
  readonly tries: Tries;
  readonly fanOut: (userIds?: readonly bigint[]) => Promise<boolean>;
  readonly cut: () => void;
  readonly log: Log;
}

/** Takes due deliveries and sends them, many at a time. Several may run, in any number of processes. */
export class Dispatcher {
  readonly #parts: Parts;
  readonly #flying = new Map<bigint, { host: string; userId: bigint; landed: Promise<void> }>();
  #isStopping = false;
  #isCalled = false;
  #turning: Promise<void> | undefined;
  #changed: Set<bigint> | "everybody" = "everybody";
  #listeners = new Set<bigint>();
  #quiet: (() => Promise<void>) | undefined;
  #ticking: NodeJS.Timeout | undefined;
  readonly #faults: LogOnce;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#faults = logOnce((fault) => parts.log.error({ err: fault }, "events could not be sent"));
  }

  async start(subscribe: Subscribe): Promise<void> {
    const { db, log } = this.#parts;
    let learned = Promise.resolve();
    const learnNow = async (): Promise<void> => {
      try {
        this.#listeners = new Set((await selectListeners(db)).map(({ userId }) => userId));
      } catch (fault) {
        // Missed users get their events at the next tick.
        log.error({ err: fault }, "the users with webhooks could not be read");
      }
    };
    // One after another, so that an older answer does not come last.
    const learn = (): void => void (learned = learned.then(learnNow));
    this.#quiet = await listen(db, channel, learn);
    learn();
    subscribe((userIds) => {
      const mine = userIds?.filter((userId) => this.#listeners.has(userId));
      if (mine?.length !== 0) this.#call(mine);
    });
    this.#ticking = setInterval(() => this.#call(undefined), tickMs);
    this.#call(undefined);
  }

  async fanOut(): Promise<void> {
    await this.#parts.fanOut();
  }

  /** Resolves when nothing is left that may be sent now. */
  async sendDue(at = now()): Promise<void> {
    while ((await this.#take(at)) > 0 || this.#flying.size > 0)
      await Promise.race([...this.#flying.values()].map(({ landed }) => landed));
  }

  /** Takes nothing more and waits for answers; unanswered deliveries are put back. */
  async stop(graceMs = usualGraceMs): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#ticking);
    await this.#quiet?.();
    await this.#turning;
    const landed = Promise.all([...this.#flying.values()].map((flight) => flight.landed));
    const patience = new AbortController();
    await Promise.race([
      landed,
      wait(graceMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
    this.#parts.tries.stop();
    this.#parts.cut();
    await landed;
  }

  #call(userIds: readonly bigint[] | undefined): void {
    if (userIds === undefined) this.#changed = "everybody";
    else if (this.#changed !== "everybody") for (const userId of userIds) this.#changed.add(userId);
    this.#isCalled = true;
    if (!this.#isStopping) this.#turning ??= this.#turn();
  }

  async #turn(): Promise<void> {
    while (this.#isCalled && !this.#isStopping) {
      this.#isCalled = false;
      const changed = this.#changed;
      this.#changed = new Set();
      try {
        if (changed === "everybody") await this.#parts.fanOut();
        else if (changed.size > 0) await this.#parts.fanOut([...changed]);
        await this.#take(now());
        this.#faults.passed();
      } catch (fault) {
        this.#faults.failed(fault);
      }
    }
    this.#turning = undefined;
  }

  async #take(at: Date): Promise<number> {
    const free = atOnce - this.#flying.size;
    if (free === 0) return 0;
    const flying = [...this.#flying.values()];
    const taken = await takeDue(this.#parts.db, at, leaseSeconds, { free, ...limits, flying });
    for (const due of taken.toSorted((a, b) => Number(a.id - b.id)))
      this.#flying.set(due.id, { host: due.host, userId: due.userId, landed: this.#fly(due) });
    return taken.length;
  }

  async #fly(due: Due): Promise<void> {
    try {
      await this.#parts.tries.once(due);
    } catch (fault) {
      // Its lease ends, and then it is sent again under the same id.
      this.#parts.log.error({ err: fault, delivery: String(due.id) }, "a delivery could not be written down");
    }
    this.#flying.delete(due.id);
    // A free slot: a due delivery may have waited for it.
    if (this.#ticking !== undefined) this.#call([]);
  }
}
