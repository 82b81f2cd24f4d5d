// Periodic jobs as rows that a process leases for a time (docs/decisions/054).
import type { Db } from "../db/db.ts";
import { inPool } from "../db/pools.ts";
import { logOnce } from "./log-once.ts";
import { isGone, machine, newHolder } from "./scheduler.holder.ts";
import {
  claimJobs,
  finishJob,
  introduceJobs,
  type Period,
  releaseAll,
  releaseJob,
  renewJobs,
  selectHolders,
} from "./scheduler.sql.ts";

export { forgetJobs } from "./scheduler.sql.ts";

export type Job = {
  /** Takes no new turn, tells the running one by its signal, and waits for its end. */
  stop(): Promise<void>;
  /** Runs a turn now, after the running one if there is one. Resolves at its end; a fault of the work is thrown. */
  now(): Promise<void>;
};

type Log = { error(details: object, message: string): void };

type Work = {
  name: string;
  /** Aborted when the job is stopped, and when its lease is lost: from then on another process may run it. */
  work: (signal: AbortSignal) => Promise<void>;
  log: Log;
} & ({ seconds: number } | { /** Each day, as HH:MM in UTC. */ at: string });

/**
 * Runs `work` each `seconds` after its last end, or each day at a time, until stopped. In all processes on one database only one
 * turn of a name runs at a time: the work must find what is due by itself. A fault is logged, the same one again and again only
 * now and then, and the next turn comes as usual. How each turn went is written down in the table job, for operators.
 */
export const schedule = ({ db, ...work }: Work & { db: Db }): Job => schedulerOf(db).add(work);

const schedulers = new WeakMap<Db, Scheduler>();

/** The scheduler of a pool, of which there is one. */
export function schedulerOf(db: Db): Scheduler {
  const scheduler = schedulers.get(db) ?? new Scheduler(db);
  schedulers.set(db, scheduler);
  return scheduler;
}

interface Entry extends Period {
  readonly work: Work["work"];
  readonly log: Log;
  readonly faults: ReturnType<typeof logOnce>;
  readonly stopping: AbortController;
  /** The end of its newest turn. */
  last: Promise<void>;
  /** Its turn that runs now. */
  running: Turn | undefined;
}

interface Turn {
  readonly lost: AbortController;
  /** Until when the lease is ours for certain, by our own clock. */
  sureUntil: number;
}

/** Thrown into the signal of a turn that is no longer ours. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

const daySeconds = 24 * 60 * 60;
const usualLeaseMs = 15_000;
const pollMs = 1_000;
const introduceMs = 60_000;
/** A turn is told to stop before its lease is over, so that it has stopped when another begins. */
const surePart = 0.7;

/** Runs the jobs of one process: looks each second which are due, leases them, renews the leases of those that run. */
export class Scheduler {
  readonly #db: Db;
  readonly #leaseMs: number;
  readonly #by = newHolder();
  readonly #entries = new Map<string, Entry>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #faults = logOnce((fault) =>
    [...this.#entries.values()][0]?.log.error({ err: fault }, "the jobs that are due could not be asked for"),
  );
  #polling: NodeJS.Timeout | undefined;
  #renewing: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;
  #introducedAt = Number.NEGATIVE_INFINITY;
  #askedAt = performance.now();

  constructor(db: Db, { leaseMs = usualLeaseMs }: { leaseMs?: number } = {}) {
    this.#db = db;
    this.#leaseMs = leaseMs;
  }

  /** For how long it has not got through to the database, nor been refused by it; 0 without any job. */
  stillMs(): number {
    return this.#entries.size === 0 ? 0 : performance.now() - this.#askedAt;
  }

  add(job: Work): Job {
    const { name, work, log } = job;
    const entry: Entry = {
      name,
      seconds: "at" in job ? daySeconds : job.seconds,
      at: "at" in job ? job.at : undefined,
      work,
      log,
      faults: logOnce((fault) => log.error({ err: fault, job: name }, "a job failed")),
      stopping: new AbortController(),
      last: Promise.resolve(),
      running: undefined,
    };
    this.#entries.set(name, entry);
    // Known before its first turn, which may be an hour away. A database that is away now is heard of by the turns.
    entry.last = this.#introduce([entry]).catch(() => undefined);
    if (!this.#polling) this.#begin();
    this.#wakeIn(entry.seconds * 1000);
    return { now: () => this.#now(entry), stop: () => this.#stop(entry) };
  }

  #begin(): void {
    this.#askedAt = performance.now();
    this.#polling = setInterval(() => void this.#poll(), pollMs);
    this.#renewing = setInterval(() => void this.#renew(), this.#leaseMs / 5);
  }

  async #stop(entry: Entry): Promise<void> {
    entry.stopping.abort();
    // What is being leased for it is given back.
    await this.#asking;
    await entry.last;
    if (this.#entries.get(entry.name) === entry) this.#entries.delete(entry.name);
    if (this.#entries.size > 0) return;
    clearInterval(this.#polling);
    clearInterval(this.#renewing);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#polling = undefined;
  }

  async #now(entry: Entry): Promise<void> {
    const turn = entry.last.then(async () => {
      if (entry.stopping.signal.aborted) return;
      const sent = performance.now();
      const [claimed] = await this.#ask(() =>
        claimJobs(this.#db, { ...this.#claim([entry]), isEarly: true }),
      );
      if (claimed) await this.#run(entry, sent);
    });
    entry.last = turn.catch(() => undefined);
    return turn;
  }

  #wakeIn(milliseconds: number): void {
    if (milliseconds > pollMs) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#poll();
    }, milliseconds);
    this.#timers.add(timer);
  }

  /** Takes what is due; looks that come together are one. */
  #poll(): Promise<void> {
    return (this.#asking ??= this.#take()
      .then(this.#faults.passed, this.#faults.failed)
      .finally(() => {
        this.#asking = undefined;
        this.#askedAt = performance.now();
      }));
  }

  async #take(): Promise<void> {
    const idle = [...this.#entries.values()].filter(
      ({ running, stopping }) => !running && !stopping.signal.aborted,
    );
    if (idle.length === 0) return;
    // Repeatedly: emptying the table must not end all jobs.
    if (performance.now() - this.#introducedAt > introduceMs) {
      await this.#introduce([...this.#entries.values()]);
      await this.#releaseGone();
      this.#introducedAt = performance.now();
    }
    const sent = performance.now();
    for (const { name } of await this.#ask(() => claimJobs(this.#db, this.#claim(idle)))) {
      const entry = this.#entries.get(name);
      if (!entry || entry.stopping.signal.aborted) {
        await this.#ask(() => releaseJob(this.#db, { name, by: this.#by }));
        continue;
      }
      const turn = this.#run(entry, sent);
      entry.last = Promise.allSettled([entry.last, turn]).then(() => undefined);
      turn.then(entry.faults.passed, entry.faults.failed);
    }
  }

  async #run(entry: Entry, sent: number): Promise<void> {
    const turn: Turn = { lost: new AbortController(), sureUntil: sent + this.#leaseMs * surePart };
    entry.running = turn;
    let error: string | null = null;
    try {
      const signal = AbortSignal.any([entry.stopping.signal, turn.lost.signal]);
      await inPool("jobs", () => entry.work(signal));
    } catch (fault) {
      error = messageOf(fault);
      throw fault;
    } finally {
      entry.running = undefined;
      const { name } = entry;
      // What broke the turn may have broken the connection too, and is what must be heard of. The lease ends by itself.
      await this.#ask(() => finishJob(this.#db, { name, by: this.#by, error })).catch(() => undefined);
      if (!entry.stopping.signal.aborted) this.#wakeIn(entry.seconds * 1000);
    }
  }

  async #renew(): Promise<void> {
    const sent = performance.now();
    const running = [...this.#entries.values()].filter((entry) => entry.running);
    for (const { running: turn } of running)
      if (turn && turn.sureUntil < sent)
        turn.lost.abort(new LeaseLost("the lease could not be renewed in time"));
    if (running.length === 0) return;
    const renewed = await this.#ask(() => renewJobs(this.#db, this.#claim(running))).catch(() => undefined);
    if (!renewed) return;
    const ours = new Set(renewed.map(({ name }) => name));
    for (const { name, running: turn } of running) {
      if (!turn) continue;
      if (ours.has(name)) turn.sureUntil = sent + this.#leaseMs * surePart;
      else turn.lost.abort(new LeaseLost("another process runs the job now"));
    }
  }

  async #introduce(entries: readonly Entry[]): Promise<void> {
    await this.#ask(() => introduceJobs(this.#db, entries));
  }

  /** What a process of this machine held that is gone is free at once, and not when its leases are over. */
  async #releaseGone(): Promise<void> {
    const holders = await this.#ask(() => selectHolders(this.#db, machine));
    const gone = holders.map(({ by }) => by).filter(isGone);
    if (gone.length > 0) await this.#ask(() => releaseAll(this.#db, gone));
  }

  #claim(entries: readonly Entry[]) {
    return { names: entries.map(({ name }) => name), by: this.#by, leaseMs: this.#leaseMs };
  }

  #ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    return inPool("scheduler", work);
  }
}

const errorLengthMax = 300;

/** What a fault said, without the paths of addresses: keys of services stand in them. */
function messageOf(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  return text
    .replaceAll("\0", "")
    .replace(/(\w+:\/\/)(?:[^\s/@]*@)?([^\s/?#]*)[^\s]*/gu, "$1$2")
    .slice(0, errorLengthMax);
}
