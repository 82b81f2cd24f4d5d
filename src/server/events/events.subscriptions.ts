import { randomBytes } from "node:crypto";
import type { Db } from "../platform/db/db.ts";
import { type Listener, type ListenerEvents, openListener } from "../platform/db/listener.ts";

/** Every transaction that changes a user's balance, lists, letters or payments says his id here (db/functions, `tell`). */
const channel = "changes";
const heartbeatMs = 3_000;
/** How long after a heartbeat was said what is remembered may still be believed. */
const currentMs = 10_000;

/** Told whose something changed; undefined when it may be anybody's. */
export type OnChange = (userIds: readonly bigint[] | undefined) => void;

/** The subscriptions of this process to changes that any process commits. */
export interface Subscriptions {
  /** Whether every change is received now. Otherwise nothing that was remembered may be believed. */
  isCurrent(): boolean;
  /** From now on `onChange` is called of every change. While that is uncertain it is told again and again that anybody may have changed. */
  subscribe(onChange: OnChange): void;
  close(): Promise<void>;
}

/**
 * Subscribes to changes. A connection can break without a word, so each process says a heartbeat over the one that hears and trusts
 * what it remembers only while it hears its own: the database tells in the order of the commits, so what was committed
 * before a heartbeat was heard before it.
 */
export async function openSubscriptions(
  db: Db,
  open: (listener: ListenerEvents) => Listener = (listener) => openListener(db, channel, listener),
): Promise<Subscriptions> {
  const me = `beat ${randomBytes(8).toString("hex")} `;
  const subscribers = new Set<OnChange>();
  const first = Promise.withResolvers<void>();
  let isConnected = false;
  /** When the newest heartbeat that came back was said; everything that was committed before is known. */
  let knownUntil = Number.NEGATIVE_INFINITY;
  let lastRestart = performance.now();

  const tell: OnChange = (userIds) => {
    for (const onChange of subscribers) onChange(userIds);
  };
  const isCurrent = () => isConnected && performance.now() - knownUntil < currentMs;
  const listener = open({
    received: (payload) => {
      if (payload.startsWith("beat ")) {
        if (payload.startsWith(me)) knownUntil = Math.max(knownUntil, Number(payload.slice(me.length)));
      } else if (/^\d+(,\d+)*$/.test(payload)) tell(payload.split(",").map(BigInt));
    },
    lost: () => {
      isConnected = false;
      tell(undefined);
    },
    back: () => {
      isConnected = true;
      knownUntil = Number.NEGATIVE_INFINITY;
      tell(undefined);
      sendHeartbeat();
      first.resolve();
    },
  });
  const sendHeartbeat = () => {
    // Where it cannot be said it will not be heard, and the next turn draws the conclusion.
    if (isConnected) void listener.notify(me + performance.now()).catch(() => undefined);
  };
  const timer = setInterval(() => {
    if (!isCurrent()) tell(undefined);
    const isSilent = performance.now() - Math.max(knownUntil, lastRestart) > currentMs;
    if (isSilent && isConnected) {
      lastRestart = performance.now();
      listener.restart();
    }
    sendHeartbeat();
  }, heartbeatMs);
  await first.promise;
  return {
    isCurrent,
    subscribe: (onChange) => void subscribers.add(onChange),
    close: () => {
      clearInterval(timer);
      return listener.close();
    },
  };
}
