// Receives updates by webhook, for a shop that Telegram can reach (TELEGRAM_WEBHOOK).
import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Api } from "grammy";
import type { Update } from "grammy/types";
import type { Db } from "../platform/db/db.ts";
import { schedule, type Job } from "../platform/jobs/scheduler.ts";
import type { Log } from "../platform/log.ts";
import { tellCommands, wanted } from "./bot.polling.ts";
import { failureOf } from "./bot.telegram.ts";
import type { Bot } from "./bot.parts.ts";

export const webhookPath = "/api/telegram";
const secretHeader = "x-telegram-bot-api-secret-token";
const againSeconds = 60;

const digest = (text: string) => createHash("sha256").update(text).digest();

/** The secret of webhook calls; it does not reveal the bot's token. */
export function webhookSecret({ token }: { token: string }): string {
  return digest(`postern webhook ${token}`).toString("hex");
}

interface Parts {
  readonly db: Db;
  readonly log: Log;
  readonly api: Api;
  readonly url: string;
  readonly secret: string;
}

/** Registers the webhook at Telegram until that succeeds. */
export function openCalling({ db, log, api, url, secret }: Parts): Job {
  let isSet = false;
  const work = async (): Promise<void> => {
    try {
      if (isSet && (await api.getWebhookInfo()).url === url) return;
      await api.setWebhook(url, { secret_token: secret, allowed_updates: wanted });
      await tellCommands(api);
      isSet = true;
    } catch (fault) {
      const failure = failureOf(fault);
      if (!failure) throw fault;
      log.warn({ failure: failure.text }, "Telegram could not be told where to bring updates");
    }
  };
  const job = schedule({
    name: "telegram",
    seconds: againSeconds,
    db,
    log: { error: (details, text) => log.error(details, text) },
    work,
  });
  job.now().catch((fault: unknown) => log.error({ err: fault }, "the bot could not start"));
  return job;
}

/** A failed update is answered 500, and Telegram sends it again. */
export function receiveUpdates(app: FastifyInstance, bot: Pick<Bot, "isTelegram" | "take">, log: Log): void {
  app.post(webhookPath, async (request, reply) => {
    const secret = request.headers[secretHeader];
    if (typeof secret !== "string" || !bot.isTelegram(secret)) return reply.code(401).send();
    try {
      await bot.take(request.body as Update);
    } catch (fault) {
      log.error({ err: fault }, "an update of Telegram failed");
      return reply.code(500).send();
    }
    return reply.code(200).send();
  });
}
