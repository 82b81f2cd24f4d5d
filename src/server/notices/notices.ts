// What we send by mail: codes, and that a webhook was switched off. A notice is a row, written in the transaction of what it tells; senders take rows that are due.
import { join } from "node:path";
import { defaultLanguage, isLanguage } from "../../i18n/languages.ts";
import { now, secondsAfter } from "../kit/clock.ts";
import type { Config } from "../kit/config.ts";
import { type Db, listen, notify, type Tx } from "../kit/db.ts";
import type { Log } from "../kit/log.ts";
import type { Seal } from "../kit/seal.ts";
import { compose, type Values } from "./notices.compose.ts";
import {
  deleteOld,
  dropOlder,
  type Due,
  insertNotice,
  markFailed,
  markSent,
  takeDue,
} from "./notices.sql.ts";
import type { NoticeKind } from "./notices.texts.ts";
import { outbox, relay, type Transport } from "./notices.transport.ts";

export interface Notice {
  readonly to: string;
  readonly kind: NoticeKind;
  /** A language code; one that we do not write is English. */
  readonly language: string;
  readonly values: Values;
}

export interface Notices {
  /** Sends what is due at a time; answers how many were sent. Several may run at once, here and in other processes. */
  sendDue(at?: Date): Promise<number>;
  /** Deletes notices that were done with a week ago. For a job. */
  forget(at: Date): Promise<number>;
  /** Takes no more, and waits for what is being sent. */
  stop(): Promise<void>;
}

/** Rings in every process when a notice is there. */
const channel = "notices";
const batchSize = 10;
/** Longer than any try takes, with all its timeouts. */
const leaseSeconds = 120;
/** Waits between tries; with the last one a code has about died (15 minutes). Then we give up. */
const retrySeconds = [5, 15, 45, 135, 405];
const keepSeconds = 7 * 24 * 60 * 60;
const failureLengthMax = 300;

/**
 * Writes a notice to be sent once the transaction commits. A code takes the place of one of the same kind that still waits:
 * that one is dead. What is filled in lies sealed until it is sent.
 */
export async function queue(tx: Tx, seal: Seal, notice: Notice, at: Date): Promise<void> {
  const { kind, to: address, values } = notice;
  if ("code" in values) await dropOlder(tx, kind, address);
  const language = isLanguage(notice.language) ? notice.language : defaultLanguage;
  await insertNotice(tx, { kind, address, language, sealed: seal.seal(JSON.stringify(values)), at });
  await notify(tx, channel, "");
}

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  readonly config: Pick<Config, "mailUrl" | "mailFrom" | "dataDir" | "publicUrl">;
  readonly log: Log;
}

/** Starts a sender: by the relay of MAIL_URL, or into DATA_DIR/outbox. It sends at once when a notice is written. */
export async function openNotices({ db, seal, config, log }: Parts): Promise<Notices> {
  const { mailUrl, mailFrom, dataDir, publicUrl } = config;
  const transport = mailUrl ? relay(mailUrl, mailFrom) : outbox(join(dataDir, "outbox"), mailFrom);
  const room = { db, seal, log, transport, shop: publicUrl };
  let stopping = false;
  let sending: Promise<void> | undefined;
  let rung = false;

  const sendDue = async (at = now()): Promise<number> => {
    let sent = 0;
    for (;;) {
      if (stopping) return sent;
      const due = await takeDue(db, at, leaseSeconds, batchSize);
      const done = await Promise.all(due.map((notice) => send(room, notice, at)));
      sent += done.filter(Boolean).length;
      if (due.length < batchSize) return sent;
    }
  };
  const sendRung = async (): Promise<void> => {
    while (rung && !stopping) {
      rung = false;
      // The job comes back to what is left here.
      await sendDue().catch((fault: unknown) => log.error({ err: fault }, "notices could not be taken"));
    }
    sending = undefined;
  };
  const ring = (): void => {
    rung = true;
    sending ??= sendRung();
  };

  const quiet = await listen(db, channel, ring);
  ring();
  return {
    sendDue,
    forget: async (at) => (await deleteOld(db, secondsAfter(at, -keepSeconds))).count,
    stop: async () => {
      stopping = true;
      await quiet();
      await sending;
      transport.close();
    },
  };
}

type Room = { db: Db; seal: Seal; log: Log; transport: Transport; shop: string };

/** One try. A failure is kept with the row and tried again later; the log never holds what was filled in. */
async function send({ db, seal, log, transport, shop }: Room, notice: Due, at: Date): Promise<boolean> {
  const { id, kind, address, language, tries } = notice;
  const told = { notice: String(id), kind };
  let done;
  try {
    const values = JSON.parse(seal.open(notice.sealed)) as Notice["values"];
    done = await transport.send(address, compose({ kind, language, values }, shop));
  } catch (fault) {
    const wait = isFinal(fault) ? undefined : retrySeconds[tries - 1];
    const failure = (fault instanceof Error ? fault.message : String(fault)).slice(0, failureLengthMax);
    await markFailed(db, id, failure, wait === undefined ? null : secondsAfter(at, wait));
    if (wait === undefined) log.error({ ...told, tries, failure }, "a mail was given up");
    else log.warn({ ...told, tries, failure, retryAfterSeconds: wait }, "a mail could not be sent yet");
    return false;
  }
  await markSent(db, id, at);
  log.info({ ...told, ...done }, done.file === undefined ? "mail sent" : "mail written");
  return true;
}

/** Did the relay say no for good to this mail or its reader? RFC 5321 §4.2.1; a wrong password of ours can be set right. */
function isFinal(fault: unknown): boolean {
  const { code, responseCode } = fault as { code?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
}
