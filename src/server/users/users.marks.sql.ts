import type { Sql } from "../kit/db.ts";

/** One that is there already lives as long as the newer one. */
export const putMark = (
  sql: Sql,
  mark: { userId: bigint; kind: string; hash: Buffer; expiresAt: Date | null },
) =>
  sql`insert into user_mark as old (user_id, kind, hash, expires_at)
      values (${mark.userId}, ${mark.kind}, ${mark.hash}, ${mark.expiresAt})
      on conflict (user_id, kind, hash) do update set expires_at = excluded.expires_at
        where old.expires_at < excluded.expires_at`;

export const deleteMarks = (sql: Sql, before: Date) =>
  sql`delete from user_mark where expires_at <= ${before}`;
