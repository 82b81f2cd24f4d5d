import type { Sql } from "../platform/db/db.ts";

/**
 * An audit that began earlier but ended later does not replace a later one. What was found stays until an audit of everything has
 * found less.
 */
export const putOutcome = (sql: Sql, { broken, at, isAll }: { broken: number; at: Date; isAll: boolean }) =>
  sql`insert into audit_outcome as last (broken, audited_at) values (${broken}, ${at})
      on conflict (only_row) do update set broken = case when ${isAll} then excluded.broken else greatest(last.broken, excluded.broken) end, audited_at = excluded.audited_at
      where excluded.audited_at >= last.audited_at`;
