/** How long is waited for the database, and by it, in milliseconds. */
export interface Deadlines {
  /** For the end of one statement; 0: for ever. */
  readonly statementMs: number;
  /** For a lock that another transaction has; 0: for ever. */
  readonly lockMs: number;
  /** For the next statement of a transaction, by the server: what its process holds when it freezes is free after that. */
  readonly idleInTransactionMs: number;
  /** For a byte of an answer, by the client: longer than a statement may take, so that only a path that is broken is so silent. */
  readonly silenceMs: number;
  /** For a free connection, while others have all of the pool; left out, for ever. */
  readonly connectionMs?: number;
}

const second = 1000;
const minute = 60 * second;

/** Deadlines by kind of work. */
export const deadlines = {
  /** Somebody waits for the answer. */
  calls: {
    statementMs: 8 * second,
    lockMs: 3 * second,
    idleInTransactionMs: 5 * second,
    silenceMs: 10 * second,
    connectionMs: 8 * second,
  },
  /** What is due is found again by the next turn. */
  jobs: {
    statementMs: 5 * minute,
    lockMs: 5 * second,
    idleInTransactionMs: 10 * second,
    silenceMs: 5 * minute + 5 * second,
    connectionMs: 5 * minute,
  },
  /** Tables of the back office, audits. */
  reports: {
    statementMs: 10 * minute,
    lockMs: 5 * second,
    idleInTransactionMs: minute,
    silenceMs: 10 * minute + 5 * second,
    connectionMs: 10 * minute,
  },
  /** Migrations, files of investors, operator commands: a connection of their own, for as long as it takes. */
  sessions: {
    statementMs: 0,
    lockMs: 0,
    idleInTransactionMs: 5 * minute,
    silenceMs: 60 * minute,
    connectionMs: minute,
  },
} as const satisfies Record<string, Deadlines>;

/** The server's side of them, as settings of a connection: also after how many seconds it knows that we are gone. */
export function serverTimeouts({
  statementMs,
  lockMs,
  idleInTransactionMs,
}: Deadlines): Record<string, number> {
  return {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    tcp_user_timeout: 25 * second,
  };
}
