// Metrics by kind: of letters as this process saw them, of the rest as the database knows of all processes.
import { queueNames } from "../contract/office/tasks.ts";
import type { Bot } from "./bot/bot.ts";
import type { Metric } from "./health.ts";
import type { Host, Imap } from "./imap/imap.ts";
import { keyStanding } from "./keys.ts";
import { now } from "./platform/clock.ts";
import { selectSizes } from "./platform/jobs/tasks.ts";
import type { Office } from "./office/office.ts";
import type { ChainHealth, Payments } from "./payments/payments.ts";
import type { Services } from "./services.ts";

export function metrics(services: Services, bot: Bot | undefined): Metric[] {
  return [
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
    {
      name: "postern_key_left",
      labels: ["what"],
      kind: "gauge",
      read: () => keyLeft(services),
    },
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
    metric("job_failures", ["job"], async () =>
      (await allJobs()).map(({ name, failures }) => [name, failures]),
    ),
    metric("job_took_seconds", ["job"], async () =>
      (await allJobs()).flatMap(({ name, tookSeconds }) =>
        tookSeconds === null ? [] : [[name, tookSeconds]],
      ),
    ),
    metric("job_late_seconds", ["job"], async () =>
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
