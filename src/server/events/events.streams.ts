import type { ServerResponse } from "node:http";
import { streamsMax } from "../../contract/limits.ts";
import type { Db } from "../platform/db/db.ts";
import { idsOf } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import {
  type Audience,
  beginning,
  type Describe,
  end,
  feed,
  greeting,
  keepAlive,
  openTelling,
  type Stream,
  type Telling,
  write,
} from "./events.audience.ts";
import type { Subscriptions } from "./events.subscriptions.ts";
import { Opening, type Opened } from "./events.opening.ts";
import { callWatch } from "./events.sql.ts";

const tickMs = 1_000;
/** How long a client has to take the last bytes of a stream. */
const patienceMs = 1_000;
/** Each stream gets a keep-alive once in so many ticks, for proxies and to find dead clients. */
const turns = 20;
/** Streams of one network address over all accounts, as accounts are free. An office stays below. */
const addressStreamsMax = 1_000;
const watchSeconds = 15 * 60;
const renewMs = 5 * 60 * 1_000;

export interface Reader {
  readonly userId: bigint;
  readonly token: string;
  readonly expiresAt?: Date | undefined;
  /** The sites whose letters the token reads; undefined for all. */
  readonly siteIds?: ReadonlySet<number> | undefined;
  /** The network address for limits; undefined for the machine itself. */
  readonly from?: string | undefined;
}

export interface StreamsParts {
  readonly db: Db;
  readonly subscriptions: Subscriptions;
  readonly log: Log;
  readonly describe: Describe;
  readonly isValid: (reader: Reader) => Promise<boolean>;
}

export class Streams {
  readonly #parts: StreamsParts;
  readonly #opening: Opening;
  readonly #telling: Telling;
  readonly #audiences = new Map<bigint, Audience>();
  readonly #fromAddress = new Map<string, number>();
  readonly #groups = Array.from({ length: turns }, () => new Set<Stream>());
  /** Their read failed: retried at the next tick. */
  readonly #failed = new Set<Audience>();
  readonly #timer = setInterval(() => this.#tick(), tickMs);
  #turn = 0;
  #started = 0;
  #doubts = 0;
  #count = 0;
  #isOpen = true;

  constructor(parts: StreamsParts) {
    this.#parts = parts;
    this.#opening = new Opening(parts.db, watchSeconds);
    this.#telling = openTelling(parts.db, parts.describe);
    parts.subscriptions.subscribe((userIds) => this.#changed(userIds));
  }

  get count(): number {
    return this.#count;
  }

  /** Opens a stream after the event `after`. Answers its writer, which resolves at the end; `too many` at the limit of account or address. */
  async open(
    { userId, token, expiresAt, siteIds, from }: Reader,
    after: bigint | undefined,
  ): Promise<((response: ServerResponse) => Promise<void>) | "too many"> {
    const audience = this.#audiences.get(userId) ?? newAudience(userId);
    if (audience.size >= streamsMax || this.#openFrom(from) >= addressStreamsMax) return "too many";
    this.#audiences.set(userId, audience);
    audience.size++;
    this.#count++;
    if (from !== undefined) this.#fromAddress.set(from, this.#openFrom(from) + 1);
    const doubts = this.#doubts;
    try {
      const opened = await this.#opening.at(userId, after);
      return (response) => {
        const stream = this.#start(
          { audience, from, token, expiresAt, siteIds, response, sent: opened.place },
          opened.word,
        );
        if (doubts !== this.#doubts) this.#review([stream]);
        return stream.ended;
      };
    } catch (fault) {
      this.#leave(audience, from);
      throw fault;
    }
  }

  readonly doubt = (userId: bigint | undefined): void => {
    this.#doubts++;
    if (userId !== undefined) this.#review(this.#audiences.get(userId)?.streams ?? []);
    else for (const group of this.#groups) this.#review(group);
  };

  async close(): Promise<void> {
    this.#isOpen = false;
    clearInterval(this.#timer);
    const open = this.#groups.flatMap((group) => [...group]);
    for (const stream of open) end(stream);
    // A client that does not read would keep the process from ending.
    const timer = setTimeout(() => open.forEach(({ response }) => response.destroy()), patienceMs);
    await Promise.all(open.map(({ ended }) => ended));
    clearTimeout(timer);
  }

  #start(begun: Omit<Stream, "isBehind" | "isStuck" | "ended">, word: Opened["word"]): Stream {
    const { audience, from, response } = begun;
    const ended = Promise.withResolvers<void>();
    const stream: Stream = { ...begun, isBehind: false, isStuck: false, ended: ended.promise };
    const group = this.#groups[this.#started++ % turns];
    const leave = () => {
      audience.streams.delete(stream);
      group?.delete(stream);
      this.#leave(audience, from);
      ended.resolve();
    };
    // A client that went away is no fault; `close` follows, or came before.
    response.on("error", ignore);
    audience.streams.add(stream);
    group?.add(stream);
    if (response.destroyed) {
      leave();
      return stream;
    }
    response.once("close", leave);
    response.on("drain", () => stream.isBehind && this.#feed(audience));
    write(stream, greeting(word, idsOf(this.#parts.db).show(stream.sent)));
    if (!this.#isOpen) end(stream);
    this.#feed(audience);
    return stream;
  }

  #openFrom(from: string | undefined): number {
    return from === undefined ? 0 : (this.#fromAddress.get(from) ?? 0);
  }

  #leave(audience: Audience, from: string | undefined): void {
    audience.size--;
    this.#count--;
    const left = this.#openFrom(from) - 1;
    if (from !== undefined && left > 0) this.#fromAddress.set(from, left);
    else if (from !== undefined) this.#fromAddress.delete(from);
    if (audience.size === 0) this.#audiences.delete(audience.userId);
  }

  #changed(userIds: readonly bigint[] | undefined): void {
    if (userIds === undefined) for (const audience of this.#audiences.values()) this.#feed(audience);
    else
      for (const userId of userIds) {
        const audience = this.#audiences.get(userId);
        if (audience) this.#feed(audience);
      }
  }

  #feed(audience: Audience): void {
    feed(audience, this.#telling).catch((fault: unknown) => {
      this.#parts.log.error({ err: fault }, "events could not be told");
      this.#failed.add(audience);
    });
  }

  #tick(): void {
    for (const audience of this.#failed) this.#feed(audience);
    this.#failed.clear();
    this.#turn = (this.#turn + 1) % turns;
    const due = new Set<Audience>();
    for (const stream of this.#groups[this.#turn] ?? []) {
      keepAlive(stream);
      if (stream.audience.renewAt <= performance.now()) due.add(stream.audience);
    }
    if (due.size > 0)
      this.#renew([...due]).catch((fault: unknown) =>
        this.#parts.log.error({ err: fault }, "events could not be asked for"),
      );
  }

  async #renew(due: readonly Audience[]): Promise<void> {
    for (const audience of due) audience.renewAt = performance.now() + renewMs;
    const userIds = due.map(({ userId }) => userId);
    for (const { userId, since, newest } of await callWatch(this.#parts.db, userIds, watchSeconds)) {
      for (const stream of this.#audiences.get(userId)?.streams ?? []) {
        // After a long outage: events of this user were not recorded for a while.
        if (stream.sent >= since) continue;
        stream.sent = newest;
        write(stream, beginning("reset", idsOf(this.#parts.db).show(newest)));
      }
    }
    for (const { streams } of due) this.#review(streams);
  }

  #review(streams: Iterable<Stream>): void {
    const { isValid, log } = this.#parts;
    const check = async () => {
      for (const stream of streams) {
        const reader = { userId: stream.audience.userId, token: stream.token };
        if (!stream.response.destroyed && !(await isValid(reader))) end(stream);
      }
    };
    check().catch((fault: unknown) => log.error({ err: fault }, "tokens of streams could not be looked up"));
  }
}

const ignore = () => undefined;

const newAudience = (userId: bigint): Audience => ({
  userId,
  streams: new Set(),
  size: 0,
  isBusy: false,
  isDirty: false,
  renewAt: performance.now() + renewMs,
});
