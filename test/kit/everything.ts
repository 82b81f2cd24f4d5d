import type { Db } from "../../src/server/platform/db/db.ts";

// Limits count on purpose; chains, workers and jobs go on.
const moving = [
  "limit_bucket",
  "chain_cursor",
  "chain_health",
  "imap_worker",
  "job",
  "shop_day",
  "shop_day_mark",
];

/**
 * Makes a look at every table of a shop: its rows, counted and summed up, each table a line. Two looks are equal when
 * nothing was written between them.
 */
export async function lookAtEverything(db: Db): Promise<() => Promise<string[]>> {
  const tables = await db<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all (${moving}) order by 1`;
  const sums = tables.map(
    ({ name }) =>
      `select '${name} ' || count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0) as line from "${name}" t`,
  );
  const asked = sums.join(" union all ");
  return () =>
    db.begin("read only", async (tx) => {
      // To start workers for tables this small takes longer than to read them.
      await tx`set local max_parallel_workers_per_gather = 0`;
      const lines = await tx.unsafe<{ line: string }[]>(asked, [], { prepare: true });
      return lines.map(({ line }) => line).toSorted();
    });
}
