import { z } from "zod/mini";
import { all, one, type Sql, type Tx } from "../platform/db/db.ts";
import type { Part } from "./office.page.sql.ts";

/** Owners get it unless they chose otherwise, others of the office if they chose it; editors have no figures. */
const wants = (sql: Sql): Part =>
  sql`coalesce(s.wanted, coalesce(u.office_role, 'owner') = 'owner') and coalesce(u.office_role, 'owner') <> 'editor'`;

const Reader = z.object({ userId: z.bigint(), to: z.string(), language: z.string() });

/** Who is still to get the summary of a day. */
export const selectReaders = (sql: Sql, day: string) =>
  all(
    Reader,
    sql`select u.id as "userId", u.email as "to", u.language
        from users u left join daily_summary s on s.user_id = u.id
        where u.is_admin and u.activated_at is not null and u.blocked_at is null and ${wants(sql)}
          and (s.told_for is null or s.told_for < ${day}::text::date)
        order by u.id`,
  );

/** One row, unless it was noted before, by this or another process. */
export const noteMailed = (tx: Tx, userId: bigint, day: string) =>
  all(
    z.object({}),
    tx`insert into daily_summary as s (user_id, told_for) values (${userId}, ${day}::text::date)
       on conflict (user_id) do update set told_for = excluded.told_for where s.told_for is null or s.told_for < excluded.told_for
       returning user_id`,
  );

export const selectWanted = (sql: Sql, userId: bigint) =>
  one(
    z.object({ wanted: z.boolean() }),
    sql`select ${wants(sql)} as wanted from users u left join daily_summary s on s.user_id = u.id where u.id = ${userId}`,
  );

export const putWanted = (sql: Sql, userId: bigint, isWanted: boolean) =>
  sql`insert into daily_summary (user_id, wanted) values (${userId}, ${isWanted})
      on conflict (user_id) do update set wanted = excluded.wanted`;
