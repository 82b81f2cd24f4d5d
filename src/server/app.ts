import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import { stockDemo } from "./demo.ts";
import { mountHealth, type Part, type Tally } from "./health.ts";
import { answerUnknown, createHttp } from "./http.ts";
import type { Host, Imap } from "./imap/imap.ts";
import { openFinder } from "./inventory/inventory.ts";
import { startJobs } from "./jobs.ts";
import type { Config, Role } from "./kit/config.ts";
import type { Log } from "./kit/log.ts";
import {
  openReception,
  ownCertificate,
  readCertificate,
  type ReceptionOptions,
} from "./reception/reception.ts";
import { pagesRoutes, sendPage } from "./pages/pages.routes.ts";
import { openPages } from "./pages/pages.ts";
import { openRooms, type Rooms } from "./rooms.ts";
import { edge, routes } from "./routes.ts";

const distFolder = fileURLToPath(new URL("../../dist", import.meta.url));

/** A running process of the shop, with the roles that its settings name. */
export interface Shop {
  /** Where letters are received, for the ready line. */
  readonly smtpUrl: string;
  /** Takes no new work, finishes what is in flight, closes the database. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts what the settings name: database, rooms, then the doors. What is opened last is closed first. Throws, with
 * everything closed again, when a part cannot start.
 */
export async function openShop(config: Config, log: Log): Promise<Shop> {
  const open = new AsyncDisposableStack();
  try {
    const rooms = await openRooms(config, log, open);
    if (config.demo) await stockDemo({ db: rooms.db, log });
    const parts: Part[] = [{ name: "database", check: async () => rooms.db`select 1` }];
    const start: Record<Role, () => Promise<unknown>> = {
      smtp: async () => parts.push(await receive(config, log, rooms, open)),
      jobs: async () => parts.push(await work(log, rooms, open)),
      web: () => serve(config, log, rooms, parts, open),
      bot: async () =>
        log.warn("TELEGRAM_BOT_TOKEN is set, but this version has no bot yet: it is not started"),
    };
    for (const role of ["smtp", "jobs", "web", "bot"] as const) {
      if (config.roles.has(role)) await start[role]();
    }
    return {
      smtpUrl: `smtp://${config.smtpHost}:${config.smtpPort}`,
      stop: () => open.disposeAsync(),
    };
  } catch (fault) {
    await open.disposeAsync();
    throw fault;
  }
}

/** The role smtp: letters for our mailboxes come in. */
async function receive(config: Config, log: Log, rooms: Rooms, open: AsyncDisposableStack): Promise<Part> {
  const { db, catalog, letters } = rooms;
  const reception = await openReception({
    host: config.smtpHost,
    port: config.smtpPort,
    hostname: hostname(),
    log,
    spoolFolder: join(config.dataDir, "spool"),
    certificate: certificateOf(config, log),
    isOurDomain: async (domain) =>
      (await catalog.domains()).some(({ name, kind }) => kind === "own" && name === domain),
    isOurs: openFinder(db),
    keep: letters.keep,
  });
  let isOpen = true;
  open.defer(async () => {
    isOpen = false;
    await reception.stop();
  });
  return {
    name: "reception",
    check: () => (isOpen ? Promise.resolve() : Promise.reject(new Error("closed"))),
  };
}

/** Where the reception's certificate comes from; undefined when it has none, and letters come in the clear. */
function certificateOf({ smtpTls, demo, dataDir }: Config, log: Log): ReceptionOptions["certificate"] {
  if (smtpTls) return () => readCertificate(smtpTls);
  if (demo) return () => ownCertificate(dataDir, hostname());
  log.warn("letters come in without encryption: SMTP_TLS_CERT and SMTP_TLS_KEY are not set");
  return undefined;
}

/** The role jobs: everything that is due, once across all processes. */
async function work(log: Log, rooms: Rooms, open: AsyncDisposableStack): Promise<Part> {
  const watching = rooms.payments.watch();
  open.defer(() => watching.stop());
  const sending = await rooms.openNotices();
  open.defer(() => sending.stop());
  const courier = rooms.webhooks.openCourier();
  await courier.start(rooms.events.listen);
  open.defer(() => courier.stop());
  await rooms.imap.start();
  open.defer(() => rooms.imap.stop());
  const jobs = startJobs(log, rooms, sending);
  let isOpen = true;
  open.defer(async () => {
    isOpen = false;
    await Promise.all(jobs.map((job) => job.stop()));
  });
  return { name: "jobs", check: () => (isOpen ? Promise.resolve() : Promise.reject(new Error("stopped"))) };
}

/** How the IMAP servers of hosted domains fare, over all processes. */
function hostTallies(imap: Imap): Tally[] {
  const tally = (name: string, figure: (host: Host) => number): Tally => ({
    name: `postern_imap_${name}`,
    labels: ["host"],
    kind: "gauge",
    read: async () =>
      new Map((await imap.hosts()).map((host) => [`${host.host}:${host.port}`, figure(host)])),
  });
  return [
    tally("connections", ({ open }) => open),
    tally("waiting", ({ waiting }) => waiting),
    tally("failures", ({ failures }) => failures),
  ];
}

/** The role web: the API, the pages, health. */
async function serve(
  config: Config,
  log: Log,
  rooms: Rooms,
  parts: readonly Part[],
  open: AsyncDisposableStack,
): Promise<FastifyInstance> {
  const app = await createHttp({ config, log, routes: routes(rooms), edge: edge(rooms) });
  open.defer(() => app.close());
  app.addHook("preClose", () => rooms.streams.close());
  const counts = {
    postern_event_streams: () => rooms.streams.count,
    postern_waiting_calls: () => rooms.events.waits.count(),
  };
  mountHealth(app, parts, config.metricsToken, counts, [
    {
      name: "postern_letters_authenticated_total",
      labels: ["check", "result"],
      read: () => rooms.letters.authenticated,
    },
    ...hostTallies(rooms.imap),
  ]);
  const { kind, siteKey } = rooms.captcha;
  const pages = await openPages({
    dist: distFolder,
    publicUrl: config.publicUrl,
    demo: config.demo,
    supportUrl: config.supportUrl,
    captcha: siteKey === undefined ? { kind } : { kind, siteKey },
    domains: async () => (await rooms.catalog.groups()).get("all") ?? [],
  });
  await app.register(pagesRoutes, pages);
  answerUnknown(app, (request, reply) => sendPage(pages, request, reply));
  await app.listen({ host: config.host, port: config.port });
  return app;
}
