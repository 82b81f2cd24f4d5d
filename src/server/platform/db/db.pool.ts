// The connections of a pool: what is said outside of transactions shares them, a transaction or a reservation has one for itself.
import { setTimeout as sleep } from "node:timers/promises";
import type { Writable } from "node:stream";
import { type Dial, faultOf, type Link, openLink } from "./db.link.ts";
import { type Given, Plan, type Query, type Rows, type Speaker } from "./db.query.ts";
import { Copying, givenBy, Giving, Statement } from "./db.statement.ts";
import { Transaction } from "./db.transaction.ts";

export interface Size {
  /** Connections at most. */
  readonly max: number;
  /** How long is waited for a free connection; left out, for ever. */
  readonly waitMs: number | undefined;
  /** Connections that are not used for so long are closed; left out, they are kept. */
  readonly idleMs: number | undefined;
  /** So many stay for who comes after a calm. */
  readonly kept: number;
}

/** How a pool is used: what is open and waits now, and what has waited for a connection since the start. */
export interface Load {
  readonly open: number;
  readonly waiting: number;
  readonly waits: number;
  readonly waitedSeconds: number;
}

/** What waits for a connection: a statement, or somebody who wants one for himself. */
interface Ask {
  readonly since: number;
  readonly take: (link: Link) => void;
  readonly refuse: (fault: Error) => void;
}

/** Statements on one connection without an answer, at most. */
const owedMax = 100;
/** What a session of the server has gathered is let go now and then. */
const lifeMs = 45 * 60_000;
const pauseMs = (failures: number) => Math.min(100 * 2 ** failures, 3_000);

export class Pool implements Speaker {
  readonly #dial: Dial;
  readonly #size: Size;
  readonly #links = new Set<Link>();
  /** Those that nobody has asked anything, the one used last at the end. */
  #idle: Link[] = [];
  #opening = 0;
  readonly #queue: Ask[] = [];
  #late: NodeJS.Timeout | undefined;
  #sweep: NodeJS.Timeout | undefined;
  /** How often in a row no connection could be made, and when the next may be tried. */
  #failures = 0;
  /** Why the last connection did not come, where the next one may. */
  #passing: Error | undefined;
  #notBefore = 0;
  #waits = 0;
  #waitedMs = 0;
  readonly #gone = new AbortController();
  #isEnding = false;
  #ended: Promise<void> | undefined;
  readonly #empty = Promise.withResolvers<void>();

  constructor(dial: Dial, size: Size) {
    this.#dial = dial;
    this.#size = size;
  }

  get load(): Load {
    const [open, waiting] = [this.#links.size, this.#queue.length];
    return { open, waiting, waits: this.#waits, waitedSeconds: this.#waitedMs / 1000 };
  }

  async say(query: Query): Promise<Rows> {
    const statement = new Statement(query);
    statement.mayRepeat = true;
    const link = this.#free() ?? this.#shared();
    if (link) link.send(statement);
    else
      this.#wait(
        (found) => found.send(statement),
        (fault) => statement.refuseUnsent(fault),
      );
    return statement.done;
  }

  async copy(query: Query): Promise<Writable> {
    const copying = new Copying(query);
    const link = await this.hold();
    void copying.done.finally(() => this.release(link)).catch(() => undefined);
    return link.send(copying).writable;
  }

  async give(query: Query): Promise<Given> {
    const giving = new Giving(query);
    const link = await this.hold();
    void giving.done.finally(() => this.release(link)).catch(() => undefined);
    return givenBy(link.send(giving));
  }

  async begin<Answer>(options: string, work: (speaker: Speaker) => Promise<Answer>): Promise<Answer> {
    const link = await this.hold();
    try {
      return await new Transaction(link, beginOf(options)).run(work);
    } finally {
      this.release(link);
    }
  }

  /** A connection for the caller alone, until it is released. Others may still be owed answers on it. */
  hold(): Promise<Link> {
    const link = this.#free() ?? this.#shared();
    if (link) return Promise.resolve(hold(link));
    return new Promise((take, refuse) => this.#wait((found) => take(hold(found)), refuse));
  }

  release(link: Link): void {
    if (link.lost || !link.isHeld) return;
    link.isHeld = false;
    // Who left a transaction open has no more to say in it, and nobody else has either.
    if (link.owed === 0 && link.isInTransaction) link.lose();
    else this.#serve(link);
  }

  /** Refuses what is asked from now on, and ends when what was asked before is answered; after the time-out, at once. */
  end(timeoutMs?: number): Promise<void> {
    return (this.#ended ??= this.#end(timeoutMs));
  }

  async #end(timeoutMs: number | undefined): Promise<void> {
    this.#isEnding = true;
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => this.#destroy(), timeoutMs);
    for (const link of this.#idle.splice(0)) retire(link);
    this.#settle();
    await this.#empty.promise;
    clearTimeout(timer);
  }

  #destroy(): void {
    this.#gone.abort();
    for (const ask of this.#queue.splice(0))
      ask.refuse(faultOf("CONNECTION_DESTROYED", "the pool was ended"));
    this.#settle();
  }

  #settle(): void {
    if (this.#isEnding && this.#links.size === 0 && this.#opening === 0 && this.#queue.length === 0)
      this.#empty.resolve();
  }

  /** One that nobody uses; begins to open another one when there is none, as long as there may be more. */
  #free(): Link | undefined {
    if (this.#isEnding) throw faultOf("CONNECTION_ENDED", "the pool was ended");
    return this.#idle.pop();
  }

  /** Of those that others use the one with the least to do, when no more may be opened. */
  #shared(): Link | undefined {
    if (this.#links.size + this.#opening < this.#size.max) return undefined;
    let best: Link | undefined;
    for (const link of this.#links) if (!link.isHeld && link.owed < (best?.owed ?? owedMax)) best = link;
    return best;
  }

  #wait(take: Ask["take"], refuse: Ask["refuse"]): void {
    this.#waits++;
    this.#queue.push({ since: performance.now(), take, refuse });
    this.#refuseLate();
    if (this.#links.size + this.#opening < this.#size.max) void this.#open();
  }

  /** Opens as many connections as are waited for, after one is gone. */
  #grow(): void {
    while (this.#opening < this.#queue.length && this.#links.size + this.#opening < this.#size.max)
      void this.#open();
  }

  async #open(): Promise<void> {
    this.#opening++;
    const failed = this.#failures;
    try {
      const wait = this.#notBefore - performance.now();
      if (wait > 0) await sleep(wait, undefined, { signal: this.#gone.signal });
      const link = await openLink(this.#dial, {
        answered: (answered) => answered.isHeld || this.#serve(answered),
        ended: (lost) => this.#forget(lost),
        signal: this.#gone.signal,
      });
      if (link.lost) throw link.lost;
      this.#opening--;
      this.#failures = 0;
      this.#passing = undefined;
      this.#links.add(link);
      this.#serve(link);
    } catch (fault) {
      this.#opening--;
      this.#failures = Math.max(this.#failures, failed + 1);
      this.#pause();
      if (passing.has((fault as { code?: unknown }).code)) this.#passing = fault as Error;
      else this.#next()?.refuse(fault as Error);
      this.#grow();
      this.#settle();
    }
  }

  #pause(): void {
    this.#notBefore = performance.now() + pauseMs(this.#failures);
  }

  #forget(link: Link): void {
    if (!this.#links.delete(link)) return;
    this.#idle = this.#idle.filter((each) => each !== link);
    if (!this.#isEnding && !link.isEnding) this.#pause();
    this.#grow();
    this.#settle();
  }

  /** Who has waited longest, and waits no more. */
  #next(): Ask | undefined {
    const ask = this.#queue.shift();
    if (ask) this.#waitedMs += performance.now() - ask.since;
    return ask;
  }

  /** Gives the connection to who waits, or lays it aside. */
  #serve(link: Link): void {
    let share = Math.ceil(this.#queue.length / (this.#opening + 1));
    while (share-- > 0 && !link.isHeld && link.owed < owedMax) this.#next()?.take(link);
    if (link.isHeld || link.owed > 0) return;
    const at = performance.now();
    if (this.#isEnding || at - link.bornAt > lifeMs) return retire(link);
    link.idleSince = at;
    this.#idle.push(link);
    this.#endIdle();
  }

  /** Closes those that nobody has used for long. One timer for all: connections are laid aside thousands of times a second. */
  #endIdle(): void {
    const { idleMs, kept } = this.#size;
    if (idleMs === undefined || this.#sweep || this.#idle.length <= kept) return;
    this.#sweep = setTimeout(() => {
      this.#sweep = undefined;
      const before = performance.now() - idleMs;
      const isUnused = (link: Link | undefined) => link !== undefined && link.idleSince <= before;
      while (this.#idle.length > kept && isUnused(this.#idle[0])) retire(this.#idle.shift()!);
      this.#endIdle();
    }, idleMs).unref();
  }

  /** Refuses who waits for too long, in the order of asking. */
  #refuseLate(): void {
    const { waitMs } = this.#size;
    if (waitMs === undefined || this.#late) return;
    const left = ({ since }: Ask) => since + waitMs - performance.now();
    const refuse = (): void => {
      this.#late = undefined;
      while (this.#queue[0] && left(this.#queue[0]) <= 0)
        this.#next()?.refuse(
          this.#passing ?? faultOf("CONNECTION_QUEUE_TIMEOUT", "no connection was free in time"),
        );
      if (this.#queue[0]) this.#late = setTimeout(refuse, left(this.#queue[0])).unref();
      this.#settle();
    };
    this.#late = setTimeout(refuse, left(this.#queue[0]!)).unref();
  }
}

function hold(link: Link): Link {
  link.isHeld = true;
  return link;
}

/** Ends a connection that nobody uses; until it has ended, nobody gets it. */
function retire(link: Link): void {
  void hold(link).end();
}

/** A server that closes while it greets is coming or going, and a busy one may be in time for the next: who asked waits for another, as long as he may. */
const passing: ReadonlySet<unknown> = new Set(["CONNECTION_CLOSED", "CONNECT_TIMEOUT"]);

const begins = new Map<string, Plan>();

function beginOf(options: string): Plan {
  const known = begins.get(options);
  if (known) return known;
  const plan = new Plan(`begin ${options}`, []);
  begins.set(options, plan);
  return plan;
}
