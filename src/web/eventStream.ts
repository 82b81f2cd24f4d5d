import { createParser } from "eventsource-parser";
import { calls } from "../client/calls.ts";
import { backoffMilliseconds, pause } from "../client/pause.ts";
import type { ShopEvent } from "../contract/events.ts";

export interface Follower {
  /** True: every event arrives from now on; false: no longer. */
  onLive: (isLive: boolean) => void;
  /** Events may be missing: reload what is shown. */
  onGap: () => void;
  onEvent: (event: ShopEvent) => void;
}

const backoff = { min: 1000, max: 30_000 };
/** The server sends at least a comment more often; a connection that is silent longer is dead. */
const silenceMilliseconds = 45_000;
/** Browsers open six HTTP/1 connections to a host for all tabs: three may be streams, the other tabs poll. */
const streamsMax = 3;

/** Follows the events until `signal` aborts; reconnects. By fetch: EventSource would put the token into the address. */
export async function followEvents(token: string, follower: Follower, signal: AbortSignal): Promise<void> {
  let lastEventId = "";
  for (let failures = 0; !signal.aborted; failures++) {
    const broke = new AbortController();
    const stream: Stream = { token, lastEventId, follower, signal: AbortSignal.any([signal, broke.signal]) };
    let end: End = "broken";
    try {
      end = await listen(stream, () => broke.abort());
    } catch {
      // After an error or silence the next stream resumes at the last event.
    }
    if (stream.isLive) {
      failures = 0;
      follower.onLive(false);
    }
    if (end === "refused") return;
    lastEventId = stream.lastEventId;
    await pause(backoffMilliseconds(failures, backoff), signal);
  }
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
  const { held = [] } = await navigator.locks.query();
  const free = places.find((name) => !held.some((lock) => lock.name === name));
  const place = free ?? places[Math.floor(Math.random() * streamsMax)] ?? "";
  await navigator.locks.request(place, { signal }, () => followEvents(token, follower, signal));
}

interface Stream {
  token: string;
  lastEventId: string;
  follower: Follower;
  signal: AbortSignal;
  isLive?: boolean;
}

/** `refused`: the token opens no stream; a retry does not help. */
type End = "broken" | "refused";

async function listen(stream: Stream, cut: () => void): Promise<End> {
  let silence = setTimeout(cut, silenceMilliseconds);
  try {
    const response = await fetch(calls.events.path, {
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${stream.token}`,
        ...(stream.lastEventId === "" ? {} : { "last-event-id": stream.lastEventId }),
      },
      cache: "no-store",
      signal: stream.signal,
    });
    if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream"))
      return (await refusalOf(response)) === "token" ? "refused" : "broken";
    const parser = createParser({ onEvent: (message) => dispatch(stream, message) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return "broken";
      clearTimeout(silence);
      silence = setTimeout(cut, silenceMilliseconds);
      parser.feed(value);
    }
  } finally {
    clearTimeout(silence);
  }
}

function dispatch(
  stream: Stream,
  message: { id?: string | undefined; event?: string | undefined; data: string },
) {
  const { follower } = stream;
  if (message.id !== undefined) stream.lastEventId = message.id;
  if (message.event === "ready" || message.event === "reset") {
    stream.isLive = true;
    follower.onLive(true);
    // Even after `ready` the lists are older than the stream: reload, or changes between are missed.
    follower.onGap();
  } else if (message.event !== undefined) {
    follower.onEvent({ name: message.event, data: JSON.parse(message.data) } as ShopEvent);
  }
}

async function refusalOf(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  return typeof body === "object" && body !== null && "value" in body ? body.value : undefined;
}
