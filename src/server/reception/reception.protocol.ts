import { isIP } from "node:net";
import type {
  SMTPServer,
  SMTPServerAddress,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from "smtp-server";
import { BatcherFull } from "../platform/db/batcher.ts";
import { Counts } from "../platform/counts.ts";
import { alertsAt } from "../platform/alerts.ts";
import { Lately } from "../platform/lately.ts";
import { type Incoming, Late } from "../letters/letters.ts";
import { receive, type Storage } from "./reception.body.ts";
import type { Clients } from "./reception.clients.ts";
import { withLineEnds } from "./reception.newlines.ts";
import { recipientsOf, type Recipient } from "./reception.recipients.ts";
import { isUnicode } from "./reception.server.ts";
import type { ReceptionLimits, ReceptionOptions } from "./reception.options.ts";

type Whole = Pick<Incoming, "mailboxIds" | "isToPostmaster" | "receivedAt">;

/** How often each step of a letter was answered by each reply; with the enhanced code where several refusals have one number. */
export const replyCounts = new Counts<string>([
  "RCPT 250",
  "RCPT 550",
  "RCPT 550 5.7.1",
  "DATA 250",
  "DATA 451",
  "DATA 452 4.3.1",
]);

type Step = "connect" | "MAIL" | "RCPT" | "DATA";
/** What is answered; `to` is the domain of a recipient. */
type At = { readonly step: Step; readonly to?: string };
const accepts = { connect: 220, MAIL: 250, RCPT: 250, DATA: 250 } as const;

type Done = (fault?: Error | null) => void;

/** Other parameters are refused (RFC 5321 §4.1.1.11), so that no client believes they took effect. */
const mailParameters = new Set(["SIZE", "BODY", "SMTPUTF8"]);

/** The library completes a number with its enhanced code and sends a text as it is. */
class Refusal extends Error {
  readonly responseCode: number | string;
  constructor(responseCode: number | `${number} ${number}.${number}.${number}`, text: string) {
    super(text);
    this.responseCode = responseCode;
  }
}

export class Protocol {
  server: SMTPServer | undefined;
  readonly #options: ReceptionOptions;
  readonly #limits: ReceptionLimits;
  readonly #clients: Clients;
  readonly #storage: Storage;
  readonly #find: (address: string) => Promise<Recipient>;
  readonly #found = new WeakMap<SMTPServerAddress, Recipient>();
  readonly #letters = new Map<string, AbortController>();
  #isStopping = false;
  readonly #lately = new Lately();

  constructor(options: ReceptionOptions, limits: ReceptionLimits, clients: Clients, storage: Storage) {
    this.#options = options;
    this.#limits = limits;
    this.#clients = clients;
    this.#storage = storage;
    this.#find = recipientsOf(options);
  }

  handlers(): SMTPServerOptions {
    return {
      onConnect: (session, done) => this.#reply(session, { step: "connect" }, this.#greet(session), done),
      onClose: (session) => {
        this.#clients.leave(session.id);
        this.#letters.get(session.id)?.abort();
      },
      onMailFrom: (address, session, done) =>
        this.#reply(session, { step: "MAIL" }, this.#sender(address, session), done),
      onRcptTo: (address, session, done) =>
        this.#answer(
          session,
          { step: "RCPT", to: domainOf(address.address) },
          this.#recipient(address, session),
          done,
        ),
      onData: (stream, session, done) =>
        this.#answer(session, { step: "DATA" }, this.#letter(stream, session), done),
    };
  }

  putsOff(): boolean {
    return this.#lately.isBeyond(alertsAt.LettersPutOff);
  }

  /** Lets letters in work end and closes other connections; resolves when all are closed. */
  stop(): Promise<void> {
    this.#isStopping = true;
    return new Promise((resolve) => {
      if (!this.server) return resolve();
      this.server.close(resolve);
      for (const connection of this.server.connections)
        if (!this.#letters.has(connection.id)) connection.send(421, "Server shutting down");
    });
  }

  #answer(session: SMTPServerSession, at: At, work: Promise<Refusal | undefined>, done: Done): void {
    const answered = work.catch((fault: unknown) => {
      if (!(fault instanceof BatcherFull || fault instanceof Late))
        this.#options.log.error({ err: fault }, "a letter was put off");
      return new Refusal(451, "Not now, please try again");
    });
    void answered.then((no) => {
      this.#reply(session, at, no, done);
      if (this.#isStopping) setImmediate(() => this.#cut(session, 421, "Server shutting down"));
    });
  }

  #reply(session: SMTPServerSession, at: At, no: Refusal | undefined, done: Done): void {
    const reply = String(no?.responseCode ?? accepts[at.step]);
    replyCounts.add(`${at.step} ${reply}`);
    if (at.step === "DATA") this.#lately.add(reply.startsWith("45"));
    if (no || at.step === "DATA")
      this.#options.follow?.info(this.#lineOf(session, at, reply), "answered a sender");
    done(no);
    // Refusals by number are counted where the library replies.
    if (no && /^5\d\d ./.test(String(no.responseCode))) this.#count(session);
  }

  /** Without addresses of persons: of a sender and of unknown recipients the domain, of mailboxes the number. */
  #lineOf(session: SMTPServerSession, { step, to }: At, reply: string): object {
    const { mailFrom, rcptTo } = session.envelope;
    return {
      step,
      reply,
      address: session.remoteAddress,
      session: session.id,
      from: mailFrom ? domainOf(mailFrom.address) : undefined,
      to,
      mailboxes: rcptTo.flatMap((address) => {
        const found = this.#found.get(address);
        return typeof found === "object" ? [String(found.mailboxId)] : [];
      }),
    };
  }

  #greet(session: SMTPServerSession): Refusal | undefined {
    if (!this.#clients.enter(session.id, session.remoteAddress))
      return new Refusal(421, "Too many connections or errors from your address, please try again later");
    // The library has no hook for commands that it refuses itself, but sets this property at each reply.
    let last: string | undefined;
    Object.defineProperty(session, "error", {
      get: () => last,
      set: (reply: string | undefined) => {
        last = reply;
        if (reply?.startsWith("5")) this.#count(session);
      },
    });
    return undefined;
  }

  #count(session: SMTPServerSession): void {
    if (!this.#clients.refused(session.remoteAddress)) return;
    setImmediate(() => this.#cut(session, 421, "Too many errors, please try again later"));
  }

  #sender(address: SMTPServerAddress, { envelope }: SMTPServerSession): Refusal | undefined {
    if (!Object.keys(address.args || {}).every((name) => mailParameters.has(name))) return unknownParameter();
    // RFC 6531 §3.5.
    if (isUnicode(address) && !envelope.smtpUtf8)
      return new Refusal("553 5.6.7", "A sender beyond ASCII needs SMTPUTF8");
    return undefined;
  }

  async #recipient(address: SMTPServerAddress, session: SMTPServerSession): Promise<Refusal | undefined> {
    if (address.args) return unknownParameter();
    const recipient = await this.#find(address.address);
    if (recipient === "elsewhere") return new Refusal("550 5.7.1", "Relaying denied");
    if (recipient === "unknown") return new Refusal(550, "No such mailbox here");
    if (recipient === "postmaster" && !this.#clients.mayTellPostmaster(session.remoteAddress))
      return tooManyToPostmaster();
    this.#found.set(address, recipient);
    return undefined;
  }

  async #letter(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Refusal | undefined> {
    const leaving = new AbortController();
    this.#letters.set(session.id, leaving);
    try {
      return await this.#take(stream, session, leaving.signal);
    } finally {
      this.#letters.delete(session.id);
    }
  }

  async #take(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    gone: AbortSignal,
  ): Promise<Refusal | undefined> {
    const timer = setTimeout(
      () => this.#cut(session, 421, "The letter took too long"),
      this.#limits.letterSeconds * 1000,
    );
    const received = await receive(stream, this.#storage, (bytes) => {
      // A client with SIZE never gets here; an endless letter is cut.
      if (bytes > 2 * this.#limits.sizeBytes) this.#cut(session, 552, "The letter is too large");
    }).finally(() => clearTimeout(timer));
    if ("missing" in received) return notReceived[received.missing]();
    const whole: Whole = { ...this.#recipientsOf(session), receivedAt: performance.now() };
    const kept = this.#options.arriving?.(whole.mailboxIds);
    let patience: AbortSignal | undefined;
    const until = () =>
      (patience ??= AbortSignal.any([gone, AbortSignal.timeout(this.#limits.loadSeconds * 1000)]));
    try {
      const held = await received.load(until);
      if (!held) return tooMuch();
      return await this.#keep({ ...whole, raw: held.raw }, session, until).finally(held.release);
    } finally {
      kept?.();
    }
  }

  #recipientsOf({
    envelope: { rcptTo },
  }: SMTPServerSession): Pick<Incoming, "mailboxIds" | "isToPostmaster"> {
    const mailboxIds = new Set<bigint>();
    let isToPostmaster = false;
    for (const address of rcptTo) {
      const recipient = this.#found.get(address);
      if (recipient === "postmaster") isToPostmaster = true;
      else if (typeof recipient === "object") mailboxIds.add(recipient.mailboxId);
    }
    return { mailboxIds: [...mailboxIds], isToPostmaster };
  }

  async #keep(
    whole: Whole & Pick<Incoming, "raw">,
    session: SMTPServerSession,
    until: () => AbortSignal,
  ): Promise<Refusal | undefined> {
    const { isToPostmaster } = whole;
    const raw = withLineEnds(whole.raw);
    if (raw.length > this.#limits.sizeBytes && raw !== whole.raw)
      return new Refusal("552 5.3.4", "The letter is too large with whole line ends");
    const { mailFrom } = session.envelope;
    // Also with a mailbox among its recipients: it is kept as long as other letters to the postmaster.
    if (isToPostmaster && raw.length > this.#limits.postmasterBytes)
      return new Refusal(
        "552 5.3.4",
        `Letters to the postmaster have at most ${this.#limits.postmasterBytes} bytes`,
      );
    if (isToPostmaster && !this.#clients.tellPostmaster(session.remoteAddress)) return tooManyToPostmaster();
    const letter: Incoming = {
      ...whole,
      raw,
      mailFrom: mailFrom ? mailFrom.address : "",
      remote: withoutZone(session.remoteAddress),
      helo: (session.hostNameAppearsAs || "").slice(0, heloLengthMax),
    };
    await this.#options.keep(letter, until);
    return undefined;
  }

  #cut(session: SMTPServerSession, code: number, text: string): void {
    for (const connection of this.server?.connections ?? []) {
      if (connection.id !== session.id) continue;
      connection.send(code, text);
      connection.close();
    }
  }
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);

const heloLengthMax = 255; // RFC 5321 §4.5.3.1.2

const unknownParameter = () => new Refusal(555, "A parameter of something that is not offered here");
const tooManyToPostmaster = () =>
  new Refusal("450 4.7.1", "Too many letters to the postmaster, please try again later");
const tooMuch = () => new Refusal("452 4.3.1", "Too much mail at once, please try again");
const notReceived = {
  disk: tooMuch,
  // The library says it in its own words.
  size: () => new Refusal(552, "The letter is too large"),
  // Nobody hears it.
  gone: () => new Refusal(421, "The connection broke"),
};

/** fe80::1%eth0 is an address on this machine only. */
function withoutZone(address: string): string | undefined {
  const [plain = ""] = address.split("%");
  return isIP(plain) === 0 ? undefined : plain;
}
