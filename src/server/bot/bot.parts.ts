import type { Update } from "grammy/types";
import type { ShopEvent } from "../../contract/events.ts";
import type { EventRow } from "../events/events.ts";
import type { Db } from "../platform/db/db.ts";
import type { Ask } from "../platform/http/ask.ts";
import type { Limits } from "../platform/http/rate-limits.ts";
import type { Log } from "../platform/log.ts";
import type { Users } from "../users/users.ts";
import type { Time } from "./bot.throttle.ts";

export interface Bot {
  /** A link that confirms a user in the bot, once and within some minutes. */
  link(userId: bigint): Promise<{ link: string; expiresAt: Date } | "bot unreachable">;
  /** The bot's name by Telegram; undefined when it does not answer. */
  name(signal: AbortSignal): Promise<string | undefined>;
  /** Answers one update. Throws our own faults: Telegram may send the update again. */
  take(update: Update): Promise<void>;
  isTelegram(secret: string): boolean;
  /** Polls Telegram and sends letters, in one process at a time; the others wait to take over. */
  start(): { stop(): Promise<void> };
  close(): void;
}

export interface BotParts {
  readonly db: Db;
  readonly log: Log;
  readonly limits: Limits;
  readonly users: Users;
  readonly ask: Ask;
  readonly describe: (rows: readonly EventRow[]) => Promise<ReadonlyMap<bigint, ShopEvent>>;
  readonly token: string;
  readonly apiRoot: string;
  readonly publicUrl: string;
  readonly time?: Time | undefined;
  readonly webhook: boolean;
}
