import type { Call, CallName } from "./call.ts";
import { calls } from "./calls.ts";
import { newKey } from "./key.ts";
import { backoffMilliseconds, pause } from "./pause.ts";
import { noConnection, PosternError } from "./refusal.ts";
import { type AnyRefused, answerOf, type Parameters, requestOf } from "./request.ts";
import { refusalOf } from "./stream.ts";
import type { Calls } from "./wire.ts";

export interface Shop {
  readonly url: string;
  readonly token: string;
  readonly retries: number;
  readonly timeoutSeconds: number;
  readonly fetch: typeof fetch;
}

export interface CallOptions {
  /** Aborts the call and its retries; the signal's reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Overrides the client's `retries`. */
  retries?: number | undefined;
}

/** The deadline is in milliseconds of performance.now(). */
interface Tries extends CallOptions {
  until?: number | undefined;
}

const backoff = { min: 500, max: 10_000 };
/** A longer `retry_after` is thrown, and the caller decides. */
const retryAfterSecondsMax = 30;

/**
 * Makes a call with its retries: after 429, and after a fault only calls that are safe to repeat.
 * Throws a PosternError for everything but a success.
 */
export async function askShop<Name extends CallName>(
  shop: Shop,
  name: Name,
  ask: Calls[Name]["ask"],
  { signal, retries = shop.retries, until = Infinity }: Tries = {},
): Promise<Calls[Name]["reply"]> {
  const call = calls[name];
  const given = call.repeat === "key" ? withKey(ask) : ask;
  for (let tries = 1; ; tries++) {
    const outcome = await tryOnce(shop, call, given, { signal, until });
    // A success counts even after an abort: it may be an order that is paid.
    if ("reply" in outcome) return outcome.reply as Calls[Name]["reply"];
    signal?.throwIfAborted();
    const wait = tries > retries ? undefined : waitMilliseconds(call, outcome.refused, tries - 1);
    if (wait === undefined || performance.now() + wait > until) throw new PosternError({ ...outcome, tries });
    await pause(wait, signal);
    signal?.throwIfAborted();
  }
}

/** Extra time for the upload of a file. */
const fileSeconds = 900;
/** A call that waits for a letter may be answered a little late. */
const graceSeconds = 5;

/** Undefined: do not retry, or not so soon. */
function waitMilliseconds({ repeat }: Call, { value, more }: AnyRefused, failures: number) {
  const own = backoffMilliseconds(failures, backoff);
  if (value === "limit") {
    const asked = more.retry_after ?? 0;
    return asked > retryAfterSecondsMax ? undefined : Math.max(own, asked * 1000);
  }
  const isBroken = value === "connection" || value === "server";
  return isBroken && repeat !== undefined ? own : undefined;
}

type Outcome = { reply: unknown } | { refused: AnyRefused; cause?: unknown };

async function tryOnce(
  shop: Shop,
  call: Call,
  ask: Parameters,
  { signal, until }: { signal: AbortSignal | undefined; until: number },
): Promise<Outcome> {
  const onWaySeconds = call.send === "file" ? fileSeconds : 0;
  const usualSeconds = shop.timeoutSeconds + onWaySeconds + Number(ask["wait"] ?? 0);
  const leftSeconds = Math.max(0, (until - performance.now()) / 1000);
  const seconds = Math.min(usualSeconds, leftSeconds + graceSeconds);
  const cut = new AbortController();
  const timer = setTimeout(
    () => cut.abort(new DOMException(`nothing for ${Math.round(seconds)} seconds`, "TimeoutError")),
    seconds * 1000,
  );
  const leave = () => cut.abort(signal?.reason);
  signal?.addEventListener("abort", leave);
  if (signal?.aborted) leave();
  try {
    const token = call.access === "anyone" ? "" : shop.token;
    const [address, init] = requestOf(call, ask, { url: shop.url, token, signal: cut.signal });
    // A redirect would turn a POST into a GET without parameters: report the right address instead.
    const { fetch } = shop;
    const response = await fetch(address, { ...init, redirect: "error" });
    if (response.status === 429) return { refused: await refusalOf(response) };
    const answer = answerOf(await response.json());
    if (!answer.ok) return { refused: answer };
    if (response.ok) return { reply: answer.data };
    throw new Error(`HTTP status ${response.status}`);
  } catch (thrown) {
    const cause: unknown = cut.signal.aborted ? cut.signal.reason : thrown;
    return { refused: noConnection(shop.url, cause), cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
  }
}

function withKey(ask: Parameters): Parameters {
  return ask["client_order_id"] ? ask : { ...ask, client_order_id: newKey() };
}
