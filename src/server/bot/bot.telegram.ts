import { Bot, BotError, GrammyError, HttpError, type Transformer } from "grammy";
import { openThrottle, type Time, wallTime } from "./bot.throttle.ts";

/** Longer than Telegram's long poll. */
const pollSeconds = 40;
/** For all that Telegram answers at once. */
const usualCallSeconds = 10;
/** The longest wait for a rate limit; callers retry what needs more. */
const restMaxSeconds = 5;

export interface Telegram {
  readonly bot: Bot;
  /** Loads the bot's own data once; must resolve before the first update. */
  known(): Promise<void>;
  close(): void;
}

interface Parts {
  readonly token: string;
  readonly apiRoot: string;
  readonly time?: Time | undefined;
  readonly callSeconds?: number;
}

export function openTelegram({ token, apiRoot, time, callSeconds = usualCallSeconds }: Parts): Telegram {
  const closing = new AbortController();
  const bot = new Bot(token, { client: { apiRoot, timeoutSeconds: pollSeconds } });
  bot.api.config.use(hurried(callSeconds));
  bot.api.config.use(throttled(time ?? wallTime(closing.signal)));
  let known: Promise<void> | undefined;
  return {
    bot,
    known: () => {
      known ??= bot.api.getMe().then((me) => void (bot.botInfo = me));
      known.catch(() => (known = undefined));
      return known;
    },
    close: () => closing.abort(),
  };
}

/** Gives up a call without an answer; it comes before the throttle, whose waits do not count. */
function hurried(seconds: number): Transformer {
  return (send, method, payload, signal) => {
    if (method === "getUpdates") return send(method, payload, signal);
    const late = AbortSignal.timeout(seconds * 1000);
    const either = AbortSignal.any([late, ...(signal ? [signal as AbortSignal] : [])]);
    // The client's types are those of an older AbortSignal.
    return send(method, payload, either as typeof signal);
  };
}

const throttledMethods = new Set<string>(["sendMessage", "editMessageText"]);

/** Waits for the rate limit, and once more when Telegram asks for it. */
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

export interface Failure {
  /** As an HTTP status: 403 is a person who has blocked the bot; 0 when no answer came. */
  readonly status: number;
  /** Without addresses and sent data, which hold secrets (the bot's token, codes), as the fault itself does. */
  readonly text: string;
  readonly retryAfterSeconds?: number | undefined;
  /** Certainly nothing was done. */
  readonly isUndone: boolean;
}

const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ENETUNREACH", "EHOSTUNREACH"]);

/** The failure of a Bot API call; undefined for another fault. Log only this of it. */
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
