import { calls } from "./calls.ts";
import { backoffMilliseconds, pause } from "./pause.ts";
import { noConnection, PosternError } from "./refusal.ts";
import { requestOf } from "./request.ts";
import { askShop, type Shop } from "./shop.ts";
import { listen, type Message } from "./stream.ts";
import type { Calls, ShopEvent } from "./wire.ts";

export interface FollowOptions {
  /** The `eventId` of the last event that the program has seen, to go on from there after a restart. */
  after?: string | undefined;
  /** Aborts the stream; the signal's reason is thrown. */
  signal?: AbortSignal | undefined;
}

/** What happened. `reset`: events were missed, read the lists anew. `eventId` is the place in the stream. */
export type FollowedEvent = (ShopEvent | { name: "reset"; data: { id: string } }) & { eventId: string };

/** A letter that came, without its HTML: `postern.ask("getMessage", { id: activation_id, letter: letter_id })` has it. */
export type NewLetter = Extract<ShopEvent, { name: "letter" }>["data"] & { eventId: string };

const backoff = { min: 1_000, max: 30_000 };

/**
 * Yields what happens to the account. A stream that ends is opened again at its place, without an end once it was open;
 * before that as often as any call. Throws a PosternError when the shop refuses.
 */
export async function* followEvents(
  shop: Shop,
  { after = "", signal }: FollowOptions = {},
): AsyncGenerator<FollowedEvent, void, undefined> {
  let place = after;
  let triesMax = shop.retries;
  for (let failures = 0; ; failures++) {
    let wait = backoffMilliseconds(failures, backoff);
    try {
      for await (const message of listen((until) => open(shop, place, until), signal)) {
        place = message.id;
        failures = 0;
        triesMax = Infinity;
        yield* followed(message);
      }
    } catch (fault) {
      signal?.throwIfAborted();
      const error =
        fault instanceof PosternError
          ? fault
          : new PosternError({ refused: noConnection(shop.url, fault), cause: fault });
      const { value, more } = error;
      if (!["connection", "server", "limit"].includes(value) || failures >= triesMax) throw error;
      wait = Math.max(wait, (more.retry_after ?? 0) * 1000);
    }
    await pause(wait, signal);
    signal?.throwIfAborted();
  }
}

/** `ready` says only that nothing was missed. */
const followed = ({ id, name, data }: Message) =>
  name === "ready" ? [] : [{ name, data, eventId: id } as FollowedEvent];

function open({ url, token, fetch }: Shop, place: string, signal: AbortSignal): Promise<Response> {
  const [address, init] = requestOf(calls.events, {}, { url, token, signal });
  if (place !== "") init.headers.set("last-event-id", place);
  return fetch(address, { ...init, redirect: "error" });
}

/** An activation is open at most so long, and so long events are kept. */
const daySeconds = 86_400;
/** For clocks that differ. */
const skewSeconds = 300;
/** Letters that are remembered, so that none is told twice. */
const rememberedMax = 10_000;

/** Yields each letter of the account that comes from now on, or that came after the event `after`; what a gap in the stream hides is read from the history. */
export async function* followLetters(
  shop: Shop,
  options: FollowOptions = {},
): AsyncGenerator<NewLetter, void, undefined> {
  const seen = new Set<string>();
  const isNew = ({ letter_id, activation_id }: NewLetter) => {
    const letter = `${letter_id} ${activation_id}`;
    if (seen.has(letter)) return false;
    if (seen.size >= rememberedMax)
      for (const oldest of [...seen].slice(0, rememberedMax / 2)) seen.delete(oldest);
    seen.add(letter);
    return true;
  };
  let seconds = Date.now() / 1000 - (options.after === undefined ? 0 : daySeconds);
  for await (const event of followEvents(shop, options)) {
    const letters =
      event.name === "reset"
        ? await lettersSince(shop, seconds - skewSeconds, event.eventId, options.signal)
        : event.name === "letter"
          ? [{ ...event.data, eventId: event.eventId }]
          : [];
    seconds = Date.now() / 1000;
    yield* letters.filter(isNew);
  }
}

/** Oldest first. */
async function lettersSince(
  shop: Shop,
  seconds: number,
  eventId: string,
  signal: AbortSignal | undefined,
): Promise<NewLetter[]> {
  const found: NewLetter[] = [];
  for (let offset = 1; ; offset++) {
    const page = await askShop(shop, "history", { offset }, { signal });
    const items = Object.values(page.data).flat();
    for (const item of items) found.push(...lettersOf(item, eventId));
    const isOld = items.some(({ created_at }) => created_at < seconds - daySeconds);
    if (isOld || !page.next_page) break;
  }
  return found
    .filter(({ received_at }) => received_at >= seconds)
    .toSorted((one, other) => one.received_at - other.received_at);
}

type HistoryItem = Calls["history"]["reply"]["data"][string][number];

function lettersOf({ id, from, email, letters }: HistoryItem, eventId: string): NewLetter[] {
  return letters.map(({ letter_id, sender, subject, received_at, code, link, value }) => {
    const found = { code, link, value };
    return { activation_id: id, from, email, letter_id, sender, subject, received_at, ...found, eventId };
  });
}
