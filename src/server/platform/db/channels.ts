// One connection of a process hears every channel of the database, and knows whether it hears.
import { randomBytes } from "node:crypto";
import { type Listener, type ListenerEvents, openListener, type Pool } from "./listener.ts";

/** What a subscriber of a channel is called with. */
export interface Subscriber {
  /** Somebody notified it, in whichever process, and his transaction is committed. */
  readonly received: (payload: string) => void;
  /** The connection broke: what is said from now on is not heard. */
  readonly lost?: () => void;
  /** From now on everything is heard; what was said before is unknown. The first time before `subscribe` resolves. */
  readonly back?: () => void;
  /** Called again and again while it is unknown whether everything is heard. */
  readonly unsure?: () => void;
}

export interface Channels {
  /** Whether every notification is heard now. Otherwise nothing that was remembered may be believed. */
  isCurrent(): boolean;
  /** Resolves when the channel is heard, with what ends it. */
  subscribe(channel: string, subscriber: Subscriber): Promise<() => Promise<void>>;
  /** Ends all of them. */
  close(): Promise<void>;
}

/** How often a heartbeat is said, and how long after one what is remembered may still be believed. */
export interface Heartbeat {
  readonly everyMs: number;
  readonly currentMs: number;
}

const usual: Heartbeat = { everyMs: 3_000, currentMs: 10_000 };

const shared = new WeakMap<Pool, Channels>();

/** The subscriptions of a pool. They have a connection of their own as long as there are any. */
export function channelsOf(db: Pool): Channels {
  const known = shared.get(db);
  if (known) return known;
  // As long as a query may take to be answered, so long a heartbeat may.
  const { silenceMs } = db.dial;
  const timing = silenceMs === undefined ? usual : { everyMs: silenceMs * 0.3, currentMs: silenceMs };
  const opened = openChannels((events) => openListener(db, events), timing);
  shared.set(db, opened);
  return opened;
}

/** Ends the subscriptions of a pool with it. */
export const endChannels = async (db: Pool): Promise<void> => shared.get(db)?.close();

/**
 * Opens subscriptions over a listener. A connection can fall silent without a word, so the process says a heartbeat over the one that
 * hears, and trusts what it remembers only while it hears its own: the database tells in the order of the commits, so what was
 * committed before a heartbeat was heard before it.
 */
export const openChannels = (
  open: (events: ListenerEvents) => Listener,
  timing: Heartbeat = usual,
): Channels => new Shared(open, timing);

class Shared implements Channels {
  readonly #open: (events: ListenerEvents) => Listener;
  readonly #timing: Heartbeat;
  // Of this process alone: nobody else is woken by it.
  readonly #heartbeat = `heartbeat ${randomBytes(8).toString("hex")}`;
  readonly #channels = new Map<string, Set<Subscriber>>();
  /** Those that are being added, too. */
  #subscribers = 0;
  #listener: Listener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isConnected = false;
  #firstHeartbeat: Promise<void> | undefined;
  /** When the newest heartbeat that came back was said; everything that was committed before is known. */
  #knownUntil = Number.NEGATIVE_INFINITY;
  #lastRestart = performance.now();

  constructor(open: (events: ListenerEvents) => Listener, timing: Heartbeat) {
    this.#open = open;
    this.#timing = timing;
  }

  isCurrent(): boolean {
    return this.#isConnected && performance.now() - this.#knownUntil < this.#timing.currentMs;
  }

  async subscribe(channel: string, subscriber: Subscriber): Promise<() => Promise<void>> {
    const first = Promise.withResolvers<void>();
    const back = (): void => {
      subscriber.back?.();
      first.resolve();
    };
    const mine = { ...subscriber, back };
    this.#subscribers++;
    this.#listener ??= this.#begin();
    await this.#listener.listen(channel);
    const received = this.#channels.get(channel) ?? new Set();
    this.#channels.set(channel, received.add(mine));
    if (this.#isConnected) back();
    await first.promise;
    // Before its own heartbeat came back nothing is remembered.
    await this.#firstHeartbeat;
    return () => this.#remove(channel, mine);
  }

  async #remove(channel: string, subscriber: Subscriber): Promise<void> {
    const received = this.#channels.get(channel);
    if (!received?.delete(subscriber)) return;
    this.#subscribers--;
    const isUnheard = received.size === 0 && this.#channels.delete(channel);
    // The last one ends the connection at once: a statement under way would hold its end up.
    if (this.#subscribers === 0) await this.close();
    else if (isUnheard) this.#listener?.unlisten(channel);
  }

  async close(): Promise<void> {
    const last = this.#listener;
    this.#listener = undefined;
    this.#isConnected = false;
    clearInterval(this.#timer);
    await last?.close();
  }

  #begin(): Listener {
    const listener = this.#open({
      received: (channel, payload) => this.#received(channel, payload),
      lost: () => {
        this.#isConnected = false;
        for (const { lost } of this.#everybody()) lost?.();
      },
      back: () => {
        this.#isConnected = true;
        this.#knownUntil = Number.NEGATIVE_INFINITY;
        for (const { back } of this.#everybody()) back?.();
        this.#firstHeartbeat = this.#sendHeartbeat();
      },
    });
    this.#timer = setInterval(() => this.#check(), this.#timing.everyMs);
    void listener.listen(this.#heartbeat);
    return listener;
  }

  #received(channel: string, payload: string): void {
    if (channel === this.#heartbeat) this.#knownUntil = Math.max(this.#knownUntil, Number(payload));
    else for (const { received } of this.#channels.get(channel) ?? []) received(payload);
  }

  #check(): void {
    if (!this.isCurrent()) for (const { unsure } of this.#everybody()) unsure?.();
    const isSilent =
      performance.now() - Math.max(this.#knownUntil, this.#lastRestart) > this.#timing.currentMs;
    if (isSilent && this.#isConnected) {
      this.#lastRestart = performance.now();
      this.#listener?.restart();
    }
    void this.#sendHeartbeat();
  }

  // Where it cannot be said it will not be heard, and the next turn draws the conclusion.
  async #sendHeartbeat(): Promise<void> {
    if (this.#isConnected)
      await this.#listener?.notify(this.#heartbeat, String(performance.now())).catch(() => undefined);
  }

  #everybody(): Subscriber[] {
    return [...this.#channels.values()].flatMap((each) => [...each]);
  }
}
