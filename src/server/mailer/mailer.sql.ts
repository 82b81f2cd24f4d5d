import { z } from "zod/mini";
import { all, type Sql } from "../platform/db/db.ts";
import { languageCodes } from "../../i18n/languages.ts";
import { noticeKinds } from "./mailer.texts.ts";

const Due = z.object({
  id: z.bigint(),
  kind: z.enum(noticeKinds),
  address: z.string(),
  language: z.enum(languageCodes),
  sealed: z.instanceof(Uint8Array),
  tries: z.int(),
  createdAt: z.date(),
});
export type Due = z.infer<typeof Due>;

/** Due by the database's time: senders take it by that, whichever machine wrote it. */
export const insertNotice = (
  sql: Sql,
  notice: { kind: string; address: string; language: string; sealed: Buffer },
) =>
  sql`insert into notice (kind, address, language, sealed, created_at, due_at)
      values (${notice.kind}::notice_kind, ${notice.address}, ${notice.language}, ${notice.sealed}, now(), now())`;

/** Drops queued notices to the same address with an older code. */
export const dropOlder = (sql: Sql, kind: string, address: string) =>
  sql`update notice set due_at = null, sealed = null, failure = 'a newer one took its place'
      where due_at is not null and kind = ${kind}::notice_kind and address = ${address}`;

/** Takes due notices for the length of a lease; after a crash another process takes them. */
export const takeDue = (sql: Sql, at: Date, leaseSeconds: number, size: number) =>
  all(
    Due,
    sql`update notice set tries = tries + 1, due_at = ${at}::timestamptz + make_interval(secs => ${leaseSeconds})
        where id in (select id from notice where due_at <= ${at} order by due_at limit ${size} for update skip locked)
        returning id, kind, address, language, sealed, tries, created_at as "createdAt"`,
  );

export const renew = (sql: Sql, ids: readonly bigint[], leaseSeconds: number) =>
  sql`update notice set due_at = now() + make_interval(secs => ${leaseSeconds}) where id = any (${ids}::bigint[]) and due_at is not null`;

export const markSent = (sql: Sql, id: bigint, at: Date) =>
  sql`update notice set sent_at = ${at}, due_at = null, sealed = null, failure = null where id = ${id}`;

/** `dueAt` null gives up. `isTry` false takes the try back, as none was made. */
export interface Failed {
  readonly id: bigint;
  readonly failure: string;
  readonly dueAt: Date | null;
  readonly isTry: boolean;
}

/** Leaves a notice alone that a newer one has replaced. */
export const markFailed = (sql: Sql, { id, failure, dueAt, isTry }: Failed) =>
  sql`update notice set failure = ${failure}, due_at = ${dueAt}, tries = tries - ${isTry ? 0 : 1},
        sealed = case when ${dueAt}::timestamptz is null then null else sealed end
      where id = ${id} and due_at is not null`;

export const deleteOld = (sql: Sql, before: Date) =>
  sql`delete from notice where created_at < ${before} and due_at is null`;
