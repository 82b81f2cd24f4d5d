import { Bot, BotError, GrammyError, HttpError, type Transformer } from "grammy";
import { openThrottle, type Time, wallTime } from "./bot.throttle.ts";

/** Longer than Telegram holds a poll open. */
const timeoutSeconds = 40;
/** Whoever wrote to the bot waits for his answer so long; what needs more is put off by who sends it. */
const restMaxSeconds = 5;

/** A client of the Bot API that keeps its limits. */
export interface Telegram {
  readonly bot: Bot;
  /** Resolves when the bot knows itself, which is asked for once; it must before it is handed an update. */
  known(): Promise<void>;
  close(): void;
}

interface Parts {
  readonly token: string;
  readonly apiRoot: string;
  /** What Telegram's limits are kept by; the wall's when it is not said. */
  readonly time?: Time | undefined;
}

/** Prepares the client; nothing is sent before the first call. */
export function openTelegram({ token, apiRoot, time }: Parts): Telegram {
  const closing = new AbortController();
  const bot = new Bot(token, { client: { apiRoot, timeoutSeconds } });
  bot.api.config.use(throttled(time ?? wallTime(closing.signal)));
  let known: Promise<void> | undefined;
  return {
    bot,
    known: () => {
      known ??= bot.api.getMe().then((me) => void (bot.botInfo = me));
      // What failed is asked again.
      known.catch(() => (known = undefined));
      return known;
    },
    close: () => closing.abort(),
  };
}

const throttledMethods = new Set<string>(["sendMessage", "editMessageText"]);

/** Waits for the turn of a message, and once more when Telegram asks for a moment's rest. */
function throttled(time: Time): Transformer {
  const throttle = openThrottle(time);
  return async (send, method, payload, signal) => {
    const chatId = "chat_id" in payload ? BigInt(payload.chat_id as number) : undefined;
    if (chatId === undefined || !throttledMethods.has(method)) return send(method, payload, signal);
    await throttle.turn(chatId);
    const answer = await send(method, payload, signal);
    const seconds = answer.ok ? undefined : answer.parameters?.retry_after;
    if (seconds === undefined) return answer;
    throttle.rest(chatId, seconds);
    if (seconds > restMaxSeconds) return answer;
    await time.pause(seconds * 1000);
    return send(method, payload, signal);
  };
}

/** What Telegram answered to a call that failed, or that it was not reached. */
export interface Failure {
  /** As an HTTP status: 403 is a person who has blocked the bot; 0 when no answer came. */
  readonly status: number;
  /** Without addresses and what was sent: both hold secrets (the bot's token, codes), and so does the fault itself. */
  readonly text: string;
  readonly retryAfterSeconds?: number | undefined;
  /** Certainly nothing was done. */
  readonly isUndone: boolean;
}

const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"]);

/** Reads a fault of the Bot API; undefined when it is none. Only this may be logged of one. */
export function failureOf(fault: unknown): Failure | undefined {
  if (fault instanceof BotError) return failureOf(fault.error);
  if (fault instanceof GrammyError)
    return {
      status: fault.error_code,
      text: `${fault.method}: ${fault.error_code} ${fault.description}`,
      retryAfterSeconds: fault.parameters.retry_after,
      isUndone: true,
    };
  if (fault instanceof HttpError) {
    const { code = "no answer" } = fault.error as { code?: string };
    return { status: 0, text: `${fault.message} (${code})`, isUndone: unreachable.has(code) };
  }
  return undefined;
}
