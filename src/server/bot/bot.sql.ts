import { z } from "zod/mini";
import { languageCodes } from "../../i18n/languages.ts";
import { endWatch, watch } from "../events/events.ts";
import { all, maybe, one, type Sql } from "../platform/db/db.ts";
import { giveUpTasks } from "../platform/jobs/tasks.ts";

const Chat = z.object({
  chatId: z.bigint(),
  userId: z.nullable(z.bigint()),
  language: z.enum(languageCodes),
  isBlocked: z.boolean(),
});
export type Chat = z.infer<typeof Chat>;

const columns = (sql: Sql) =>
  sql`chat_id as "chatId", user_id as "userId", language, blocked_at is not null as "isBlocked"`;

export const openChat = async (sql: Sql, chatId: bigint, language: string): Promise<Chat> => {
  await sql`insert into bot_chat (chat_id, language) values (${chatId}, ${language}) on conflict do nothing`;
  return one(Chat, sql`select ${columns(sql)} from bot_chat where chat_id = ${chatId}`);
};

/** Links the chat to a user and starts its letters. */
export const linkChat = async (sql: Sql, chatId: bigint, userId: bigint): Promise<void> => {
  const newest = await watch(sql, userId);
  await sql`update bot_chat set user_id = ${userId}, told_up_to = ${newest}, blocked_at = null where chat_id = ${chatId}`;
};

export const unlinkChat = async (sql: Sql, { chatId, userId }: Chat, until: Date): Promise<void> => {
  if (userId !== null) await watch(sql, userId);
  await sql`update bot_chat set user_id = null where chat_id = ${chatId}`;
  if (userId !== null) await endWatch(sql, userId, until);
};

export const unlinkUser = async (sql: Sql, userId: bigint, until: Date): Promise<void> => {
  const chats = await all(
    Chat,
    sql`select ${columns(sql)} from bot_chat where user_id = ${userId} order by chat_id`,
  );
  for (const chat of chats) await unlinkChat(sql, chat, until);
};

const blocked = "the bot is blocked";

/** The person blocked the bot: drops queued letters. Does nothing without such a chat. */
export const blockChat = async (sql: Sql, chatId: bigint, at: Date, until: Date): Promise<void> => {
  const chat = await maybe(Chat, sql`select ${columns(sql)} from bot_chat where chat_id = ${chatId}`);
  if (!chat || chat.isBlocked) return;
  if (chat.userId !== null) await watch(sql, chat.userId);
  await sql`update bot_chat set blocked_at = ${at} where chat_id = ${chatId}`;
  await sql`update bot_letter set due_at = null, failure = ${blocked} where chat_id = ${chatId} and due_at is not null`;
  await giveUpTasks(sql, { queue: "bot", key: String(chatId) }, blocked);
  if (chat.userId !== null) await endWatch(sql, chat.userId, until);
};

export const unblockChat = async (sql: Sql, { chatId, userId }: Chat): Promise<void> => {
  const newest = userId === null ? 0n : await watch(sql, userId);
  await sql`update bot_chat set blocked_at = null, told_up_to = ${newest} where chat_id = ${chatId}`;
};

export const setLanguage = (sql: Sql, chatId: bigint, language: string) =>
  sql`update bot_chat set language = ${language} where chat_id = ${chatId}`;

/** Streams renew their own time; this is for a short return. */
export const watchSeconds = 15 * 60;
