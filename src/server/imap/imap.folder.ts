// What is known of a folder: which letters were fetched, which came before the orders, and what is looked for again.
import type { FetchMessageObject, ImapFlow } from "imapflow";
import {
  arrivalOf,
  type Bounds,
  boundsOf,
  clockOf,
  dateOf,
  isDoubtful,
  isLongBefore,
  type Look,
} from "./imap.arrival.ts";
import { expectOpen, unlessRefused } from "./imap.client.ts";
import { forgetNumbers, saveClock, saveMark, selectSeen } from "./imap.sql.ts";
import { type Found, inTime, take, type Taking, writtenAt } from "./imap.take.ts";

export interface Wanted {
  readonly mailboxId: bigint;
  readonly login: string;
  readonly hostId: number;
  /** When its oldest living order was placed: older letters are not taken. */
  since: Date;
  /** By how much the host's clock is ahead. */
  clockMs: number;
  /** Whether an order waits for its first letter. */
  isPending: boolean;
}

/** What the next visit must know of a folder. */
export interface Place {
  readonly uidValidity: bigint;
  /** Up to here each letter was fetched, came before the orders, or is gone. */
  readonly lastUid: number;
  /** Letters with a UID from here on came after `checkedAt`. */
  readonly nextUid: number;
  readonly checkedAt: Date;
}

/** Lists again everything since the order so often, and believes so late that a number has no letter. */
export interface Again {
  readonly againMs: number;
}

/** Whether to go on with a folder after so many of its letters. */
export type GoesOn = (taken: number) => boolean;

interface Candidate extends Found {
  readonly bounds: Bounds;
}

type Head = Pick<FetchMessageObject, "uid" | "size" | "internalDate">;

const headQuery = { uid: true, internalDate: true } as const;
/** How many of the newest letters are listed at least, and at a time. */
const newestMin = 50;
const rangeMax = 500;
/** Of so many of the newest their own dates are asked for, where they may decide. */
const doubtfulMax = 50;
/** The clock of a saved look was read before its list. */
const savedSlackMs = 2_000;
/** A letter that failed so often is asked for ever more seldom. */
const failuresMax = 3;
const restsMax = 20;

/** Failures of letters, for all visits of this process; a restart tries each anew. */
export class Troubles {
  readonly #known = new Map<string, { failures: number; restUntil: number }>();

  failuresOf(letter: string): number {
    return this.#known.get(letter)?.failures ?? 0;
  }

  rests(letter: string): boolean {
    return (this.#known.get(letter)?.restUntil ?? 0) > performance.now();
  }

  /** Counts one; answers whether it is the one that makes the letter rest. */
  add(letter: string, againMs: number): boolean {
    const failures = this.failuresOf(letter) + 1;
    const rests = failures < failuresMax ? 0 : Math.min(2 ** (failures - failuresMax), restsMax);
    // Oldest first, so that hostile servers cannot fill the memory.
    if (this.#known.size >= 10_000) this.#known.delete([...this.#known.keys()][0] ?? "");
    this.#known.set(letter, { failures, restUntil: performance.now() + rests * againMs });
    return failures === failuresMax;
  }

  forget(letter: string): void {
    this.#known.delete(letter);
  }
}

export class Folder {
  readonly #path: string;
  readonly #wanted: Wanted;
  readonly #taking: Taking;
  readonly #troubles: Troubles;
  readonly #againMs: number;
  #uidValidity: bigint | undefined;
  #place: Place | undefined;
  #saved: Place | undefined;
  #looks: Look[] = [];
  readonly #done = new Set<number>();
  readonly #before = new Set<number>();
  /** The `since` that `#before` is about. */
  #beforeWhen = new Date(0);
  readonly #madeAt = performance.now();
  #listedAllAt = -Infinity;
  /** The highest number given at a look, so that a later one shows which of them have no letter. */
  #tops: { uid: number; at: number }[] = [];

  constructor(
    path: string,
    wanted: Wanted,
    place: Place | undefined,
    how: { taking: Taking; troubles: Troubles } & Again,
  ) {
    this.#path = path;
    this.#wanted = wanted;
    this.#place = place;
    this.#saved = place;
    this.#uidValidity = place?.uidValidity;
    this.#taking = how.taking;
    this.#troubles = how.troubles;
    this.#againMs = how.againMs;
    if (!place) return;
    this.#looks = [
      { from: place.checkedAt, to: after(place.checkedAt, savedSlackMs), nextUid: place.nextUid },
    ];
    const ageMs = how.taking.clock().getTime() - place.checkedAt.getTime();
    this.#tops = [{ uid: place.nextUid - 1, at: this.#madeAt - ageMs }];
  }

  /** When everything since the order is to be listed again, whatever the position says. */
  get isDue(): boolean {
    return performance.now() >= this.#listedAllAt + this.#againMs;
  }

  /** Whether STATUS is not enough: a visit since the order that saw every number settled need not be repeated at once. */
  get isOpen(): boolean {
    const place = this.#place;
    const isSettled = place && place.checkedAt >= this.#wanted.since && place.lastUid + 1 >= place.nextUid;
    return isSettled
      ? performance.now() >= Math.max(this.#listedAllAt, this.#madeAt) + this.#againMs
      : this.isDue;
  }

  /** Whether STATUS shows that nothing came since the last look. */
  isAsBefore(status: { uidValidity?: bigint | undefined; uidNext?: number | undefined }): boolean {
    const place = this.#place;
    return (
      place !== undefined &&
      place.uidValidity === (status.uidValidity ?? 0n) &&
      place.nextUid === status.uidNext
    );
  }

  /** Takes new letters. The folder is opened read-only: not even a flag changes. Answers whether some are left. */
  async look(client: ImapFlow, goesOn: GoesOn): Promise<boolean> {
    const { clock } = this.#taking;
    const from = clock();
    const isAll = this.isDue;
    // Opened again too: a server tells of new numbers (UIDVALIDITY) by that alone, and some of new letters.
    if (isAll || !client.mailbox || client.mailbox.path !== this.#path)
      await client.mailboxOpen(this.#path, { readOnly: true });
    if (!client.mailbox) throw new Error("no folder is open");
    const { uidValidity, uidNext } = client.mailbox as { uidValidity?: bigint; uidNext?: number };
    // Some servers go back to numbers that they gave before, without a word.
    if (isAll && uidNext !== undefined && uidNext < (this.#place?.nextUid ?? 0)) await this.#forget();
    await this.#know(uidValidity ?? 0n);
    const heads = await this.#list(client, isAll);
    const until = clock();
    const highest = Math.max(0, ...heads.map(({ uid }) => uid));
    const nextUid = Math.max(client.mailbox.uidNext || 1, highest + 1);
    this.#note({ from, to: until, nextUid });
    const found = await this.#sort(client, heads, until);
    const isLeft = await this.#takeAll(client, found, goesOn);
    if (isAll) this.#listedAllAt = performance.now();
    this.#settle(heads, { isAll, nextUid, from, isLeft });
    const isNews =
      this.#saved?.lastUid !== this.#place?.lastUid || this.#saved?.nextUid !== this.#place?.nextUid;
    if (isNews) await this.save();
    return isLeft;
  }

  /** Saves what the next visit must know. */
  async save(): Promise<void> {
    if (!this.#place || this.#saved === this.#place) return;
    const { mailboxId } = this.#wanted;
    await saveMark(this.#taking.db, { mailboxId, folder: this.#path, ...this.#place });
    this.#saved = this.#place;
  }

  async #forget(): Promise<void> {
    this.#uidValidity = undefined;
    await forgetNumbers(this.#taking.db, this.#wanted.mailboxId, this.#path);
  }

  async #know(uidValidity: bigint): Promise<void> {
    const { mailboxId, since } = this.#wanted;
    const isKnown = this.#uidValidity === uidValidity;
    // An order may return after a later one was placed.
    if (!isKnown || since < this.#beforeWhen) this.#before.clear();
    this.#beforeWhen = since;
    if (!isKnown) {
      // All numbers are new: digests find the letters taken before.
      this.#uidValidity = uidValidity;
      this.#place = undefined;
      this.#looks = [];
      this.#tops = [];
    } else if (this.#listedAllAt > -Infinity) return;
    this.#done.clear();
    for (const { uid } of await selectSeen(this.#taking.db, mailboxId, this.#path, uidValidity))
      this.#done.add(Number(uid));
  }

  /** Of looks without a new number the first shows what was there, and the last what was not. */
  #note(look: Look): void {
    const last = this.#looks.at(-1);
    if (last?.nextUid === look.nextUid) this.#looks[this.#looks.length - 1] = { ...look, to: last.to };
    else this.#looks.push(look);
  }

  #isSettled(uid: number): boolean {
    return this.#done.has(uid) || this.#before.has(uid);
  }

  /** To tell sizes some servers read the letters, and hang up at one that they cannot read. */
  get #query(): { uid: true; internalDate: true; size?: true } {
    return this.#troubles.failuresOf(this.#listing) === 0 ? { ...headQuery, size: true } : headQuery;
  }

  get #listing(): string {
    return `${this.#wanted.mailboxId} sizes ${this.#path}`;
  }

  async #list(client: ImapFlow, isAll: boolean): Promise<Head[]> {
    try {
      const heads = await inTime(client, this.#taking.fetchMs, () =>
        isAll ? this.#listAll(client) : this.#listLater(client),
      );
      expectOpen(client, this.#path);
      return heads;
    } catch (fault) {
      this.#troubles.add(this.#listing, this.#againMs);
      throw fault;
    }
  }

  async #listLater(client: ImapFlow): Promise<Head[]> {
    const lastUid = this.#place?.lastUid ?? 0;
    const list = () => client.fetchAll(`${lastUid + 1}:*`, this.#query, { uid: true });
    // An empty folder is asked too, as not every server tells of its first letter; it may refuse the "*".
    const isEmpty = client.mailbox && client.mailbox.exists === 0;
    const heads = (isEmpty ? await unlessRefused(client, list) : await list()) ?? [];
    // "n:*" always names the last letter, also when its UID is below n (RFC 9051 §6.4.9).
    return heads.filter(({ uid }) => uid > lastUid);
  }

  /** From the newest down to where all came before the orders: a mailbox may hold years. By FETCH, as the index of SEARCH may be older. */
  async #listAll(client: ImapFlow): Promise<Head[]> {
    const heads: Head[] = [];
    const { clockMs, since } = this.#wanted;
    const isOld = ({ uid, internalDate }: Head) => {
      const { upper } = boundsOf(uid, this.#looks, new Date(8.64e15));
      return this.#isSettled(uid) || upper < since || isLongBefore(dateOf(internalDate), clockMs, since);
    };
    const exists = client.mailbox ? client.mailbox.exists : 0;
    for (let to = exists, size = newestMin; to > 0; to -= size, size = rangeMax) {
      const first = Math.max(1, to - size + 1);
      const part = await client.fetchAll(to === exists ? `${first}:*` : `${first}:${to}`, this.#query);
      heads.push(...part.filter(({ uid }) => uid > 0));
      if (part.every(isOld)) break;
    }
    return heads;
  }

  /** Those that came after the order, the fewest failures and the oldest first. */
  async #sort(client: ImapFlow, heads: readonly Head[], until: Date): Promise<Candidate[]> {
    const wanted = this.#wanted;
    const open = new Map<number, Head>();
    for (const head of heads)
      if (!this.#isSettled(head.uid)) open.set(head.uid, { ...open.get(head.uid), ...head });
    const ordered = [...open.values()].toSorted((a, b) => a.uid - b.uid);
    const bounds = (uid: number): Bounds => boundsOf(uid, this.#looks, until);
    for (const { uid, internalDate } of ordered)
      await this.#learnClock({ internal: dateOf(internalDate) }, bounds(uid));
    const doubtful = ordered
      .filter(({ uid, internalDate }) =>
        isDoubtful(dateOf(internalDate), bounds(uid), wanted.clockMs, wanted.since),
      )
      .slice(-doubtfulMax);
    const written = await this.#datesOf(client, doubtful);
    const found: Candidate[] = [];
    const uidValidity = this.#uidValidity ?? 0n;
    for (const { uid, size, internalDate } of ordered) {
      const internal = dateOf(internalDate);
      const cameAt = arrivalOf({ internal, written: written.get(uid) }, bounds(uid), wanted.clockMs);
      if (cameAt === undefined || cameAt < wanted.since) this.#before.add(uid);
      else found.push({ folder: this.#path, uidValidity, uid, size, cameAt, internal, bounds: bounds(uid) });
    }
    const failuresOf = (letter: Found) => this.#troubles.failuresOf(this.#nameOf(letter));
    return found.toSorted((a, b) => failuresOf(a) - failuresOf(b) || a.uid - b.uid);
  }

  async #datesOf(client: ImapFlow, heads: readonly Head[]): Promise<Map<number, Date | undefined>> {
    if (heads.length === 0) return new Map();
    const uids = heads.map(({ uid }) => uid);
    const rows = await unlessRefused(client, () =>
      inTime(client, this.#taking.fetchMs, () =>
        client.fetchAll(uids, { uid: true, headers: ["date"] }, { uid: true }),
      ),
    );
    return new Map((rows ?? []).map(({ uid, headers }) => [uid, writtenAt(headers)]));
  }

  async #learnClock(dated: Parameters<typeof clockOf>[0], bounds: Bounds): Promise<void> {
    const wanted = this.#wanted;
    const clockMs = clockOf(dated, bounds, wanted.clockMs);
    if (clockMs === wanted.clockMs) return;
    wanted.clockMs = clockMs;
    await saveClock(this.#taking.db, wanted.hostId, clockMs);
  }

  #nameOf({ folder, uidValidity, uid }: Found): string {
    return `${this.#wanted.mailboxId} ${uidValidity} ${uid} ${folder}`;
  }

  async #takeAll(client: ImapFlow, found: readonly Candidate[], goesOn: GoesOn): Promise<boolean> {
    for (const [place, letter] of found.entries()) {
      if (!goesOn(place)) return true;
      if (!this.#troubles.rests(this.#nameOf(letter))) await this.#takeOne(client, letter);
    }
    return false;
  }

  async #takeOne(client: ImapFlow, letter: Candidate): Promise<void> {
    const { mailboxId } = this.#wanted;
    const name = this.#nameOf(letter);
    const fails = () => {
      if (!this.#troubles.add(name, this.#againMs)) return;
      const about = { mailbox: String(mailboxId), folder: this.#path, uid: letter.uid };
      this.#taking.log.warn(about, "a server does not give a letter: it is left, and asked for now and then");
    };
    try {
      const raw = await take(client, letter, this.#wanted, this.#taking);
      // The next look shows whether it is gone.
      if (raw === false) return fails();
      this.#done.add(letter.uid);
      this.#troubles.forget(name);
      await this.#learnClock({ internal: letter.internal, written: writtenAt(raw) }, letter.bounds);
    } catch (fault) {
      if (!client.usable) fails();
      throw fault;
    }
  }

  /** Moves the position past what is settled, and past numbers without a letter that a later look does not list either. */
  #settle(
    heads: readonly Head[],
    { isAll, nextUid, from, isLeft }: { isAll: boolean; nextUid: number; from: Date; isLeft: boolean },
  ): void {
    const at = performance.now();
    const uids = heads.map(({ uid }) => uid).toSorted((a, b) => a - b);
    const shown = this.#tops.findLast((top) => at - top.at >= this.#againMs);
    this.#tops = [...this.#tops.filter((top) => top.at >= (shown?.at ?? 0)), { uid: nextUid - 1, at }];
    const open = uids.find((uid) => !this.#isSettled(uid)) ?? nextUid;
    let lastUid = Math.max(this.#place?.lastUid ?? 0, isAll ? (uids[0] ?? 1) - 1 : 0);
    while (this.#isSettled(lastUid + 1)) lastUid++;
    lastUid = Math.max(lastUid, Math.min(shown?.uid ?? 0, open - 1));
    const uidValidity = this.#uidValidity ?? 0n;
    // What was not fetched is still proved to be new by the look before.
    const isWhole = !isLeft && open >= nextUid;
    const marked = isWhole || !this.#place ? { nextUid, checkedAt: from } : this.#place;
    this.#place = { ...marked, uidValidity, lastUid };
  }
}

const after = (at: Date, milliseconds: number) => new Date(at.getTime() + milliseconds);
