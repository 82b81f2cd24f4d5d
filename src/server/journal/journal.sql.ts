import { z } from "zod/mini";
import { all, type Sql } from "../platform/db/db.ts";

const Entry = z.object({
  id: z.bigint(),
  at: z.date(),
  by: z.string(),
  did: z.string(),
  about: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  reason: z.nullable(z.string()),
});
export type Entry = z.infer<typeof Entry>;

/** `before` and `after` are JSON texts or null. */
export const insertEntry = (
  sql: Sql,
  entry: {
    by: string;
    did: string;
    about: string;
    before: string | null;
    after: string | null;
    reason: string | null;
  },
) =>
  sql`insert into audit_log (at, by, did, about, before, after, reason)
      values (clock_timestamp(), ${entry.by}, ${entry.did}, ${entry.about}, ${entry.before}::text::jsonb, ${entry.after}::text::jsonb, ${entry.reason})`;

export const selectEntries = (sql: Sql, about: string | null, size: number) =>
  all(
    Entry,
    sql`select id, at, by, did, about, before, after, reason from audit_log
        where ${about}::text is null or about = ${about} order by id desc limit ${size}`,
  );
