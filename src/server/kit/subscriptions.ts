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

/**
 * Opens subscriptions over an ear. A connection can fall silent without a word, so the process says a heartbeat over the one that
 * hears, and trusts what it remembers only while it hears its own: the database tells in the order of the commits, so what was
 * committed before a heartbeat was heard before it.
 */
export function openSubscriptions(
  open: (events: Listener) => Ear,
  { everyMs, sureMs }: Beat = usual,
): Subscriptions {
  // Of this process alone: nobody else is woken by it.
  const heartbeat = `heartbeat ${randomBytes(8).toString("hex")}`;
  const channels = new Map<string, Set<Subscriber>>();
  /** Those that are being added, too. */
  let subscribers = 0;
  let ear: Ear | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isConnected = false;
  /** When the newest heartbeat that came back was said; everything that was committed before is known. */
  let knownUntil = Number.NEGATIVE_INFINITY;
  let lastRestart = performance.now();

  const everybody = () => [...channels.values()].flatMap((each) => [...each]);
  const isSure = () => isConnected && performance.now() - knownUntil < sureMs;
  // Where it cannot be said it will not be heard, and the next turn draws the conclusion.
  const say = () =>
    void (isConnected && ear?.say(heartbeat, String(performance.now())).catch(() => undefined));
  const beat = () => {
    if (!isSure()) for (const { unsure } of everybody()) unsure?.();
    const isSilent = performance.now() - Math.max(knownUntil, lastRestart) > sureMs;
    if (isSilent && isConnected) {
      lastRestart = performance.now();
      ear?.restart();
    }
    say();
  };
  const events: Listener = {
    told: (channel, payload) => {
      if (channel === heartbeat) knownUntil = Math.max(knownUntil, Number(payload));
      else for (const { told } of channels.get(channel) ?? []) told(payload);
    },
    lost: () => {
      isConnected = false;
      for (const { lost } of everybody()) lost?.();
    },
    back: () => {
      isConnected = true;
      knownUntil = Number.NEGATIVE_INFINITY;
      for (const { back } of everybody()) back?.();
      say();
    },
  };

  const opened = (): Ear => {
    if (ear) return ear;
    ear = open(events);
    timer = setInterval(beat, everyMs);
    void ear.listen(heartbeat);
    return ear;
  };

  const add = async (channel: string, subscriber: Subscriber): Promise<() => Promise<void>> => {
    const first = Promise.withResolvers<void>();
    const back = (): void => {
      subscriber.back?.();
      first.resolve();
    };
    const mine = { ...subscriber, back };
    subscribers++;
    await opened().listen(channel);
    const told = channels.get(channel) ?? new Set();
    channels.set(channel, told.add(mine));
    if (isConnected) back();
    await first.promise;
    return () => remove(channel, mine);
  };
  const remove = async (channel: string, subscriber: Subscriber): Promise<void> => {
    const told = channels.get(channel);
    if (!told?.delete(subscriber)) return;
    subscribers--;
    if (told.size === 0 && channels.delete(channel)) ear?.unlisten(channel);
    if (subscribers > 0) return;
    const last = ear;
    ear = undefined;
    isConnected = false;
    clearInterval(timer);
    await last?.close();
  };
  return { isSure, add };
}
