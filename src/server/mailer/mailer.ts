// Mail that we send: codes, and what happened to an account. The transaction of the event writes a task; senders take those that are due.
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import { defaultLanguage, isLanguage, languageCodes } from "../../i18n/languages.ts";
import { disownSeconds } from "../../contract/limits.ts";
import { secondsAfter } from "../platform/clock.ts";
import { Counts } from "../platform/counts.ts";
import type { Config } from "../platform/config/config.ts";
import { attempt, type Db, listen, notify, type Tx } from "../platform/db/db.ts";
import { timeOf } from "../platform/db/time.ts";
import type { Log } from "../platform/log.ts";
import { openOrNone, type Seal } from "../platform/seal.ts";
import { isOwnKey } from "../platform/secret-key.ts";
import {
  addTask,
  addTasks,
  failTask,
  finishTasks,
  nextTry,
  renewTasks,
  takeTasks,
  type Task,
  tryTasksAgain,
} from "../platform/jobs/tasks.ts";
import { compose, type Values } from "./mailer.compose.ts";
import { backOffOf, isDead, openRest, type Rest } from "./mailer.backoff.ts";
import { deleteOld, dropOlder, takeNotices } from "./mailer.sql.ts";
import { isCode, type NoticeKind, noticeKinds } from "./mailer.texts.ts";
import { outbox, relay, RelayDown, type Transport } from "./mailer.transport.ts";

export type { Happening } from "./mailer.compose.ts";
export type { OfficeKind } from "./mailer.office.texts.ts";
export type { OwnerKind } from "./mailer.owner.texts.ts";
export type { Summary } from "./mailer.summary.ts";
export { recordOf } from "./mailer.sign.ts";
export { rawOf } from "./mailer.transport.ts";

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
/** Codes first. */
const queues = ["codes", "mail"] as const;
const outcomes = ["sent", "put off", "given up"] as const;
/** What became of our own mail, by queue: each try. */
export const mailCounts = new Counts(
  queues.flatMap((queue) => outcomes.map((outcome) => `${queue} ${outcome}`)),
);
const leaseSeconds = 20;
const renewSeconds = 5;
/** For another process to take what this one cannot open. */
const leaveSeconds = 10;
/** The row of a mail to an owner has its link. */
const keepSeconds = disownSeconds;
const failureLengthMax = 300;
const markLength = 24;

/** What else is known of a notice. */
export interface About {
  readonly userId: bigint;
  /** It takes the place of one with the same. */
  readonly ref?: string;
  /** Now, if left out. */
  readonly dueAt?: Date;
}

/** Writes a notice that is sent after the commit. A code replaces a waiting one of the same kind. Values are sealed until it is sent. */
export async function queue(tx: Tx, seal: Seal, notice: Notice, { userId, ...about }: About): Promise<void> {
  const { kind, to, values } = notice;
  const ref = isCode(kind) ? `${kind} ${to}` : about.ref;
  if (isCode(kind)) await dropOlder(tx, kind, to);
  const language = isLanguage(notice.language) ? notice.language : defaultLanguage;
  const sealed = seal.seal(JSON.stringify(values));
  await addTask(tx, { ...taskOf({ kind, to, language, sealed }), userId, ref, dueAt: about.dueAt });
  await notify(tx, channel, "");
}

const taskOf = ({
  kind,
  to,
  language,
  sealed,
}: {
  kind: NoticeKind;
  to: string;
  language: string;
  sealed: Uint8Array;
}) => ({
  queue: queueOf({ kind }),
  kind,
  key: to.slice(to.lastIndexOf("@") + 1),
  payload: { to, language, sealed: Buffer.from(sealed).toString("base64") },
});

const queueOf = ({ kind }: { readonly kind: string }): (typeof queues)[number] =>
  isCode(kind as NoticeKind) ? "codes" : "mail";

/** Takes over mail of the release before. */
const adopt = (db: Db, at: Date) =>
  attempt(db, async (tx) => {
    const left = await takeNotices(tx, at);
    await addTasks(
      tx,
      left.map((mail) => {
        const { userId, createdAt, tries, failure } = mail;
        return { ...taskOf(mail), userId, createdAt, dueAt: at, tries, failure };
      }),
    );
    return undefined;
  });

const Payload = z.object({ to: z.string(), language: z.enum(languageCodes), sealed: z.string() });

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
    await adopt(db, at);
    let sent = 0;
    for (;;) {
      if (stopping || rest.lastsAt(at)) return sent;
      // One mail probes a relay that was down.
      const size = rest.isOver() ? batchSize : 1;
      const due = await takeDue(db, at, size);
      const done = await sendAll(parts, due, at);
      sent += done.filter(Boolean).length;
      const isBack = due.some(({ tries }, place) => done[place] && tries > 1);
      // The relay takes what it put off: the other codes need not wait for their times.
      const hastened = isBack ? await tryTasksAgain(db, { queue: "codes" }, at) : 0;
      if (due.length < size && hastened === 0) return sent;
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

async function takeDue(db: Db, at: Date, size: number): Promise<Task[]> {
  const due: Task[] = [];
  for (const queue of queues)
    due.push(
      ...(await takeTasks(db, { queue, size: size - due.length, leaseSeconds, kinds: noticeKinds }, at)),
    );
  return due;
}

type MailParts = { db: Db; seal: Seal; log: Log; transport: Transport; rest: Rest; shop: string };

async function sendAll(parts: MailParts, tasks: readonly Task[], at: Date): Promise<boolean[]> {
  const going = new Set(tasks);
  const renewal = setInterval(() => {
    renewTasks(parts.db, [...going], leaseSeconds).catch((fault: unknown) =>
      parts.log.error({ err: fault }, "a notice that is being sent may be sent again"),
    );
  }, renewSeconds * 1000);
  try {
    return await Promise.all(tasks.map((task) => send(parts, task, at).finally(() => going.delete(task))));
  } finally {
    clearInterval(renewal);
  }
}

/** One try. A failure is saved and retried later; the log never holds values. */
async function send(parts: MailParts, task: Task, at: Date): Promise<boolean> {
  const { db, seal, log, transport, rest, shop } = parts;
  if (isDead(task, at)) {
    await giveUp(parts, task, "its code is dead");
    return false;
  }
  const kind = task.kind as NoticeKind;
  let done;
  try {
    const { to, language, sealed } = Payload.parse(task.payload);
    const bytes = Buffer.from(sealed, "base64");
    if (openOrNone(seal, bytes) === undefined && (await isOwnKey(db, seal)) === false) throw new OtherKey();
    const values = JSON.parse(seal.open(bytes)) as Notice["values"];
    done = await transport.send({
      to,
      mark: markOf(task),
      ...compose({ to, kind, language, values }, shop),
    });
  } catch (fault) {
    if (fault instanceof RelayDown) await wait(parts, task, fault, at);
    else if (fault instanceof OtherKey) await leave(parts, task, fault, at);
    else await tryLater(parts, task, fault, at);
    return false;
  }
  if (rest.end()) log.info("the relay takes mail again");
  await finishTasks(db, [task], at);
  mailCounts.add(`${queueOf(task)} sent`);
  const detail = { notice: String(task.id), kind, ...done };
  log.info(detail, done.file === undefined ? "mail sent" : "mail written");
  return true;
}

/** The relay is down: pauses, and the try does not count. */
async function wait(parts: MailParts, task: Task, fault: RelayDown, at: Date): Promise<void> {
  const { db, log, rest } = parts;
  const { seconds, isNew } = rest.begin(at);
  const failure = sentence(fault);
  mailCounts.add(`${queueOf(task)} put off`);
  if (isNew) log.warn({ failure, retryAfterSeconds: seconds }, "the relay cannot be reached; mail waits");
  await failTask(db, task, { failure, dueAt: secondsAfter(at, seconds), isUncounted: true });
}

/** The shop has passed to a key that this process does not know: one that does sends it. */
class OtherKey extends Error {
  override name = "OtherKey";
  override message = "it is sealed with another key than this process has";
}

async function leave({ db, log }: MailParts, task: Task, { message }: OtherKey, at: Date): Promise<void> {
  log.error(
    { notice: String(task.id) },
    "a mail waits: the SECRET_KEY of this process is no longer that of the shop",
  );
  await failTask(db, task, { failure: message, dueAt: secondsAfter(at, leaveSeconds), isUncounted: true });
}

async function tryLater(parts: MailParts, task: Task, fault: unknown, at: Date): Promise<void> {
  const { id, kind, tries } = task;
  const failure = sentence(fault);
  const dueAt = isFinal(fault) ? undefined : nextTry(backOffOf(kind), task, at);
  if (dueAt === undefined) return giveUp(parts, task, failure);
  await failTask(parts.db, task, { failure, dueAt });
  mailCounts.add(`${queueOf(task)} put off`);
  const retryAfterSeconds = (dueAt.getTime() - at.getTime()) / 1000;
  parts.log.warn(
    { notice: String(id), kind, tries, failure, retryAfterSeconds },
    "a mail could not be sent yet",
  );
}

/** A code is wiped; other mail the operator may send again. */
async function giveUp({ db, log }: MailParts, task: Task, failure: string): Promise<void> {
  const { id, kind, tries } = task;
  await failTask(db, task, { failure, dueAt: undefined, isFinal: isCode(kind) });
  mailCounts.add(`${queueOf(task)} given up`);
  log.error({ notice: String(id), kind, tries, failure }, "a mail was given up");
}

const sentence = (fault: unknown) =>
  (fault instanceof Error ? fault.message : String(fault)).slice(0, failureLengthMax);

function markOf({ id, createdAt }: Task): string {
  const hash = createHash("sha256").update(`${id} ${createdAt.toISOString()}`).digest();
  return [...hash.subarray(0, markLength)].map((byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

/** Refused for good by the relay (RFC 5321 §4.2.1). Not our own address or password: the operator can correct them. */
function isFinal(fault: unknown): boolean {
  const { code, command, responseCode } = fault as { code?: string; command?: string; responseCode?: number };
  if (command === "MAIL FROM") return false;
  return (code === "EENVELOPE" || code === "EMESSAGE") && (responseCode ?? 0) >= 500;
}
