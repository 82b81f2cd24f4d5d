import { DatabaseError } from "pg";
import type { z } from "zod/mini";
import { type Deadlines, serverTimeouts } from "./deadlines.ts";
import { openFinder } from "./db.finder.ts";
import { hostsOf } from "./db.hosts.ts";
import { type Dial, readOnly } from "./db.link.ts";
import { type Load, Pool } from "./db.pool.ts";
import { isFatal } from "./db.statement.ts";
import { type Fragment, type Row, type Rows, type Sql, sqlOf } from "./db.query.ts";
import { endChannels, channelsOf } from "./channels.ts";

export type { Fragment, Load, Row, Rows, Sql };

declare const inTransaction: unique symbol;

/** One open transaction. A function that writes half of something takes a Tx, so that a Db cannot be handed to it. */
export interface Tx extends Sql {
  readonly [inTransaction]: true;
}

/** A connection for one caller. */
export interface Reserved extends Sql {
  /** The number of its session, as it was told when it began. */
  readonly pid: number;
  /** Gives it back. */
  release(): void;
}

type Work<Answer> = (tx: Tx) => PromiseLike<Answer> | Answer;

/** A pool of connections. int8 is a JS bigint, timestamptz a Date; sums must be cast back to bigint in the query. */
export interface Db extends Sql {
  /** How its connections are made, for another one to the same database. */
  readonly dial: Dial;
  /** Runs `work` in one transaction, which a fault undoes; `options` are those of BEGIN. */
  begin<Answer>(work: Work<Answer>): Promise<Answer>;
  begin<Answer>(options: string, work: Work<Answer>): Promise<Answer>;
  reserve(): Promise<Reserved>;
  /** How its connections are used, by the name of the pool. */
  readonly loads: () => ReadonlyMap<string, Load>;
  /** Ends when what was said is answered, or at once after so many seconds. */
  end(options?: { readonly timeout?: number }): Promise<void>;
}

type Query = PromiseLike<readonly unknown[]>;
type Shape<Row> = z.ZodMiniType<Row>;

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
  /** So many of these stay. */
  readonly kept?: number | undefined;
}

/** Opens a pool on a PostgreSQL. Nothing is sent before the first query. Of several hosts in `url` that one is taken that writes. */
export function connect(
  url: string,
  { max = 10, name = "postern", deadlines, isPooled = false, idleSeconds, kept = 0 }: Opening = {},
): Db {
  const dial = dialOf(url, { name, deadlines, isPooled });
  const pool = new Pool(dial, {
    max,
    waitMs: deadlines?.connectionMs,
    idleMs: idleSeconds === undefined ? undefined : idleSeconds * 1000,
    kept,
  });
  const db: Db = Object.assign(sqlOf(pool), {
    dial,
    loads: () => new Map([[name, pool.load]]),
    begin: async <Answer>(options: string | Work<Answer>, work?: Work<Answer>) =>
      typeof options === "string"
        ? pool.begin(options, async (speaker) => work!(sqlOf(speaker) as Tx))
        : pool.begin("", async (speaker) => options(sqlOf(speaker) as Tx)),
    reserve: async () => {
      const link = await pool.hold();
      return Object.assign(sqlOf(link), { pid: link.pid, release: () => pool.release(link) });
    },
    end: async ({ timeout }: { readonly timeout?: number } = {}) => {
      const ended = pool.end(timeout === undefined ? undefined : timeout * 1000);
      await Promise.all([endChannels(db), ended]);
    },
  });
  return db;
}

/** What libpq takes in a URL and is no setting of a session. */
const ours = new Set(
  (
    "host options application_name connect_timeout target_session_attrs channel_binding " +
    "ssl sslmode sslrootcert sslnegotiation gssencmode load_balance_hosts"
  ).split(" "),
);

function dialOf(
  url: string,
  { name, deadlines, isPooled }: Pick<Opening, "deadlines"> & { name: string; isPooled: boolean },
): Dial {
  const hosts = hostsOf(url);
  const [first] = hosts;
  // Several hosts are no URL to the platform.
  const { username, password, pathname, searchParams } = new URL(
    url.replace(/^(\w+:\/\/(?:[^/?]*@)?)[^/?]*/, "$1one"),
  );
  const asked = [...searchParams].filter(([parameter]) => !ours.has(parameter));
  const dial: Dial = {
    host: first?.host || searchParams.get("host") || undefined,
    port: first?.port ?? 5432,
    user: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    database: decodeURIComponent(pathname.slice(1)) || undefined,
    sslmode: searchParams.get("sslmode") ?? searchParams.get("ssl") ?? undefined,
    sslrootcert: searchParams.get("sslrootcert") ?? undefined,
    name: searchParams.get("application_name") ?? name,
    options: searchParams.get("options") ?? undefined,
    settings: {
      TimeZone: "UTC",
      ...(deadlines && !isPooled ? serverTimeouts(deadlines) : {}),
      ...Object.fromEntries(asked),
    },
    isPooled,
    silenceMs: deadlines?.silenceMs,
    find: undefined,
  };
  return hosts.length < 2 ? dial : { ...dial, find: openFinder(dial, hosts) };
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
      const given = await work(tx);
      if (typeof given === "string") throw new Undone(given);
      return { given };
    });
    return answer.given;
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

/** Whether the database itself said that the statement failed: then nothing of it was kept, and it may be said again. */
export function wasUndone(fault: unknown): boolean {
  return fault instanceof DatabaseError && !isFatal(fault);
}

/**
 * Whether a connection was lost, was not to be had, or leads to a server that writes no more: the database is perhaps changing its
 * primary, and what was asked was perhaps done.
 */
export function wasLost(fault: unknown): boolean {
  if (fault instanceof DatabaseError) return !wasUndone(fault) || fault.code === readOnly;
  const { code } = fault as { code?: unknown };
  return typeof code === "string" && /^(CONNECTION_(?!ENDED|DESTROYED)|CONNECT_|E[A-Z]+$)/.test(code);
}

/** Why a statement failed, by the code of the database (SQLSTATE), and which table it is about; empty for any other fault. */
export function reasonOf(fault: unknown): { code?: string | undefined; table?: string | undefined } {
  return fault instanceof DatabaseError ? { code: fault.code, table: fault.table } : {};
}

/** Whether a statement failed because another transaction kept a lock for longer than it waits. */
export const isLockTimeout = (fault: unknown): boolean => reasonOf(fault).code === "55P03";

/** Whether a statement failed because a row of that table with the same key is there already. */
export function isDuplicate(fault: unknown, table: string): boolean {
  const reason = reasonOf(fault);
  return reason.code === "23505" && reason.table === table;
}
