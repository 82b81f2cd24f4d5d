// Metrics by kind: of letters as this process saw them, of the rest as the database knows of all processes.
import { queueNames } from "../contract/office/tasks.ts";
import type { Bot } from "./bot/bot.ts";
import type { Metric } from "./health.ts";
import { codeCounts, letterCounts } from "./letters/letters.ts";
import { mailCounts } from "./mailer/mailer.ts";
import { endCounts, orderCounts } from "./orders/orders.ts";
import type { Host, Imap } from "./imap/imap.ts";
import { keyStanding } from "./keys.ts";
import { now } from "./platform/clock.ts";
import { selectSizes } from "./platform/jobs/tasks.ts";
import type { Office } from "./office/office.ts";
import { type ChainHealth, type Payments, stateCounts } from "./payments/payments.ts";
import type { Db, Load } from "./platform/db/db.ts";
import { version } from "./platform/version.ts";
import { replyCounts } from "./reception/reception.ts";
import type { Services } from "./services.ts";

export function metrics(services: Services, bot: Bot | undefined): Metric[] {
  return [
    {
      name: "postern_build_info",
      labels: ["version"],
      kind: "gauge",
      read: () => new Map([[version, 1]]),
    },
    ...counted,
    ...poolMetrics(services.db),
    {
      name: "postern_letters_authenticated_total",
      labels: ["check", "result"],
      read: () => services.letters.authenticated,
    },
    ...hostMetrics(services.imap),
    ...chainMetrics(services.payments),
    { name: "postern_webhooks", labels: ["state"], kind: "gauge", read: services.webhooks.states },
    ...queueMetrics(
      services,
      queueNames.filter((queue) => bot || queue !== "bot"),
    ),
    ...officeMetrics(services.office),
    ...backupMetrics(services.backups),
    ...withdrawalMetrics(services.withdrawals),
    {
      name: "postern_key_left",
      labels: ["what"],
      kind: "gauge",
      read: () => keyLeft(services),
    },
  ];
}

/** What this process has counted itself. */
const counted: readonly Metric[] = [
  { name: "postern_orders_total", labels: ["outcome"], read: () => orderCounts },
  { name: "postern_orders_ended_total", labels: ["end"], read: () => endCounts },
  { name: "postern_smtp_replies_total", labels: ["step", "reply"], read: () => replyCounts },
  { name: "postern_letters_total", labels: ["outcome"], read: () => letterCounts },
  { name: "postern_codes_found_total", labels: ["confidence"], read: () => codeCounts },
  { name: "postern_mails_total", labels: ["queue", "outcome"], read: () => mailCounts },
  { name: "postern_payment_states_total", labels: ["state"], read: () => stateCounts },
];

function poolMetrics(db: Db): Metric[] {
  const metric = (name: string, figure: (load: Load) => number, kind?: "gauge"): Metric => ({
    name: `postern_db_${name}`,
    labels: ["pool"],
    ...(kind && { kind }),
    read: () => new Map([...db.loads()].map(([pool, load]) => [pool, figure(load)])),
  });
  return [
    metric("connections", ({ open }) => open, "gauge"),
    metric("waiting", ({ waiting }) => waiting, "gauge"),
    metric("waits_total", ({ waits }) => waits),
    metric("wait_seconds_total", ({ waitedSeconds }) => waitedSeconds),
  ];
}

/** Nothing where BACKUP_DIR is unset: other processes, or other programs, make the backups. */
const backupMetrics = (backups: Services["backups"]): Metric[] =>
  backups
    ? [
        {
          name: "postern_backup_age_seconds",
          labels: [],
          kind: "gauge",
          read: async () => new Map([["", await backups.ageSeconds()]]),
        },
      ]
    : [];

/** Nothing while no key changes. */
async function keyLeft({ db, seal }: Services): Promise<Map<string, number>> {
  const standing = await keyStanding(db, seal);
  if (!standing) return new Map();
  const { total, seen, isSealed, tokens } = standing;
  return new Map([
    ["sealed", isSealed ? 0 : total - seen],
    ["tokens", tokens],
  ]);
}

function shared<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let reading: Promise<Answer> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}

function hostMetrics(imap: Imap): Metric[] {
  const hosts = shared(() => imap.hosts());
  const metric = (name: string, figure: (host: Host) => number): Metric => ({
    name: `postern_imap_${name}`,
    labels: ["host"],
    kind: "gauge",
    read: async () => new Map((await hosts()).map((host) => [`${host.host}:${host.port}`, figure(host)])),
  });
  return [
    metric("connections", ({ open }) => open),
    metric("waiting", ({ waiting }) => waiting),
    metric("failures", ({ failures }) => failures),
    metric("refused", ({ refused }) => refused),
  ];
}

function chainMetrics(payments: Payments): Metric[] {
  const health = shared(() => payments.health());
  const metric = (
    name: string,
    figure: (chain: ChainHealth) => number | undefined,
    kind?: "gauge",
  ): Metric => ({
    name: `postern_chain_${name}`,
    labels: ["chain"],
    ...(kind ? { kind } : {}),
    read: async () =>
      new Map(
        (await health()).flatMap((chain) => {
          const value = figure(chain);
          return value === undefined ? [] : [[chain.chain, value]];
        }),
      ),
  });
  return [
    metric("height", ({ height }) => (height === undefined ? undefined : Number(height)), "gauge"),
    metric("lag_seconds", ({ lagSeconds }) => lagSeconds, "gauge"),
    metric("blocks_behind", ({ behind }) => Number(behind), "gauge"),
    metric("failing", ({ failingSince }) => Number(failingSince !== undefined), "gauge"),
    metric("failures_total", ({ failures }) => Number(failures)),
    {
      name: "postern_payments",
      labels: ["chain", "state"],
      kind: "gauge",
      read: async () =>
        new Map((await payments.undecided()).map(({ chain, state, count }) => [`${chain} ${state}`, count])),
    },
    {
      name: "postern_chain_unexplained",
      labels: ["chain"],
      kind: "gauge",
      read: async () => new Map((await payments.unexplained()).map(({ chain, count }) => [chain, count])),
    },
  ];
}

/** Told also while there are none, and while no more are taken: those that wait are to be paid. */
function withdrawalMetrics(withdrawals: Services["withdrawals"]): Metric[] {
  const standing = shared(() => withdrawals.standing());
  const age = (oldest: Date | null) => (oldest ? (now().getTime() - oldest.getTime()) / 1000 : 0);
  return [
    {
      name: "postern_withdrawals",
      labels: ["state"],
      kind: "gauge",
      read: async () => {
        const { waiting, sent } = await standing();
        return new Map([
          ["waiting", waiting],
          ["sent", sent],
        ]);
      },
    },
    {
      name: "postern_withdrawal_oldest_seconds",
      labels: [],
      kind: "gauge",
      read: async () => new Map([["", age((await standing()).oldest)]]),
    },
  ];
}

function officeMetrics({ jobs, audited, auditAge, stock }: Office): Metric[] {
  const allJobs = shared(() => jobs());
  const metric = (
    name: string,
    labels: readonly string[],
    read: () => Promise<(readonly [string, number])[]>,
  ): Metric => ({
    name: `postern_${name}`,
    labels,
    kind: "gauge",
    read: async () => new Map(await read()),
  });
  return [
    metric("job_failures", ["name"], async () =>
      (await allJobs()).map(({ name, failures }) => [name, failures]),
    ),
    metric("job_took_seconds", ["name"], async () =>
      (await allJobs()).flatMap(({ name, tookSeconds }) =>
        tookSeconds === null ? [] : [[name, tookSeconds]],
      ),
    ),
    metric("job_late_seconds", ["name"], async () =>
      (await allJobs()).map(({ name, lateSeconds }) => [name, lateSeconds]),
    ),
    metric("stock", ["domain"], async () => (await stock()).map(({ name, mailboxes }) => [name, mailboxes])),
    metric("audit_broken", [], async () => [["", (await audited())?.broken ?? 0]]),
    metric("audit_age_seconds", [], async () => [["", (await auditAge()).seconds]]),
  ];
}

/** What waits, of all queues; told also while there is nothing. */
function queueMetrics({ db, webhooks }: Services, names: readonly string[]): Metric[] {
  const none = { fresh: 0, retried: 0, failed: 0, lagSeconds: 0 };
  const sizes = shared(async () => {
    const tasks = (await selectSizes(db, now())).map(({ queue, ...size }) => [queue, size] as const);
    const known = new Map<string, Record<string, number> & { lagSeconds: number }>([
      ...tasks,
      ["webhooks", await webhooks.waiting(now())],
    ]);
    return names.map((name) => [name, known.get(name) ?? none] as const);
  });
  return [
    {
      name: "postern_queue",
      labels: ["queue", "state"],
      kind: "gauge",
      read: async () =>
        new Map(
          (await sizes()).flatMap(([queue, size]) =>
            Object.entries(size)
              .filter(([state]) => state !== "lagSeconds")
              .map(([state, count]) => [`${queue} ${state}`, count]),
          ),
        ),
    },
    {
      name: "postern_queue_lag_seconds",
      labels: ["queue"],
      kind: "gauge",
      read: async () => new Map((await sizes()).map(([queue, { lagSeconds }]) => [queue, lagSeconds])),
    },
  ];
}
