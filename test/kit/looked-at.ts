import { attempt, type Db, type Tx } from "../../src/server/platform/db/db.ts";

/** How many rows of a table the work looked at, by any way. */
export async function lookedAt(db: Db, table: string, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return attempt(db, async (tx) => {
    // What the connection did a moment ago is counted still.
    const before = await count(tx, table);
    await work(tx);
    return (await count(tx, table)) - before;
  });
}

async function count(tx: Tx, table: string): Promise<number> {
  const [row] = await tx<{ rows: number }[]>`
    select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = ${table}`;
  return row?.rows ?? 0;
}
