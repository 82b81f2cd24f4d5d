import { z } from "zod/mini";
import { all, type Sql, type Tx } from "../platform/db/db.ts";
import { noticeKinds } from "./mailer.texts.ts";

// What the release before wrote. Until the next release; then `notice` goes, and the columns of `owner_notice` that are read here.

/** Drops a notice to the same address with an older code. */
export const dropOlder = (sql: Sql, kind: string, address: string) =>
  sql`update notice set due_at = null, sealed = null, failure = 'a newer one took its place'
      where due_at is not null and kind::text = ${kind} and address = ${address}`;

const tables = ["notice", "owner_notice"] as const;

const Left = z.object({
  kind: z.enum(noticeKinds),
  to: z.string(),
  language: z.string(),
  sealed: z.instanceof(Uint8Array),
  userId: z.nullable(z.bigint()),
  createdAt: z.date(),
  tries: z.int(),
  failure: z.nullable(z.string()),
});

/** Takes what a process of the release before wrote and has not begun. */
export async function takeNotices(tx: Tx, at: Date): Promise<z.infer<typeof Left>[]> {
  const taken = tables.map((table) =>
    all(
      Left,
      tx`with due as (
           select * from ${tx(table)} where due_at <= ${at} and kind::text = any (${[...noticeKinds]}::text[])
           for update skip locked
         ), done as (
           update ${tx(table)} set due_at = null, sealed = null where id in (select id from due)
         )
         select kind, address as to, language, sealed, (to_jsonb(due)->>'user_id')::bigint as "userId",
                created_at as "createdAt", tries, failure
         from due`,
    ),
  );
  return (await Promise.all(taken)).flat();
}

export const deleteOld = async (sql: Sql, before: Date): Promise<number> => {
  const deleted = tables.map(
    (table) => sql`delete from ${sql(table)} where created_at < ${before} and due_at is null`,
  );
  return (await Promise.all(deleted)).reduce((sum, { count }) => sum + count, 0);
};
