import type { Tx } from "./kit/db.ts";

/** Processes that start together stock the demonstration one after the other. */
export const lockDemo = (tx: Tx) => tx`select pg_advisory_xact_lock(hashtextextended('demo', 0))`;
