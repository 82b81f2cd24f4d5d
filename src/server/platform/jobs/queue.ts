import { z } from "zod/mini";
import { one, type Sql } from "../db/db.ts";

/** How much waits in a table to be sent, for the metrics. */
export const QueueSize = z.object({
  /** Not tried yet. */
  fresh: z.int(),
  /** Tried, and not taken. */
  retried: z.int(),
  /** By how much the one that is longest overdue is late. */
  lagSeconds: z.number(),
});
export type QueueSize = z.infer<typeof QueueSize>;

/** Reads it of a table that has `due_at` (null: done with) and `failure` (of the last try). */
export const selectQueueSize = (sql: Sql, table: "bot_letter" | "notice" | "owner_notice", at: Date) =>
  one(
    QueueSize,
    sql`select count(*) filter (where failure is null)::int as fresh, count(failure)::int as retried,
               greatest(0, coalesce(extract(epoch from ${at}::timestamptz - min(due_at)), 0))::float8 as "lagSeconds"
        from ${sql(table)} where due_at is not null`,
  );
