// Heavy reads on a replica of the database (DATABASE_READ_URL), never older than what the caller may have seen.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod/mini";
import type { Log } from "../log.ts";
import { connect, type Db, one, type Sql, type Tx } from "./db.ts";

/** How new the replica must be: what is asked of the primary, and whether the replica has reached it. */
export interface Guard<Known = unknown> {
  readonly ask: (primary: Sql) => Promise<Known>;
  /** May wait for it until `signal` is aborted. */
  readonly isReached: (replica: Sql, known: Known, signal: AbortSignal) => Promise<boolean>;
}

interface Timing {
  /** For a connection and for what the guard asks, before the primary is asked instead. */
  readonly reachMs: number;
  /** For the answer. */
  readonly answerMs: number;
  /** For so long a replica that was silent is left alone. */
  readonly restMs: number;
}

const usual: Timing = { reachMs: 500, answerMs: 20_000, restMs: 5_000 };

export interface Replica {
  /** `work` on the replica; undefined when it is behind, silent, or gives up in the middle. */
  read<Answer extends object, Known>(
    primary: Db,
    guard: Guard<Known>,
    work: (tx: Tx) => Promise<Answer>,
  ): Promise<Answer | undefined>;
  /** Throws when it is no replica of `primary`; logs when it cannot be asked now. */
  check(primary: Db): Promise<void>;
  end(): Promise<void>;
}

const replicas = new WeakMap<Db, Replica>();

/** From now on `readFrom` reads on it. */
export const useReplica = (db: Db, replica: Replica): void => void replicas.set(db, replica);

/** Reads on the replica, in a transaction, where there is one that is as new as `guard` wants, else `otherwise` on the primary. */
export async function readFrom<Answer extends object, Known>(
  db: Db,
  guard: Guard<Known>,
  work: (tx: Tx) => Promise<Answer>,
  otherwise: () => Promise<Answer>,
): Promise<Answer> {
  return (await replicas.get(db)?.read(db, guard, work)) ?? otherwise();
}

const Place = z.object({ place: z.string() });
const Reached = z.object({ reached: z.boolean() });
const lookMs = 10;

/** Everything that was committed when it was asked. Waits for the replica, as far as the time for reaching it allows. */
export const everything: Guard<string> = {
  ask: async (primary) => (await one(Place, primary`select pg_current_wal_flush_lsn()::text as place`)).place,
  isReached: async (replica, place, signal) => {
    for (;;) {
      const { reached } = await one(
        Reached,
        replica`select coalesce(pg_last_wal_replay_lsn() >= ${place}::pg_lsn, false) as reached`,
      );
      if (reached || signal.aborted) return reached;
      await sleep(lookMs);
    }
  },
};

const Identity = z.object({ cluster: z.string(), database: z.string() });
const identityOf = (sql: Sql) =>
  one(
    Identity,
    sql`select (select system_identifier::text from pg_control_system()) as cluster, current_database() as database`,
  );

export const wrongReplica =
  "DATABASE_READ_URL names another database than DATABASE_URL, and no replica of it.";

/** Opens a replica; nothing is sent before the first read. */
export const openReplica = (url: string, log: Pick<Log, "warn">, timing: Partial<Timing> = {}): Replica =>
  new OneReplica(url, log, { ...usual, ...timing });

class OneReplica implements Replica {
  readonly #db: Db;
  readonly #log: Pick<Log, "warn">;
  readonly #timing: Timing;
  #restsUntil = 0;
  #isChecked = false;

  constructor(url: string, log: Pick<Log, "warn">, timing: Timing) {
    this.#log = log;
    this.#timing = timing;
    this.#db = connect(url, {
      max: 6,
      name: "postern-read",
      // A pooler may stand before it, so it gets no settings with the connection.
      isPooled: true,
      deadlines: { statementMs: 0, lockMs: 0, idleInTransactionMs: 0, silenceMs: timing.answerMs },
      idleSeconds: 60,
    });
  }

  async read<Answer extends object, Known>(
    primary: Db,
    guard: Guard<Known>,
    work: (tx: Tx) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    if (performance.now() < this.#restsUntil) return undefined;
    const known = await guard.ask(primary);
    const late = new AbortController();
    try {
      if (!this.#isChecked) await within(this.#timing.reachMs, this.#compare(primary));
      return await this.#readOnce(guard, { known, work, signal: late.signal });
    } catch (fault) {
      late.abort();
      this.#rest(fault);
      return undefined;
    }
  }

  async #readOnce<Answer extends object, Known>(
    guard: Guard<Known>,
    { known, work, signal }: { known: Known; work: (tx: Tx) => Promise<Answer>; signal: AbortSignal },
  ): Promise<Answer | undefined> {
    const { reachMs, answerMs } = this.#timing;
    const reaching = Promise.withResolvers<boolean>();
    // One transaction, so one connection: behind a name there may be several replicas.
    const reading = this.#db.begin("read only", async (tx) => {
      await tx.unsafe(`set local statement_timeout = ${answerMs}`);
      const isReached = !signal.aborted && (await guard.isReached(tx, known, signal));
      reaching.resolve(isReached);
      return isReached && !signal.aborted ? { answer: await work(tx as Tx) } : undefined;
    }) as Promise<{ answer: Answer } | undefined>;
    reading.catch(reaching.reject);
    if (!(await within(reachMs, reaching.promise))) return undefined;
    return (await within(answerMs, reading))?.answer;
  }

  async check(primary: Db): Promise<void> {
    try {
      await within(10 * this.#timing.reachMs, this.#compare(primary));
    } catch (fault) {
      if (fault instanceof Error && fault.message === wrongReplica) throw fault;
      this.#rest(fault);
    }
  }

  async #compare(primary: Db): Promise<void> {
    const [ours, theirs] = await Promise.all([identityOf(primary), identityOf(this.#db)]);
    if (ours.cluster !== theirs.cluster || ours.database !== theirs.database) throw new Error(wrongReplica);
    this.#isChecked = true;
  }

  #rest(fault: unknown): void {
    if (performance.now() >= this.#restsUntil)
      this.#log.warn({ err: fault }, "the replica cannot be read from now: the primary is asked");
    this.#restsUntil = performance.now() + this.#timing.restMs;
  }

  end(): Promise<void> {
    return this.#db.end({ timeout: 1 });
  }
}

/** The answer, or a fault when it takes longer. */
async function within<Answer>(milliseconds: number, answer: Promise<Answer>): Promise<Answer> {
  const over = new AbortController();
  const tooLate = sleep(milliseconds, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer within ${milliseconds} ms`);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    over.abort();
    tooLate.catch(() => undefined);
  }
}
