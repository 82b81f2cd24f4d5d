// What changes, told the moment it is committed, in whichever process: to those who remember, who wait, and who listen.
import { eventHours } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { type OnChange, openSubscriptions } from "./events.subscriptions.ts";
import { openRevisions } from "./events.revisions.ts";
import { deleteEvents, selectRevisions } from "./events.sql.ts";
import { Streams, type StreamsParts } from "./events.streams.ts";
import { openWaits, type Waits } from "./events.waits.ts";

export type { Described } from "./events.audience.ts";
export type { EventRow } from "./events.sql.ts";
export { isStep, statusOfStep, stepOf } from "./events.steps.ts";
export type { OnChange } from "./events.subscriptions.ts";
export type { Streams } from "./events.streams.ts";
export type { Waits } from "./events.waits.ts";

const forgetSize = 5_000;

/** The news of a database, as this process hears it. */
export interface Events {
  /**
   * A number that grows at each change of the user's balance, lists, letters or payments. Costs a query only where
   * something changed since the last one, or where that is uncertain.
   */
  revision(userId: bigint): Promise<bigint>;
  /** Said after a commit in this process, so that a caller's next call sees his own change. */
  changed(userId: bigint): void;
  /** From now on `onChange` is called with whose something changed; undefined when it may be anybody's. */
  subscribe(onChange: OnChange): void;
  readonly waits: Waits;
  /** Opens the streams, once there is somebody who can describe events. */
  openStreams(parts: Omit<StreamsParts, "db" | "subscriptions">): Streams;
  /** Deletes events whose time is over; answers how many. For a job. */
  forget(at: Date): Promise<number>;
  close(): Promise<void>;
}

/** Begins to hear the news of a database. */
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
