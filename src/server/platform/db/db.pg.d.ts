// What the shop uses of `pg`. The types that are published for it leave out the messages that a query is handed, and the pipeline.
declare module "pg" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";

  /** What Node.js is told of TLS. */
  export type Tls =
    | false
    | {
        readonly rejectUnauthorized?: boolean;
        readonly ca?: string;
        readonly checkServerIdentity?: () => undefined;
      };

  export interface Config {
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    readonly user?: string | undefined;
    readonly password?: string | undefined;
    readonly database?: string | undefined;
    readonly ssl: Tls;
    readonly application_name: string;
    readonly options?: string | undefined;
    readonly pipeline: boolean;
    readonly keepAlive: boolean;
    readonly keepAliveInitialDelayMillis: number;
  }

  /** One connection. Emits `error`, `end`, `notification`. */
  export class Client extends EventEmitter {
    constructor(config: Config);
    readonly connection: Connection;
    readonly processID: number;
    connect(done: (fault?: Error | null) => void): void;
    query(query: Query): void;
    /** What the server said last: I when it is in no transaction. */
    getTransactionStatus(): "I" | "T" | "E" | null;
    end(done: () => void): void;
  }

  /** What a query writes its messages on. */
  export interface Connection {
    /** Over TLS it is another one once the server has agreed to that. */
    readonly stream: Socket;
    query(text: string): void;
    parse(statement: { name: string; text: string; types: readonly number[] }): void;
    bind(portal: { statement: string; values: readonly (string | Buffer | null)[] }): void;
    describe(what: { type: "P" | "S" }): void;
    execute(): void;
    sync(): void;
    sendCopyFromChunk(chunk: Buffer): void;
    endCopyFrom(): void;
    sendCopyFail(why: string): void;
  }

  export interface Field {
    readonly name: string;
    readonly dataTypeID: number;
  }

  /** What a client sends, and hands each message of the answer to. */
  export class Query {
    constructor(text: string);
    submit(connection: Connection): Error | null;
    handleRowDescription(message: { fields: readonly Field[] }): void;
    handleDataRow(message: { fields: (string | null)[] }): void;
    handleCommandComplete(message: { text: string }): void;
    handleCopyInResponse(connection: Connection): void;
    handleCopyData(message: { chunk: Buffer }): void;
    handleError(fault: Error): void;
    handleReadyForQuery(): void;
  }

  /** What the database says of a statement that failed. */
  export class DatabaseError extends Error {
    readonly severity: string | undefined;
    readonly code: string | undefined;
    readonly table: string | undefined;
    readonly routine: string | undefined;
  }
}
