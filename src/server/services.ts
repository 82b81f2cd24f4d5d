import { unlinkUser, watchSeconds } from "./bot/bot.sql.ts";
import { type Catalog, openCatalog } from "./catalog/catalog.ts";
import { type Daily, openDaily } from "./platform/backup/daily.ts";
import { type Captcha, openCaptcha } from "./platform/http/captcha.ts";
import { type Config, resolveSecret } from "./platform/config/config.ts";
import { type Events, openEvents, type Streams } from "./events/events.ts";
import { secondsAfter } from "./platform/clock.ts";
import type { Db, Tx } from "./platform/db/db.ts";
import { type ClockWatch, openClockWatch } from "./platform/db/time.ts";
import { type Address, openPools, warmPools } from "./platform/db/pools.ts";
import { openReplica, useReplica } from "./platform/db/replica.ts";
import { startEmbedded } from "./platform/db/embedded.ts";
import { checkServer, lackOfConnections } from "./platform/db/check-server.ts";
import { checkSecretKey, sealOf } from "./platform/secret-key.ts";
import { type Limits, openLimits } from "./platform/http/rate-limits.ts";
import type { Log } from "./platform/log.ts";
import { openIds } from "./platform/ids.ts";
import { migrate } from "./platform/db/migrate.ts";
import type { Seal } from "./platform/seal.ts";
import { keyOnPage } from "./keys.ts";
import { type Imap, openImap } from "./imap/imap.ts";
import { type Investors, openInvestors } from "./investors/investors.ts";
import { type Letters, openLetters } from "./letters/letters.ts";
import { type NewsFeed, openNews } from "./news/news.ts";
import { type Mailer, openMailer } from "./mailer/mailer.ts";
import { type Office, openOffice } from "./office/office.ts";
import { describe } from "./orders/orders.events.ts";
import {
  countProof,
  deliver,
  openOrders,
  openSandbox,
  type Orders,
  releaseProved,
  type Sandbox,
  waiting,
} from "./orders/orders.ts";
import { openPartners, type Partners } from "./partners/partners.ts";
import { type Payments, paymentsOf } from "./payments/payments.ts";
import { openStories, type Stories } from "./stories/stories.ts";
import { openSetup, type Setup } from "./setup/setup.ts";
import { anySealed, openPasswords, openUsers, type Passwords, type Users } from "./users/users.ts";
import { endAll, openWebhooks, type Webhooks } from "./webhooks/webhooks.ts";
import { cancelWaiting, openWithdrawals, type Withdrawals } from "./withdrawals/withdrawals.ts";

/** Every service of the shop, open on one database. */
export interface Services {
  readonly db: Db;
  /** ADMIN_SECOND_FACTOR. */
  readonly adminsNeedFactor: boolean;
  /** Where BACKUP_DIR is set. */
  readonly backups: Daily | undefined;
  readonly captcha: Captcha;
  readonly catalog: Catalog;
  readonly clock: ClockWatch;
  /** Play addresses for play money. */
  readonly demo: boolean;
  /** Only accounts that the bot has confirmed may order (CONFIRM_GATE). */
  readonly confirmFirst: boolean;
  readonly events: Events;
  readonly imap: Imap;
  readonly investors: Investors;
  readonly letters: Letters;
  readonly limits: Limits;
  readonly news: NewsFeed;
  readonly office: Office;
  readonly orders: Orders;
  readonly partners: Partners;
  readonly passwords: Passwords;
  readonly payments: Payments;
  readonly sandbox: Sandbox;
  readonly stories: Stories;
  readonly seal: Seal;
  readonly setup: Setup;
  readonly streams: Streams;
  readonly users: Users;
  readonly webhooks: Webhooks;
  readonly withdrawals: Withdrawals;
  /** Starts a sender of notices; only processes with the role jobs do. */
  readonly openMailer: () => Promise<Mailer>;
}

/** Starts the database when it is ours, migrates it and opens the services in the order in which they stand on each other. */
export async function openServices(config: Config, log: Log, open: AsyncDisposableStack): Promise<Services> {
  const db = await openDatabase(config, log, open);
  const clock = open.adopt(await openClockWatch(db, log), async (watch) => watch.close());
  const events = await openEvents(db);
  open.defer(() => events.close());
  // Now that this process listens, it is counted among the others.
  await warnOfConnections(db, config, log);
  const streams = events.openStreams({
    describe: (rows) => describe(db, rows),
    isValid: async ({ userId, token }) => (await users.callerOf(token))?.userId === userId,
    log,
  });
  open.defer(() => streams.close());
  const { secretKey, seal } = await checkedSeal(config, db);
  const limits = openLimits(db, seal);
  const users = await usersOf(config, { db, seal, log, doubt: streams.doubt });
  open.defer(() => users.close());
  const catalog = open.adopt(await openCatalog(db), (each) => each.close());
  const news = open.adopt(await openNews(db), (feed) => feed.close());
  const stories = await openStories({ db, log });
  open.defer(() => stories.close());
  const orders = ordersOf(config, log, db);
  open.defer(() => orders.drain());
  const letters = lettersOf(config, log, db, catalog);
  open.defer(() => letters.close());
  await letters.makePartitions();
  const webhooks = webhooksOf(config, log, db, seal);
  open.defer(() => webhooks.close());
  const imap = imapOf(log, db, seal, letters);
  const investors = openInvestors({ db, secretKey, mailboxes: imap });
  open.defer(() => investors.close());
  return {
    db,
    adminsNeedFactor: config.adminSecondFactor === "required",
    backups: backupsOf(config, db),
    captcha: openCaptcha({ setting: config.captcha, seal, db }),
    catalog,
    clock,
    confirmFirst: config.confirmGate === "orders",
    demo: config.demo,
    events,
    imap,
    investors,
    letters,
    limits,
    news,
    office: openOffice(db),
    orders,
    partners: openPartners({ db, publicUrl: config.publicUrl }),
    passwords: passwordsOf(config, log, catalog),
    ...moneyOf(config, log, db, seal),
    seal,
    stories,
    setup: openSetup({ db, config, clock, key: () => keyOnPage(db, seal) }),
    streams,
    sandbox: openSandbox(db, letters.keep),
    users,
    webhooks,
    openMailer: () => openMailer({ db, seal, config, log }),
  };
}

function backupsOf({ backupDir: folder, ...config }: Config, db: Db): Daily | undefined {
  const { backupKeep: keep, backupKey: publicKey, dataDir } = config;
  const isEmbedded = config.databaseUrl === undefined;
  return folder === undefined ? undefined : openDaily({ db, dataDir, isEmbedded, folder, keep, publicKey });
}

const usersOf = (
  { adminEmails, publicUrl, adjustLimit: adjustLimits }: Config,
  parts: { db: Db; seal: Seal; log: Log; doubt: Streams["doubt"] },
): Promise<Users> => openUsers({ ...parts, adminEmails, adjustLimits, publicUrl, expel });

function moneyOf(config: Config, log: Log, db: Db, seal: Seal): Pick<Services, "payments" | "withdrawals"> {
  const payments = paymentsOf({ db, config, log });
  const { withdrawals: offered, withdrawalLimits: limits } = config;
  const parts = { db, sealOf: async () => seal, payouts: payments.payouts };
  return { payments, withdrawals: openWithdrawals({ ...parts, limits, isOffered: offered === "on" }) };
}

function passwordsOf(
  { publicUrl, passwordCheckUrl: checkUrl }: Config,
  log: Log,
  catalog: Catalog,
): Passwords {
  const host = new URL(publicUrl).hostname;
  const names = async () => [host, ...(await catalog.domains()).map(({ name }) => name)];
  return openPasswords({ names, checkUrl, log });
}

/** The key of the settings, which must be that of the database, and what it seals with. */
async function checkedSeal(config: Config, db: Db): Promise<{ secretKey: Buffer; seal: Seal }> {
  const secretKey = resolveSecret(config);
  const seal = sealOf(config);
  await checkSecretKey(db, seal, () => anySealed(db));
  return { secretKey, seal };
}

/** Accounts stand below the bot, webhooks and withdrawals and do not know them. */
export async function expel(tx: Tx, userId: bigint, at: Date, keepPrograms: boolean): Promise<void> {
  if (!keepPrograms) {
    await endAll(tx, userId, at);
    await cancelWaiting(tx, userId, at);
  }
  await unlinkUser(tx, userId, secondsAfter(at, watchSeconds));
}

function webhooksOf(config: Config, log: Log, db: Db, seal: Seal): Webhooks {
  const { publicUrl, webhookPrivate: beside, webhookPorts: ports } = config;
  const allowed = { beside, ports };
  return openWebhooks({ db, seal, log, describe: (rows) => describe(db, rows), publicUrl, allowed });
}

function ordersOf({ activationTtlSeconds, openOrders: openMax, accessLog }: Config, log: Log, db: Db) {
  const follow = accessLog === "on" ? log : undefined;
  return openOrders(db, { ttlSeconds: activationTtlSeconds, openMax, log, follow });
}

function lettersOf({ letterKeepDays, dnsServers }: Config, log: Log, db: Db, catalog: Catalog): Letters {
  const { sendersOf, shunnedSenders, isSender } = catalog;
  return openLetters(db, {
    waiting,
    deliver,
    sendersOf,
    shunnedSenders,
    log,
    keepDays: letterKeepDays,
    authentication: dnsServers && {
      servers: dnsServers,
      isSender,
      count: countProof,
      release: releaseProved,
    },
  });
}

function imapOf(log: Log, db: Db, seal: Seal, { keepWith }: Letters): Imap {
  return openImap({ db, seal, log, keepWith });
}

async function warnOfConnections(db: Db, { databaseSessionUrl }: Config, log: Log): Promise<void> {
  const lack = await lackOfConnections(db, databaseSessionUrl);
  if (lack)
    log.warn(
      lack,
      `${lack.processes} processes of the shop may open ${lack.need} connections, but the database gives ${lack.given}: raise its max_connections`,
    );
}

/** The pools on the database of the settings, migrated. */
async function openDatabase(config: Config, log: Log, open: AsyncDisposableStack): Promise<Db> {
  const { db, end } = openPools(await addressOf(config, log, open));
  open.defer(end);
  await migrate(db);
  await openIds(db);
  await warmPools(db);
  if (config.databaseReadUrl !== undefined) {
    const replica = openReplica(config.databaseReadUrl, log);
    open.defer(() => replica.end());
    await replica.check(db);
    useReplica(db, replica);
  }
  return db;
}

async function addressOf(config: Config, log: Log, open: AsyncDisposableStack): Promise<Address> {
  if (config.databaseUrl !== undefined) return checkServer(config.databaseUrl, config.databaseSessionUrl);
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    log: { info: (text) => log.info(text), warn: (text) => log.warn(text) },
  });
  open.defer(() => embedded.stop());
  return { url: embedded.url };
}
