import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Fastify, { type FastifyInstance } from "fastify";
import { thumbnailOf } from "../contract/thumbnails.ts";
import { type Bot, type BotParts, openBot } from "./bot/bot.ts";
import { receiveUpdates } from "./bot/bot.webhook.ts";
import { publishDemo, stockDemo } from "./demo.ts";
import { keyKnown, tellOfKey } from "./keys.ts";
import { registerHealth, type Part, partsDown, type Metric } from "./health.ts";
import { commonHeaders } from "./platform/http/headers.ts";
import { answerUnknown, createHttp, httpConnectionsMax } from "./http.ts";
import { openFinder } from "./inventory/inventory.ts";
import { startJobs } from "./jobs.ts";
import { type Config, pageSettings, type Role } from "./platform/config/config.ts";
import { now } from "./platform/clock.ts";
import { makeDataDir } from "./platform/config/data-dir.ts";
import type { Log } from "./platform/log.ts";
import { type OpenFiles, watchOpenFiles } from "./platform/open-files.ts";
import { showUsd } from "./platform/money.ts";
import { onWire } from "./news/news.routes.ts";
import {
  openReception,
  ownCertificate,
  readCertificate,
  type ReceptionOptions,
  smtpConnectionsMax,
} from "./reception/reception.ts";
import { describe } from "./orders/orders.events.ts";
import { receiveBtcpay } from "./payments/payments.btcpay.ts";
import { pagesRoutes, sendPage } from "./pages/pages.routes.ts";
import { openPages } from "./pages/pages.ts";
import { openServices, type Services } from "./services.ts";
import { mediaRoutes } from "./stories/stories.media.routes.ts";
import { tellOfAdministrator } from "./setup/setup.ts";
import { openAsk } from "./platform/http/ask.ts";
import { openWatch } from "./refused.ts";
import * as security from "./security/security.ts";
import { callHooks, routes, shopRoutes } from "./routes.ts";
import { metrics } from "./metrics.ts";
import { openWatchdog, type Watchdog } from "./watchdog.ts";
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
    const bot = botOf(config, log, services, times, open);
    const watchdog = openWatchdog(services.db);
    open.defer(() => watchdog.close());
    const parts: Part[] = [
      { name: "database", check: async () => services.db`select 1` },
      { name: "key", check: () => keyKnown(services.db, services.seal) },
    ];
    const start: Record<Role, () => Promise<unknown>> = {
      smtp: async () => parts.push(await receive(config, log, services, open)),
      jobs: async () => parts.push(await work(log, services, open)),
      web: () => serve({ config, log, services, parts, bot, watchdog, files }, open),
      bot: async () => {
        const speaking = bot?.start();
        open.defer(() => speaking?.stop());
      },
    };
    for (const role of ["smtp", "jobs", "web", "bot"] as const) {
      if (config.roles.has(role)) await start[role]();
    }
    if (!config.roles.has("web")) await tellHealth({ config, services, parts, bot, watchdog, files }, open);
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

/** Beside connections of callers: to the database and to other machines, files of the program, pipes of its threads. */
const filesOfItsOwn = 250;

/** How many files and connections a process has open at most; a connection of the reception may have a file of its letter. */
const filesMax = ({ roles }: Config): number =>
  filesOfItsOwn +
  (roles.has("web") ? httpConnectionsMax : 0) +
  (roles.has("smtp") ? 2 * smtpConnectionsMax : 0);

/** The bot of the settings, undefined without a token for it. */
function botOf(
  config: Config,
  log: Log,
  services: Services,
  times: Times,
  open: AsyncDisposableStack,
): Bot | undefined {
  const { telegramBotToken: token, telegramApiRoot: apiRoot, publicUrl } = config;
  if (token === undefined) return undefined;
  const { db, limits, users } = services;
  const ask = openAsk(shopRoutes(services), callHooks(services));
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

/** The role smtp: letters for our mailboxes come in. */
async function receive(
  config: Config,
  log: Log,
  services: Services,
  open: AsyncDisposableStack,
): Promise<Part> {
  const { db, catalog, letters } = services;
  const opening = openReception({
    host: config.smtpHost,
    port: config.smtpPort,
    hostname: config.smtpName ?? hostname(),
    proxies: config.smtpProxies,
    log,
    spoolFolder: join(config.dataDir, "spool"),
    certificate: certificateOf(config, log),
    isOurDomain: async (domain) =>
      (await catalog.domains()).some(({ name, kind }) => kind === "own" && name === domain),
    isOurs: openFinder(db),
    keep: letters.keep,
    arriving: letters.arriving,
  });
  const reception = await listening("SMTP_HOST and SMTP_PORT", opening);
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
  readonly bot: Bot | undefined;
  readonly watchdog: Watchdog;
  readonly files: OpenFiles;
}

/** The role web: the API, the pages, health. */
async function serve(serving: Serving, open: AsyncDisposableStack): Promise<FastifyInstance> {
  const { config, log, services, parts, bot } = serving;
  const watch = openWatch({
    log,
    idOf: services.users.idOf,
    callerOf: services.users.callerOf,
    keep: (happened) => security.keep(services.db, happened),
  });
  const app = await createHttp({
    config,
    log,
    routes: routes(services, bot, () => partsDown(parts)),
    hooks: {
      ...callHooks(services),
      refused: watch.refused,
      done: watch.done,
      officeTokens: config.officeTokenActs === "on",
    },
  });
  open.defer(() => app.close());
  app.addHook("preClose", () => services.streams.close());
  health(app, serving, watch.metrics);
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
  if (bot && config.telegramWebhook) receiveUpdates(app, bot, log);
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
async function tellHealth(serving: Omit<Serving, "log">, open: AsyncDisposableStack): Promise<void> {
  const { config } = serving;
  if (config.healthPort === undefined) return;
  const app = Fastify();
  app.addHook("onRequest", async (_request, reply) => void reply.headers(commonHeaders(config)));
  health(app, serving);
  open.defer(() => app.close());
  await listening("HOST and HEALTH_PORT", app.listen({ host: config.host, port: config.healthPort }));
}

function health(
  app: FastifyInstance,
  { config, services, parts, bot, watchdog, files }: Omit<Serving, "log">,
  more: readonly Metric[] = [],
): void {
  const counts = {
    postern_event_streams: () => services.streams.count,
    postern_waiting_calls: () => services.events.waits.count(),
    postern_clock_ahead_seconds: () => services.clock.secondsAhead(),
  };
  const exhausted: Metric = {
    name: "postern_files_exhausted_seconds_total",
    labels: [],
    read: () => new Map([["", files.exhaustedSeconds()]]),
  };
  const told = [...metrics(services, bot), exhausted, ...more];
  registerHealth(app, parts, config.metricsToken, counts, told, () => watchdog.still());
}
