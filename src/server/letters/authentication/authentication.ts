// Authenticates letters after delivery. A due row is the timer: a crash loses nothing, and no letter waits in memory.
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { DnsServers } from "../../platform/config/config.ts";
import { attempt, type Db, type Tx } from "../../platform/db/db.ts";
import type { Patience } from "../../platform/dns.ts";
import { nothingProved, type Authenticated } from "./authenticate.ts";
import type { Question } from "./authenticate.worker.ts";
import { prove } from "./authentication.prove.ts";
import { dropLate, lockTried, readRaw, saveAuthentication, takeDue, type Due } from "./authentication.sql.ts";
import { read, type LettersOptions } from "../matching/matching.ts";
import { watchOver } from "../parsing/parsing.ts";
import { isLong } from "../letters.raw.ts";
import { memoryBudget } from "../../platform/memory-budget.ts";

export interface AuthenticationOptions {
  readonly servers: DnsServers;
  /** Whether letters from a domain are for a known site, served or not (`catalog.isSender`). */
  isSender(domain: string): Promise<boolean>;
  /** Counts the proof of a letter for its orders (`orders.countProof`), in the transaction that saves it. */
  count?(tx: Tx, letterId: bigint): Promise<unknown>;
  /** Releases shares that were held until a letter was proved (`orders.releaseProved`). */
  release?(db: Db, letterId: bigint): Promise<unknown>;
  readonly patience?: Patience | undefined;
  /** Ends the thread, as a letter does that takes too long in it. */
  readonly late?: (() => AbortSignal) | undefined;
}

export type Counts = ReadonlyMap<`${"spf" | "dkim" | "dmarc"} ${string}`, number>;

const atOnce = 16;
/** Fewer are not worth a query. */
const leastTaken = 8;
const bytesMax = 32 * 1024 * 1024;
const secondsMax = 10;
const leaseSeconds = 60;
/** After a try without answers of name servers. After the last the result stays. */
const againSeconds = [60, 600, 3600];
const dropSize = 10_000;
const heapMegabytesMax = 256;

export class Authentication {
  readonly #db: Db;
  readonly #options: LettersOptions;
  readonly #own: AuthenticationOptions;
  readonly #stopping = new AbortController();
  readonly #going = new Set<Promise<void>>();
  readonly #memory = memoryBudget(bytesMax);
  readonly #counts = new Map<`${"spf" | "dkim" | "dmarc"} ${string}`, number>();
  #pool: Piscina<Question, Authenticated> | undefined;
  #running: Promise<void> | undefined;
  #isRung = false;

  constructor(db: Db, options: LettersOptions, own: AuthenticationOptions) {
    this.#db = db;
    this.#options = options;
    this.#own = own;
  }

  get counts(): Counts {
    return this.#counts;
  }

  ring(): void {
    this.#isRung = true;
    this.#running ??= this.#run();
  }

  async due(): Promise<void> {
    while ((await dropLate(this.#db, dropSize)) === dropSize);
    this.ring();
    await this.#running;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#pool?.destroy();
    await this.#running;
    await Promise.all(this.#going);
  }

  async #run(): Promise<void> {
    try {
      while (this.#isRung && !this.#stopping.signal.aborted) {
        this.#isRung = false;
        await this.#takeAll();
      }
    } catch (fault) {
      this.#options.log.error({ err: fault }, "letters that are to be authenticated could not be taken");
    } finally {
      this.#running = undefined;
    }
  }

  async #takeAll(): Promise<void> {
    for (;;) {
      while (this.#going.size > atOnce - leastTaken) await Promise.race(this.#going);
      if (this.#stopping.signal.aborted) return;
      const free = atOnce - this.#going.size;
      const taken = await takeDue(this.#db, leaseSeconds, free);
      for (const letter of taken) {
        const going = this.#look(letter).finally(() => this.#going.delete(going));
        this.#going.add(going);
      }
      if (taken.length < free) return;
    }
  }

  async #look(letter: Due): Promise<void> {
    const { signal } = this.#stopping;
    const bytes = Math.min(letter.sizeBytes, bytesMax);
    if (!(await this.#memory.wait(bytes, signal))) return;
    try {
      const raw = await readRaw(this.#db, letter);
      if (!raw || signal.aborted) return;
      // The thread takes over the memory. A short letter is copied, as it may be needed again; the copy of a long one would cost more.
      const kept = isLong({ raw }) ? undefined : raw;
      const found = await this.#ask(letter, kept ? new Uint8Array(kept) : raw);
      if (!signal.aborted) await this.#conclude(letter, kept, found);
    } catch (fault) {
      if (!signal.aborted)
        this.#options.log.error({ err: fault, letter: String(letter.id) }, "a letter was not authenticated");
    } finally {
      this.#memory.give(bytes);
    }
  }

  async #ask(letter: Due, raw: Uint8Array): Promise<Authenticated> {
    const { id, sizeBytes, remote, helo, mailFrom, to } = letter;
    this.#pool ??= startThread();
    const { servers, patience, late } = this.#own;
    const progress = new Int32Array(new SharedArrayBuffer(4));
    const tooLong = new AbortController();
    const watch = watchOver(progress, secondsMax, () => tooLong.abort());
    try {
      return await this.#pool.run(
        { raw, envelope: { remote, helo, mailFrom, to }, servers, patience, progress },
        { transferList: [raw.buffer as ArrayBuffer], signal: late?.() ?? tooLong.signal },
      );
    } catch (fault) {
      const reason = fault instanceof Error ? fault.name : typeof fault;
      if (!this.#stopping.signal.aborted)
        this.#options.log.warn(
          { letter: String(id), bytes: sizeBytes, reason },
          "a letter is looked at again",
        );
      const spf = remote === null ? null : "temperror";
      return { ...nothingProved, spf, dkim: "temperror", dmarc: "temperror" };
    } finally {
      clearInterval(watch);
    }
  }

  async #conclude(letter: Due, kept: Uint8Array | undefined, found: Authenticated): Promise<void> {
    const { id, arrivedAt } = letter;
    const isOver = ![found.spf, found.dkim, found.dmarc].includes("temperror");
    const again = isOver ? undefined : againSeconds[letter.tries - 1];
    const mayProve = await this.#mayProve(letter, found);
    const raw = mayProve ? (kept ?? (await readRaw(this.#db, letter))) : undefined;
    const [opened] = raw ? await read(this.#options, [{ id, arrivedAt, raw, mailboxIds: [] }]) : [];
    const isMine = await attempt(this.#db, async (tx) => {
      const locked = await lockTried(tx, letter);
      if (!locked) return false;
      await saveAuthentication(tx, id, found, again ?? null);
      if (opened && !locked.isGiven && locked.mailboxIds.length > 0)
        await prove(tx, this.#options, { ...opened, mailboxIds: locked.mailboxIds }, found.dkimDomains);
      if (again === undefined) await this.#own.count?.(tx, id);
      return true;
    });
    if (isMine && again === undefined) this.#count(found);
    // A transaction of its own: it takes locks that come before those of delivery. After a crash the job of the shares does it.
    if (isMine && found.dkimAddressed.length > 0) await this.#own.release?.(this.#db, id);
  }

  /** A mailer may sign for many sites: a letter whose From is of a known site is not matched by its signer, lest other sites' buyers read it. */
  async #mayProve({ isGiven, senderDomain }: Due, { dkimDomains }: Authenticated): Promise<boolean> {
    if (isGiven || dkimDomains.every((domain) => domain === senderDomain)) return false;
    return senderDomain === "" || !(await this.#own.isSender(senderDomain));
  }

  #count({ spf, dkim, dmarc }: Authenticated): void {
    for (const [check, result] of Object.entries({ spf, dkim, dmarc })) {
      const key = `${check as "spf"} ${result ?? "unknown"}` as const;
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
  }
}

/** One thread for many letters, as they mostly wait for names. A letter that takes too long ends it and costs the others a try. */
function startThread(): Piscina<Question, Authenticated> {
  const pool = new Piscina<Question, Authenticated>({
    filename: fileURLToPath(new URL("authenticate.worker.ts", import.meta.url)),
    minThreads: 0,
    maxThreads: 1,
    concurrentTasksPerWorker: atOnce,
    // It must receive the answers of name servers between letters.
    atomics: "disabled",
    idleTimeout: 60_000,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    niceIncrement: process.platform === "linux" ? 5 : 0,
    recordTiming: false,
  });
  pool.on("error", () => undefined);
  return pool;
}
