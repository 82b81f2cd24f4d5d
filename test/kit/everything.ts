import { vi } from "vitest";
import type { Db } from "../../src/server/platform/db/db.ts";
import { soon } from "./soon.ts";

// Limits and events of security are written on purpose; chains, workers and jobs go on.
const moving = [
  "limit_bucket",
  "security_event",
  "chain_cursor",
  "chain_health",
  "address_balance",
  "reconciliation",
  "imap_worker",
  "job",
  "shop_hour",
  "shop_hour_mark",
  "shop_outcome",
  "shop_week",
];

/** Fingerprints every table, a line each, without the times of the last uses of tokens. Equal results mean that nothing was written between. */
export async function lookAtEverything(db: Db): Promise<() => Promise<string[]>> {
  const tables = await db<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all (${moving}) order by 1`;
  const sums = tables.map(
    ({ name }) =>
      `select '${name} ' || count(*) || ' ' || coalesce(sum(hashtext((to_jsonb(t) - '{used_at,token_used_at}'::text[])::text)), 0) as line from "${name}" t`,
  );
  const asked = sums.join(" union all ");
  return () =>
    db.begin("read only", async (tx) => {
      // Parallel workers cost more than these small tables.
      await tx`set local max_parallel_workers_per_gather = 0`;
      const lines = await tx<{ line: string }[]>`${tx.unsafe(asked)}`;
      return lines.map(({ line }) => line).toSorted();
    });
}

/** The same of a shop that runs, once the mails of what went before are out: that one was sent is written after it came. Nobody gets the daily summary. */
export async function lookAtShop(db: Db): Promise<() => Promise<string[]>> {
  await db`insert into daily_summary (user_id, wanted) select id, false from users
           on conflict (user_id) do update set wanted = false`;
  await vi.waitFor(async () => {
    const [mail] = await db`select id from task where queue in ('codes', 'mail') and due_at <= now() limit 1`;
    if (mail) throw new Error("a mail is under way");
  }, soon);
  return lookAtEverything(db);
}
