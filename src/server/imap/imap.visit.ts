// One connection to one mailbox, from its login until no order waits or others need the connection.
import type { ImapFlow } from "imapflow";
import type { Seal } from "../platform/seal.ts";
import { createClient, type Patience, reasonOf, unlessRefused } from "./imap.client.ts";
import { type Again, Folder, type Place, type Troubles, type Wanted } from "./imap.folder.ts";
import { junkFolders } from "./imap.junk.ts";
import { isPutOff, isRefused } from "./imap.refusals.ts";
import { markUp, selectFolders, type Box } from "./imap.sql.ts";
import type { Taking } from "./imap.take.ts";

export interface End {
  /** `left`: as planned; `refused`: wrong password; `put off`: not now; `down`: no connection; `broken`: after the login. */
  readonly how: "left" | "refused" | "put off" | "down" | "broken";
  readonly why: string;
}

export interface Pace extends Pick<Patience, "silenceMs">, Again {
  /** Without IDLE, and while an order waits, as some servers accept IDLE and tell nothing: between two polls of the inbox. */
  readonly pollMs: number;
  /** Between two polls of the junk folders, and with IDLE of the connection (RFC 2177: before 29 minutes). */
  readonly junkMs: number;
}

export interface Means {
  readonly seal: Seal;
  readonly taking: Taking;
  readonly troubles: Troubles;
  readonly pace: Pace;
  /** Called after each log-in. */
  readonly opened: (box: Box) => Promise<void>;
}

/** So that a flood of letters does not occupy a connection that others wait for. */
const perTurnMax = 50;

const inbox = "INBOX";
const logoutMs = 1_000;

export class Visit {
  readonly box: Box;
  readonly wanted: Wanted;
  /** Never rejects. */
  readonly ended: Promise<End>;
  readonly #means: Means;
  readonly #folders = new Map<string, Folder>();
  readonly #known = new Map<string, Place>();
  readonly #begunAt = performance.now();
  #client: ImapFlow | undefined;
  /** `turn`: leaves after one check of every folder, as others wait; `end`: at once. */
  #wish: "stay" | "turn" | "end" = "stay";
  #hasNews = false;
  #wake = Promise.withResolvers<void>();
  #canIdle = true;
  #junk: readonly string[] = [];
  #junkListedAt = -Infinity;

  constructor(box: Box, wanted: Wanted, means: Means) {
    this.box = box;
    this.wanted = wanted;
    this.#means = means;
    this.ended = this.#visit();
  }

  get lastedMs(): number {
    return performance.now() - this.#begunAt;
  }

  takeTurns(): void {
    if (this.#wish === "stay") this.#wish = "turn";
    this.#wake.resolve();
  }

  end(): void {
    this.#wish = "end";
    this.#wake.resolve();
  }

  cut(): void {
    this.end();
    this.#client?.close();
  }

  async #visit(): Promise<End> {
    const { seal, taking, pace, opened } = this.#means;
    let password = "";
    let isIn = false;
    try {
      password = seal.open(this.box.secret);
      const client = await createClient(this.box, password, pace);
      if (this.#wish === "end") return { how: "left", why: "" };
      this.#client = client;
      client.on("exists", () => this.#news());
      client.on("close", () => this.#wake.resolve());
      await client.connect();
      isIn = true;
      await markUp(taking.db, this.box.hostId);
      await opened(this.box);
      this.#canIdle = client.capabilities.has("IDLE");
      for (const { folder, ...place } of await selectFolders(taking.db, this.box.mailboxId))
        this.#known.set(folder, { ...place, lastUid: Number(place.lastUid), nextUid: Number(place.nextUid) });
      await this.#stay(client);
      for (const folder of this.#folders.values()) await folder.save();
      await sayGoodbye(client);
      return { how: "left", why: "" };
    } catch (fault) {
      const why = reasonOf(fault, password);
      if (this.#wish === "end") return { how: "left", why };
      if (isIn || password === "") return { how: "broken", why };
      return { how: isRefused(fault) ? "refused" : isPutOff(fault) ? "put off" : "down", why };
    } finally {
      this.#client?.close();
    }
  }

  async #stay(client: ImapFlow): Promise<void> {
    let junkDueAt = 0;
    for (;;) {
      await this.#look(client, inbox);
      if (this.#wish === "end") return;
      if (performance.now() >= junkDueAt) {
        const isAway = await this.#lookAtJunk(client);
        junkDueAt = performance.now() + this.#means.pace.junkMs;
        if (isAway && this.#wish === "stay") continue;
      }
      if (this.#wish !== "stay") return;
      await this.#pause(client, junkDueAt);
    }
  }

  #news(): void {
    this.#hasNews = true;
    this.#wake.resolve();
  }

  #folder(path: string): Folder {
    const { taking, troubles, pace } = this.#means;
    const known = this.#folders.get(path);
    if (known) return known;
    const made = new Folder(path, this.wanted, this.#known.get(path), {
      taking,
      troubles,
      againMs: pace.againMs,
    });
    this.#folders.set(path, made);
    return made;
  }

  async #look(client: ImapFlow, path: string): Promise<void> {
    this.#hasNews = false;
    await this.#folder(path).look(
      client,
      (taken) => this.#wish === "stay" || (this.#wish === "turn" && taken < perTurnMax),
    );
  }

  /** Answers whether the inbox is open no more. */
  async #lookAtJunk(client: ImapFlow): Promise<boolean> {
    // Some servers make the folder with its first letter.
    if (performance.now() >= this.#junkListedAt + this.#means.pace.againMs) {
      this.#junk = (await unlessRefused(client, () => junkFolders(client))) ?? this.#junk;
      this.#junkListedAt = performance.now();
    }
    // Detects a lost connection.
    if (this.#junk.length === 0) await client.noop();
    let isAway = false;
    for (const path of this.#junk) {
      if (this.#wish === "end") break;
      const folder = this.#folder(path);
      if (!folder.isOpen) {
        const status = await client.status(path, { uidNext: true, uidValidity: true });
        if (status && folder.isAsBefore(status)) continue;
      }
      isAway = true;
      // One that cannot be opened is no reason to leave the others.
      await unlessRefused(client, () => this.#look(client, path));
    }
    return isAway;
  }

  async #pause(client: ImapFlow, junkDueAt: number): Promise<void> {
    if (this.#hasNews) return;
    this.#wake = Promise.withResolvers<void>();
    const waitMs = Math.max(0, junkDueAt - performance.now());
    const isPolled = !this.#canIdle || this.wanted.isPending;
    const timer = setTimeout(
      this.#wake.resolve,
      isPolled ? Math.min(waitMs, this.#means.pace.pollMs) : waitMs,
    );
    try {
      if (this.#canIdle) {
        const idling = client.idle();
        const isOver = await Promise.race([idling.then(() => true), this.#wake.promise.then(() => false)]);
        // The server ended or refused IDLE: polls from now on.
        if (isOver) this.#canIdle = false;
      } else {
        await this.#wake.promise;
        if (client.usable && this.#wish !== "end") await client.noop();
      }
    } finally {
      clearTimeout(timer);
    }
    if (!client.usable && this.#wish !== "end") throw new Error("the connection was closed");
  }
}

async function sayGoodbye(client: ImapFlow): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, logoutMs);
  await Promise.race([client.logout().catch(() => undefined), late.promise]);
  clearTimeout(timer);
}
