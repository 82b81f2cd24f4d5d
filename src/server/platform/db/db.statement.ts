// What a connection sends, as queries of the driver that take the answer message by message.
import { Readable, Writable } from "node:stream";
import { type Connection, DatabaseError, type Field, Query as Message } from "pg";
import { type Given, Plan, planned, type Planned, type Query, Rows } from "./db.query.ts";
import { type Parse, parsers, wireOf } from "./db.values.ts";

/** A column of an answer. */
export interface Column {
  readonly name: string;
  readonly parse: Parse | undefined;
}

/** A plan that a connection has prepared, or is preparing. */
export interface Prepared {
  readonly name: string;
  /** What it answers, once the database has described it. */
  columns: readonly Column[] | undefined;
}

/** The connection that a statement is sent on. */
export interface Line {
  readonly prepared: Map<Plan, Prepared>;
  readonly keepsPrepared: boolean;
  nextName(): string;
  /** A statement has its answer. */
  settled(): void;
  /** The server has refused a statement. */
  refused(fault: DatabaseError): void;
  /** Sends a statement once more, to which an answer is owed. */
  repeat(statement: Statement): void;
  /** The connection is lost; answers the fault of all that waits for it. */
  lose(cause: Error): Error;
}

/** Whether the server ends the session with this fault. */
export const isFatal = ({ severity }: DatabaseError): boolean => severity === "FATAL" || severity === "PANIC";

/** Faults after which a statement is prepared anew: its tables have changed, or its connection is another one behind a pooler. */
const staleRoutines = new Set(["RevalidateCachedQuery", "FetchPreparedStatement"]);

/** A statement on its way. `done` is its answer. */
export class Statement extends Message {
  readonly done: Promise<Rows>;
  /** Sent before it, in one piece: when that fails, this is not done. */
  begin: Plan | undefined;
  hasBegun = false;
  /** Whether it may be said again when what was prepared is stale: not in a transaction, which has failed then. */
  mayRepeat = false;
  /** Called with its fault before anybody else. */
  refused: ((fault: Error) => void) | undefined;
  /** What the database says that it did. */
  command = "";
  link: Line | undefined;
  readonly #planned: Planned | undefined;
  readonly #plain: string;
  /** What it prepares itself. */
  #preparing: Plan[] = [];
  #columns: readonly Column[] = [];
  #rows = new Rows();
  #mistake: Error | undefined;
  #keep!: (rows: Rows) => void;
  #refuse!: (fault: Error) => void;

  /** Throws for a value that cannot be sent. */
  constructor(query: Query | Plan) {
    super("");
    if (query instanceof Plan) this.#planned = { plan: query, values: [], isKept: true };
    else if (!query.isPlain) this.#planned = planned(query);
    else if (query.values.length > 0)
      this.#planned = {
        plan: new Plan(query.strings[0]!, []),
        values: query.values.map(wireOf),
        isKept: false,
      };
    this.#plain = this.#planned ? "" : (query as Query).strings[0]!;
    this.done = new Promise((keep, refuse) => {
      this.#keep = keep;
      this.#refuse = refuse;
    });
  }

  /** Whether a BEGIN can be sent in one piece with it. */
  get canBegin(): boolean {
    return this.#planned !== undefined;
  }

  override submit(connection: Connection): null {
    if (!this.#planned) {
      connection.query(this.#plain);
      return null;
    }
    if (this.begin) {
      connection.bind({ statement: this.#prepare(connection, this.begin, true).name, values: [] });
      connection.execute();
    }
    const { plan, values, isKept } = this.#planned;
    const { name, columns } = this.#prepare(connection, plan, isKept);
    connection.bind({ statement: name, values });
    if (columns) this.#columns = columns;
    else connection.describe({ type: "P" });
    connection.execute();
    connection.sync();
    return null;
  }

  #prepare(connection: Connection, plan: Plan, isWorthIt: boolean): Prepared {
    const link = this.link!;
    const known = link.prepared.get(plan);
    if (known) return known;
    const isKept = isWorthIt && link.keepsPrepared;
    const prepared: Prepared = { name: isKept ? link.nextName() : "", columns: undefined };
    connection.parse({ name: prepared.name, text: plan.text, types: plan.types });
    if (isKept) {
      link.prepared.set(plan, prepared);
      this.#preparing.push(plan);
    }
    return prepared;
  }

  override handleRowDescription({ fields }: { fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parsers.get(dataTypeID) }));
    const prepared = this.#planned && this.link?.prepared.get(this.#planned.plan);
    if (prepared) prepared.columns = this.#columns;
    // Of several statements in one text the last one that gives rows is the answer.
    this.#rows = new Rows();
  }

  override handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#columns;
    const row: Record<string, unknown> = {};
    try {
      for (let index = 0; index < columns.length; index++) {
        const { name, parse } = columns[index]!;
        const text = fields[index]!;
        row[name] = text === null || parse === undefined ? text : parse(text);
      }
    } catch (mistake) {
      this.#mistake ??= mistake as Error;
    }
    this.#rows.push(row);
  }

  override handleCommandComplete({ text }: { text: string }): void {
    if (this.begin && !this.hasBegun) {
      this.hasBegun = true;
      return;
    }
    this.command = text;
    Rows.counted(this.#rows, Number(text.slice(text.lastIndexOf(" ") + 1)) || 0);
  }

  override handleReadyForQuery(): void {
    this.link!.settled();
    if (this.#mistake) this.#refuseWith(this.#mistake);
    else this.#keep(this.#rows);
  }

  override handleError(fault: Error): void {
    const link = this.link!;
    for (const plan of this.#preparing) {
      // It is not known how far the preparation came: the next one takes another name.
      if (link.prepared.get(plan)?.columns === undefined && !(plan === this.begin && this.hasBegun))
        link.prepared.delete(plan);
    }
    if (!(fault instanceof DatabaseError)) return this.refuse(link.lose(fault));
    if (isFatal(fault)) return this.refuse(link.lose(fault));
    if (staleRoutines.has(fault.routine ?? "") && this.#planned) {
      link.prepared.delete(this.#planned.plan);
      if (this.mayRepeat) {
        this.mayRepeat = false;
        this.#preparing = [];
        link.repeat(this);
        return;
      }
    }
    link.refused(fault);
    if (this.#planned) fault.stack = `${fault.stack}\n${framesOf(this.#planned.plan.origin)}`;
    this.refuse(fault);
  }

  /** Ends it with a fault once it was sent. */
  protected refuse(fault: Error): void {
    this.link!.settled();
    this.#refuseWith(fault);
  }

  /** Ends it with a fault before it was sent. */
  refuseUnsent(fault: Error): void {
    this.#refuseWith(fault);
  }

  #refuseWith(fault: Error): void {
    this.refused?.(fault);
    this.#refuse(fault);
  }
}

const framesOf = ({ stack = "" }: Error): string => stack.slice(stack.indexOf("\n") + 1);

/** A `copy … from stdin` on its way. It has its connection for itself until `done`. */
export class Copying extends Statement {
  readonly writable: Promise<Writable>;
  readonly #opened = Promise.withResolvers<Writable>();
  #rows: Writable | undefined;
  #isOver = false;
  #ended: ((fault?: Error) => void) | undefined;

  constructor(query: Query) {
    // Not prepared: of what is, the database would be asked for the end before the rows have been sent.
    super(query.isPlain ? query : query.asPlain(planned(query).plan.text));
    // Who copies hears of it by the rows.
    this.done.catch(() => undefined);
    this.writable = this.#opened.promise;
  }

  override handleCopyInResponse(connection: Connection): void {
    const { stream } = connection;
    this.#rows = new Writable({
      write: (chunk: Buffer, _encoding, taken) => {
        if (this.#isOver) return taken();
        connection.sendCopyFromChunk(chunk);
        if (stream.writableNeedDrain) stream.once("drain", taken);
        else taken();
      },
      final: (ended) => {
        this.#ended = ended;
        connection.endCopyFrom();
      },
      destroy: (fault, destroyed) => {
        if (!this.#isOver && !this.#ended) connection.sendCopyFail(fault?.message ?? "not finished");
        destroyed(fault);
      },
    });
    this.#opened.resolve(this.#rows);
  }

  override handleReadyForQuery(): void {
    this.#isOver = true;
    super.handleReadyForQuery();
    this.#ended?.();
  }

  override refuseUnsent(fault: Error): void {
    super.refuseUnsent(fault);
    this.#opened.reject(fault);
  }

  protected override refuse(fault: Error): void {
    this.#isOver = true;
    super.refuse(fault);
    this.#opened.reject(fault);
    if (this.#ended) this.#ended(fault);
    else this.#rows?.destroy(fault);
  }
}

/** Rows are handed on in pieces of so many bytes: a row for itself would cost more than it holds. */
const pieceBytes = 64 * 1024;

/** A `copy … to stdout` on its way. `given` is to be read to its end: given up before, it takes its connection with it. */
export class Giving extends Statement {
  readonly given: Readable;
  #piece = Buffer.allocUnsafe(pieceBytes);
  #filled = 0;
  #socket: Connection["stream"] | undefined;
  #isOver = false;

  constructor(query: Query) {
    super(query.isPlain ? query : query.asPlain(planned(query).plan.text));
    // Who reads hears of it by the rows.
    this.done.catch(() => undefined);
    this.given = new Readable({
      highWaterMark: 4 * pieceBytes,
      read: () => this.#socket?.resume(),
      destroy: (fault, destroyed) => {
        if (!this.#isOver) this.link?.lose(fault ?? new Error("its rows were not read to the end"));
        destroyed(fault);
      },
    });
    // A fault before somebody reads is told by `done`.
    this.given.on("error", () => undefined);
  }

  override submit(connection: Connection): null {
    this.#socket = connection.stream;
    return super.submit(connection);
  }

  override handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#filled + chunk.length > this.#piece.length) {
      this.#hand();
      this.#piece = Buffer.allocUnsafe(Math.max(pieceBytes, chunk.length));
    }
    // The driver uses the memory of a message again.
    this.#filled += chunk.copy(this.#piece, this.#filled);
  }

  #hand(): void {
    if (this.#filled > 0 && !this.given.push(this.#piece.subarray(0, this.#filled))) this.#socket?.pause();
    this.#filled = 0;
  }

  override handleReadyForQuery(): void {
    this.#end();
    this.given.push(null);
    super.handleReadyForQuery();
  }

  override refuseUnsent(fault: Error): void {
    this.#isOver = true;
    super.refuseUnsent(fault);
    this.given.destroy(fault);
  }

  protected override refuse(fault: Error): void {
    this.#end();
    super.refuse(fault);
    this.given.destroy(fault);
  }

  #end(): void {
    this.#hand();
    this.#isOver = true;
    this.#socket?.resume();
  }
}

/** What it gives, for who asked. */
export function givenBy({ given, done }: Giving): Given {
  const count = done.then((answer) => answer.count);
  count.catch(() => undefined);
  return { rows: given, count };
}
