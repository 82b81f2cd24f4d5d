// Visits the mailboxes that the database leases to this process, and saves how each visit ended.
import { randomUUID } from "node:crypto";
import { now } from "../platform/clock.ts";
import { type Db, listen, notify } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import { type LogOnce, logOnce } from "../platform/jobs/log-once.ts";
import type { Seal } from "../platform/seal.ts";
import type { Patience } from "./imap.client.ts";
import { Gate } from "./imap.gate.ts";
import { Troubles } from "./imap.folder.ts";
import { noteOpened, noteRefused } from "./imap.stock.ts";
import {
  type Box,
  callLook,
  countRefused,
  deleteWorker,
  type Lease,
  markDown,
  release,
  selectBoxes,
  selectFared,
} from "./imap.sql.ts";
import type { Taking } from "./imap.take.ts";
import { type End, type Pace, Visit } from "./imap.visit.ts";

export interface Times extends Pace, Patience {
  /** Between two polls of the database without a notification. */
  readonly lookMs: number;
  /** The least time between two polls. */
  readonly checkAgainMs: number;
  /** After so long without a renewal a mailbox goes to another process. */
  readonly leaseSeconds: number;
  /** How long a connection stays with its mailbox although others wait. */
  readonly staySeconds: number;
  /** Waits after refused passwords while an order lives; the last one is repeated. */
  readonly refusedSeconds: readonly number[];
  /** After a failed connection: the first wait, doubled each time up to the maximum. */
  readonly restSeconds: { readonly first: number; readonly max: number };
  readonly stopMs: number;
}

export const usualTimes: Times = {
  pollMs: 3_000,
  junkMs: 10_000,
  againMs: 15_000,
  silenceMs: 60_000,
  fetchMs: 120_000,
  onceMs: 60_000,
  lookMs: 1_000,
  checkAgainMs: 250,
  leaseSeconds: 15,
  staySeconds: 2,
  refusedSeconds: [5, 30, 300],
  restSeconds: { first: 1, max: 60 },
  stopMs: 2_000,
};

/** NOTIFY channel: an order at a hosted mailbox, or connections freed or wanted. */
const channel = "imap";
/** Large letters in memory at a time: each may have ten megabytes. */
const lettersAtOnce = 4;
/** After so many refused mailboxes in a row the server is wrong rather than all passwords: it is asked less often. */
const refusalsMax = 5;
/** A failure after this time is not one of the login. */
const steadyMs = 60_000;

export interface FetcherOptions {
  readonly db: Db;
  readonly seal: Seal;
  readonly log: Log;
  readonly keepWith: Taking["keepWith"];
  readonly times: Times;
}

export class Fetcher {
  readonly #options: FetcherOptions;
  readonly #worker = randomUUID();
  readonly #visits = new Map<bigint, Visit>();
  readonly #over: { visit: Visit; end: End }[] = [];
  readonly #taking: Taking;
  readonly #troubles = new Troubles();
  /** The database's clock minus ours. */
  #aheadMs = 0;
  #isStopping = false;
  #isCalled = false;
  #turning: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = -Infinity;
  #deafen: (() => Promise<void>) | undefined;
  readonly #faults: LogOnce;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#faults = logOnce((fault) =>
      options.log.error({ err: fault }, "hosted mailboxes could not be looked after"),
    );
    const { db, log, keepWith, times } = options;
    const clock = () => new Date(now().getTime() + this.#aheadMs);
    this.#taking = { db, log, keepWith, clock, gate: new Gate(lettersAtOnce), fetchMs: times.fetchMs };
  }

  async start(): Promise<void> {
    this.#deafen = await listen(this.#options.db, channel, () => this.#call());
    this.#call();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#deafen?.();
    await this.#turning;
    const visits = [...this.#visits.values()];
    for (const visit of visits) visit.end();
    const cutting = setTimeout(() => {
      for (const visit of visits) visit.cut();
    }, this.#options.times.stopMs);
    await Promise.all(visits.map((visit) => visit.ended));
    clearTimeout(cutting);
    const { db } = this.#options;
    await this.#settleAll();
    await deleteWorker(db, this.#worker);
    await notify(db, channel, "");
  }

  /** Polls soon; concurrent calls share one poll. */
  #call(): void {
    this.#isCalled = true;
    if (this.#turning || this.#isStopping) return;
    clearTimeout(this.#timer);
    const { checkAgainMs } = this.#options.times;
    const waitMs = Math.max(0, this.#lookedAt + checkAgainMs - performance.now());
    this.#timer = setTimeout(() => this.#begin(), waitMs);
  }

  #begin(): void {
    this.#isCalled = false;
    this.#lookedAt = performance.now();
    this.#turning = this.#turn()
      .then(this.#faults.passed, this.#faults.failed)
      .finally(() => {
        this.#turning = undefined;
        if (this.#isStopping) return;
        if (this.#isCalled) this.#call();
        else this.#timer = setTimeout(() => this.#begin(), this.#options.times.lookMs);
      });
  }

  // Releases and polls in one loop, so that no answer is about a visit that has just ended.
  async #turn(): Promise<void> {
    const { db, times } = this.#options;
    await this.#settleAll();
    const askedAt = now().getTime();
    const leases = await callLook(db, this.#worker, times.leaseSeconds, times.staySeconds);
    const [first] = leases;
    if (first) this.#aheadMs = first.lookedAt.getTime() - (askedAt + now().getTime()) / 2;
    const byMailbox = new Map(leases.map((lease) => [lease.mailboxId, lease]));
    for (const [mailboxId, visit] of this.#visits) {
      const lease = byMailbox.get(mailboxId);
      // The operator may have registered another host for the domain.
      if (lease?.hostId !== visit.box.hostId) visit.end();
      else if (lease?.mustLeave) visit.takeTurns();
      if (lease) Object.assign(visit.wanted, { since: lease.since, isPending: lease.isPending });
    }
    await this.#open(leases.filter(({ mailboxId }) => !this.#visits.has(mailboxId)));
  }

  async #open(leases: readonly Lease[]): Promise<void> {
    if (leases.length === 0) return;
    const { db, seal, times } = this.#options;
    const boxes = await selectBoxes(
      db,
      leases.map(({ mailboxId }) => mailboxId),
    );
    for (const box of boxes) {
      const lease = leases.find(({ mailboxId }) => mailboxId === box.mailboxId);
      if (!lease) continue;
      const { mailboxId, since, clockMs, isPending } = lease;
      const { hostId, login } = box;
      const wanted = { mailboxId, login, hostId, since, clockMs, isPending };
      const [taking, troubles] = [this.#taking, this.#troubles];
      const opened = (each: Box) => noteOpened(this.#options, each);
      const visit = new Visit(box, wanted, { seal, taking, troubles, pace: times, opened });
      this.#visits.set(mailboxId, visit);
      void visit.ended.then((end) => {
        this.#over.push({ visit, end });
        this.#call();
      });
    }
  }

  async #settleAll(): Promise<void> {
    const { db } = this.#options;
    const isAny = this.#over.length > 0;
    for (;;) {
      const [over] = this.#over;
      if (!over) break;
      await this.#settle(over.visit, over.end);
      this.#visits.delete(over.visit.box.mailboxId);
      this.#over.shift();
    }
    if (isAny) await notify(db, channel, "");
  }

  async #settle({ box, lastedMs }: Visit, { how, why }: End): Promise<void> {
    const { db, log, times } = this.#options;
    const { mailboxId, host } = box;
    const base = {
      mailboxId,
      worker: this.#worker,
      nextTrySeconds: 0,
      failures: 0,
      refusals: 0,
      error: null,
    };
    if (how === "left") return void (await release(db, base));
    const fared = (await selectFared(db, mailboxId)) ?? { failures: 0, refusals: 0 };
    if (how === "refused") return this.#settleRefused(box, why, fared.refusals + 1);
    if (how === "down" || how === "put off") await this.#rest(box, why);
    if (how === "down") return void (await release(db, { ...base, ...fared, error: why }));
    if (how === "broken")
      log.info({ mailbox: String(mailboxId), host, why }, "a visit to a hosted mailbox broke off");
    const failures = lastedMs > steadyMs ? 1 : fared.failures + 1;
    const nextTrySeconds =
      Math.min(times.restSeconds.max, 0.25 * 2 ** Math.min(failures, 10)) * Math.random();
    await release(db, { ...base, nextTrySeconds, failures, error: why });
  }

  async #rest({ hostId, host }: Box, why: string): Promise<void> {
    const { db, log, times } = this.#options;
    const { first, max } = times.restSeconds;
    const rest = { firstSeconds: first, maxSeconds: max, jitter: 0.5 + Math.random() / 2 };
    if (await markDown(db, hostId, why, rest)) log.warn({ host, why }, "a mail host lets nobody in");
  }

  /** A host that refuses several in a row is let rest. */
  async #settleRefused(box: Box, why: string, refusals: number): Promise<void> {
    const { db, times } = this.#options;
    const { mailboxId, hostId } = box;
    const inRow = await countRefused(db, hostId, refusals === 1, why);
    if (inRow >= refusalsMax) await this.#rest(box, why);
    await noteRefused(this.#options, box, why);
    const waits = times.refusedSeconds;
    const nextTrySeconds = waits[refusals - 1] ?? waits.at(-1) ?? 0;
    await release(db, { mailboxId, worker: this.#worker, nextTrySeconds, failures: 0, refusals, error: why });
  }
}
