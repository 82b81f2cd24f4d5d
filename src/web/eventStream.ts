import { calls } from "../client/calls.ts";
import { backoffMilliseconds, pause } from "../client/pause.ts";
import { PosternError } from "../client/refusal.ts";
import { requestOf } from "../client/request.ts";
import { listen, type Message } from "../client/stream.ts";
import type { ShopEvent } from "../contract/events.ts";

export interface Follower {
  /** True: every event arrives from now on; false: no longer. */
  onLive: (isLive: boolean) => void;
  /** Events may be missing: reload what is shown. */
  onGap: () => void;
  onEvent: (event: ShopEvent) => void;
}

const backoff = { min: 1000, max: 30_000 };
/** Browsers open six HTTP/1 connections to a host for all tabs: three may be streams, the other tabs poll. */
const streamsMax = 3;

/** Follows the events until `signal` aborts; reconnects. */
export async function followEvents(token: string, follower: Follower, signal: AbortSignal): Promise<void> {
  let lastEventId = "";
  const ask = (until: AbortSignal) => {
    const [address, init] = requestOf(calls.events, {}, { token, signal: until });
    if (lastEventId !== "") init.headers.set("last-event-id", lastEventId);
    return fetch(address, { ...init, cache: "no-store" });
  };
  for (let failures = 0; !signal.aborted; failures++) {
    let isLive = false;
    let isRefused = false;
    try {
      for await (const message of listen(ask, signal)) {
        lastEventId = message.id;
        isLive ||= isBeginning(message);
        tell(follower, message);
      }
    } catch (fault) {
      // After an error or silence the next stream resumes at the last event. A token that opens no stream opens none later.
      isRefused = fault instanceof PosternError && fault.value === "token";
    }
    if (isLive) {
      failures = 0;
      follower.onLive(false);
    }
    if (isRefused) return;
    await pause(backoffMilliseconds(failures, backoff), signal);
  }
}

const isBeginning = ({ name }: Message) => name === "ready" || name === "reset";

function tell(follower: Follower, message: Message): void {
  if (!isBeginning(message)) return follower.onEvent({ name: message.name, data: message.data } as ShopEvent);
  follower.onLive(true);
  // Even after `ready` the lists are older than the stream: reload, or changes between are missed.
  follower.onGap();
}

/** Like followEvents, but in at most `streamsMax` tabs at a time. */
export async function followEventsInSomeTabs(
  token: string,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  // Web Locks exist on https and localhost only.
  if (!("locks" in navigator)) return followEvents(token, follower, signal);
  const places = Array.from({ length: streamsMax }, (_, number) => `postern stream ${number}`);
  const locks = await navigator.locks.query().catch(() => undefined);
  // Refused where cookies are blocked.
  if (!locks) return followEvents(token, follower, signal);
  const { held = [] } = locks;
  const free = places.find((name) => !held.some((lock) => lock.name === name));
  const place = free ?? places[Math.floor(Math.random() * streamsMax)] ?? "";
  await navigator.locks.request(place, { signal }, () => followEvents(token, follower, signal));
}
