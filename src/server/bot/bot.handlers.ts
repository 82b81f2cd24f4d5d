import type { Bot } from "grammy";
import { defaultLanguage } from "../../i18n/languages.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt } from "../platform/db/db.ts";
import {
  askToReplace,
  askToUnlink,
  changeToken,
  chooseLanguage,
  showBalance,
  showHelp,
  showMenu,
  showToken,
  unlink,
} from "./bot.account.ts";
import { confirm } from "./bot.confirm.ts";
import { askForSite, buy, cancel, reorder, showHistory, showOffers } from "./bot.orders.ts";
import { blockChat, openChat, unblockChat, watchSeconds } from "./bot.sql.ts";
import { bonusText, type LinkedTalk, linkedTalk, openTalk, type Talk } from "./bot.talk.ts";
import type { BotParts } from "./bot.parts.ts";

const linkForm = /^auth_([A-Za-z0-9]{32})$/;

const acts: Record<string, (talk: LinkedTalk, more: string) => Promise<void>> = {
  menu: showMenu,
  balance: showBalance,
  order: askForSite,
  site: showOffers,
  buy,
  cancel,
  reorder,
  history: showHistory,
  token: showToken,
  replace: askToReplace,
  replaced: changeToken,
  unlink: askToUnlink,
  unlinked: unlink,
};

/** Allowed before the chat is linked to an account. */
const free: Record<string, (talk: Talk, more: string) => Promise<void>> = {
  language: chooseLanguage,
  help: showHelp,
};

/** Only private chats: answers are for one person. An update that names none is not of a person. */
export function registerHandlers(bot: Bot, parts: BotParts): void {
  const person = bot.chatType("private").filter(({ from }) => from !== undefined);
  person.command("start", async (ctx) => {
    const talk = await openTalk(ctx, parts);
    const [, token] = linkForm.exec(ctx.match) ?? [];
    await (token === undefined ? act(talk, "menu") : confirm(talk, token));
  });
  person.on("message:text", async (ctx) => {
    const [, name, more = ""] = /^\/(\w+)(?:@\w+)?\s*(.*)$/s.exec(ctx.message.text) ?? [];
    // A text that is no command is the name of a site.
    await act(await openTalk(ctx, parts), name ?? "site", name === undefined ? ctx.message.text : more);
  });
  person.on("message", async (ctx) => act(await openTalk(ctx, parts), "menu"));
  person.on("my_chat_member", (ctx) =>
    heardOfBlock(ctx.chat.id, ctx.myChatMember.new_chat_member.status === "kicked", parts),
  );
  person.on("callback_query:data", async (ctx) => {
    await ctx.answerCallbackQuery().catch(() => undefined);
    const [name = "", ...more] = ctx.callbackQuery.data.split(":");
    await act(await openTalk(ctx, parts), name, more.join(":"));
  });
}

async function heardOfBlock(chatId: number, isBlocked: boolean, { db }: BotParts): Promise<void> {
  const at = now();
  await attempt(db, async (tx) => {
    if (isBlocked) await blockChat(tx, BigInt(chatId), at, secondsAfter(at, watchSeconds));
    else await unblockChat(tx, await openChat(tx, BigInt(chatId), defaultLanguage));
    return undefined;
  });
}

async function act(talk: Talk, name: string, more = ""): Promise<void> {
  if (Object.hasOwn(free, name)) return free[name]?.(talk, more);
  const linked = await linkedTalk(talk);
  if (!linked) return greet(talk);
  await (Object.hasOwn(acts, name) ? acts[name]?.(linked, more) : showMenu(linked));
}

async function greet({ say, answer, parts }: Talk): Promise<void> {
  await answer(say("bot.welcome", { host: new URL(parts.publicUrl).host, bonus: bonusText }));
}
