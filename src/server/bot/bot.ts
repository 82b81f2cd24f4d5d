// The Telegram bot: confirms accounts and sells in a chat (spec B §1, §4).
import type { Update } from "grammy/types";
import { now } from "../platform/clock.ts";
import { isSameSecret } from "../platform/seal.ts";
import { registerHandlers } from "./bot.handlers.ts";
import { openLetters } from "./bot.letters.ts";
import type { Bot, BotParts } from "./bot.parts.ts";
import { openPolling } from "./bot.polling.ts";
import { openCalling, webhookPath, webhookSecret } from "./bot.webhook.ts";
import { failureOf, openTelegram } from "./bot.telegram.ts";

export type { Bot, BotParts };

export function openBot(parts: BotParts): Bot {
  const { db, log, users } = parts;
  const telegram = openTelegram(parts);
  const { bot } = telegram;
  registerHandlers(bot, parts);
  const take = async (update: Update): Promise<void> => {
    await telegram.known();
    try {
      await bot.handleUpdate(update);
    } catch (fault) {
      const failure = failureOf(fault);
      // The action is done; only the answer failed, and repeating would not help.
      if (failure?.text.includes("message is not modified")) return;
      if (!failure) throw (fault as { error?: unknown }).error ?? fault;
      log.warn({ update: update.update_id, failure: failure.text }, "an answer of the bot did not get there");
    }
  };
  const calling = { url: `${parts.publicUrl}${webhookPath}`, secret: webhookSecret(parts) };
  return {
    take,
    name: async (signal) => {
      try {
        return (await bot.api.getMe(signal as Parameters<typeof bot.api.getMe>[0])).username;
      } catch (fault) {
        log.warn({ failure: failureOf(fault)?.text }, "Telegram did not say the name of the bot");
        return undefined;
      }
    },
    isTelegram: (secret) => parts.webhook && isSameSecret(secret, calling.secret),
    link: async (userId) => {
      try {
        await telegram.known();
      } catch (fault) {
        log.warn({ failure: failureOf(fault)?.text }, "Telegram did not say the name of the bot");
        return "bot unreachable";
      }
      const { token, expiresAt } = await users.links.make(userId, now());
      return { link: `https://t.me/${bot.botInfo.username}?start=auth_${token}`, expiresAt };
    },
    start: () => {
      const { describe, publicUrl } = parts;
      const asked = { db, log, api: bot.api, take };
      const jobs = [
        parts.webhook ? openCalling({ ...asked, ...calling }) : openPolling(asked),
        ...openLetters({ db, log, api: bot.api, describe, publicUrl }),
      ];
      return { stop: async () => void (await Promise.all(jobs.map((job) => job.stop()))) };
    },
    close: telegram.close,
  };
}
