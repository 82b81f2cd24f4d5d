import { setTimeout as pause } from "node:timers/promises";
import { now } from "../platform/clock.ts";

/** Telegram takes 30 messages a second from a bot, and one a second in one chat (Bots FAQ, "My bot is hitting limits"). */
const totalMilliseconds = 1000 / 30;
const chatMilliseconds = 1000;
const chatsMax = 10_000;

export interface Throttle {
  turn(chatId: bigint): Promise<void>;
  /** After Telegram's "retry after". */
  rest(chatId: bigint, seconds: number): void;
}

export interface Time {
  /** Milliseconds. */
  readonly clock: () => number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

export const wallTime = (signal: AbortSignal): Time => ({
  clock: () => now().getTime(),
  pause: (milliseconds) => pause(milliseconds, undefined, { signal }),
});

export function openThrottle(time: Time): Throttle {
  const { clock } = time;
  let nextAt = 0;
  const nextOf = new Map<bigint, number>();
  const until = async (at: number): Promise<void> => {
    if (at > clock()) await time.pause(at - clock());
  };
  return {
    async turn(chatId) {
      const mine = Math.max(clock(), nextOf.get(chatId) ?? 0);
      nextOf.delete(chatId);
      nextOf.set(chatId, mine + chatMilliseconds);
      const [silent] = nextOf.keys();
      if (nextOf.size > chatsMax && silent !== undefined) nextOf.delete(silent);
      // The chat's own limit first, so that its wait takes no slot of another chat.
      await until(mine);
      const at = Math.max(clock(), nextAt);
      nextAt = at + totalMilliseconds;
      await until(at);
    },
    rest(chatId, seconds) {
      nextOf.set(chatId, Math.max(nextOf.get(chatId) ?? 0, clock() + seconds * 1000));
    },
  };
}
