import type { AddressInfo } from "node:net";
import { domainToASCII } from "node:url";
import { SMTPServer } from "smtp-server";
import type {
  SMTPServerAddress,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from "smtp-server";
import { isLoopback } from "../kit/address.ts";
import { now } from "../kit/clock.ts";
import { LaneFull } from "../kit/lane.ts";
import type { Log } from "../kit/log.ts";
import { hasBareNewline, receive, roomFor, type Room } from "./letters.body.ts";
import { welcome, type GuestLimits, type Guests } from "./letters.guests.ts";

/** A letter as it came from the wire: the bytes after DATA without the dots that the protocol adds. */
export interface Incoming {
  raw: Buffer;
  /** MAIL FROM; empty for the null sender. */
  mailFrom: string;
  mailboxIds: bigint[];
  /** It is for those who run the shop (RFC 5321 §4.5.1). */
  isToPostmaster: boolean;
  /** The address of who brought it; undefined for letters that did not come by SMTP. */
  remote: string | undefined;
  /** How who brought it greeted; "" for letters that did not come by SMTP. */
  helo: string;
  /** When it came to where it was fetched from; not there, it comes now. */
  arrivedAt?: Date;
}

export interface ReceptionLimits extends GuestLimits {
  sizeBytes: number;
  recipients: number;
  connections: number;
  /** Silence of a client. */
  idleSeconds: number;
  /** From DATA to its end, however slowly the bytes drip. */
  letterSeconds: number;
  /** Of all letters that are being received. */
  bytesInMemory: number;
  /** For letters in flight when the server stops. */
  stopSeconds: number;
}

export interface ReceptionOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** How the server greets. */
  hostname: string;
  log: Log;
  /** Whether we receive for this domain (lower case, ASCII). */
  isOurDomain(domain: string): boolean | Promise<boolean>;
  /** The mailbox of an address (lower case) of one of our domains; undefined when there is none. */
  isOurs(address: string): Promise<bigint | undefined>;
  /** Makes a letter durable. The sender is told 250 when it resolves and 451 when it throws. */
  keep(letter: Incoming): Promise<void>;
  /** STARTTLS is offered when there is a certificate; the library's own has a published key and is never used. */
  tls?: { key: string; cert: string };
  limits?: Partial<ReceptionLimits>;
  /** Addresses without limits per address; those of this machine if not said otherwise. */
  isTrusted?: (address: string) => boolean;
}

export interface Reception {
  port: number;
  /** Takes nothing new, lets letters in flight end, answers 421 to the rest. Resolves when every connection is closed. */
  stop(): Promise<void>;
}

const defaults: ReceptionLimits = {
  sizeBytes: 10 * 1024 * 1024,
  recipients: 100, // RFC 5321 §4.5.3.1.8
  connections: 2000,
  connectionsPerAddress: 100,
  errorsPerMinute: 100,
  idleSeconds: 120,
  letterSeconds: 600, // RFC 5321 §4.5.3.2.6
  bytesInMemory: 256 * 1024 * 1024,
  stopSeconds: 10,
};

/** Opens the SMTP server that takes letters for our mailboxes and relays nothing (RFC 5321, mail.md). */
export async function openReception(options: ReceptionOptions): Promise<Reception> {
  const limits = { ...defaults, ...options.limits };
  const guests = welcome(limits, options.isTrusted ?? isLoopback);
  const session = new Session(options, limits, guests);
  const server = new SMTPServer({ ...settings(options, limits), ...session.handlers() });
  session.server = server;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  // A client that breaks its connection is no fault of ours.
  server.on("error", (fault) => options.log.debug({ err: fault }, "an SMTP connection broke"));
  return { port: (server.server.address() as AddressInfo).port, stop: () => stop(server) };
}

function settings(options: ReceptionOptions, limits: ReceptionLimits): SMTPServerOptions {
  return {
    name: options.hostname,
    size: limits.sizeBytes,
    rejectOversized: true,
    maxRecipients: limits.recipients,
    maxClients: limits.connections,
    maxCommandLength: 4096,
    socketTimeout: limits.idleSeconds * 1000,
    closeTimeout: limits.stopSeconds * 1000,
    disabledCommands: ["AUTH", "WIZ", "SHELL", "KILL", ...(options.tls ? [] : ["STARTTLS"])],
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    logger: false,
    ...options.tls,
  };
}

function stop(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(resolve);
    for (const connection of server.connections)
      if (!connection.session.envelope?.mailFrom) connection.send(421, "Server shutting down");
  });
}

// A number is completed by the library with the enhanced code that belongs to it; a text is said as it stands.
function refusal(code: number | string, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

type Done = (fault?: Error | null) => void;

/** What is said to one server's clients, command by command. */
class Session {
  server: SMTPServer | undefined;
  readonly #options: ReceptionOptions;
  readonly #limits: ReceptionLimits;
  readonly #guests: Guests;
  readonly #room: Room;
  readonly #mailboxes = new WeakMap<SMTPServerAddress, bigint>();
  readonly #mailboxOf: (address: string) => Promise<bigint | undefined>;

  constructor(options: ReceptionOptions, limits: ReceptionLimits, guests: Guests) {
    this.#options = options;
    this.#limits = limits;
    this.#guests = guests;
    this.#room = roomFor(limits.bytesInMemory);
    this.#mailboxOf = remembered((address) => options.isOurs(address));
  }

  handlers(): SMTPServerOptions {
    return {
      onConnect: (session, done) => done(this.#greet(session)),
      onClose: (session) => this.#guests.leave(session.id),
      onRcptTo: (address, session, done) => this.#answer(this.#recipient(address, session), done),
      onData: (stream, session, done) => this.#answer(this.#letter(stream, session), done),
    };
  }

  #answer(work: Promise<Error | undefined>, done: Done): void {
    work.then(done, (fault: unknown) => {
      if (!(fault instanceof LaneFull)) this.#options.log.error({ err: fault }, "a letter was put off");
      done(refusal(451, "Not now, please try again"));
    });
  }

  #greet(session: SMTPServerSession): Error | undefined {
    if (this.#guests.enter(session.id, session.remoteAddress)) return undefined;
    return refusal(421, "Too many connections or errors from your address, please try again later");
  }

  async #recipient(recipient: SMTPServerAddress, session: SMTPServerSession): Promise<Error | undefined> {
    const at = recipient.address.lastIndexOf("@");
    const domain = domainToASCII(recipient.address.slice(at + 1)).toLowerCase();
    const local = recipient.address.slice(0, Math.max(at, 0)).toLowerCase();
    if (at >= 0 && !(await this.#options.isOurDomain(domain)))
      return this.#refuse(session, refusal("550 5.7.1", "Relaying denied"));
    const mailboxId = at < 0 ? undefined : await this.#mailboxOf(`${local}@${domain}`);
    if (mailboxId === undefined) return this.#refuse(session, refusal(550, "No such mailbox here"));
    this.#mailboxes.set(recipient, mailboxId);
    return undefined;
  }

  #refuse(session: SMTPServerSession, no: Error): Error {
    if (!this.#guests.refused(session.remoteAddress)) return no;
    return refusal(421, "Too many errors, please try again later");
  }

  async #letter(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | undefined> {
    const { envelope } = session;
    const timer = setTimeout(
      () => this.#cut(session, 421, "The letter took too long"),
      this.#limits.letterSeconds * 1000,
    );
    const body = await receive(stream, this.#room, (bytes) => {
      // A client that knows SIZE never comes here; one that goes on and on is not listened to for ever.
      if (bytes > 2 * this.#limits.sizeBytes) this.#cut(session, 552, "The letter is too large");
    });
    clearTimeout(timer);
    // The library answers 552 5.3.4 by itself, and nobody hears what is said to a client that is gone.
    if ("missing" in body)
      return body.missing === "room" ? refusal(452, "Too much mail at once, please try again") : undefined;
    try {
      if (hasBareNewline(body.raw))
        return this.#refuse(session, refusal(554, "Bare CR or LF is no line end (RFC 5321 2.3.8)"));
      const mailboxIds = envelope.rcptTo.flatMap((recipient) => this.#mailboxes.get(recipient) ?? []);
      const mailFrom = envelope.mailFrom ? envelope.mailFrom.address : "";
      await this.#options.keep({
        raw: body.raw,
        mailFrom,
        mailboxIds: [...new Set(mailboxIds)],
        isToPostmaster: false,
        remote: session.remoteAddress,
        helo: (session.hostNameAppearsAs || "").slice(0, 255),
      });
      return undefined;
    } finally {
      body.release();
    }
  }

  #cut(session: SMTPServerSession, code: number, text: string): void {
    for (const connection of this.server?.connections ?? []) {
      if (connection.id !== session.id) continue;
      connection.send(code, text);
      connection.close();
    }
  }
}

const rememberedSeconds = 30;
const rememberedMax = 10_000;

/** Remembers for a short time which addresses have a mailbox; those that have none are asked for each time, as one may be made. */
function remembered(
  find: (address: string) => Promise<bigint | undefined>,
): (address: string) => Promise<bigint | undefined> {
  const known = new Map<string, { mailboxId: bigint; until: number }>();
  return async (address) => {
    const time = now().getTime();
    const seen = known.get(address);
    if (seen && seen.until > time) return seen.mailboxId;
    const mailboxId = await find(address);
    known.delete(address);
    if (mailboxId !== undefined) known.set(address, { mailboxId, until: time + rememberedSeconds * 1000 });
    const [oldest] = known.keys();
    if (known.size > rememberedMax && oldest !== undefined) known.delete(oldest);
    return mailboxId;
  };
}
