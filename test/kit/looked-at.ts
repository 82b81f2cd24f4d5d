import { attempt, type Db, type Tx } from "../../src/server/platform/db/db.ts";

/** How many rows of a table, or entries of an index, `work` reads. */
export async function lookedAt(
  db: Db,
  relation: string,
  work: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  return attempt(db, async (tx) => {
    // Earlier reads of the connection still count.
    const before = await count(tx, relation);
    await work(tx);
    return (await count(tx, relation)) - before;
  });
}

async function count(tx: Tx, relation: string): Promise<number> {
  const [row] = await tx<{ rows: number }[]>`
    select coalesce((select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relname = ${relation}),
                    pg_stat_get_xact_tuples_returned(${relation}::regclass))::int as rows`;
  return row?.rows ?? 0;
}
