import { z } from "zod/mini";
import { languageCodes } from "../../i18n/languages.ts";
import { all, type Sql, type Tx } from "../platform/db/db.ts";

const NewLetter = z.object({
  chatId: z.bigint(),
  letterId: z.bigint(),
  userId: z.bigint(),
  orderId: z.bigint(),
  tries: z.int(),
  failure: z.nullable(z.string()),
});
export type NewLetter = z.infer<typeof NewLetter>;

const News = z.object({
  chatId: z.bigint(),
  userId: z.bigint(),
  id: z.bigint(),
  name: z.string(),
  orderId: z.nullable(z.bigint()),
  letterId: z.nullable(z.bigint()),
  status: z.nullable(z.string()),
  balance: z.nullable(z.bigint()),
  amount: z.nullable(z.bigint()),
  backorderId: z.nullable(z.bigint()),
});
export type News = z.infer<typeof News>;

/** New events of these names for chats; skips those from before `since`. The chats are told of everything up to them. */
export const moveChats = (
  tx: Tx,
  names: readonly string[],
  { since, chatsMax, size }: { since: Date; chatsMax: number; size: number },
) =>
  all(
    News,
    tx`with behind as (
         select c.chat_id, c.user_id, c.told_up_to from bot_chat c
         where c.user_id is not null and c.blocked_at is null
           and exists (select from event e where e.user_id = c.user_id and e.id > c.told_up_to)
         order by c.chat_id limit ${chatsMax} for update of c skip locked),
       fresh as materialized (
         select b.chat_id, b.user_id, e.id, e.at, coalesce(e.name, e.kind::text) as name, e.order_id, e.letter_id,
                e.status, e.balance, e.amount, e.backorder_id from behind b
         cross join lateral (
           select * from event where event.user_id = b.user_id and event.id > b.told_up_to order by event.id limit ${size}) e),
       moved as (
         update bot_chat c set told_up_to = f.last
         from (select chat_id, max(id) as last from fresh group by chat_id) f where c.chat_id = f.chat_id)
       select chat_id as "chatId", user_id as "userId", id, name, order_id as "orderId", letter_id as "letterId", status, balance, amount,
              backorder_id as "backorderId"
       from fresh
       where name = any (${[...names]}::text[]) and at > ${since}
         and not exists (select from bot_letter b where b.chat_id = fresh.chat_id and b.letter_id = fresh.letter_id)
       order by id`,
  );

/** Takes what a process of the release before has queued and not begun. Until the next release; then its table goes. */
export const takeLetters = (tx: Tx, at: Date) =>
  all(
    NewLetter,
    tx`update bot_letter set due_at = null where due_at <= ${at}
       returning chat_id as "chatId", letter_id as "letterId", user_id as "userId", order_id as "orderId", tries, failure`,
  );

const Chat = z.object({ chatId: z.bigint(), language: z.enum(languageCodes) });

export const selectLanguages = (sql: Sql, chatIds: readonly bigint[]) =>
  all(
    Chat,
    sql`select chat_id as "chatId", language from bot_chat where chat_id = any (${chatIds}::bigint[])`,
  );

export const deleteLetters = (sql: Sql, before: Date) =>
  sql`delete from bot_letter where created_at < ${before}`;
