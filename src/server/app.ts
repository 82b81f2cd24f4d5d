import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Fastify, { type FastifyInstance } from "fastify";
import type { Trouble } from "../contract/office/overview.ts";
import { thumbnailOf } from "../contract/thumbnails.ts";
import type { Bot, BotParts } from "./bot/bot.ts";
import { publishDemo, stockDemo } from "./demo.ts";
import { keyKnown, tellOfKey } from "./keys.ts";
import { registerHealth, type Part, partsDown, type Metric, type Exposed } from "./health.ts";
import { calmTurn } from "./platform/http/connections.ts";
import { commonHeaders } from "./platform/http/headers.ts";
import { answerUnknown, createHttp } from "./http.ts";
import { openFinder } from "./inventory/inventory.ts";
import { startJobs } from "./jobs.ts";
import { alertsAt } from "./platform/alerts.ts";
import { type Config, pageSettings, type Role } from "./platform/config/config.ts";
import { now } from "./platform/clock.ts";
import { freeBytes, makeDataDir } from "./platform/config/data-dir.ts";
import type { Log } from "./platform/log.ts";
import { type OpenFiles, watchOpenFiles } from "./platform/open-files.ts";
import { showUsd } from "./platform/money.ts";
import { onWire } from "./news/news.routes.ts";
import {
  endsSoon,
  openReception,
  ownCertificate,
  readCertificate,
  type ReceptionOptions,
} from "./reception/reception.ts";
import { describe } from "./orders/orders.events.ts";
import { findNoAddress } from "./orders/orders.ts";
import { receiveBtcpay } from "./payments/payments.btcpay.ts";
import { pagesRoutes, sendPage } from "./pages/pages.routes.ts";
import { openPages } from "./pages/pages.ts";
import { openServices, type Services } from "./services.ts";
import { mediaRoutes } from "./stories/stories.media.routes.ts";
import { filesMax, tellOfAdministrator } from "./setup/setup.ts";
import { openAsk } from "./platform/http/ask.ts";
import { callMeters } from "./platform/http/told.ts";
import { openWatch } from "./refused.ts";
import * as security from "./security/security.ts";
import { callHooks, routes, shopRoutes } from "./routes.ts";
import { metrics } from "./metrics.ts";
import { openWatchdog, type Watchdog, watchedParts } from "./watchdog.ts";
import { onWire as storyOnWire } from "./stories/stories.routes.ts";

const distFolder = fileURLToPath(new URL("../../dist", import.meta.url));

/** A running process of the shop, with the roles that its settings name. */
export interface Shop {
  /** Where letters are received, for the ready line. */
  readonly smtpUrl: string;
  /** Does beforehand what the first to come would wait for. */
  readonly warmUp: () => Promise<void>;
  /** Takes no new work, finishes what is in flight, closes the database. */
  readonly stop: () => Promise<void>;
}

/** Replaceable clocks; the default is the system clock. */
export interface Times {
  /** By which the bot keeps Telegram's limits. */
  readonly bot?: BotParts["time"];
}

/**
 * Starts what the settings name: database, services, then what listens. What is opened last is closed first. Throws, with
 * everything closed again, when a part cannot start.
 */
export async function openShop(config: Config, log: Log, times: Times = {}): Promise<Shop> {
  const open = new AsyncDisposableStack();
  try {
    makeDataDir(config.dataDir);
    const files = watchOpenFiles(log, filesMax(config));
    open.defer(() => files.close());
    const services = await openServices(config, log, open);
    if (config.demo) await stockDemo({ db: services.db, log });
    await tellOfAdministrator({ db: services.db, config }, log);
    await tellOfKey(services, log);
    const bot = await botOf(config, log, services, times, open);
    const watchdog = openWatchdog(services.db);
    open.defer(() => watchdog.close());
    const parts: Part[] = [
      { name: "database", check: async () => services.db`select 1` },
      { name: "key", check: () => keyKnown(services.db, services.seal), by: "database" },
    ];
    const troubles: Part<Trouble>[] = [
      { name: "disk", check: async () => refuse((await freeBytes(config.dataDir)) < alertsAt.DiskLow) },
      { name: "stock", check: async () => refuse(findNoAddress()) },
    ];
    const ownMetrics: Metric[] = [];
    const start: Record<Role, () => Promise<unknown>> = {
      smtp: async () => parts.push(await receive({ config, log, services, ownMetrics, troubles }, open)),
      jobs: async () => parts.push(await work(log, services, open)),
      web: () => serve({ config, log, services, parts, troubles, ownMetrics, bot, watchdog, files }, open),
      bot: async () => {
        const speaking = bot?.start();
        open.defer(() => speaking?.stop());
      },
    };
    for (const role of ["smtp", "jobs", "web", "bot"] as const) {
      if (config.roles.has(role)) await start[role]();
    }
    if (!config.roles.has("web"))
      await tellHealth({ config, services, parts, ownMetrics, bot, watchdog, files }, open);
    return {
      smtpUrl: `smtp://${config.smtpHost}:${config.smtpPort}`,
      warmUp: async () => {
        if (config.roles.has("smtp") || config.roles.has("jobs")) await services.letters.warmUp();
        // The chains are asked now which addresses were used, and not when the first buyer waits for one.
        const asked = config.roles.has("web") ? services.payments.currencies() : undefined;
        // Drawing their pictures takes a moment, for which no start has to wait.
        const published = config.demoStories ? publishDemo(services.db, services, now()) : undefined;
        await Promise.all([asked, published]);
      },
      stop: () => open.disposeAsync(),
    };
  } catch (fault) {
    await open.disposeAsync();
    throw fault;
  }
}

/** The bot of the settings, undefined without a token for it: its library is loaded only then, as it takes memory. */
async function botOf(
  config: Config,
  log: Log,
  services: Services,
  times: Times,
  open: AsyncDisposableStack,
): Promise<Bot | undefined> {
  const { telegramBotToken: token, telegramApiRoot: apiRoot, publicUrl } = config;
  if (token === undefined) return undefined;
  const { db, limits, users } = services;
  const ask = openAsk(shopRoutes(services), callHooks(services));
  const { openBot } = await import("./bot/bot.ts");
  const bot = openBot({
    db,
    log,
    limits,
    users,
    ask,
    describe: (rows) => describe(db, rows),
    token,
    apiRoot,
    publicUrl,
    webhook: config.telegramWebhook,
    time: times.bot,
  });
  open.defer(() => bot.close());
  return bot;
}

/** The check of what is not as it should be. */
function refuse(isBad: boolean): void {
  if (isBad) throw new Error("it is not as it should be");
}

/** The role smtp: letters for our mailboxes come in. */
async function receive(
  {
    config,
    log,
    services,
    ownMetrics,
    troubles,
  }: Pick<Serving, "config" | "log" | "services"> & { ownMetrics: Metric[]; troubles: Part<Trouble>[] },
  open: AsyncDisposableStack,
): Promise<Part> {
  const { db, catalog, letters } = services;
  const opening = openReception({
    host: config.smtpHost,
    port: config.smtpPort,
    hostname: config.smtpName ?? hostname(),
    proxies: config.smtpProxies,
    log,
    follow: config.accessLog === "on" ? log : undefined,
    spoolFolder: join(config.dataDir, "spool"),
    certificate: certificateOf(config, log),
    isOurDomain: async (domain) =>
      (await catalog.domains()).some(({ name, kind }) => kind === "own" && name === domain),
    isOurs: openFinder(db),
    keep: letters.keep,
    arriving: letters.arriving,
  });
  const reception = await listening("SMTP_HOST and SMTP_PORT", opening);
  ownMetrics.push({
    name: "postern_certificate_left_seconds",
    labels: [],
    kind: "gauge",
    read: () => {
      const until = reception.validUntil();
      return new Map(until ? [["", (until.getTime() - now().getTime()) / 1000]] : []);
    },
  });
  troubles.push(
    {
      name: "certificate",
      check: async () => {
        const until = reception.validUntil();
        refuse(until !== undefined && endsSoon(until));
      },
    },
    { name: "letters", check: async () => refuse(reception.putsOff()) },
  );
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
async function work(log: Log, services: Services, open: AsyncDisposableStack): Promise<Part> {
  const watching = services.payments.watch();
  open.defer(() => watching.stop());
  const mailer = await services.openMailer();
  open.defer(() => mailer.stop());
  const dispatcher = services.webhooks.openDispatcher();
  await dispatcher.start(services.events.subscribe);
  open.defer(() => dispatcher.stop());
  await services.imap.start();
  open.defer(() => services.imap.stop());
  const jobs = startJobs(log, services, mailer);
  let isOpen = true;
  open.defer(async () => {
    isOpen = false;
    await Promise.all(jobs.map((job) => job.stop()));
  });
  return { name: "jobs", check: () => (isOpen ? Promise.resolve() : Promise.reject(new Error("stopped"))) };
}

/** What the pages show of the catalogue. */
async function onSale({ catalog }: Services): Promise<{ name: string; price: string }[]> {
  const domains = await catalog.domains();
  return domains.filter(({ enabled }) => enabled).map(({ name, price }) => ({ name, price: showUsd(price) }));
}

interface Serving {
  readonly config: Config;
  readonly log: Log;
  readonly services: Services;
  readonly parts: readonly Part[];
  /** Not fulfilled where something should be mended, though the process works. */
  readonly troubles: readonly Part<Trouble>[];
  /** What parts of this process tell. */
  readonly ownMetrics: readonly Metric[];
  readonly bot: Bot | undefined;
  readonly watchdog: Watchdog;
  readonly files: OpenFiles;
}

type Health = Omit<Serving, "log" | "troubles">;

/** The role web: the API, the pages, health. */
async function serve(serving: Serving, open: AsyncDisposableStack): Promise<FastifyInstance> {
  const { config, log, services, parts, troubles, bot } = serving;
  const watch = openWatch({
    log,
    idOf: services.users.idOf,
    callerOf: services.users.callerOf,
    keep: (happened) => security.keep(services.db, happened),
  });
  const meters = callMeters();
  const app = await createHttp({
    config,
    log,
    meters,
    routes: routes(services, bot, async () => ({
      down: await partsDown(parts),
      troubles: await partsDown(troubles),
    })),
    hooks: {
      ...callHooks(services),
      refused: watch.refused,
      done: watch.done,
      officeTokens: config.officeTokenActs === "on",
    },
  });
  open.defer(() => app.close());
  app.addHook("preClose", () => services.streams.close());
  app.addHook("preClose", () => calmTurn(app.server));
  health(app, serving, [...watch.metrics, meters.answers, meters.seconds]);
  const pages = await openPages({
    dist: distFolder,
    settings: pageSettings(config),
    securityContact: config.securityContact,
    telegram: bot !== undefined,
    domains: () => onSale(services),
    news: async (language) => (await services.news.list(language)).map(onWire),
    stories: async (language) =>
      (await services.stories.list(language)).map((story) => thumbnailOf(storyOnWire(story))),
    hasPartner: async (word) => (await services.partners.referrerOf(word)) !== undefined,
    admit: (address) => services.limits.admit(`address ${address}`),
  });
  if (bot && config.telegramWebhook) {
    const { receiveUpdates } = await import("./bot/bot.webhook.ts");
    receiveUpdates(app, bot, log);
  }
  const secret = config.btcpay?.webhookSecret;
  if (secret !== undefined) await receiveBtcpay(app, { payments: services.payments, secret, log });
  mediaRoutes(app, services.stories.pictures);
  await app.register(pagesRoutes, pages);
  answerUnknown(app, (request, reply) => sendPage(pages, request, reply));
  await listening("HOST and PORT", app.listen({ host: config.host, port: config.port }));
  return app;
}

/** Names the settings of an address that cannot be listened at. */
async function listening<Opened>(settings: string, opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (cause) {
    const { syscall, message } = cause as NodeJS.ErrnoException;
    // Anything else has nothing to do with the address.
    if (syscall !== "listen" && syscall !== "getaddrinfo") throw cause;
    throw new Error(`${settings} name a place that cannot be opened: ${message}.`, { cause });
  }
}

/** A process that serves no pages listens for its health alone, if the settings give it one. */
async function tellHealth(serving: Health, open: AsyncDisposableStack): Promise<void> {
  const { config } = serving;
  if (config.healthPort === undefined) return;
  const app = Fastify();
  app.addHook("onRequest", async (_request, reply) => void reply.headers(commonHeaders(config)));
  health(app, serving);
  open.defer(() => app.close());
  await listening("HOST and HEALTH_PORT", app.listen({ host: config.host, port: config.healthPort }));
}

/** What the process and its machine say of themselves. */
function machineMetrics({
  config: { dataDir },
  watchdog,
  files,
}: Pick<Serving, "config" | "watchdog" | "files">): Metric[] {
  const standing = () => new Set<string>(watchdog.still());
  return [
    {
      name: "postern_stands_still",
      labels: ["part"],
      kind: "gauge",
      read: () => new Map(watchedParts.map((part) => [part, Number(standing().has(part))])),
    },
    {
      name: "postern_files_exhausted_seconds_total",
      labels: [],
      read: () => new Map([["", files.exhaustedSeconds()]]),
    },
    {
      name: "postern_data_free_bytes",
      labels: [],
      kind: "gauge",
      read: async () => new Map([["", await freeBytes(dataDir)]]),
    },
  ];
}

function health(
  app: FastifyInstance,
  { config, services, parts, ownMetrics, bot, watchdog, files }: Health,
  more: readonly Exposed[] = [],
): void {
  const counts = {
    postern_event_streams: () => services.streams.count,
    postern_waiting_calls: () => services.events.waits.count(),
    postern_clock_ahead_seconds: () => services.clock.secondsAhead(),
  };
  const all = [
    ...metrics(services, bot),
    ...machineMetrics({ config, watchdog, files }),
    ...ownMetrics,
    ...more,
  ];
  registerHealth(app, parts, config.metricsToken, counts, all, () => watchdog.still());
}
