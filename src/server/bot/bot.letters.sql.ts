import { z } from "zod/mini";
import { languageCodes } from "../../i18n/languages.ts";
import { all, type Sql } from "../platform/db/db.ts";

/** Queues letters of new events for chats, each once; skips those from before `since`. */
export const queueLetters = (sql: Sql, at: Date, since: Date, chatsMax: number, size: number) =>
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
      insert into task (queue, kind, key, user_id, ref, payload, created_at, due_at)
      select 'bot', 'letter', chat_id, user_id, chat_id || ' ' || letter_id,
             jsonb_build_object('letter', letter_id, 'order', order_id), ${at}, ${at}
      from fresh
      where name = 'letter' and at > ${since}
        and not exists (select from bot_letter b where b.chat_id = fresh.chat_id and b.letter_id = fresh.letter_id)
      order by id
      on conflict do nothing`;

/** Takes over what a process of the release before has queued and not begun. Until the next release; then its table goes. */
export const adoptLetters = (sql: Sql, at: Date) =>
  sql`with left_behind as (update bot_letter set due_at = null where due_at <= ${at} returning *)
      insert into task (queue, kind, key, user_id, ref, payload, created_at, due_at, tries, failure)
      select 'bot', 'letter', chat_id, user_id, chat_id || ' ' || letter_id,
             jsonb_build_object('letter', letter_id, 'order', order_id), created_at, ${at}, tries, failure
      from left_behind
      on conflict do nothing`;

const Chat = z.object({ chatId: z.bigint(), language: z.enum(languageCodes) });

export const selectLanguages = (sql: Sql, chatIds: readonly bigint[]) =>
  all(
    Chat,
    sql`select chat_id as "chatId", language from bot_chat where chat_id = any (${chatIds}::bigint[])`,
  );

export const deleteLetters = (sql: Sql, before: Date) =>
  sql`delete from bot_letter where created_at < ${before}`;
