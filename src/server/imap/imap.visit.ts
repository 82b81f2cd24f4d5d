// One connection to one mailbox, from its login until no order waits or others need the connection.
import type { ImapFlow } from "imapflow";
import type { Seal } from "../platform/seal.ts";
import { createClient, isRefused, type Patience, reasonOf } from "./imap.client.ts";
import { markUp, saveMark, selectFolders, type Box } from "./imap.sql.ts";
import { takeNew, type Place, type Taking, type Wanted } from "./imap.take.ts";

export interface End {
  /** `left`: as planned; `refused`: wrong password; `down`: no connection; `broken`: after the login. */
  readonly how: "left" | "refused" | "down" | "broken";
  readonly why: string;
}

export interface Pace extends Pick<Patience, "silenceMs"> {
  /** Without IDLE: between two polls of the inbox. */
  readonly pollMs: number;
  /** Between two polls of the junk folder, and with IDLE of the connection (RFC 2177: before 29 minutes). */
  readonly junkMs: number;
}

const inbox = "INBOX";
const logoutMs = 1_000;

export class Visit {
  readonly box: Box;
  readonly wanted: Wanted;
  /** Never rejects. */
  readonly ended: Promise<End>;
  readonly #taking: Taking;
  readonly #pace: Pace;
  readonly #places = new Map<string, Place>();
  readonly #saved = new Map<string, Place>();
  readonly #begunAt = performance.now();
  #client: ImapFlow | undefined;
  /** `turn`: leaves after one check of every folder, as others wait; `end`: at once. */
  #wish: "stay" | "turn" | "end" = "stay";
  #hasNews = false;
  #wake = Promise.withResolvers<void>();
  #canIdle = true;
  #junk: string | null | undefined;

  constructor(box: Box, wanted: Wanted, seal: Seal, taking: Taking, pace: Pace) {
    this.box = box;
    this.wanted = wanted;
    this.#taking = taking;
    this.#pace = pace;
    this.ended = this.#visit(seal);
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

  async #visit(seal: Seal): Promise<End> {
    let password = "";
    let isIn = false;
    try {
      password = seal.open(this.box.secret);
      const client = createClient(this.box, password, this.#pace);
      this.#client = client;
      client.on("exists", () => this.#news());
      client.on("close", () => this.#wake.resolve());
      await client.connect();
      isIn = true;
      await markUp(this.#taking.db, this.box.hostId);
      this.#canIdle = client.capabilities.has("IDLE");
      await this.#recall();
      await this.#stay(client);
      await this.#remember();
      await sayGoodbye(client);
      return { how: "left", why: "" };
    } catch (fault) {
      const why = reasonOf(fault, password);
      if (this.#wish === "end") return { how: "left", why };
      if (isIn || password === "") return { how: "broken", why };
      return { how: isRefused(fault) ? "refused" : "down", why };
    } finally {
      this.#client?.close();
    }
  }

  async #stay(client: ImapFlow): Promise<void> {
    let junkDueAt = 0;
    for (;;) {
      await this.#check(client, inbox);
      if (this.#wish === "end") return;
      if (performance.now() >= junkDueAt) {
        const isAway = await this.#lookAtJunk(client);
        junkDueAt = performance.now() + this.#pace.junkMs;
        if (isAway) continue;
      }
      if (this.#wish !== "stay") return;
      await this.#pause(client, junkDueAt);
    }
  }

  #news(): void {
    this.#hasNews = true;
    this.#wake.resolve();
  }

  /** Opens the folder read-only: not even a flag changes. */
  async #check(client: ImapFlow, folder: string): Promise<void> {
    if (!client.mailbox || client.mailbox.path !== folder)
      await client.mailboxOpen(folder, { readOnly: true });
    let hasMore = true;
    while (hasMore && this.#wish !== "end") {
      this.#hasNews = false;
      const taken = await takeNew(client, this.wanted, this.#places.get(folder), this.#taking);
      this.#places.set(folder, taken.place);
      if (taken.isSaved) this.#saved.set(folder, taken.place);
      hasMore = taken.hasMore;
    }
  }

  async #lookAtJunk(client: ImapFlow): Promise<boolean> {
    this.#junk ??= await junkFolder(client);
    if (this.#junk === null) {
      // Detects a lost connection.
      await client.noop();
      return false;
    }
    const checkedAt = this.#taking.clock();
    const status = await client.status(this.#junk, { uidNext: true, uidValidity: true });
    const place = this.#places.get(this.#junk);
    if (place && status && place.uidValidity === status.uidValidity && place.lastUid + 1 === status.uidNext) {
      this.#places.set(this.#junk, { ...place, checkedAt });
      return false;
    }
    await this.#check(client, this.#junk);
    return true;
  }

  async #pause(client: ImapFlow, junkDueAt: number): Promise<void> {
    if (this.#hasNews) return;
    this.#wake = Promise.withResolvers<void>();
    const waitMs = Math.max(0, junkDueAt - performance.now());
    const timer = setTimeout(
      this.#wake.resolve,
      this.#canIdle ? waitMs : Math.min(waitMs, this.#pace.pollMs),
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

  async #recall(): Promise<void> {
    const { db } = this.#taking;
    for (const { folder, uidValidity, lastUid, checkedAt } of await selectFolders(db, this.box.mailboxId))
      this.#places.set(folder, { uidValidity, lastUid: Number(lastUid), checkedAt });
  }

  async #remember(): Promise<void> {
    for (const [folder, place] of this.#places)
      if (this.#saved.get(folder) !== place)
        await saveMark(this.#taking.db, { mailboxId: this.box.mailboxId, folder, ...place });
  }
}

/** The junk folder of the server (RFC 6154), or one with such a name in many languages. */
async function junkFolder(client: ImapFlow): Promise<string | null> {
  const folders = await client.list();
  return folders.find(({ specialUse }) => specialUse === "\\Junk")?.path ?? null;
}

async function sayGoodbye(client: ImapFlow): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, logoutMs);
  await Promise.race([client.logout().catch(() => undefined), late.promise]);
  clearTimeout(timer);
}
