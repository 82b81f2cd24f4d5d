import type { Sql } from "../platform/db/db.ts";

/** An audit that began earlier but ended later does not replace a later one. */
export const putOutcome = (sql: Sql, { broken, at }: { broken: number; at: Date }) =>
  sql`insert into audit_outcome as last (broken, audited_at) values (${broken}, ${at})
      on conflict (only_row) do update set broken = excluded.broken, audited_at = excluded.audited_at
      where excluded.audited_at >= last.audited_at`;
