// The Telegram bot: confirms accounts, and is the shop for who would rather write to it (spec B §1, §4).
import type { Update } from "grammy/types";
import { now } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import type { Ask } from "../platform/http/ask.ts";
import type { Limits } from "../platform/http/rate-limits.ts";
import type { Log } from "../platform/log.ts";
import { isSameSecret } from "../platform/seal.ts";
import { selectQueueSize, type QueueSize } from "../platform/jobs/queue.ts";
import type { Users } from "../users/users.ts";
import { hear } from "./bot.handlers.ts";
import { type LettersParts, openLetters } from "./bot.letters.ts";
import { openPolling } from "./bot.polling.ts";
import { openCalling, webhookPath, webhookSecret } from "./bot.webhook.ts";
import { failureOf, openTelegram } from "./bot.telegram.ts";
import type { Time } from "./bot.throttle.ts";

export interface Bot {
  /** An address that opens the bot and confirms a user there; good once, and for some minutes. */
  link(userId: bigint): Promise<{ link: string; expiresAt: Date } | "bot unreachable">;
  /** The name of the bot, as Telegram says it now; undefined when it does not answer. */
  name(signal: AbortSignal): Promise<string | undefined>;
  /** Answers one thing that Telegram told. Throws what is our own fault: then it may be told again. */
  take(update: Update): Promise<void>;
  /** Whether who brings an update knows what Telegram was told to say. */
  isTelegram(secret: string): boolean;
  /**
   * Begins to ask Telegram for what people write, and to tell them of their letters: one process at a time does, the others
   * wait to take its place.
   */
  start(): { stop(): Promise<void> };
  /** What waits to be told to chats. */
  waiting(at: Date): Promise<QueueSize>;
  close(): void;
}

export interface BotParts {
  readonly db: Db;
  readonly log: Log;
  readonly limits: Limits;
  readonly users: Users;
  /** The calls of the API, for who writes to the bot. */
  readonly ask: Ask;
  readonly describe: LettersParts["describe"];
  readonly token: string;
  readonly apiRoot: string;
  readonly publicUrl: string;
  /** What Telegram's limits are kept by; the wall's when it is not said. */
  readonly time?: Time | undefined;
  /** Telegram comes to us, instead of being asked. */
  readonly webhook: boolean;
}

/** Prepares the bot of a token; Telegram is asked nothing yet. */
export function openBot(parts: BotParts): Bot {
  const { db, log, users } = parts;
  const telegram = openTelegram(parts);
  const { bot } = telegram;
  hear(bot, parts);
  const take = async (update: Update): Promise<void> => {
    await telegram.known();
    try {
      await bot.handleUpdate(update);
    } catch (fault) {
      const failure = failureOf(fault);
      // What was to be done is done; only the answer did not get there, and saying it all again would not help.
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
    waiting: (at) => selectQueueSize(db, "bot_letter", at),
    close: telegram.close,
  };
}
