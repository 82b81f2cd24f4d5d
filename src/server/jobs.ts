import type { JobName } from "../contract/office/jobs.ts";
import { timeOf } from "./platform/db/time.ts";
import { forgetUsed } from "./platform/http/captcha.ts";
import { now, secondsAfter } from "./platform/clock.ts";
import { passMarks } from "./platform/ids.ts";
import * as security from "./security/security.ts";
import { forgetJobs, schedule, type Job } from "./platform/jobs/scheduler.ts";
import { deleteTasks } from "./platform/jobs/tasks.ts";
import type { Log } from "./platform/log.ts";
import { arrivalGraceSeconds, backlogSeconds } from "./letters/letters.ts";
import type { Mailer } from "./mailer/mailer.ts";
import { sealAnew } from "./keys.ts";
import { closeDay, sendSummaries } from "./office/office.ts";
import { tellLowBalances } from "./owner/owner.low.ts";
import { backorders, fillTerms, foldOutcomes, forgetSkips, settleShares } from "./orders/orders.ts";
import type { Services } from "./services.ts";

type Work = (signal: AbortSignal) => Promise<unknown>;
type When = [when: number | string, work: Work];

const minute = 60;
/** What is done or was given up. */
const keepSeconds = 7 * 24 * 60 * minute;

type Jobs = Partial<Record<JobName, When>>;

/** Periodic jobs: the period in seconds or the time of each day (UTC), and what it does. Each asks the database for rows that are due. */
const jobsOf = (
  log: Log,
  services: Services,
  mailer: Mailer,
): Record<Exclude<JobName, typeof backupName>, When> => ({
  ...workOf(log, services, mailer),
  ...forgettingOf(services, mailer),
});

function workOf(log: Log, services: Services, mailer: Mailer) {
  const { db, imap, investors, letters, office, orders, sandbox, seal, withdrawals } = services;
  return {
    "expire orders": [1, () => orders.expireDue({ graceSeconds: arrivalGraceSeconds })],
    "judge letters left behind": [
      2,
      (signal: AbortSignal) => letters.matchBacklog(secondsAfter(now(), -backlogSeconds), signal),
    ],
    "deliver letters turned away": [30, (signal) => letters.deliverUnclaimed({ signal })],
    "authenticate letters": [10, () => letters.authenticateDue()],
    "sandbox letters": [1, () => sandbox.sendDue(now())],
    "send notices": [5, () => mailer.sendDue()],
    "check batches": [2, (signal) => investors.check(signal)],
    "check batches again": [10, () => investors.recheck(now())],
    "try refused mailboxes": [minute, () => imap.retryRefused()],
    "settle shares of investors": [minute, (signal) => settleShares(db, now(), signal)],
    "count hours": [minute, () => office.countHours(now())],
    "look at the week": [10 * minute, () => office.lookAtWeek(now())],
    "send daily summaries": [minute, () => sendSummaries(services, now())],
    "close the day": ["02:00", () => closeDay(services, now())],
    "note terms of older orders": [10 * minute, (signal) => fillTerms(db, signal)],
    "pass the marks of ids": [60 * minute, () => passMarks(db)],
    "seal secrets anew": [5, (signal) => sealAnew(db, seal, log, now(), signal)],
    "place backorders": [5, (signal) => backorders.placeDue(services, now(), signal)],
    "tell low balances": [5, (signal) => tellLowBalances(services, now(), signal)],
    "look at withdrawals": [30, (signal) => withdrawals.lookAtSent(now(), signal)],
    "fold outcomes": [10 * minute, () => foldOutcomes(db, now())],
  } satisfies Jobs;
}

/** What is deleted once it is old. */
function forgettingOf(services: Services, mailer: Mailer) {
  const { db, events, imap, letters, limits, stories, users, webhooks } = services;
  return {
    "forget events": [10 * minute, () => events.forget(now())],
    "forget letters": [10 * minute, (signal) => letters.forgetNotGiven(now(), signal)],
    "forget bodies of letters": [10 * minute, (signal) => letters.forgetOld(signal)],
    "forget what was fetched": [60 * minute, () => imap.forget(now())],
    "forget tasks": [60 * minute, () => forgetTasks(services)],
    "forget notices": [60 * minute, () => mailer.forget(now())],
    "forget captchas": [10 * minute, async () => forgetUsed(db, await timeOf(db))],
    "forget webhook deliveries": [10 * minute, () => webhooks.forget(now())],
    "forget limited tokens": [60 * minute, () => users.tokens.forget(now())],
    "forget sessions": [60 * minute, () => users.sessions.forget(now())],
    "forget challenges": [10 * minute, () => users.factors.forget(now())],
    "forget events of security": [60 * minute, () => security.forget(db, now())],
    "forget marks of accounts": [60 * minute, () => users.identifiers.forget(now())],
    "forget tries of codes": [60 * minute, () => users.forgetTries(now())],
    "forget links to the bot": [60 * minute, () => users.links.forget(now())],
    "forget limits": [10 * minute, () => limits.forget()],
    "forget pictures": [60 * minute, () => stories.pictures.forget(now())],
    "forget backorders": [60 * minute, () => backorders.forget(db, now())],
  } satisfies Jobs;
}

const backupName = "make backups";
/** Nothing where BACKUP_DIR is unset. */
const backupJobs = ({ backups }: Services): Record<string, When> =>
  backups ? { [backupName]: [10 * minute, (signal) => backups.makeDue(now(), signal)] } : {};

/** Names that the release before has: a process that runs a job each second keeps it, so what both run has two names. */
const jobsBefore = ["send letters of the sandbox", "telegram letters", "count days"];

async function forgetTasks({ db, backups }: Services): Promise<void> {
  await deleteTasks(db, secondsAfter(now(), -keepSeconds));
  await forgetSkips(db, now());
  // Nobody is late who was told to make none any more.
  await forgetJobs(db, backups ? jobsBefore : [...jobsBefore, backupName]);
}

/** Starts the periodic jobs; each runs once across all processes of the shop. */
export function startJobs(log: Log, services: Services, mailer: Mailer): Job[] {
  return Object.entries({ ...jobsOf(log, services, mailer), ...backupJobs(services) }).map(
    ([name, [when, work]]) =>
      schedule({
        name,
        ...(typeof when === "number" ? { seconds: when } : { at: when }),
        db: services.db,
        log: { error: (details, message) => log.error({ job: name, ...details }, message) },
        work: async (signal) => void (await work(signal)),
      }),
  );
}
