// Notifies caches, waits and streams of committed changes, across processes.
import { eventHours } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Db, Sql } from "../platform/db/db.ts";
import { type OnChange, openSubscriptions } from "./events.subscriptions.ts";
import type { Guard } from "../platform/db/replica.ts";
import { openRevisions } from "./events.revisions.ts";
import { deleteEvents, selectRevisions } from "./events.sql.ts";
import { Streams, type StreamsParts } from "./events.streams.ts";
import { openWaits, type Waits } from "./events.waits.ts";

export type { Described } from "./events.audience.ts";
export { type DatedEventRow, endWatch, type EventRow, selectEvents, watch } from "./events.sql.ts";
export { isStep, statusOfStep, stepOf } from "./events.steps.ts";
export type { OnChange } from "./events.subscriptions.ts";
export type { Streams } from "./events.streams.ts";
export type { Waits } from "./events.waits.ts";

const forgetSize = 5_000;

/** Whatever the user may have seen of balance, lists, letters and payments. */
export const seenBy = (userId: bigint): Guard<bigint> => {
  const revisionIn = async (sql: Sql) => (await selectRevisions(sql, [userId]))[0] ?? 0n;
  return { ask: revisionIn, isReached: async (replica, known) => (await revisionIn(replica)) >= known };
};

export interface Events {
  /** Grows at each change of the user's balance, lists, letters or payments. Queries only after a change, or when uncertain. */
  revision(userId: bigint): Promise<bigint>;
  /** Call it after a commit, so that a caller's next call sees their own change. */
  changed(userId: bigint): void;
  /** Calls `onChange` with the changed users; undefined when any may have changed. */
  subscribe(onChange: OnChange): void;
  readonly waits: Waits;
  openStreams(parts: Omit<StreamsParts, "db" | "subscriptions">): Streams;
  forget(at: Date): Promise<number>;
  close(): Promise<void>;
}

export async function openEvents(db: Db): Promise<Events> {
  const subscriptions = await openSubscriptions(db);
  const revisions = openRevisions(subscriptions, (userIds) => selectRevisions(db, userIds));
  const waits = openWaits(subscriptions);
  return {
    revision: revisions.of,
    changed: revisions.forget,
    subscribe: subscriptions.subscribe,
    waits,
    openStreams: (parts) => new Streams({ db, subscriptions, ...parts }),
    forget: (at) => forget(db, at),
    close: subscriptions.close,
  };
}

async function forget(db: Db, at: Date): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await deleteEvents(db, secondsAfter(at, -eventHours * 3600), forgetSize);
    total += deleted;
    // One of them stays as the mark.
    if (deleted < forgetSize - 1) return total;
  }
}
