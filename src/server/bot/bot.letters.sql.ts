import { z } from "zod/mini";
import { languageCodes } from "../../i18n/languages.ts";
import { all, type Sql } from "../platform/db/db.ts";

const Owed = z.object({
  chatId: z.bigint(),
  letterId: z.bigint(),
  userId: z.bigint(),
  orderId: z.bigint(),
  language: z.enum(languageCodes),
  tries: z.int(),
  /** Of the try before. */
  failure: z.nullable(z.string()),
});
export type Owed = z.infer<typeof Owed>;

/** Queues letters of new events for chats, each once; skips those from before `since`. */
export const oweLetters = (sql: Sql, at: Date, since: Date, chatsMax: number, size: number) =>
  sql`with behind as (
        select c.chat_id, c.user_id, c.told_up_to from bot_chat c
        where c.user_id is not null and c.blocked_at is null
          and exists (select from event e where e.user_id = c.user_id and e.id > c.told_up_to)
        order by c.chat_id limit ${chatsMax} for update of c skip locked),
      fresh as materialized (
        select b.chat_id, b.user_id, e.id, e.at, coalesce(e.name, e.kind::text) as name, e.order_id, e.letter_id from behind b
        cross join lateral (
          select * from event where event.user_id = b.user_id and event.id > b.told_up_to order by event.id limit ${size}) e),
      moved as (
        update bot_chat c set told_up_to = f.last
        from (select chat_id, max(id) as last from fresh group by chat_id) f where c.chat_id = f.chat_id)
      insert into bot_letter (chat_id, letter_id, user_id, order_id, created_at, due_at)
      select chat_id, letter_id, user_id, order_id, ${at}, ${at} from fresh
      where name = 'letter' and at > ${since} order by id
      on conflict do nothing`;

/** Takes due letters, one of each chat but `busy`. After a crash they are not sent again: they may have been sent. */
export const takeOwed = (sql: Sql, at: Date, size: number, busy: readonly bigint[]) =>
  all(
    Owed,
    sql`update bot_letter l set due_at = null, tries = l.tries + 1
        from (select * from (
                select distinct on (d.chat_id) d.chat_id, d.letter_id, d.due_at from bot_letter d
                where d.due_at <= ${at} and d.chat_id <> all(${busy}::bigint[])
                order by d.chat_id, d.due_at, d.letter_id) first
              order by first.due_at limit ${size}) due
        join bot_chat c on c.chat_id = due.chat_id
        where l.chat_id = due.chat_id and l.letter_id = due.letter_id and l.due_at is not null
        returning l.chat_id as "chatId", l.letter_id as "letterId", l.user_id as "userId", l.order_id as "orderId",
                  c.language, l.tries, l.failure`,
  );

export const markSent = (sql: Sql, { chatId, letterId }: Owed, at: Date) =>
  sql`update bot_letter set sent_at = ${at}, failure = null where chat_id = ${chatId} and letter_id = ${letterId}`;

/** `dueAt` null gives up. */
export const markFailed = (sql: Sql, { chatId, letterId }: Owed, failure: string, dueAt: Date | null) =>
  sql`update bot_letter set failure = ${failure}, due_at = ${dueAt} where chat_id = ${chatId} and letter_id = ${letterId}`;

export const deleteLetters = (sql: Sql, before: Date) =>
  sql`delete from bot_letter where created_at < ${before}`;
