// How long letters are kept. Their bytes and bodies lie in partitions by the time of arrival, which are made ahead and dropped
// whole when they are too old. Whoever waits for anything here is the job: reception and readers never wait for it.
import { setTimeout as pause } from "node:timers/promises";
import { secondsAfter } from "../platform/clock.ts";
import { reasonOf, type Db, type Sql } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import {
  addPartitions,
  deleteForPostmaster,
  dropTakenOut,
  markForDrop,
  saveKeptSince,
  selectHeld,
  selectOld,
  selectTakenOut,
  setLockTimeout,
  takeOut,
  wipeValues,
  type OldPartition,
} from "./letters.retention.sql.ts";
import { deleteNotGiven } from "./letters.sql.ts";

/** For how many days bodies are kept at least; they go at most a fifth of that later, or a day. */
export const keepDaysDefault = 30;

const spansKept = 5;
const spansAhead = 1;
const notGivenSeconds = 24 * 3600;
const forgetSize = 250;
const patienceMs = 2_000;
/** SQLSTATE: a lock was not had in time, and a row that belongs into no partition. */
const [lockNotAvailable, checkViolation] = ["55P03", "23514"];

/**
 * The size of partitions for bodies that are kept so long. A look-up of a letter opens every partition there is, some
 * microseconds each: so they are few, whatever the setting.
 */
export function spanDaysFor(keepDays: number): number {
  return Math.ceil(keepDays / spansKept);
}

/** Makes the partitions for letters of now and of the time to come; answers how many were missing. */
export function makePartitions(db: Db, keepDays: number): Promise<number> {
  return addPartitions(db, null, null, { spanDays: spanDaysFor(keepDays), spansAhead });
}

/**
 * Does what stores letters of these times (undefined: of now). When they have no partition, because the job did not run for
 * long or their time is long ago, it is made, and the work is done again, once: nothing of the first try was kept.
 */
export async function withPartitions<Answer>(
  db: Db,
  keepDays: number,
  arrivals: readonly (Date | undefined)[],
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (fault) {
    const { code, table } = reasonOf(fault);
    if (code !== checkViolation || (table !== "letter_raw" && table !== "letter_body")) throw fault;
    const span = { spanDays: spanDaysFor(keepDays), spansAhead: 0 };
    await addPartitions(db, null, null, span);
    for (const at of arrivals) if (at) await addPartitions(db, at, at, span);
    return work();
  }
}

/** For a job: makes partitions ahead, and forgets what is older than `keepDays` days. What cannot be dropped now is dropped next time. */
export async function forgetOld(
  db: Db,
  keepDays: number,
  { log, signal }: { log: Log; signal?: AbortSignal | undefined },
): Promise<void> {
  await makePartitions(db, keepDays);
  await dropOld(db, keepDays, log);
  await inBatches((size) => wipeValues(db, keepDays, size), signal);
  await inBatches((size) => deleteForPostmaster(db, keepDays, size), signal);
  const held = await selectHeld(db, keepDays);
  if (held.length > 0)
    log.error(
      { partitions: held.map(({ name }) => name) },
      "old letters are kept because some of them could not be judged",
    );
}

/** For a job: forgets letters that no order got within a day; answers how many. */
export function forgetNotGiven(db: Db, at: Date, signal?: AbortSignal): Promise<number> {
  const until = secondsAfter(at, -notGivenSeconds);
  return inBatches((size) => deleteNotGiven(db, until, size), signal);
}

// Partitions are taken out "concurrently": who reads or writes beside it is waited for, and keeps nobody else waiting. That
// cannot be in a transaction, so it may end half-way at any place; the next turn goes on there.
async function dropOld(db: Db, keepDays: number, log: Log): Promise<void> {
  const connection = await db.reserve();
  try {
    await setLockTimeout(connection, patienceMs);
    for (const partition of await selectOld(connection, keepDays)) await out(connection, partition);
    for (const { name } of await selectTakenOut(connection)) await dropTakenOut(connection, name);
  } catch (fault) {
    // A long transaction reads or writes letters: the partition goes in one of the next turns.
    if (reasonOf(fault).code !== lockNotAvailable) throw fault;
    log.info({ reason: reasonOf(fault).code }, "old letters could not be dropped yet");
  } finally {
    await setLockTimeout(connection, null).finally(() => connection.release());
  }
}

async function out(connection: Sql, partition: OldPartition): Promise<void> {
  if (!partition.isLeaving) {
    await saveKeptSince(connection, partition.name);
    await markForDrop(connection, partition.name);
  }
  await takeOut(connection, partition);
  await dropTakenOut(connection, partition.name);
}

// A small batch at a time, and as long a pause after it as it took: at most half of one processor is the job's.
async function inBatches(
  forget: (size: number) => Promise<number>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let forgotten = 0;
  while (!signal?.aborted) {
    const start = performance.now();
    const count = await forget(forgetSize);
    forgotten += count;
    if (count < forgetSize) break;
    await pause(performance.now() - start);
  }
  return forgotten;
}
