import { setTimeout as wait } from "node:timers/promises";
import { now } from "../platform/clock.ts";
import { type Db, listen } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import { type LogOnce, logOnce } from "../platform/jobs/log-once.ts";
import { type Due, takeDue } from "./webhooks.due.sql.ts";
import { selectListeners } from "./webhooks.sql.ts";
import { leaseSeconds, type Tries } from "./webhooks.try.ts";

/** Tells whose something changed, of all processes; undefined when it may be anybody's. */
export type Subscribe = (onChange: (userIds: readonly bigint[] | undefined) => void) => void;

/** Rings in every process when a webhook was made, removed, or switched on or off. */
export const channel = "webhooks";

/** Requests at a time, of this process. Each may take ten seconds, and costs hardly more than a socket. */
const atOnce = 256;
/** So that a slow or dead host, and an account with many of them, leave the others their share. */
const ofHost = 32;
const ofAccount = 48;
/** How often it looks without being told: for tries that are due, and for what it was not told. */
const tickMs = 1_000;
/** How long a stop waits for answers. */
const usualGraceMs = 2_000;

interface Parts {
  readonly db: Db;
  readonly tries: Tries;
  /** Turns new events into deliveries, of these users or of all. */
  readonly fanOut: (userIds?: readonly bigint[]) => Promise<boolean>;
  /** Ends the connections of what is still being sent. */
  readonly cut: () => void;
  readonly log: Log;
}

/** Takes deliveries that are due and sends them, many at a time. Any number of them, in any number of processes, work side by side. */
export class Dispatcher {
  readonly #parts: Parts;
  readonly #flying = new Map<bigint, { host: string; userId: bigint; landed: Promise<void> }>();
  #isStopping = false;
  #isCalled = false;
  #turning: Promise<void> | undefined;
  /** Whose events are to be fanned out; everybody's at a tick. */
  #changed: Set<bigint> | "everybody" = "everybody";
  /** Users with a webhook: the changes of all others are none of ours. */
  #listeners = new Set<bigint>();
  #quiet: (() => Promise<void>) | undefined;
  #ticking: NodeJS.Timeout | undefined;
  readonly #faults: LogOnce;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#faults = logOnce((fault) => parts.log.error({ err: fault }, "events could not be sent"));
  }

  /** Begins to work whenever something is to do. */
  async start(subscribe: Subscribe): Promise<void> {
    const { db, log } = this.#parts;
    let learned = Promise.resolve();
    const learnNow = async (): Promise<void> => {
      try {
        this.#listeners = new Set((await selectListeners(db)).map(({ userId }) => userId));
      } catch (fault) {
        // The events of who is missing go out at the next tick.
        log.error({ err: fault }, "the users with webhooks could not be read");
      }
    };
    // One after another: an older answer must not come last.
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

  /** Turns everybody's new events into deliveries. */
  async fanOut(): Promise<void> {
    await this.#parts.fanOut();
  }

  /** Sends what is due at a time, and resolves when nothing is left that may be sent now. */
  async sendDue(at = now()): Promise<void> {
    while ((await this.#take(at)) > 0 || this.#flying.size > 0)
      await Promise.race([...this.#flying.values()].map(({ landed }) => landed));
  }

  /** Takes nothing more, and waits a moment for answers; what has none by then is put back. */
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

  /** Answers how many were taken. */
  async #take(at: Date): Promise<number> {
    const free = atOnce - this.#flying.size;
    if (free === 0) return 0;
    const flying = [...this.#flying.values()];
    const taken = await takeDue(this.#parts.db, at, leaseSeconds, { free, ofHost, ofAccount, flying });
    for (const due of taken.toSorted((a, b) => Number(a.id - b.id)))
      this.#flying.set(due.id, { host: due.host, userId: due.userId, landed: this.#fly(due) });
    return taken.length;
  }

  async #fly(due: Due): Promise<void> {
    try {
      await this.#parts.tries.once(due);
    } catch (fault) {
      // Its lease ends by itself, and then it is sent again under the same id.
      this.#parts.log.error({ err: fault, delivery: String(due.id) }, "a delivery could not be written down");
    }
    this.#flying.delete(due.id);
    // There is room for another, and perhaps one was left for want of it.
    if (this.#ticking !== undefined) this.#call([]);
  }
}
