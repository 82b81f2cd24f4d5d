import { setTimeout as pause } from "node:timers/promises";
import type { Api } from "grammy";
import type { Update } from "grammy/types";
import { defaultLanguage, languageCodes } from "../../i18n/languages.ts";
import type { Db } from "../platform/db/db.ts";
import { schedule } from "../platform/jobs/scheduler.ts";
import type { Log } from "../platform/log.ts";
import { offered } from "./bot.account.ts";
import { failureOf } from "./bot.telegram.ts";
import { texts } from "./bot.texts.ts";

export const wanted = ["message", "callback_query", "my_chat_member"] as const;

const holdSeconds = 25;
const waitMaxSeconds = 30;
const triesMax = 4;
/** Another program polls with the same token. */
const conflict = 409;

interface Parts {
  readonly db: Db;
  readonly log: Log;
  readonly api: Api;
  readonly take: (update: Update) => Promise<void>;
}

/** Polls updates in one process at a time. The offset moves after all updates before it are done: after a crash some are repeated. */
export function openPolling(parts: Parts): { stop(): Promise<void> } {
  const { db, log } = parts;
  return schedule({
    name: "telegram",
    seconds: 1,
    db,
    log: { error: (details, text) => log.error(details, text) },
    work: (signal) => poll(parts, signal),
  });
}

async function poll({ api, log, take }: Parts, signal: AbortSignal): Promise<void> {
  // The client's types are those of an older AbortSignal.
  const cut = signal as Parameters<Api["getUpdates"]>[1];
  let offset: number | undefined;
  let failures = 0;
  while (!signal.aborted) {
    try {
      // While a webhook of an earlier setting exists, Telegram sends no updates here.
      if (offset === undefined) {
        await api.deleteWebhook({}, cut);
        await tellCommands(api);
      }
      const asked = { timeout: holdSeconds, allowed_updates: wanted, offset: offset ?? 0 };
      const updates = await api.getUpdates(asked, cut);
      await takeAll(updates, (update) => tryTo(() => take(update), update, log, signal));
      if (signal.aborted) return;
      offset = (updates.at(-1)?.update_id ?? (offset ?? 0) - 1) + 1;
      failures = 0;
    } catch (fault) {
      if (signal.aborted) return;
      const failure = failureOf(fault);
      if (!failure) throw fault;
      if (failures++ === 0) log.warn({ failure: failure.text }, "Telegram cannot be asked for updates");
      if (failure.status === conflict) return;
      await rest(failure.retryAfterSeconds ?? Math.min(2 ** (failures - 1), waitMaxSeconds), signal);
    }
  }
}

export async function tellCommands(api: Api): Promise<void> {
  for (const language of languageCodes) {
    const commands = offered.flat().map((command) => ({
      command,
      description: texts[language](`bot.do.${command}`),
    }));
    // Without a language it is the default.
    await api.setMyCommands(commands, language === defaultLanguage ? {} : { language_code: language });
  }
}

/** Updates of one chat in order, chats in parallel. */
async function takeAll(updates: readonly Update[], take: (update: Update) => Promise<void>): Promise<void> {
  const chats = Map.groupBy(updates, chatOf);
  await Promise.all(
    [...chats.values()].map(async (ofChat) => {
      for (const update of ofChat) await take(update);
    }),
  );
}

/** One that names no chat, against the types, stands alone. */
const chatOf = ({ message, callback_query, my_chat_member, update_id }: Update): number =>
  message?.chat?.id ?? callback_query?.from?.id ?? my_chat_member?.chat?.id ?? update_id;

/** Retries our own faults, such as a restart of the database, then goes on with the next update. */
async function tryTo(
  work: () => Promise<void>,
  { update_id: update }: Update,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = 1; !signal.aborted; tries++) {
    try {
      return await work();
    } catch (fault) {
      const isLast = tries === triesMax;
      log.error({ err: fault, update, tries }, isLast ? "an update was given up" : "an update failed");
      if (isLast) return;
      await rest(tries, signal);
    }
  }
}

async function rest(seconds: number, signal: AbortSignal): Promise<void> {
  await pause(seconds * 1000, undefined, { signal }).catch(() => undefined);
}
