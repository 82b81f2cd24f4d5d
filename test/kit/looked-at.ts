import { attempt, type Db, type Tx } from "../../src/server/platform/db/db.ts";

export async function lookedAt(db: Db, table: string, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return attempt(db, async (tx) => {
    // Earlier reads of the connection still count.
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
