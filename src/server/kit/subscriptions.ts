// One connection of a process hears every channel of the database, and knows whether it hears.
import { randomBytes } from "node:crypto";
import type { Db } from "./db.ts";
import { dialOf } from "./db.socket.ts";
import { type Ear, type Listener, openEar } from "./ear.ts";

/** What is told of a channel. */
export interface Subscriber {
  /** Somebody notified it, in whichever process, and his transaction is committed. */
  readonly told: (payload: string) => void;
  /** The connection broke: what is said from now on is not heard. */
  readonly lost?: () => void;
  /** From now on everything is heard; what was said before is unknown. The first time before `add` resolves. */
  readonly back?: () => void;
  /** Called again and again while it is unknown whether everything is heard. */
  readonly unsure?: () => void;
}

export interface Subscriptions {
  /** Whether every notification is heard now. Otherwise nothing that was remembered may be believed. */
  isSure(): boolean;
  /** Resolves when the channel is heard, with what ends it. */
  add(channel: string, subscriber: Subscriber): Promise<() => Promise<void>>;
  /** Ends all of them. */
  close(): Promise<void>;
}

/** How often a heartbeat is said, and how long after one what is remembered may still be believed. */
export interface Beat {
  readonly everyMs: number;
  readonly sureMs: number;
}

const usual: Beat = { everyMs: 3_000, sureMs: 10_000 };

const shared = new WeakMap<Db, Subscriptions>();

/** The subscriptions of a pool. They have a connection of their own as long as there are any. */
export function subscriptionsOf(db: Db): Subscriptions {
  const known = shared.get(db);
  if (known) return known;
  // As long as a query may take to be answered, so long a heartbeat may.
  const { silenceMs } = dialOf(db.options);
  const beat = silenceMs === undefined ? usual : { everyMs: silenceMs * 0.3, sureMs: silenceMs };
  const opened = openSubscriptions((events) => openEar(db, events), beat);
  shared.set(db, opened);
  return opened;
}

/** Ends the subscriptions of a pool with it. */
export const endSubscriptions = async (db: Db): Promise<void> => shared.get(db)?.close();

/**
 * Opens subscriptions over an ear. A connection can fall silent without a word, so the process says a heartbeat over the one that
 * hears, and trusts what it remembers only while it hears its own: the database tells in the order of the commits, so what was
 * committed before a heartbeat was heard before it.
 */
export const openSubscriptions = (open: (events: Listener) => Ear, beat: Beat = usual): Subscriptions =>
  new Shared(open, beat);

class Shared implements Subscriptions {
  readonly #open: (events: Listener) => Ear;
  readonly #beat: Beat;
  // Of this process alone: nobody else is woken by it.
  readonly #heartbeat = `heartbeat ${randomBytes(8).toString("hex")}`;
  readonly #channels = new Map<string, Set<Subscriber>>();
  /** Those that are being added, too. */
  #subscribers = 0;
  #ear: Ear | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isConnected = false;
  /** When the newest heartbeat that came back was said; everything that was committed before is known. */
  #knownUntil = Number.NEGATIVE_INFINITY;
  #lastRestart = performance.now();

  constructor(open: (events: Listener) => Ear, beat: Beat) {
    this.#open = open;
    this.#beat = beat;
  }

  isSure(): boolean {
    return this.#isConnected && performance.now() - this.#knownUntil < this.#beat.sureMs;
  }

  async add(channel: string, subscriber: Subscriber): Promise<() => Promise<void>> {
    const first = Promise.withResolvers<void>();
    const back = (): void => {
      subscriber.back?.();
      first.resolve();
    };
    const mine = { ...subscriber, back };
    this.#subscribers++;
    this.#ear ??= this.#begin();
    await this.#ear.listen(channel);
    const told = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, told.add(mine));
    if (this.#isConnected) back();
    await first.promise;
    return () => this.#remove(channel, mine);
  }

  async #remove(channel: string, subscriber: Subscriber): Promise<void> {
    const told = this.#channels.get(channel);
    if (!told?.delete(subscriber)) return;
    this.#subscribers--;
    if (told.size === 0 && this.#channels.delete(channel)) this.#ear?.unlisten(channel);
    if (this.#subscribers === 0) await this.close();
  }

  async close(): Promise<void> {
    const last = this.#ear;
    this.#ear = undefined;
    this.#isConnected = false;
    clearInterval(this.#timer);
    await last?.close();
  }

  #begin(): Ear {
    const ear = this.#open({
      told: (channel, payload) => this.#told(channel, payload),
      lost: () => {
        this.#isConnected = false;
        for (const { lost } of this.#everybody()) lost?.();
      },
      back: () => {
        this.#isConnected = true;
        this.#knownUntil = Number.NEGATIVE_INFINITY;
        for (const { back } of this.#everybody()) back?.();
        this.#say();
      },
    });
    this.#timer = setInterval(() => this.#check(), this.#beat.everyMs);
    void ear.listen(this.#heartbeat);
    return ear;
  }

  #told(channel: string, payload: string): void {
    if (channel === this.#heartbeat) this.#knownUntil = Math.max(this.#knownUntil, Number(payload));
    else for (const { told } of this.#channels.get(channel) ?? []) told(payload);
  }

  #check(): void {
    if (!this.isSure()) for (const { unsure } of this.#everybody()) unsure?.();
    const isSilent = performance.now() - Math.max(this.#knownUntil, this.#lastRestart) > this.#beat.sureMs;
    if (isSilent && this.#isConnected) {
      this.#lastRestart = performance.now();
      this.#ear?.restart();
    }
    this.#say();
  }

  // Where it cannot be said it will not be heard, and the next turn draws the conclusion.
  #say(): void {
    if (this.#isConnected) this.#ear?.say(this.#heartbeat, String(performance.now())).catch(() => undefined);
  }

  #everybody(): Subscriber[] {
    return [...this.#channels.values()].flatMap((each) => [...each]);
  }
}
