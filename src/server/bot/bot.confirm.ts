// Confirms an account by `/start auth_<token>` (spec B §4 and §7).
import { now } from "../platform/clock.ts";
import { attempt } from "../platform/db/db.ts";
import { showUsd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import type { ConfirmRefused } from "../users/users.ts";
import { menuRows } from "./bot.account.ts";
import { linkChat } from "./bot.sql.ts";
import { balanceText, bonusText, type Talk } from "./bot.talk.ts";
import type { BotKey } from "../../i18n/t.ts";

/** Limits count people by chat; their network address is unknown. */
const nowhere = "127.0.0.1";

const refused: Record<ConfirmRefused, BotKey> = {
  "no such token": "bot.refused.unknown",
  "link expired": "bot.refused.expired",
  "link used": "bot.refused.used",
  "confirmed by another": "bot.refused.byAnother",
  "confirmed another": "bot.refused.another",
};

/** Confirms the account of a link or of a token that the owner sent, and links the chat to it. */
export async function confirm(talk: Talk, token: string): Promise<void> {
  const { chat, say, answer, parts } = talk;
  const { db, limits, users } = parts;
  const { chatId } = chat;
  const at = now();
  const who = { account: `telegram ${chatId}`, address: nowhere };
  const wait = await limits.take("bot links", who, at);
  if (wait !== undefined)
    return answer(say("bot.refused.tooOften", { count: Math.max(1, Math.ceil(wait / 60)) }));
  const confirmed = await attempt(db, async (tx) => {
    const done = await users.links.confirm(tx, { token, telegramId: chatId, linked: chat.userId }, at);
    if (typeof done !== "string") await linkChat(tx, chatId, done.userId);
    return done;
  });
  if (confirmed === "confirmed another" || confirmed === "confirmed by another")
    await users.links.suspect({ token, telegramId: chatId }, at);
  if (typeof confirmed === "string") return answer(say(refused[confirmed]));
  await limits.forgive("bot links", who);
  const { name } = await users.information(confirmed.userId);
  const balance = balanceText(talk, showUsd(await ledger.balance(db, confirmed.userId)));
  const key = confirmed.isNew ? "bot.confirmed" : "bot.linked";
  await answer(say(key, { name, bonus: bonusText, balance }), menuRows(say));
}
