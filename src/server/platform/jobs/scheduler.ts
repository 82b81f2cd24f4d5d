import type { Db, Sql } from "../db/db.ts";
import { logOnce } from "./log-once.ts";

export type Job = {
  /** Starts no new run, aborts the running one by its signal, and waits for its end. */
  stop(): Promise<void>;
  /** Starts a run now, after the running one if there is one. Resolves at its end; a fault of the work is thrown. */
  now(): Promise<void>;
};

type Schedule = {
  name: string;
  seconds: number;
  db: Db;
  work: (signal: AbortSignal) => Promise<void>;
  log: { error(details: object, message: string): void };
};

/**
 * Runs `work` each `seconds` after its last end, until stopped. In all processes on one database only one run of a name
 * runs at a time: a run that finds another at work is left out, so the work must find what is due by itself.
 * A fault is logged, the same one again and again only now and then, and the next run comes as usual. Holds one connection of
 * the pool while it works. How each run went is written down in the table job, for operators.
 */
export function schedule({ name, seconds, db, work, log }: Schedule): Job {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // Known before its first run, which may be an hour away. A database that is away now is heard of by the runs.
  let last: Promise<void> = introduce(db, name, seconds).catch(() => undefined);

  const run = async (): Promise<void> => {
    if (stopping.signal.aborted) return;
    await alone(db, name, (connection) => noted(connection, { name, seconds }, () => work(stopping.signal)));
  };

  const after = (next: () => Promise<void>): Promise<void> => {
    const done = last.then(next);
    // The fault belongs to who asked for the run; the chain itself goes on.
    last = done.catch(() => undefined);
    return done;
  };

  const faults = logOnce((fault) => log.error({ err: fault, job: name }, "a job failed"));

  const plan = (): void => {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      after(run).then(faults.passed, faults.failed).finally(plan);
    }, seconds * 1000);
  };

  plan();
  return {
    now: () => after(run),
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await last;
    },
  };
}

// A session lock and not a transaction: a long run must not hold back the cleaning of old rows.
// When the process dies its connection dies with it, and the lock is free again.
async function alone(db: Db, name: string, work: (connection: Sql) => Promise<void>): Promise<void> {
  const connection = await db.reserve();
  try {
    const [row] = await connection<{ mine: boolean }[]>`
      select pg_try_advisory_lock(hashtextextended(${`job ${name}`}, 0)) as mine`;
    if (!row?.mine) return;
    try {
      await work(connection);
    } finally {
      await connection`select pg_advisory_unlock(hashtextextended(${`job ${name}`}, 0))`;
    }
  } finally {
    connection.release();
  }
}

const introduce = async (sql: Sql, name: string, seconds: number): Promise<void> =>
  void (await sql`
    insert into job (name, seconds) values (${name}, ${seconds})
    on conflict (name) do update set seconds = excluded.seconds where job.seconds <> excluded.seconds`);

/** Writes down when a run began, when it ended and what was wrong. */
async function noted(
  sql: Sql,
  { name, seconds }: Pick<Schedule, "name" | "seconds">,
  work: () => Promise<void>,
): Promise<void> {
  await sql`
    insert into job (name, seconds, began_at) values (${name}, ${seconds}, clock_timestamp())
    on conflict (name) do update set seconds = excluded.seconds, began_at = excluded.began_at`;
  try {
    await work();
    await sql`update job set ended_at = clock_timestamp(), failures = 0 where name = ${name}`;
  } catch (fault) {
    // What broke the run may have broken the connection too, and is what must be heard of.
    await sql`
      update job set ended_at = clock_timestamp(), failures = failures + 1, error = ${said(fault)}, error_at = clock_timestamp()
      where name = ${name}`.catch(() => undefined);
    throw fault;
  }
}

const errorLengthMax = 300;

/** What a fault said, without the paths of addresses: keys of services stand in them. */
function said(fault: unknown): string {
  const text = fault instanceof Error ? fault.message : String(fault);
  return text
    .replaceAll("\0", "")
    .replace(/(\w+:\/\/)(?:[^\s/@]*@)?([^\s/?#]*)[^\s]*/gu, "$1$2")
    .slice(0, errorLengthMax);
}
