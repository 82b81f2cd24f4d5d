// Webhooks: signed events of an account, sent to its URLs until they are accepted.
import { randomBytes } from "node:crypto";
import type { EventName } from "../../contract/event-names.ts";
import { sayFailure } from "../../contract/webhook-failures.ts";
import { webhooksMax } from "../../contract/limits.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, notify, type Tx } from "../platform/db/db.ts";
import { endWatch, watch } from "../events/events.ts";
import type { Log } from "../platform/log.ts";
import type { Seal } from "../platform/seal.ts";
import * as notices from "../mailer/mailer.ts";
import { type From, tellOwner } from "../users/users.ts";
import { channel, Dispatcher } from "./webhooks.dispatcher.ts";
import { type Due, insertTest, takeAgain } from "./webhooks.due.sql.ts";
import { type Allowed, type Guard, hostOf, openGuard, type Resolve } from "./webhooks.guard.ts";
import { type Exchange, openSender } from "./webhooks.send.ts";
import { type Describe, messageOf, fanOut } from "./webhooks.fan-out.ts";
import * as rows from "./webhooks.sql.ts";
import type { Delivery, Webhook } from "./webhooks.sql.ts";
import { leaseSeconds, openTries } from "./webhooks.try.ts";

export type { Describe } from "./webhooks.fan-out.ts";
export type { Subscribe } from "./webhooks.dispatcher.ts";
export { giveUpDeliveries, retryDeliveries } from "./webhooks.due.sql.ts";
export type { Delivery, Webhook } from "./webhooks.sql.ts";

/** Of one account; those of others do not exist for it. */
export interface Webhooks {
  list(userId: bigint): Promise<Webhook[]>;
  /** The secret is shown this once. */
  add(
    userId: bigint,
    asked: { url: string; events: readonly EventName[] },
    by?: From,
  ): Promise<Made | "url" | "too many">;
  /** Fields left out stay. A webhook that is switched on again begins with new events. */
  change(userId: bigint, id: bigint, asked: Change, by?: From): Promise<Webhook | "no webhook" | "url">;
  /** For a day messages are signed with the old secret too. */
  replaceSecret(userId: bigint, id: bigint): Promise<Made | "no webhook">;
  remove(userId: bigint, id: bigint): Promise<"no webhook" | undefined>;
  /** The newest first, ten a page; returns one more when there is a next page. */
  deliveries(
    userId: bigint,
    id: bigint,
    page: { skip: number; size: number },
  ): Promise<Delivery[] | "no webhook">;
  /** One delivery, with what was sent and answered at its last try, for a day after its end. */
  delivery(userId: bigint, id: bigint, deliveryId: bigint): Promise<Opened | "no webhook" | "no delivery">;
  test(userId: bigint, id: bigint): Promise<Delivery | "no webhook">;
  /** Sends a delivery again under its old id; returns the outcome of the first try. */
  redeliver(userId: bigint, id: bigint, deliveryId: bigint): Promise<Delivery | "no webhook" | "no delivery">;
  states(): Promise<ReadonlyMap<string, number>>;
  waiting(at: Date): Promise<rows.Waiting>;
  openDispatcher(): Dispatcher;
  /** Deletes deliveries done a week ago, and bodies done a day ago. For a job. */
  forget(at: Date): Promise<void>;
  close(): Promise<void>;
}

export interface Opened {
  readonly delivery: Delivery;
  readonly body: string | undefined;
  readonly exchange: Exchange | undefined;
}

export interface Change {
  readonly url?: string | undefined;
  readonly events?: readonly EventName[] | undefined;
  readonly enabled?: boolean | undefined;
}

export interface Made {
  readonly webhook: Webhook;
  readonly secret: string;
}

export interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  readonly log: Log;
  readonly describe: Describe;
  readonly publicUrl: string;
  readonly allowed: Allowed;
  /** For tests: another certificate authority, another resolver. */
  readonly ca?: string;
  readonly resolve?: Resolve;
}

/** Standard Webhooks, "Signature scheme": 24 to 64 bytes. */
const secretBytes = 32;
const secretBeforeSeconds = 24 * 60 * 60;
/** For a reconnection soon after; streams ask for their own time. */
const watchSeconds = 15 * 60;
const bodySeconds = 24 * 60 * 60;
const logSeconds = 7 * 24 * 60 * 60;
export function openWebhooks(parts: Parts): Webhooks {
  const { db, seal, log } = parts;
  const guard = openGuard(parts.allowed, parts.resolve);
  const userAgent = `Postern (+${parts.publicUrl})`;
  const sender = openSender({ guard, userAgent, ...(parts.ca === undefined ? {} : { ca: parts.ca }) });
  const switchOff = (tx: Tx, due: Due, reason: string, at: Date) =>
    endByItself({ tx, seal, log }, due, reason, at);
  const tries = openTries({ db, seal, sender, log, switchOff });
  const byHand = new Set<Promise<void>>();
  const sendNow = async (due: Due): Promise<void> => {
    const sending = tries.once(due);
    byHand.add(sending);
    await sending.finally(() => byHand.delete(sending));
  };

  return {
    ...having(parts, guard),
    ...changing(parts, guard),
    ...sending({ db, seal, sendNow }),
    openDispatcher: () =>
      new Dispatcher({ db, tries, log, cut: sender.close, fanOut: (userIds) => fanOut(parts, userIds) }),
    states: async () => new Map((await rows.countStates(db)).map(({ state, count }) => [state, count])),
    waiting: (at) => rows.selectWaiting(db, at),
    forget: async (at) => {
      await rows.deleteOld(db, secondsAfter(at, -logSeconds));
      await rows.wipeBodies(db, secondsAfter(at, -bodySeconds));
    },
    close: async () => {
      tries.stop();
      sender.close();
      await Promise.allSettled(byHand);
      await tries.drain();
    },
  };
}

type Having = Pick<Webhooks, "list" | "add" | "remove" | "deliveries" | "delivery">;

function having({ db, seal }: Parts, guard: Guard): Having {
  return {
    list: (userId) => rows.selectWebhooks(db, userId),

    add: async (userId, { url: text, events }, by) => {
      const url = guard.accepts(text);
      if (!url) return "url";
      const { secret, sealed } = newSecret(seal);
      return attempt<Made | "too many">(db, async (tx) => {
        if ((await rows.lockWebhooks(tx, userId)) >= webhooksMax) return "too many";
        const after = await watch(tx, userId);
        const [host, at] = [hostOf(url), now()];
        const made = { userId, url: url.href, host, events, secret: sealed, after, at };
        const webhook = await rows.insertWebhook(tx, made);
        await tellOwner(tx, seal, { userId, kind: "webhook-added", webhook: host, from: by }, at);
        await notify(tx, channel, "");
        return { webhook, secret };
      });
    },

    remove: async (userId, id) =>
      attempt<"no webhook" | undefined>(db, async (tx) => {
        await rows.lockWebhooks(tx, userId);
        if (!(await rows.selectWebhook(tx, userId, id))) return "no webhook";
        await rows.deleteWebhook(tx, id);
        await endWatch(tx, userId, secondsAfter(now(), watchSeconds));
        await notify(tx, channel, "");
        return undefined;
      }),

    deliveries: async (userId, id, { skip, size }) =>
      (await rows.selectWebhook(db, userId, id)) ? rows.selectDeliveries(db, id, skip, size) : "no webhook",

    delivery: async (userId, id, deliveryId) => {
      const found = await rows.selectDeliveryDetail(db, userId, id, deliveryId);
      if (!found) return (await rows.selectWebhook(db, userId, id)) ? "no delivery" : "no webhook";
      const { body, exchange, ...delivery } = found;
      return {
        delivery,
        body: body ? seal.open(body) : undefined,
        exchange: exchange ? (JSON.parse(seal.open(exchange)) as Exchange) : undefined,
      };
    },
  };
}

function changing({ db, seal }: Parts, guard: Guard): Pick<Webhooks, "change" | "replaceSecret"> {
  return {
    change: async (userId, id, { url: text, events, enabled }, by) => {
      const url = text === undefined ? undefined : guard.accepts(text);
      if (text !== undefined && !url) return "url";
      return attempt<Webhook | "no webhook">(db, async (tx) => {
        await rows.lockWebhooks(tx, userId);
        const before = await rows.selectWebhook(tx, userId, id);
        if (!before) return "no webhook";
        const to = url ?? new URL(before.url);
        const changed = { url: to.href, host: hostOf(to), events };
        const webhook = url || events ? await rows.updateWebhook(tx, id, changed) : before;
        // One that leads elsewhere is as good as a new one.
        if (to.href !== before.url)
          await tellOwner(
            tx,
            seal,
            { userId, kind: "webhook-added", webhook: changed.host, from: by },
            now(),
          );
        const isOn = before.disabledAt === null;
        if (enabled === true && !isOn) return begin(tx, webhook);
        if (enabled === false && isOn) return (await end(tx, webhook, null, now())) ?? webhook;
        return webhook;
      });
    },

    replaceSecret: async (userId, id) =>
      attempt<Made | "no webhook">(db, async (tx) => {
        await rows.lockWebhooks(tx, userId);
        if (!(await rows.selectWebhook(tx, userId, id))) return "no webhook";
        const { secret, sealed } = newSecret(seal);
        const webhook = await rows.replaceSecret(tx, id, sealed, secondsAfter(now(), secretBeforeSeconds));
        return { webhook, secret };
      }),
  };
}

interface SendingParts {
  readonly db: Db;
  readonly seal: Seal;
  readonly sendNow: (due: Due) => Promise<void>;
}

function sending({ db, seal, sendNow }: SendingParts): Pick<Webhooks, "test" | "redeliver"> {
  return {
    test: async (userId, id) => {
      const at = now();
      const message = messageOf(seal, "test", { webhook_id: String(id) }, at);
      const due = await insertTest(db, { userId, id }, { eventId: null, ...message }, at, leaseSeconds);
      if (!due) return "no webhook";
      await sendNow(due);
      return (await rows.selectDelivery(db, id, due.id)) ?? "no webhook";
    },

    redeliver: async (userId, id, deliveryId) => {
      if (!(await rows.selectWebhook(db, userId, id))) return "no webhook";
      const due = await takeAgain(db, id, deliveryId, now(), leaseSeconds);
      if (due) await sendNow(due);
      const delivery = await rows.selectDelivery(db, id, deliveryId);
      // A delivery in flight is returned as it is; one without a body cannot be sent.
      return due || delivery?.dueAt ? (delivery ?? "no delivery") : "no delivery";
    },
  };
}

/** The caller has locked it. */
async function begin(tx: Tx, { id, userId }: Webhook): Promise<Webhook> {
  const after = await watch(tx, userId);
  const webhook = await rows.enable(tx, id, after);
  await notify(tx, channel, "");
  return webhook;
}

/** Switches off all webhooks in the transaction of a new password: another person may have made them. */
export async function endAll(tx: Tx, userId: bigint, at: Date): Promise<void> {
  await rows.lockWebhooks(tx, userId);
  for (const webhook of await rows.selectWebhooks(tx, userId))
    if (webhook.disabledAt === null) await end(tx, webhook, sayFailure("newPassword"), at);
}

/** Deletes all webhooks with their deliveries, when the account is closed. */
export async function forgetUser(tx: Tx, userId: bigint, at: Date): Promise<void> {
  await endAll(tx, userId, at);
  await rows.deleteWebhooks(tx, userId);
}

/** The caller has locked it. `reason` null: by hand. Undefined when it is already off. */
async function end(
  tx: Tx,
  { id, userId }: Pick<Webhook, "id" | "userId">,
  reason: string | null,
  at: Date,
): Promise<Webhook | undefined> {
  const webhook = await rows.disable(tx, id, at, reason);
  if (!webhook) return undefined;
  await rows.giveUpWaiting(tx, id, at, sayFailure("off"));
  await endWatch(tx, userId, secondsAfter(at, watchSeconds));
  await notify(tx, channel, "");
  return webhook;
}

/** Switches off a webhook that keeps failing, and mails its owner. */
async function endByItself(
  { tx, seal, log }: { tx: Tx; seal: Seal; log: Log },
  { webhookId, userId, host }: Due,
  reason: string,
  at: Date,
): Promise<void> {
  if (!(await end(tx, { id: webhookId, userId }, reason, at))) return;
  const { email, language } = await rows.selectOwner(tx, userId);
  const values = { webhook: host };
  await notices.queue(tx, seal, { to: email, kind: "webhook-disabled", language, values }, { userId });
  log.warn({ webhook: String(webhookId), user: String(userId), host, reason }, "a webhook was switched off");
}

function newSecret(seal: Seal): { secret: string; sealed: Buffer } {
  const secret = `whsec_${randomBytes(secretBytes).toString("base64")}`;
  return { secret, sealed: seal.seal(secret) };
}
