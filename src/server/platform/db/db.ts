import postgres from "postgres";
import type { z } from "zod/mini";
import { type Deadlines, serverTimeouts } from "./deadlines.ts";
import { hostsOf, openFinder } from "./db.hosts.ts";
import { dialer, noteDial } from "./db.socket.ts";
import { endChannels, channelsOf } from "./channels.ts";

type Types = { bigint: bigint };

/** A pool of connections. int8 is a JS bigint, timestamptz a Date; sums must be cast back to bigint in the query. */
export type Db = postgres.Sql<Types>;

declare const inTransaction: unique symbol;

/** One open transaction. A function that writes half of something takes a Tx, so that a Db cannot be handed to it. */
export type Tx = postgres.TransactionSql<Types> & { readonly [inTransaction]: true };

/** Where a statement can be said: a pool or a transaction. */
export type Sql = postgres.ISql<Types>;

type Query = PromiseLike<readonly unknown[]>;
type Shape<Row> = z.ZodMiniType<Row>;

const connectSeconds = 5;

export interface Opening {
  /** Connections at most; 10 when left out. */
  readonly max?: number | undefined;
  /** Shown in the server's list of sessions. */
  readonly name?: string | undefined;
  /** How long is waited for the database, and by it; left out, for ever. */
  readonly deadlines?: Deadlines | undefined;
  /** A pooler stands between: it takes no settings with the connection, and its connections keep no prepared statements. */
  readonly isPooled?: boolean | undefined;
  /** Connections that are not used for so long are closed; left out, they are kept. */
  readonly idleSeconds?: number | undefined;
}

/** Opens a pool on a PostgreSQL. Nothing is sent before the first query. Of several hosts in `url` that one is taken that writes. */
export function connect(
  url: string,
  { max = 10, name = "postern", deadlines, isPooled = false, idleSeconds }: Opening = {},
): Db {
  const hosts = hostsOf(url);
  const isOne = hosts.length < 2;
  const dial = { find: isOne ? undefined : openFinder(url, hosts), silenceMs: deadlines?.silenceMs };
  const options = {
    max,
    connection: {
      application_name: name,
      TimeZone: "UTC",
      ...(deadlines && !isPooled ? serverTimeouts(deadlines) : {}),
    },
    prepare: !isPooled,
    types: { bigint: postgres.BigInt },
    onnotice: () => undefined,
    // The library would wait half a minute for a server that died while it was being greeted.
    connect_timeout: connectSeconds,
    // The library's own default waits longer after each failure, up to minutes; a database that restarts is back in one.
    backoff: (attempts: number) => Math.min(0.1 * 2 ** attempts, 3),
    socket: dialer(dial),
    // Not of the library, but of patches/: seconds that a query waits for a connection that is free.
    ...(deadlines?.connectionMs === undefined ? {} : { queue_timeout: deadlines.connectionMs / 1000 }),
    ...(idleSeconds === undefined ? {} : { idle_timeout: idleSeconds }),
    // With several the library swallows the faults of a connection that cannot be made, and tries without a pause.
    ...(isOne ? {} : { host: hosts[0]?.host, port: hosts[0]?.port }),
  };
  // The driver documents `socket`; its types do not know it.
  const db = postgres(url, options as postgres.Options<{ bigint: typeof postgres.BigInt }>);
  noteDial(db.options, dial);
  const { end } = db;
  return Object.assign(db, {
    end: async (options?: { timeout?: number }) => void (await Promise.all([endChannels(db), end(options)])),
  });
}

class Undone extends Error {
  readonly refusal: string;
  constructor(refusal: string) {
    super(`undone: ${refusal}`);
    this.refusal = refusal;
  }
}

/**
 * Runs `work` in one transaction and answers what it answers.
 * A string is a refusal: everything is rolled back and the string is returned. A fault rolls back and is thrown on.
 */
export async function attempt<Answer>(db: Db, work: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await db.begin(async (tx) => {
      const given = await work(tx as Tx);
      if (typeof given === "string") throw new Undone(given);
      return { given };
    });
    return (answer as { given: Answer }).given;
  } catch (fault) {
    if (fault instanceof Undone) return fault.refusal as Answer;
    throw fault;
  }
}

/** The one row of a query, parsed by `shape`. Throws on none and on two. */
export async function one<Row>(shape: Shape<Row>, query: Query): Promise<Row> {
  const row = await maybe(shape, query);
  if (row === undefined) throw new Error("one row was expected, none came");
  return row;
}

/** The row of a query, or undefined when there is none. Throws on two. */
export async function maybe<Row>(shape: Shape<Row>, query: Query): Promise<Row | undefined> {
  const rows = await query;
  if (rows.length > 1) throw new Error(`one row was expected, ${rows.length} came`);
  return rows.length === 0 ? undefined : shape.parse(rows[0]);
}

/** Every row of a query, each parsed by `shape`. */
export async function all<Row>(shape: Shape<Row>, query: Query): Promise<Row[]> {
  const rows = await query;
  return rows.map((row) => shape.parse(row));
}

/**
 * Calls `received` with each payload sent to `channel`, from any process, until the returned function is called.
 * After its connection broke or went silent it listens again by itself and calls `received` with "": what was said between is unknown.
 */
export function listen(
  db: Db,
  channel: string,
  received: (payload: string) => void,
): Promise<() => Promise<void>> {
  let isFirst = true;
  const back = (): void => {
    if (!isFirst) received("");
    isFirst = false;
  };
  return channelsOf(db).subscribe(channel, { received, back });
}

/** Tells every listener of `channel` when the transaction commits, and nobody when it does not. Payload: at most 8,000 bytes. */
export async function notify(sql: Sql, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`;
}

/**
 * A bigint[] parameter: the library takes a plain array of bigints for one bigint. Nulls may be among them.
 * Arrays of numbers and of strings need nothing.
 */
export function bigints(sql: Sql, values: readonly (bigint | null)[]): postgres.ArrayParameter {
  return sql.array(values as bigint[], bigintType);
}

const bigintType = 20;

/** Bytes as an array: the driver takes an array of buffers for one buffer unless it is told. */
export function byteas(sql: Sql, values: readonly (Uint8Array | null)[]): postgres.ArrayParameter {
  return sql.array(values as Uint8Array[], byteaType);
}

const byteaType = 17;

/** Whether the database itself said that the statement failed: then nothing of it was kept, and it may be said again. */
export function wasUndone(fault: unknown): boolean {
  return fault instanceof postgres.PostgresError && fault.severity !== "FATAL" && fault.severity !== "PANIC";
}

/**
 * Whether a connection was lost, was not to be had, or leads to a server that writes no more: the database is perhaps changing its
 * primary, and what was asked was perhaps done.
 */
export function wasLost(fault: unknown): boolean {
  if (fault instanceof postgres.PostgresError) return !wasUndone(fault) || fault.code === readOnly;
  const { code } = fault as { code?: unknown };
  return typeof code === "string" && /^(CONNECTION_(?!ENDED|DESTROYED)|CONNECT_|E[A-Z]+$)/.test(code);
}

/** SQLSTATE read_only_sql_transaction. */
const readOnly = "25006";

/** Why a statement failed, by the code of the database (SQLSTATE), and which table it is about; empty for any other fault. */
export function reasonOf(fault: unknown): { code?: string | undefined; table?: string | undefined } {
  return fault instanceof postgres.PostgresError ? { code: fault.code, table: fault.table_name } : {};
}

/** Whether a statement failed because another transaction kept a lock for longer than it waits. */
export const isLockTimeout = (fault: unknown): boolean => reasonOf(fault).code === "55P03";
