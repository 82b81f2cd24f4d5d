import { z } from "zod/mini";
import { all, one, type Sql } from "../platform/db/db.ts";

const what = ["dns", "letter"] as const;

const Check = z.object({
  what: z.enum(what),
  domain: z.string(),
  /** A digest of the checked settings. */
  asked: z.string(),
  isRight: z.boolean(),
  at: z.date(),
});
export type Check = z.infer<typeof Check>;

export const selectChecks = (sql: Sql, domains: readonly string[]) =>
  all(
    Check,
    sql`select what, domain, asked, is_right as "isRight", checked_at as at from setup_check
        where domain = any (${[...domains]}::text[]) order by checked_at desc`,
  );

export const isSuperuser = async (sql: Sql): Promise<boolean> =>
  (
    await one(
      z.object({ isSuper: z.boolean() }),
      sql`select rolsuper as "isSuper" from pg_roles where rolname = current_user`,
    )
  ).isSuper;

export const putCheck = (sql: Sql, { what, domain, asked, isRight, at }: Check) =>
  sql`insert into setup_check (what, domain, asked, is_right, checked_at)
      values (${what}, ${domain}, ${asked}, ${isRight}, ${at})
      on conflict (what, domain) do update
      set asked = excluded.asked, is_right = excluded.is_right, checked_at = excluded.checked_at`;
