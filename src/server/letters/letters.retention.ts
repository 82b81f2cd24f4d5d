// Bytes and bodies are in partitions by arrival time, created ahead and dropped whole. Only the job waits here, never reception or readers.
import { setTimeout as pause } from "node:timers/promises";
import { secondsAfter } from "../platform/clock.ts";
import { reasonOf, type Db, type Sql } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import {
  addPartitions,
  deleteCodes,
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
import { deleteOldChoices } from "./matching/matching.choices.sql.ts";
import { deleteNotGiven } from "./letters.sql.ts";

/** Days that bodies are kept at least; they go at most a fifth of that later, or a day. */
export const keepDaysDefault = 30;

const spansKept = 5;
const spansAhead = 1;
const notGivenSeconds = 24 * 3600;
/** The mails of a site change: what was chosen half a year ago says nothing of them. */
const choiceDays = 180;
const forgetSize = 250;
const patienceMs = 2_000;
/** SQLSTATE: lock not available in time; no partition for a row. */
const [lockNotAvailable, checkViolation] = ["55P03", "23514"];

/** The days of one partition of bodies. Few partitions whatever the setting: a look-up of a letter opens each, some microseconds every time. */
export function spanDaysFor(keepDays: number): number {
  return Math.ceil(keepDays / spansKept);
}

export function makePartitions(db: Db, keepDays: number): Promise<number> {
  return addPartitions(db, null, null, { spanDays: spanDaysFor(keepDays), spansAhead });
}

/** Runs work that stores letters of these times (undefined: now); creates a missing partition and runs it once more. */
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

/** For a job: creates partitions ahead and drops those older than `keepDays` days. What is locked now is dropped next time. */
export async function forgetOld(
  db: Db,
  keepDays: number,
  { log, signal }: { log: Log; signal?: AbortSignal | undefined },
): Promise<void> {
  await makePartitions(db, keepDays);
  await dropOld(db, keepDays, log);
  await inBatches((size) => wipeValues(db, keepDays, size), signal);
  await inBatches((size) => deleteCodes(db, keepDays, size), signal);
  await inBatches((size) => deleteForPostmaster(db, keepDays, size), signal);
  await inBatches((size) => deleteOldChoices(db, choiceDays, size), signal);
  const held = await selectHeld(db, keepDays);
  if (held.length > 0)
    log.error(
      { partitions: held.map(({ name }) => name) },
      "old letters are kept because some of them could not be matched",
    );
}

export function forgetNotGiven(db: Db, at: Date, signal?: AbortSignal): Promise<number> {
  const until = secondsAfter(at, -notGivenSeconds);
  return inBatches((size) => deleteNotGiven(db, until, size), signal);
}

// Detaches "concurrently", to block no reader or writer: without a transaction it may stop half-way, and the next run goes on there.
async function dropOld(db: Db, keepDays: number, log: Log): Promise<void> {
  const connection = await db.reserve();
  try {
    await setLockTimeout(connection, patienceMs);
    for (const partition of await selectOld(connection, keepDays)) await out(connection, partition);
    for (const { name } of await selectTakenOut(connection)) await dropTakenOut(connection, name);
  } catch (fault) {
    // A long transaction uses letters: a later run drops the partition.
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

// Small batches, and as long a pause after each: the job uses half of one processor at most.
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
