import { sayFailure } from "../../contract/webhook-failures.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { Batcher } from "../platform/db/batcher.ts";
import type { Log } from "../platform/log.ts";
import type { Seal } from "../platform/seal.ts";
import {
  countFailure,
  type Delivered,
  type Due,
  forgive,
  markDelivered,
  markFailed,
  putBack,
} from "./webhooks.due.sql.ts";
import type { Outcome, Sender } from "./webhooks.send.ts";
import { lockWebhook } from "./webhooks.sql.ts";

/** Longer than any try takes. */
export const leaseSeconds = 60;

/** The retries that Standard Webhooks suggests ("Retry schedule"): three days in all, then it is given up. */
const minute = 60;
const hour = 60 * minute;
const retrySeconds = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
const jitter = 0.1;
const scheduleSeconds = retrySeconds.reduce((sum, seconds) => sum + seconds, 0);

/** After so many failures in a row a webhook pauses. Another answer may be about a message, and the others still get through. */
const failuresMax = { away: 1, answering: 5 };
/** Statuses by which a proxy says that the program behind it is away (RFC 9110 §15.6.3 to §15.6.5). */
const away = new Set([502, 503, 504]);
/** A pause is from a second to 5 minutes, and an eighth of the outage at most: so it ends soon after it. */
const pauses = { secondsMax: 5 * minute, partOfOutage: 1 / 8 };
/** The longest Retry-After that is kept: codes in letters expire. */
const askedSecondsMax = hour;
/** A webhook that fails for so long is switched off. */
const failingSecondsMax = 3 * 24 * hour;
const gone = 410;

const marksAtOnce = 500;

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  readonly sender: Sender;
  readonly log: Log;
  readonly switchOff: (tx: Tx, due: Due, reason: string, at: Date) => Promise<void>;
}

export interface Tries {
  once(due: Due): Promise<void>;
  /** Failures from now on are our own cuts: those deliveries are put back. */
  stop(): void;
  drain(): Promise<void>;
}

export function openTries({ db, seal, sender, log, switchOff }: Parts): Tries {
  let isStopping = false;
  const marks = new Batcher<Delivered, void>(
    async (done) => {
      await markDelivered(db, done, now());
      await forgive(db, [...new Set(done.map(({ webhookId }) => webhookId))], now(), scheduleSeconds);
      return done.map(() => undefined);
    },
    { concurrency: 2, batchMax: marksAtOnce, queueMax: Number.POSITIVE_INFINITY },
  );

  const sealed = ({ exchange }: Outcome) => (exchange ? seal.seal(JSON.stringify(exchange)) : null);

  const fail = (due: Due, failure: string, outcome: Outcome): Promise<void> =>
    attempt(db, async (tx) => {
      const at = now();
      const { httpStatus, notBefore } = outcome;
      await lockWebhook(tx, due.webhookId);
      const askedMost = secondsAfter(at, askedSecondsMax);
      const asked = notBefore && (notBefore < askedMost ? notBefore : askedMost);
      const dueAt = nextTry(due, at, asked);
      if (!(await markFailed(tx, { due, failure, httpStatus, dueAt, exchange: sealed(outcome) }, at))) return;
      // A failed test does not count against the webhook.
      if (due.event === "test") return;
      const isAway = httpStatus === undefined || away.has(httpStatus);
      const after = isAway ? failuresMax.away : failuresMax.answering;
      const failing = await countFailure(tx, due, at, { ...pauses, after, until: asked ?? null });
      if (!failing) return;
      if (httpStatus === gone) await switchOff(tx, due, sayFailure("gone"), at);
      else if (failing.failingSince <= secondsAfter(at, -failingSecondsMax))
        await switchOff(tx, due, sayFailure("silent", { failure }), at);
    });

  return {
    async once(due) {
      const { id, webhookId } = due;
      const detail = { webhook: String(webhookId), delivery: String(id), tries: due.tries };
      const outcome = await sender.send({
        url: due.url,
        id: due.messageId,
        body: seal.open(due.body),
        secrets: [due.secret, ...(due.secretBefore ? [due.secretBefore] : [])].map((secret) =>
          seal.open(secret),
        ),
      });
      const { httpStatus, failure } = outcome;
      if (failure === undefined)
        await marks.submit({ id, webhookId, httpStatus: httpStatus ?? 0, exchange: sealed(outcome) });
      else if (isStopping && httpStatus === undefined) await putBack(db, due);
      else await fail(due, failure, outcome);
      log.debug(
        { ...detail, httpStatus, failure },
        failure === undefined ? "event delivered" : "event not delivered",
      );
    },
    stop: () => void (isStopping = true),
    drain: () => marks.drain(),
  };
}

function nextTry(
  { event, tries, isEarly, dueAt: dueBefore }: Due,
  at: Date,
  asked: Date | undefined,
): Date | null {
  const wait = event === "test" ? undefined : retrySeconds[tries - 1];
  if (wait === undefined) return null;
  const dueAt = isEarly ? dueBefore : secondsAfter(at, wait * (1 + Math.random() * jitter));
  return asked && asked > dueAt ? asked : dueAt;
}
