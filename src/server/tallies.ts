// What /metrics tells of the shop by kind: of letters what this process has seen, of the rest what the database knows of all processes.
import type { Bot } from "./bot/bot.ts";
import type { Tally } from "./health.ts";
import type { Host, Imap } from "./imap/imap.ts";
import { now } from "./kit/clock.ts";
import type { Waiting } from "./kit/waiting.ts";
import { waiting as waitingNotices } from "./notices/notices.ts";
import type { Office } from "./office/office.ts";
import type { ChainHealth, Payments } from "./payments/payments.ts";
import type { Rooms } from "./rooms.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** Everything that is counted by kind; of the bot only where there is one. */
export function tallies(rooms: Rooms, bot: Bot | undefined): Tally[] {
  return [
    {
      name: "postern_letters_authenticated_total",
      labels: ["check", "result"],
      read: () => rooms.letters.authenticated,
    },
    ...hostTallies(rooms.imap),
    ...chainTallies(rooms.payments),
    ...webhookTallies(rooms.webhooks),
    ...waitingTallies("notices", () => waitingNotices(rooms.db, now())),
    ...officeTallies(rooms.office),
    ...(bot ? waitingTallies("bot_letters", () => bot.waiting(now())) : []),
  ];
}

/** One reading for all figures that are told of it at a time. */
function shared<Answer>(read: () => Promise<Answer>): () => Promise<Answer> {
  let reading: Promise<Answer> | undefined;
  return () => (reading ??= read().finally(() => (reading = undefined)));
}

/** How the IMAP servers of hosted domains fare, over all processes. */
function hostTallies(imap: Imap): Tally[] {
  const hosts = shared(() => imap.hosts());
  const tally = (name: string, figure: (host: Host) => number): Tally => ({
    name: `postern_imap_${name}`,
    labels: ["host"],
    kind: "gauge",
    read: async () => new Map((await hosts()).map((host) => [`${host.host}:${host.port}`, figure(host)])),
  });
  return [
    tally("connections", ({ open }) => open),
    tally("waiting", ({ waiting }) => waiting),
    tally("failures", ({ failures }) => failures),
  ];
}

/** How the chains are doing, by their watcher, whichever process that is. */
function chainTallies(payments: Payments): Tally[] {
  const health = shared(() => payments.health());
  const tally = (
    name: string,
    figure: (chain: ChainHealth) => number | undefined,
    kind?: "gauge",
  ): Tally => ({
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
    tally("height", ({ height }) => (height === undefined ? undefined : Number(height)), "gauge"),
    tally("lag_seconds", ({ lagSeconds }) => lagSeconds, "gauge"),
    tally("blocks_behind", ({ behind }) => Number(behind), "gauge"),
    tally("failing", ({ failingSince }) => Number(failingSince !== undefined), "gauge"),
    tally("failures_total", ({ failures }) => Number(failures)),
    {
      name: "postern_payments",
      labels: ["chain", "state"],
      kind: "gauge",
      read: async () =>
        new Map((await payments.undecided()).map(({ chain, state, count }) => [`${chain} ${state}`, count])),
    },
  ];
}

/** What an operator would look for in the back office: jobs that fail, the last audit, what is left to sell. */
function officeTallies({ jobs, audited, stock }: Office): Tally[] {
  const lastAudit = shared(() => audited());
  const allJobs = shared(() => jobs());
  const tally = (
    name: string,
    labels: readonly string[],
    read: () => Promise<(readonly [string, number])[]>,
  ): Tally => ({
    name: `postern_${name}`,
    labels,
    kind: "gauge",
    read: async () => new Map(await read()),
  });
  return [
    tally("job_failures", ["job"], async () =>
      (await allJobs()).map(({ name, failures }) => [name, failures]),
    ),
    tally("job_took_seconds", ["job"], async () =>
      (await allJobs()).flatMap(({ name, tookSeconds }) =>
        tookSeconds === null ? [] : [[name, tookSeconds]],
      ),
    ),
    tally("job_late_seconds", ["job"], async () =>
      (await allJobs()).map(({ name, lateSeconds }) => [name, lateSeconds]),
    ),
    tally("stock", ["domain"], async () => (await stock()).map(({ name, mailboxes }) => [name, mailboxes])),
    tally("audit_broken", [], async () => [["", (await lastAudit())?.broken ?? 0]]),
    // Before the first one it was for ever ago: whoever is to hear of an old one hears of none as well.
    tally("audit_age_seconds", [], async () => {
      const last = await lastAudit();
      return [["", last ? (now().getTime() - last.at.getTime()) / 1000 : Infinity]];
    }),
  ];
}

/** What waits in a table to be sent, over all processes. */
function waitingTallies(name: string, waitingNow: () => Promise<Waiting>): Tally[] {
  const waiting = shared(waitingNow);
  return [
    {
      name: `postern_${name}`,
      labels: ["state"],
      kind: "gauge",
      read: async () => {
        const { fresh, retried } = await waiting();
        return new Map(Object.entries({ fresh, retried }));
      },
    },
    {
      name: `postern_${name}_lag_seconds`,
      labels: [],
      kind: "gauge",
      read: async () => new Map([["", (await waiting()).lagSeconds]]),
    },
  ];
}

/** The webhooks of all accounts, and what waits to be sent to them. */
function webhookTallies({ states, waiting }: Webhooks): Tally[] {
  return [
    {
      name: "postern_webhooks",
      labels: ["state"],
      kind: "gauge",
      read: states,
    },
    ...waitingTallies("webhook_deliveries", () => waiting(now())),
  ];
}
