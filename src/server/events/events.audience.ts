import type { ServerResponse } from "node:http";
import type { ShopEvent } from "../../contract/events.ts";
import { now } from "../platform/clock.ts";
import { type Db, wasUndone } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import { idsOf } from "../platform/ids.ts";
import type { Opened } from "./events.opening.ts";
import * as rows from "./events.sql.ts";
import type { EventRow, Place } from "./events.sql.ts";

const roundSize = 500;
/** With more unsent bytes a client gets no more; its events stay in the table. */
const unsentBytesMax = 64 * 1024;
const retryMsMin = 1_000;
const retryMsSpread = 4_000;

export interface Stream {
  readonly audience: Audience;
  readonly from: string | undefined;
  readonly token: string;
  readonly expiresAt: Date | undefined;
  /** The sites whose letters its token reads; undefined for all. */
  readonly siteIds: ReadonlySet<number> | undefined;
  readonly response: ServerResponse;
  sent: bigint;
  /** It waits with more events until the client has taken the written ones. */
  isBehind: boolean;
  isStuck: boolean;
  readonly ended: Promise<void>;
}

/** The streams of one user share one read and one rendering of events. */
export interface Audience {
  readonly userId: bigint;
  readonly streams: Set<Stream>;
  size: number;
  isBusy: boolean;
  isDirty: boolean;
  /** When `watch` must be renewed, by the monotonic clock. */
  renewAt: number;
}

/** `ofSite`: tokens for other sites read `others` instead: nothing of a letter, and no note. */
export type Described = ShopEvent & {
  readonly ofSite?: { readonly siteId: number; readonly others?: ShopEvent };
};

/** Describes events by their ids; leaves out one whose subject is gone. */
export type Describe = (events: readonly EventRow[]) => Promise<ReadonlyMap<bigint, Described>>;

interface EventText {
  readonly id: bigint;
  readonly text: string;
  readonly ofSite: { readonly siteId: number; readonly others: string } | undefined;
}

export type Telling = Batcher<Place, EventText[]>;

export function openTelling(db: Db, describe: Describe): Telling {
  const ids = idsOf(db);
  return new Batcher<Place, EventText[]>(
    async (places) => {
      const events = await rows.selectEvents(db, places, roundSize);
      const bodies = await describe(events);
      const texts = new Map<bigint, EventText[]>(places.map(({ userId }) => [userId, []]));
      for (const { userId, id } of events)
        texts.get(userId)?.push(textOfEvent(id, bodies.get(id), ids.show(id)));
      return places.map(({ userId }) => texts.get(userId) ?? []);
    },
    // One ask per user at a time bounds the queue.
    { concurrency: 2, batchMax: 200, queueMax: Number.POSITIVE_INFINITY, mayRepeat: wasUndone },
  );
}

/** Writes events until there are no more. Runs once at a time per user to keep the order. */
export async function feed(audience: Audience, telling: Telling): Promise<void> {
  audience.isDirty = true;
  if (audience.isBusy) return;
  audience.isBusy = true;
  try {
    while (audience.isDirty && audience.streams.size > 0) {
      audience.isDirty = false;
      await feedOnce(audience, telling);
    }
  } finally {
    audience.isBusy = false;
  }
}

async function feedOnce(audience: Audience, telling: Telling): Promise<void> {
  for (const stream of audience.streams) stream.isBehind = isFull(stream);
  const places = [...audience.streams].flatMap(({ sent, isBehind }) => (isBehind ? [] : [sent]));
  if (places.length === 0) return;
  const after = places.reduce((least, sent) => (sent < least ? sent : least));
  const events = await telling.submit({ userId: audience.userId, after });
  const newest = events.at(-1)?.id;
  if (newest === undefined) return;
  if (events.length >= roundSize) audience.isDirty = true;
  for (const stream of audience.streams) {
    // A stream further back is fed when it has space; a new one in its own round.
    if (stream.isBehind || stream.sent < after) continue;
    const news = events.filter(({ id }) => id > stream.sent);
    const text = news.map((event) => textFor(stream, event)).join("");
    if (text !== "") write(stream, text);
    if (stream.sent < newest) stream.sent = newest;
  }
}

const textFor = ({ siteIds }: Stream, { text, ofSite }: EventText) =>
  siteIds === undefined || ofSite === undefined || siteIds.has(ofSite.siteId) ? text : ofSite.others;

const isFull = ({ response }: Stream) => response.writableLength > unsentBytesMax;

export function write(stream: Stream, text: string): void {
  const { response, expiresAt } = stream;
  if (response.destroyed || response.writableEnded) return;
  if (expiresAt && expiresAt <= now()) end(stream);
  else response.write(text);
}

/** Writes a keep-alive, or ends the stream of a client that takes nothing. It may resume. */
export function keepAlive(stream: Stream): void {
  if (!isFull(stream)) write(stream, ":\n\n");
  else if (stream.isStuck) stream.response.destroy();
  stream.isStuck = isFull(stream);
}

export function end({ response }: Stream): void {
  if (!response.destroyed) response.end();
}

/** Clients whose streams end together (a release) reconnect spread over time. */
export function greeting(word: Opened["word"], place: string): string {
  const retry = retryMsMin + Math.floor(Math.random() * retryMsSpread);
  return `retry: ${retry}\n${beginning(word, place)}`;
}

export function beginning(word: Opened["word"], place: string): string {
  return `id: ${place}\nevent: ${word}\ndata: {"id":"${place}"}\n\n`;
}

/** Without an event: a place to go on from. */
function textOfEvent(id: bigint, event: Described | undefined, shownId: string): EventText {
  const written = (one: ShopEvent | undefined) => (one ? textOf(shownId, one) : "");
  const site = event?.ofSite;
  return {
    id,
    text: written(event),
    ofSite: site && { siteId: site.siteId, others: written(site.others) },
  };
}

function textOf(id: string, { name, data }: ShopEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
