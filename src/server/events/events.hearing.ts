import { randomBytes } from "node:crypto";
import type { Db } from "../platform/db/db.ts";
import { type Ear, type Listener, openEar } from "../platform/db/ear.ts";

/** Every transaction that changes a user's balance, lists, letters or payments says his id here (db/functions, `tell`). */
const channel = "changes";
const beatMs = 3_000;
/** How long after a heartbeat was said what is remembered may still be believed. */
const sureMs = 10_000;

/** Told whose something changed; undefined when it may be anybody's. */
export type Heard = (userIds: readonly bigint[] | undefined) => void;

/** What this process hears of changes, in all processes on its database. */
export interface Hearing {
  /** Whether every change is heard now. Otherwise nothing that was remembered may be believed. */
  isSure(): boolean;
  /** From now on `heard` is told of every change. While hearing is uncertain it is told again and again that anybody may have changed. */
  listen(heard: Heard): void;
  close(): Promise<void>;
}

/**
 * Begins to hear. A connection can break without a word, so each process says a heartbeat over the one that hears and trusts
 * what it remembers only while it hears its own: the database tells in the order of the commits, so what was committed
 * before a heartbeat was heard before it.
 */
export async function openHearing(
  db: Db,
  open: (listener: Listener) => Ear = (listener) => openEar(db, channel, listener),
): Promise<Hearing> {
  const me = `beat ${randomBytes(8).toString("hex")} `;
  const told = new Set<Heard>();
  const first = Promise.withResolvers<void>();
  let isConnected = false;
  /** When the newest heartbeat that came back was said; everything that was committed before is known. */
  let knownUntil = Number.NEGATIVE_INFINITY;
  let lastRestart = performance.now();

  const tell: Heard = (userIds) => {
    for (const heard of told) heard(userIds);
  };
  const isSure = () => isConnected && performance.now() - knownUntil < sureMs;
  const ear = open({
    told: (payload) => {
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
      beat();
      first.resolve();
    },
  });
  const beat = () => {
    // Where it cannot be said it will not be heard, and the next turn draws the conclusion.
    if (isConnected) void ear.say(me + performance.now()).catch(() => undefined);
  };
  const timer = setInterval(() => {
    if (!isSure()) tell(undefined);
    const isSilent = performance.now() - Math.max(knownUntil, lastRestart) > sureMs;
    if (isSilent && isConnected) {
      lastRestart = performance.now();
      ear.restart();
    }
    beat();
  }, beatMs);
  await first.promise;
  return {
    isSure,
    listen: (heard) => void told.add(heard),
    close: () => {
      clearInterval(timer);
      return ear.close();
    },
  };
}
