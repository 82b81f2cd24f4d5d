import { z } from "zod/mini";
import { all, type Sql } from "../platform/db/db.ts";
import { languageCodes } from "../../i18n/languages.ts";
import { noticeKinds } from "./mailer.texts.ts";

/** Codes first. Mail to owners is apart: programs of the release before cannot write it. */
export const queues = ["notice", "owner_notice"] as const;

const Due = z.object({
  queue: z.enum(queues),
  id: z.bigint(),
  kind: z.enum(noticeKinds),
  address: z.string(),
  language: z.enum(languageCodes),
  sealed: z.instanceof(Uint8Array),
  tries: z.int(),
  createdAt: z.date(),
});
export type Due = z.infer<typeof Due>;

/** Where a notice is. */
export type Place = Pick<Due, "queue" | "id">;

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
export async function takeDue(sql: Sql, at: Date, leaseSeconds: number, size: number): Promise<Due[]> {
  const due: Due[] = [];
  for (const queue of queues)
    if (due.length < size) due.push(...(await takeFrom(sql, queue, at, leaseSeconds, size - due.length)));
  return due;
}

/** Kinds that this program does not know are of a later release, and left to it. */
const takeFrom = (sql: Sql, queue: Due["queue"], at: Date, leaseSeconds: number, size: number) =>
  all(
    Due,
    sql`update ${sql(queue)} set tries = tries + 1, due_at = ${at}::timestamptz + make_interval(secs => ${leaseSeconds})
        where id in (
          select id from ${sql(queue)} where due_at <= ${at} and kind::text = any (${[...noticeKinds]}::text[])
          order by due_at limit ${size} for update skip locked
        )
        returning ${queue}::text as queue, id, kind, address, language, sealed, tries, created_at as "createdAt"`,
  );

export async function renew(sql: Sql, places: readonly Place[], leaseSeconds: number): Promise<void> {
  for (const queue of queues) {
    const ids = places.filter((place) => place.queue === queue).map(({ id }) => id);
    if (ids.length > 0)
      await sql`update ${sql(queue)} set due_at = now() + make_interval(secs => ${leaseSeconds})
                where id = any (${ids}::bigint[]) and due_at is not null`;
  }
}

export const markSent = (sql: Sql, { queue, id }: Place, at: Date) =>
  sql`update ${sql(queue)} set sent_at = ${at}, due_at = null, sealed = null, failure = null where id = ${id}`;

/** `dueAt` null gives up. `isTry` false takes the try back, as none was made. */
export interface Failed {
  readonly failure: string;
  readonly dueAt: Date | null;
  readonly isTry: boolean;
}

/** Leaves a notice alone that a newer one has replaced. */
export const markFailed = (sql: Sql, { queue, id }: Place, { failure, dueAt, isTry }: Failed) =>
  sql`update ${sql(queue)} set failure = ${failure}, due_at = ${dueAt}, tries = tries - ${isTry ? 0 : 1},
        sealed = case when ${dueAt}::timestamptz is null then null else sealed end
      where id = ${id} and due_at is not null`;

export const deleteOld = async (sql: Sql, before: Date): Promise<number> => {
  const deleted = queues.map(
    (queue) => sql`delete from ${sql(queue)} where created_at < ${before} and due_at is null`,
  );
  return (await Promise.all(deleted)).reduce((sum, { count }) => sum + count, 0);
};
