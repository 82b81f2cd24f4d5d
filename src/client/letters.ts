import { pause } from "./pause.ts";
import { PosternError } from "./refusal.ts";
import { askShop, type Shop } from "./shop.ts";
import type { Calls } from "./wire.ts";

export type Letter = Calls["getMessage"]["reply"];

export interface WaitOptions {
  /** Absent: until the letter comes or the order ends. */
  timeoutSeconds?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Proxies often close a connection that is silent for a minute. */
const waitSeconds = 25;
/** Enough to survive a restart of the shop, which takes some 20 to 40 seconds. */
const waitRetries = 8;
/** A shop that stops answers at once; this keeps clients from asking it in a tight loop. */
const earlyMilliseconds = 1_000;

/** Waits for the newest letter of an order. Throws `wait message` after the time-out, and `activation canceled` when the order ends. */
export async function waitForLetter(
  shop: Shop,
  id: string,
  { timeoutSeconds = Infinity, signal }: WaitOptions = {},
): Promise<Letter> {
  const end = performance.now() + timeoutSeconds * 1000;
  const options = { signal, retries: Math.max(shop.retries, waitRetries), until: end };
  for (;;) {
    const leftSeconds = Math.max(0, (end - performance.now()) / 1000);
    const wait = Math.min(waitSeconds, Math.ceil(leftSeconds));
    const since = performance.now();
    try {
      return await askShop(shop, "getMessage", { id, wait }, options);
    } catch (error) {
      if (!(error instanceof PosternError) || error.value !== "wait message") throw error;
      if (performance.now() >= end) throw error;
    }
    const isEarly = performance.now() - since < wait * 1000 - earlyMilliseconds;
    if (isEarly) await pause(earlyMilliseconds * (0.5 + Math.random()), signal);
    signal?.throwIfAborted();
  }
}
