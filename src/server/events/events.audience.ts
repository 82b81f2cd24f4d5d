import type { ServerResponse } from "node:http";
import type { ShopEvent } from "../../contract/events.ts";
import { now } from "../platform/clock.ts";
import { type Db, wasUndone } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import type { Opened } from "./events.opening.ts";
import * as rows from "./events.sql.ts";
import type { EventRow, Place } from "./events.sql.ts";

const roundSize = 500;
/** What may lie unsent for a client before it gets more: what it does not get now stays in the table. */
const unsentBytesMax = 64 * 1024;
const retryMsMin = 1_000;
const retryMsSpread = 4_000;

/** One open stream. */
export interface Stream {
  readonly audience: Audience;
  /** The network address that it is counted for. */
  readonly from: string | undefined;
  readonly token: string;
  readonly expiresAt: Date | undefined;
  /** The sites whose letters its token reads; undefined for all. */
  readonly siteIds: ReadonlySet<number> | undefined;
  readonly response: ServerResponse;
  /** The newest event that was written to it. */
  sent: bigint;
  /** There is more, which waits until the client has taken what was written. */
  isBehind: boolean;
  /** It was full already when it had its last turn. */
  isStuck: boolean;
  /** Resolves when it has ended, whoever ended it. */
  readonly ended: Promise<void>;
}

/** The streams of one user: what happened to him is read and rendered once for all of them. */
export interface Audience {
  readonly userId: bigint;
  readonly streams: Set<Stream>;
  /** Open streams and those that are just being opened. */
  size: number;
  isBusy: boolean;
  isDirty: boolean;
  /** When his events must be asked for again, by the monotonic clock. */
  renewAt: number;
}

/** What an event says. A letter's names the site it is for: tokens for other sites do not read it. */
export type Described = ShopEvent & { readonly letterOf?: number };

/** What these events say, by their ids; one that can be told of no longer is left out. */
export type Describe = (events: readonly EventRow[]) => Promise<ReadonlyMap<bigint, Described>>;

interface Told {
  readonly id: bigint;
  readonly text: string;
  readonly letterOf: number | undefined;
}

/** Reads and renders what is new, for many users at once. */
export type Telling = Batcher<Place, Told[]>;

/** Opens the batcher in which news are read. */
export function openTelling(db: Db, describe: Describe): Telling {
  return new Batcher<Place, Told[]>(
    async (places) => {
      const events = await rows.selectEvents(db, places, roundSize);
      const bodies = await describe(events);
      const told = new Map<bigint, Told[]>(places.map(({ userId }) => [userId, []]));
      for (const { userId, id } of events) {
        const event = bodies.get(id);
        told.get(userId)?.push({ id, text: event ? textOf(id, event) : "", letterOf: event?.letterOf });
      }
      return places.map(({ userId }) => told.get(userId) ?? []);
    },
    // A user asks once at a time, so there is a bound.
    { concurrency: 2, batchMax: 200, queueMax: Number.POSITIVE_INFINITY, mayRepeat: wasUndone },
  );
}

/** Writes what is new until there is nothing more. Only one runs for a user, so that his streams keep the order. */
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
  const told = await telling.submit({ userId: audience.userId, after });
  const newest = told.at(-1)?.id;
  if (newest === undefined) return;
  if (told.length >= roundSize) audience.isDirty = true;
  for (const stream of audience.streams) {
    // One that is further back than what was read is fed when it has room; one that was just opened has its own round.
    if (stream.isBehind || stream.sent < after) continue;
    const news = told.filter(({ id, letterOf }) => id > stream.sent && mayRead(stream, letterOf));
    const text = news.map((event) => event.text).join("");
    if (text !== "") write(stream, text);
    if (stream.sent < newest) stream.sent = newest;
  }
}

const mayRead = ({ siteIds }: Stream, siteId: number | undefined) =>
  siteIds === undefined || siteId === undefined || siteIds.has(siteId);

const isFull = ({ response }: Stream) => response.writableLength > unsentBytesMax;

/** Writes to a stream, or ends it when its token has ended. */
export function write(stream: Stream, text: string): void {
  const { response, expiresAt } = stream;
  if (response.destroyed || response.writableEnded) return;
  if (expiresAt && expiresAt <= now()) end(stream);
  else response.write(text);
}

/** A sign of life; or the end of a stream whose client takes nothing. It may come back and resume. */
export function keepAlive(stream: Stream): void {
  if (!isFull(stream)) write(stream, ":\n\n");
  else if (stream.isStuck) stream.response.destroy();
  stream.isStuck = isFull(stream);
}

/** Ends a stream; its client may come back. */
export function end({ response }: Stream): void {
  if (!response.destroyed) response.end();
}

/** How a stream begins. Those that end together (a release) must not all come back together. */
export function greeting(word: Opened["word"], place: bigint): string {
  const retry = retryMsMin + Math.floor(Math.random() * retryMsSpread);
  return `retry: ${retry}\n${beginning(word, place)}`;
}

/** Where a stream goes on from. */
export function beginning(word: Opened["word"], place: bigint): string {
  return `id: ${place}\nevent: ${word}\ndata: {"id":"${place}"}\n\n`;
}

function textOf(id: bigint, { name, data }: ShopEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
