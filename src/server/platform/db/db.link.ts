// One connection to the database: opens it, says statements on it, and knows when it is lost.
import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { Client, type DatabaseError, type Tls } from "pg";
import { isReplaced, type Writer } from "./db.hosts.ts";
import { type Given, type Plan, Query, type Rows, type Speaker } from "./db.query.ts";
import { Copying, givenBy, Giving, type Line, type Prepared, Statement } from "./db.statement.ts";

/** How connections are made to a database. */
export interface Dial {
  readonly host: string | undefined;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  /** As libpq names the ways; without a name nothing is encrypted. */
  readonly sslmode: string | undefined;
  /** The file of the authorities that may have signed the server's certificate; left out, those that Node.js knows. */
  readonly sslrootcert: string | undefined;
  /** Shown in the server's list of sessions. */
  readonly name: string;
  /** What is sent with the connection as the URL names it. */
  readonly options: string | undefined;
  /** Settings of the session. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** A pooler stands between: it takes no settings with the connection, and its connections keep no prepared statements. */
  readonly isPooled: boolean;
  /** Names the host, where several are to choose from. */
  readonly find: (() => Promise<Writer>) | undefined;
  /** So long a connection that is owed an answer may hear nothing. */
  readonly silenceMs: number | undefined;
}

export interface Hooks {
  /** An answer has come. */
  readonly answered?: (link: Link) => void;
  /** It is lost, or has ended. */
  readonly ended?: (link: Link) => void;
  readonly heard?: (channel: string, payload: string) => void;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
}

const connectMs = 5_000;
const keepAliveMs = 10_000;
/** After so long a silence, and again each time, is asked whether another server has taken over: where one has, nothing is waited for. */
const askMs = 2_000;

/** SQLSTATE read_only_sql_transaction: the shop writes in no other than a transaction that may. */
export const readOnly = "25006";

/** Every connection that is open or being opened, to end together those that lost the same server. */
const open = new Set<Link>();

/** A fault of a connection, by its code. */
export const faultOf = (code: string, text: string, cause?: unknown): Error =>
  Object.assign(new Error(`${text} (${code})`, { cause }), { code });

/** Opens a connection. Refuses with the fault of the server, or of the way to it. */
export async function openLink(dial: Dial, hooks: Hooks = {}): Promise<Link> {
  const late = AbortSignal.timeout(connectMs);
  const writer = await dial.find?.();
  const link = new Link(dial, writer, hooks);
  endReplaced();
  const tooLate = () => link.destroy(faultOf("CONNECT_TIMEOUT", "no connection to the database in time"));
  late.addEventListener("abort", tooLate);
  try {
    await link.connect();
    return link;
  } catch (fault) {
    // `prefer` takes what it gets, which the driver does not know.
    if (dial.sslmode === "prefer" && (fault as Error).message.includes("not support SSL"))
      return await openLink({ ...dial, sslmode: undefined }, hooks);
    throw fault;
  } finally {
    late.removeEventListener("abort", tooLate);
  }
}

export class Link implements Speaker, Line {
  /** Why nothing can be said on it any more. */
  lost: Error | undefined;
  /** Statements that are owed an answer. */
  owed = 0;
  /** Whether it belongs to somebody: a transaction, a reservation. */
  isHeld = false;
  isEnding = false;
  /** When its last user gave it back. */
  idleSince = 0;
  readonly prepared = new Map<Plan, Prepared>();
  readonly keepsPrepared: boolean;
  readonly bornAt = performance.now();
  /** Where it leads: a host and a port. */
  readonly #server: string;
  readonly #writer: Writer | undefined;
  readonly #hooks: Hooks;
  readonly #dial: Dial;
  readonly #client: Client;
  #count = 0;
  #isGreeted = false;
  #isCorked = false;
  #isCopying = false;
  #onLost: ((fault: Error) => void) | undefined;
  /** Since when an answer is awaited and nothing comes. */
  #silentSince = performance.now();
  /** A shorter deadline than its own, because another connection to the same server was silent for so long; until the next byte. */
  #hurryMs = Number.POSITIVE_INFINITY;

  constructor(dial: Dial, writer: Writer | undefined, hooks: Hooks) {
    const { host = dial.host, port = dial.port } = writer ?? {};
    this.#dial = dial;
    this.#writer = writer;
    this.#server = `${host}:${port}`;
    this.#hooks = hooks;
    this.keepsPrepared = !dial.isPooled;
    this.#client = new Client({
      host,
      port,
      user: dial.user,
      password: dial.password,
      database: dial.database,
      ssl: sslOf(dial),
      application_name: dial.name,
      options: optionsOf(dial),
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
    });
    open.add(this);
    this.#client.on("error", (fault: Error) => void this.lose(fault));
    this.#client.on("end", () => void this.lose());
    if (hooks.heard)
      this.#client.on("notification", ({ channel, payload }) => hooks.heard!(channel, payload));
    hooks.signal?.addEventListener("abort", this.#abort);
  }

  readonly #abort = () => this.destroy(faultOf("CONNECTION_DESTROYED", "the connection was given up"));

  async connect(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#onLost = reject;
    if (this.#hooks.signal?.aborted) this.#abort();
    else this.#client.connect((fault) => (fault ? void this.lose(fault) : resolve()));
    await promise;
    this.#isGreeted = true;
    this.#endWhenSilent();
    if (!this.#dial.isPooled) return;
    // A pooler remembers it of a client, but takes it with no connection.
    for (const [name, value] of Object.entries(this.#dial.settings))
      await this.say(new Query(this, [`set ${name} = '${value}'`], [], true));
  }

  /** The number that the server gave the session; a pooler tells one of its own. */
  get pid(): number {
    return this.#client.processID;
  }

  /** Whether a transaction is open on it, by the last answer. */
  get isInTransaction(): boolean {
    return this.#client.getTransactionStatus() !== "I";
  }

  nextName(): string {
    return `s${this.#count++}`;
  }

  async say(query: Query): Promise<Rows> {
    return this.send(new Statement(query)).done;
  }

  async copy(query: Query): Promise<Writable> {
    return this.send(new Copying(query)).writable;
  }

  async give(query: Query): Promise<Given> {
    return givenBy(this.send(new Giving(query)));
  }

  /** Sends a statement behind those that are on their way. */
  send<Kind extends Statement>(statement: Kind): Kind {
    if (this.lost) statement.refuseUnsent(this.lost);
    else if (this.#isCopying) statement.refuseUnsent(faultOf("COPY_IN_PROGRESS", "rows are being copied"));
    else {
      if (statement instanceof Copying) this.#isCopying = true;
      this.owed++;
      statement.link = this;
      this.repeat(statement);
    }
    return statement;
  }

  repeat(statement: Statement): void {
    this.#cork();
    this.#client.query(statement);
  }

  /** Of statements that are said in one turn of the event loop, one piece is written. */
  #cork(): void {
    if (this.#isCorked) return;
    const { stream } = this.#client.connection;
    this.#isCorked = true;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  settled(): void {
    this.owed--;
    this.#isCopying = false;
    if (!this.lost) this.#hooks.answered?.(this);
  }

  refused({ code }: DatabaseError): void {
    // It was the primary and is a standby now: left open, each of its connections would refuse every write for good.
    if (code === readOnly) setImmediate(() => endAll(this, () => true));
  }

  /** Calls `then` once when it is lost. */
  onLost(then: (fault: Error) => void): void {
    this.#onLost = then;
  }

  /** It is lost: what was asked is perhaps done, and no more is said on it. Answers the fault of all that waits for it. */
  lose(cause?: Error): Error {
    // Before it was greeted the cause is the answer: refused, no such host, a wrong password. Unless nobody said it.
    const isReason = cause && !this.#isGreeted && !cause.message.startsWith("Connection terminated");
    return this.destroy(
      isReason ? cause : faultOf("CONNECTION_CLOSED", `the connection to ${this.#server} was lost`, cause),
    );
  }

  /** Ends it at once; answers the fault of all that waits for it. */
  destroy(fault: Error): Error {
    if (this.lost) return this.lost;
    this.lost = fault;
    open.delete(this);
    clearInterval(this.#watch);
    this.#hooks.signal?.removeEventListener("abort", this.#abort);
    this.#client.connection.stream.destroy();
    this.#onLost?.(this.lost);
    this.#hooks.ended?.(this);
    return this.lost;
  }

  /** Ends it when all is answered that was said. */
  async end(): Promise<void> {
    if (this.lost) return;
    this.isEnding = true;
    await new Promise<void>((ended) => this.#client.end(ended));
  }

  #silentMs(): number {
    return this.owed > 0 ? performance.now() - this.#silentSince : 0;
  }

  /**
   * Whether it is to end when another connection to the same server was silent for so long: it was so too, or is asked nothing, so that
   * nothing is lost. One that waits for less is held to the same deadline from now on, whatever its own is.
   */
  #hasLostPath(milliseconds: number): boolean {
    this.#hurryMs = milliseconds;
    return this.owed === 0 || this.#silentMs() > milliseconds;
  }

  #watch: NodeJS.Timeout | undefined;

  /**
   * Ends it when an answer is awaited and not a byte comes for so long. A path that is broken without a word is noticed by nobody
   * else: keepalive is answered by a proxy, and the server's own time-outs are said over the same path.
   */
  #endWhenSilent(): void {
    const { silenceMs: milliseconds, find } = this.#dial;
    if (milliseconds === undefined) return;
    let read = 0;
    let checkedAt = performance.now();
    const check = (): void => {
      const now = performance.now();
      const { bytesRead } = this.#client.connection.stream;
      // This process itself may have stood still: then the answers lie in the socket, unread.
      const hasSlept = now - checkedAt > milliseconds / 2;
      if (hasSlept || bytesRead !== read || this.owed === 0) this.#silentSince = now;
      if (bytesRead !== read) this.#hurryMs = Number.POSITIVE_INFINITY;
      read = bytesRead;
      checkedAt = now;
      const deadline = Math.min(milliseconds, this.#hurryMs);
      if (find && this.#silentMs() > askMs) lookFor(find, now);
      if (this.#silentMs() > deadline) endAll(this, (other) => other.#hasLostPath(deadline));
    };
    this.#watch = setInterval(check, Math.min(1000, milliseconds / 5)).unref();
  }

  static endOthers(mine: Link, isLost: (link: Link) => boolean): void {
    for (const other of open) if (other.#server === mine.#server && isLost(other)) other.lose();
  }

  static endOld(): void {
    const replaced = [...open].filter((link) => link.#writer && isReplaced(link.#writer));
    // In the next turn: long before the new connection is greeted.
    if (replaced.length > 0) setImmediate(() => replaced.forEach((link) => link.lose()));
  }
}

/** Ends the connections to the server of `link` for which `isLost`. */
const endAll = Link.endOthers;

/**
 * Ends the connections to servers that a newer primary has replaced, those that are being opened too. Whoever reads on one connection
 * and writes on another would else read what is no longer so: letters found no order, and were nobody's. Called before the first
 * connection to a newer one is made.
 */
const endReplaced = Link.endOld;

const lookedAt = new WeakMap<NonNullable<Dial["find"]>, number>();

/** Looks for a newer primary, once for all connections of a pool. */
function lookFor(find: NonNullable<Dial["find"]>, now: number): void {
  if (now - (lookedAt.get(find) ?? Number.NEGATIVE_INFINITY) < askMs) return;
  lookedAt.set(find, now);
  find().then(endReplaced, () => undefined);
}

/** As libpq reads the settings: `require` with a file of authorities is verify-ca, and only verify-full looks at the name. */
function sslOf({ sslmode: mode, sslrootcert: file }: Dial): Tls {
  if (mode === undefined || ["disable", "false"].includes(mode)) return false;
  const isUnchecked = mode === "require" && file === undefined;
  if (isUnchecked || ["prefer", "allow", "no-verify"].includes(mode)) return { rejectUnauthorized: false };
  return {
    ...(file !== undefined && file !== "system" && { ca: readFileSync(file, "utf8") }),
    ...(mode !== "verify-full" && mode !== "true" && { checkServerIdentity: () => undefined }),
  };
}

function optionsOf({ options, settings, isPooled }: Dial): string | undefined {
  const set = Object.entries(isPooled ? {} : settings).map(
    ([name, value]) => `-c ${name}=${String(value).replaceAll(/[\\ ]/g, "\\$&")}`,
  );
  return [...(options === undefined ? [] : [options]), ...set].join(" ") || undefined;
}
