import type { Sql } from "../platform/db/db.ts";
import { codeKinds, noticeKinds } from "./mailer.texts.ts";

// What the release before wrote. Until the next release; then `notice` goes, and the columns of `owner_notice` that are read here.

/** Drops a notice to the same address with an older code. */
export const dropOlder = (sql: Sql, kind: string, address: string) =>
  sql`update notice set due_at = null, sealed = null, failure = 'a newer one took its place'
      where due_at is not null and kind::text = ${kind} and address = ${address}`;

const payload = (sql: Sql) =>
  sql`jsonb_build_object('to', address, 'language', language, 'sealed', translate(encode(sealed, 'base64'), chr(10), ''))`;

/** Takes over what a process of the release before wrote and has not begun. */
export async function adoptNotices(sql: Sql, at: Date): Promise<void> {
  await sql`
    with left_behind as (
      delete from notice where due_at <= ${at} and kind::text = any (${[...noticeKinds]}::text[]) returning *
    )
    insert into task (queue, kind, key, payload, created_at, due_at, tries, failure)
    select case when kind::text = any (${[...codeKinds]}::text[]) then 'codes' else 'mail' end, kind::text,
           substring(address from '[^@]*$'), ${payload(sql)}, created_at, due_at, tries, failure
    from left_behind`;
  await sql`
    with left_behind as (
      select * from owner_notice where due_at <= ${at} and kind = any (${[...noticeKinds]}::text[]) for update skip locked
    ), told as (
      update owner_notice set due_at = null, sealed = null where id in (select id from left_behind)
    )
    insert into task (queue, kind, key, user_id, ref, payload, created_at, due_at, tries, failure)
    select 'mail', kind, substring(address from '[^@]*$'), user_id, 'owner_notice ' || id, ${payload(sql)}, created_at,
           due_at, tries, failure
    from left_behind`;
}

export const deleteOld = async (sql: Sql, before: Date): Promise<number> => {
  const tables = ["notice", "owner_notice"];
  const deleted = tables.map(
    (table) => sql`delete from ${sql(table)} where created_at < ${before} and due_at is null`,
  );
  return (await Promise.all(deleted)).reduce((sum, { count }) => sum + count, 0);
};
