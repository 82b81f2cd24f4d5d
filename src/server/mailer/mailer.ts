// Mail that we send: codes, and what happened to an account. The transaction of the event writes a notice row; senders take due rows.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { defaultLanguage, isLanguage } from "../../i18n/languages.ts";
import { disownSeconds } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Config } from "../platform/config/config.ts";
import { type Db, listen, notify, type Tx } from "../platform/db/db.ts";
import { timeOf } from "../platform/db/time.ts";
import type { Log } from "../platform/log.ts";
import type { Seal } from "../platform/seal.ts";
import { selectQueueSize, type QueueSize } from "../platform/jobs/queue.ts";
import { compose, type Values } from "./mailer.compose.ts";
import { isDead, nextTry, openRest, type Rest } from "./mailer.backoff.ts";
import {
  deleteOld,
  dropOlder,
  type Due,
  insertNotice,
  markFailed,
  markSent,
  queues,
  renew,
  takeDue,
} from "./mailer.sql.ts";
import type { NoticeKind } from "./mailer.texts.ts";
import { outbox, relay, RelayDown, type Transport } from "./mailer.transport.ts";

export type { Happening } from "./mailer.compose.ts";
export type { OwnerKind } from "./mailer.owner.texts.ts";
export { recordOf } from "./mailer.sign.ts";

export interface Notice {
  readonly to: string;
  readonly kind: NoticeKind;
  /** Without texts for it, English. */
  readonly language: string;
  readonly values: Values;
}

export interface Mailer {
  /** Sends what is due, by the database's time if no other is given; answers how many. */
  sendDue(at?: Date): Promise<number>;
  forget(at: Date): Promise<number>;
  stop(): Promise<void>;
}

/** NOTIFY channel: a notice was written. */
const channel = "notices";
const batchSize = 10;
/** After this time another process may take a notice, unless its sender renews it. */
const leaseSeconds = 20;
const renewSeconds = 5;
/** The row of a mail to an owner has its link. */
const keepSeconds = disownSeconds;
const failureLengthMax = 300;
const markLength = 24;

/** Writes a notice that is sent after the commit. A code replaces a waiting one of the same kind. Values are sealed until it is sent. */
export async function queue(tx: Tx, seal: Seal, notice: Notice): Promise<void> {
  const { kind, to: address, values } = notice;
  if ("code" in values) await dropOlder(tx, kind, address);
  const language = isLanguage(notice.language) ? notice.language : defaultLanguage;
  await insertNotice(tx, { kind, address, language, sealed: seal.seal(JSON.stringify(values)) });
  await ring(tx);
}

/** Wakes the senders at the commit. */
export const ring = (tx: Tx): Promise<void> => notify(tx, channel, "");

export async function waiting(db: Db, at: Date): Promise<QueueSize> {
  const sizes = await Promise.all(queues.map((queue) => selectQueueSize(db, queue, at)));
  return {
    fresh: sizes.reduce((sum, { fresh }) => sum + fresh, 0),
    retried: sizes.reduce((sum, { retried }) => sum + retried, 0),
    lagSeconds: Math.max(...sizes.map(({ lagSeconds }) => lagSeconds)),
  };
}

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  readonly config: Pick<Config, "mailUrl" | "mailFrom" | "dkim" | "dataDir" | "publicUrl">;
  readonly log: Log;
}

/** Starts a sender by the relay of MAIL_URL, or into DATA_DIR/outbox. It sends at once when a notice is written. */
export async function openMailer({ db, seal, config, log }: Parts): Promise<Mailer> {
  const { mailUrl, mailFrom, dkim, dataDir, publicUrl } = config;
  const by = { from: mailFrom, dkim };
  const transport = mailUrl ? relay(mailUrl, by) : outbox(join(dataDir, "outbox"), by);
  const rest = openRest();
  const parts = { db, seal, log, transport, rest, shop: publicUrl };
  let stopping = false;
  let sending: Promise<void> | undefined;
  let rung = false;

  const sendDue = async (time?: Date): Promise<number> => {
    const at = time ?? (await timeOf(db));
    let sent = 0;
    for (;;) {
      if (stopping || rest.lastsAt(at)) return sent;
      // One mail probes a relay that was down.
      const size = rest.isOver() ? batchSize : 1;
      const due = await takeDue(db, at, leaseSeconds, size);
      const done = await sendAll(parts, due, at);
      sent += done.filter(Boolean).length;
      if (due.length < size) return sent;
    }
  };
  const sendRung = async (): Promise<void> => {
    while (rung && !stopping) {
      rung = false;
      await sendDue().catch((fault: unknown) => log.error({ err: fault }, "notices could not be taken"));
    }
    sending = undefined;
  };
  const wake = (): void => {
    rung = true;
    sending ??= sendRung();
  };

  const quiet = await listen(db, channel, wake);
  wake();
  return {
    sendDue,
    forget: (at) => deleteOld(db, secondsAfter(at, -keepSeconds)),
    stop: async () => {
      stopping = true;
      await quiet();
      await sending;
      transport.close();
    },
  };
}

type MailParts = { db: Db; seal: Seal; log: Log; transport: Transport; rest: Rest; shop: string };

async function sendAll(parts: MailParts, notices: readonly Due[], at: Date): Promise<boolean[]> {
  const going = new Set(notices);
  const renewal = setInterval(() => {
    renew(parts.db, [...going], leaseSeconds).catch((fault: unknown) =>
      parts.log.error({ err: fault }, "a notice that is being sent may be sent again"),
    );
  }, renewSeconds * 1000);
  try {
    return await Promise.all(
      notices.map((notice) => send(parts, notice, at).finally(() => going.delete(notice))),
    );
  } finally {
    clearInterval(renewal);
  }
}

/** One try. A failure is saved and retried later; the log never holds values. */
async function send(parts: MailParts, notice: Due, at: Date): Promise<boolean> {
  const { db, seal, log, transport, rest, shop } = parts;
  const { id, kind, address: to, language } = notice;
  if (isDead(notice, at)) {
    await giveUp(parts, notice, "its code is dead");
    return false;
  }
  let done;
  try {
    const values = JSON.parse(seal.open(notice.sealed)) as Notice["values"];
    done = await transport.send({
      to,
      mark: markOf(notice),
      ...compose({ to, kind, language, values }, shop),
    });
  } catch (fault) {
    if (fault instanceof RelayDown) await wait(parts, notice, fault, at);
    else await tryLater(parts, notice, fault, at);
    return false;
  }
  if (rest.end()) log.info("the relay takes mail again");
  await markSent(db, notice, at);
  log.info({ notice: String(id), kind, ...done }, done.file === undefined ? "mail sent" : "mail written");
  return true;
}

/** The relay is down: pauses, and the try does not count. */
async function wait(parts: MailParts, notice: Due, fault: RelayDown, at: Date): Promise<void> {
  const { db, log, rest } = parts;
  const { seconds, isNew } = rest.begin(at);
  const failure = sentence(fault);
  if (isNew) log.warn({ failure, retryAfterSeconds: seconds }, "the relay cannot be reached; mail waits");
  await markFailed(db, notice, { failure, dueAt: secondsAfter(at, seconds), isTry: false });
}

async function tryLater(parts: MailParts, notice: Due, fault: unknown, at: Date): Promise<void> {
  const { id, kind, tries } = notice;
  const failure = sentence(fault);
  const dueAt = isFinal(fault) ? undefined : nextTry(notice, at);
  if (dueAt === undefined) return giveUp(parts, notice, failure);
  await markFailed(parts.db, notice, { failure, dueAt, isTry: true });
  const retryAfterSeconds = (dueAt.getTime() - at.getTime()) / 1000;
  parts.log.warn(
    { notice: String(id), kind, tries, failure, retryAfterSeconds },
    "a mail could not be sent yet",
  );
}

async function giveUp({ db, log }: MailParts, notice: Due, failure: string): Promise<void> {
  const { id, kind, tries } = notice;
  await markFailed(db, notice, { failure, dueAt: null, isTry: true });
  log.error({ notice: String(id), kind, tries, failure }, "a mail was given up");
}

const sentence = (fault: unknown) =>
  (fault instanceof Error ? fault.message : String(fault)).slice(0, failureLengthMax);

function markOf({ queue, id, createdAt }: Due): string {
  const hash = createHash("sha256").update(`${queue} ${id} ${createdAt.toISOString()}`).digest();
  return [...hash.subarray(0, markLength)].map((byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

/** Refused for good by the relay (RFC 5321 §4.2.1). Not our own address or password: the operator can correct them. */
function isFinal(fault: unknown): boolean {
  const { code, command, responseCode } = fault as { code?: string; command?: string; responseCode?: number };
  if (command === "MAIL FROM") return false;
  return (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
}
