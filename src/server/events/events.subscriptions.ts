import { randomBytes } from "node:crypto";
import type { Db } from "../platform/db/db.ts";
import { type Listener, type ListenerEvents, openListener } from "../platform/db/listener.ts";

/** Each transaction that changes a user's balance, lists, letters or payments notifies the user's id here (db/functions, `tell`). */
const channel = "changes";
const heartbeatMs = 3_000;
/** Caches are valid for so long after a heartbeat was sent. */
const currentMs = 10_000;

/** Undefined: any user may have changed. */
export type OnChange = (userIds: readonly bigint[] | undefined) => void;

export interface Subscriptions {
  /** Whether notifications arrive now; caches are invalid otherwise. */
  isCurrent(): boolean;
  /** Calls `onChange` at each change; while notifications may be lost, repeatedly with undefined. */
  subscribe(onChange: OnChange): void;
  close(): Promise<void>;
}

/** PostgreSQL notifies in commit order: caches are valid while this process's own heartbeats return, as a connection can break silently. */
export async function openSubscriptions(
  db: Db,
  open: (listener: ListenerEvents) => Listener = (listener) => openListener(db, channel, listener),
): Promise<Subscriptions> {
  const me = `beat ${randomBytes(8).toString("hex")} `;
  const subscribers = new Set<OnChange>();
  const first = Promise.withResolvers<void>();
  let isConnected = false;
  /** When the newest returned heartbeat was sent: all earlier commits are known. */
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
    // A heartbeat that fails does not return, and `isCurrent` turns false.
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
