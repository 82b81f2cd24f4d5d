// What the bot is to the shop, and what it needs of it.
import type { Update } from "grammy/types";
import type { ShopEvent } from "../../contract/events.ts";
import type { EventRow } from "../events/events.ts";
import type { Db } from "../platform/db/db.ts";
import type { Ask } from "../platform/http/ask.ts";
import type { Limits } from "../platform/http/rate-limits.ts";
import type { QueueSize } from "../platform/jobs/queue.ts";
import type { Log } from "../platform/log.ts";
import type { Users } from "../users/users.ts";
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
  /** Says what events tell, by their ids. */
  readonly describe: (rows: readonly EventRow[]) => Promise<ReadonlyMap<bigint, ShopEvent>>;
  readonly token: string;
  readonly apiRoot: string;
  readonly publicUrl: string;
  /** What Telegram's limits are kept by; the wall's when it is not said. */
  readonly time?: Time | undefined;
  /** Telegram comes to us, instead of being asked. */
  readonly webhook: boolean;
}
