// The settings that are read from their own text alone. The documents are written from all tables (scripts/settings.ts).
import { isIP } from "node:net";
import {
  address,
  flag,
  host,
  href,
  item,
  list,
  path,
  port,
  setting,
  shaped,
  whole,
  word,
} from "./config.fields.ts";
import * as form from "./config.forms.ts";

export const web = {
  host: setting("HOST", host, "127.0.0.1", {
    says: "The address of this machine at which pages and API are served.",
  }),
  port: setting("PORT", port, "3000", { says: "The port of pages and API." }),
  healthPort: setting("HEALTH_PORT", port, undefined, {
    says: "The port on HOST where a process without the role web answers /healthz, /readyz and /metrics; unset: nowhere.",
  }),
  publicUrl: setting("PUBLIC_URL", form.origin, undefined, {
    usual: "http://localhost:<PORT>",
    pages: true,
    says: "The address of the shop in links and mails: scheme, host, port.",
  }),
  hstsSubdomains: setting("HSTS_SUBDOMAINS", flag, "false", {
    says: "Where PUBLIC_URL is https: whether browsers must use TLS for all hosts below its host, too.",
  }),
  trustProxy: setting("TRUST_PROXY", form.trustProxy, "false", {
    says: "Whose X-Forwarded-For is believed: false, true (whoever connects is the one proxy), or addresses and networks: loopback,10.0.0.0/8.",
  }),
  supportUrl: setting("SUPPORT_URL", href("https", "http", "mailto"), undefined, {
    pages: true,
    says: "Where the help link of the pages leads: a channel of a messaging app (https://t.me/…) or an address that somebody reads (mailto:…); unset: to the help page of the shop, which then names no support.",
  }),
  securityContact: setting("SECURITY_CONTACT", list(href("https", "mailto")), "", {
    says: "Where weaknesses are reported, told at /.well-known/security.txt: https or mailto addresses, the preferred one first; unset: there is no such file.",
  }),
  passwordCheckUrl: setting("PASSWORD_CHECK_URL", address, undefined, {
    says: 'A service of leaked passwords (the range API of "Pwned Passwords") that is asked about new ones by the first five letters of a hash; unset: only the list of the shop counts.',
  }),
};

export const reception = {
  smtpHost: setting("SMTP_HOST", host, "127.0.0.1", {
    says: "The address of this machine at which letters are received.",
  }),
  smtpPort: setting("SMTP_PORT", port, "2525", { says: "The port at which letters are received." }),
  smtpName: setting("SMTP_NAME", host, undefined, {
    usual: "the name of the machine",
    says: "How the reception greets, and the host that the MX records of mail domains name.",
  }),
  smtpProxies: setting("SMTP_PROXY", list(item((value) => isIP(value) !== 0, "addresses (192.0.2.1)")), "", {
    says: "Addresses of proxies before the reception, which begin each connection with the sender's address (PROXY protocol, send-proxy in HAProxy); nobody else can say one.",
  }),
  letterKeepDays: setting("LETTER_KEEP_DAYS", whole(1, 3_650), "30", {
    unit: "days",
    says: "For how long the bodies of letters are kept; they are dropped at most a fifth of that later.",
  }),
};

const certificateSays =
  "The certificate (with its chain) and its key for STARTTLS, as paths of PEM files that are read again when they change; unset: no STARTTLS, but in a demonstration with a certificate of its own in DATA_DIR/smtp.pem.";
export const smtpTls = {
  cert: setting("SMTP_TLS_CERT", path, undefined, { says: certificateSays }),
  key: setting("SMTP_TLS_KEY", path, undefined, { says: certificateSays }),
};

export const database = {
  dataDir: setting("DATA_DIR", path, "./data", {
    says: "The folder of the embedded database, the outbox and the spool of letters; made when missing.",
  }),
  databaseUrl: setting("DATABASE_URL", form.databaseUrl, undefined, {
    secret: true,
    says: "A PostgreSQL to use instead of the embedded one: postgres://user:password@host:5432/database; of several (…@one:5432,two:5432/database) the one is used that takes writes.",
  }),
  databaseSessionUrl: setting("DATABASE_SESSION_URL", form.databaseUrl, undefined, {
    secret: true,
    says: "Only where DATABASE_URL leads over a pooler in transaction mode (PgBouncer): the way to the database itself.",
  }),
  databaseReadUrl: setting("DATABASE_READ_URL", form.replicaUrl, undefined, {
    secret: true,
    says: "A replica (hot standby) of the database, for tables of the back office, files, statements and old history.",
  }),
  secretKey: setting("SECRET_KEY", form.key, undefined, {
    secret: true,
    says: "Seals tokens and mailbox passwords at rest: at least 32 random characters (openssl rand -hex 32), required with DATABASE_URL; with the embedded database it is made once into DATA_DIR/secret.key, and when it is lost, every token is.",
  }),
  secretKeyOld: setting("SECRET_KEY_OLD", form.keyBefore, undefined, {
    secret: true,
    says: "Another key whose secrets are read, too, while SECRET_KEY takes its place: the one before, until `npm run shop -- secret show` says that nothing needs it.",
  }),
};

export const backups = {
  backupDir: setting("BACKUP_DIR", path, undefined, {
    says: "The folder into which a process with the role jobs writes a backup each day, after 03:00 UTC; unset: none is written.",
  }),
  backupKeep: setting("BACKUP_KEEP", whole(1, 10_000), "14", {
    unit: "backups",
    says: "How many backups stay in BACKUP_DIR; older ones are deleted when a newer one is whole.",
  }),
  backupKey: setting("BACKUP_KEY", form.backupKey, undefined, {
    says: "The public key for which backups are encrypted, as `npm run shop -- backup-key <file>` prints it; unset: they are not encrypted.",
  }),
  backupPrivateKey: setting("BACKUP_PRIVATE_KEY", form.backupPrivateKey, undefined, {
    secret: true,
    says: "Only for `verify` and `restore` of an encrypted backup: the private key that belongs to BACKUP_KEY. The shop itself needs it never; keep it elsewhere.",
  }),
};

export const shop = {
  roles: setting("ROLES", form.roleList, "", {
    usual: "web,smtp,jobs",
    says: "Which parts this process runs: web, smtp, jobs, and bot where TELEGRAM_BOT_TOKEN is set.",
  }),
  adminEmails: setting("ADMIN_EMAILS", form.emails, "", {
    says: "Accounts with these addresses become administrators when they are activated; separated by commas.",
  }),
  adminSecondFactor: setting("ADMIN_SECOND_FACTOR", word(["required", "offered"]), undefined, {
    usual: "required where PUBLIC_URL is https, else offered",
    says: "Whether administrators need a second factor (a passkey or an authenticator app) before they act in the back office: required or offered.",
  }),
  officeTokenActs: setting("OFFICE_TOKEN_ACTS", word(["off", "on"]), "off", {
    says: "on: the token of an administrator opens the whole back office to programs, without a session and without a proof of the person; whoever finds that token has the shop. Only for operators who script it.",
  }),
  adjustLimit: setting("ADJUST_LIMIT", form.adjustLimit, "500,2000", {
    unit: "dollars",
    says: "What one person of the back office may change by hand in balances and earnings: at once, and in 24 hours; beyond it a second person must agree. The operator's command has no limit.",
  }),
  withdrawals: setting("WITHDRAWALS", word(["off", "on"]), "off", {
    pages: true,
    says: "on: partners and investors ask on their pages for what they earned, and the back office has the queue; off: the pages lead to support. Set it once all processes are of a release that knows it.",
  }),
  withdrawalLimits: setting("WITHDRAWAL_LIMITS", form.withdrawalLimits, "10,500,1000", {
    unit: "dollars",
    says: "Of withdrawals: the least, the most at once, and the most of one account in 24 hours.",
  }),
  demo: setting("DEMO", flag, undefined, {
    pages: true,
    says: "Demo catalogue and sandbox payments: true or false; unset: true with the embedded database while HOST is loopback.",
  }),
  demoStories: setting("DEMO_STORIES", flag, undefined, {
    says: "Whether a demonstration without a story or an announcement begins with some; unset: as DEMO.",
  }),
  confirmGate: setting("CONFIRM_GATE", word(["off", "orders"]), "off", {
    says: "What wants an account that is confirmed by the bot, beside the bonus: off (nothing) or orders.",
  }),
  activationTtlSeconds: setting("ACTIVATION_TTL_S", whole(1, 86_400), "1200", {
    unit: "seconds",
    says: "After how long a pending activation expires and is refunded.",
  }),
  openOrders: setting("OPEN_ORDERS", whole(10, 1_000_000), "50", {
    unit: "orders",
    says: "How many paid orders an account may have open at once, beside one for each letter that it got in 30 days.",
  }),
};

export const telegram = {
  telegramBotToken: setting(
    "TELEGRAM_BOT_TOKEN",
    shaped(/^\d+:\S+$/, "a token of the form 123456:ABC…"),
    undefined,
    { secret: true, says: "The token of the Telegram bot; unset: no bot." },
  ),
  telegramApiRoot: setting("TELEGRAM_API_ROOT", address, "https://api.telegram.org", {
    says: "The Bot API server that is asked.",
  }),
  telegramWebhook: setting("TELEGRAM_WEBHOOK", flag, "false", {
    says: "true: Telegram brings to PUBLIC_URL (https) what people write, instead of being asked for it.",
  }),
};

export const logs = {
  logLevel: setting(
    "LOG_LEVEL",
    word(["trace", "debug", "info", "warn", "error", "fatal", "silent"]),
    "info",
    { says: "From which level on log lines are written: trace, debug, info, warn, error, fatal or silent." },
  ),
  accessLog: setting("ACCESS_LOG", word(["off", "on"]), "off", {
    says: "on: each call, each order and each answer to a sender of letters is a log line at info, without queries, e-mail addresses and secrets.",
  }),
  metricsToken: setting(
    "METRICS_TOKEN",
    shaped(/^\S{16,}$/, "at least 16 characters without spaces"),
    undefined,
    {
      secret: true,
      says: 'Lets /metrics be read from elsewhere with "Authorization: Bearer <token>": at least 16 characters; unset: loopback only.',
    },
  ),
};

export const webhooks = {
  webhookPrivate: setting("WEBHOOK_PRIVATE", list(form.networkOrHost), "", {
    says: "Where webhooks may be sent beside public https addresses, also by http: host names, addresses and networks (program.internal,10.1.2.3); every account may then send events there, so name no more than is meant.",
  }),
  webhookPorts: setting("WEBHOOK_PORTS", list(form.ports), "", {
    says: "Ports that webhooks may name beside 80 and 443: 8443,9000-9010.",
  }),
};

export const captcha = {
  kind: setting("CAPTCHA", word(["altcha", "recaptcha", "turnstile", "hcaptcha", "off"]), undefined, {
    usual: "altcha",
    pages: true,
    says: "altcha (self-hosted proof of work), recaptcha, turnstile, hcaptcha, or off (only with DEMO=true).",
  }),
  siteKey: setting("CAPTCHA_SITE_KEY", shaped(/./, ""), undefined, {
    pages: true,
    says: "The key of recaptcha, turnstile or hcaptcha that pages show.",
  }),
  secret: setting("CAPTCHA_SECRET", shaped(/./, ""), undefined, {
    secret: true,
    says: "The secret of recaptcha, turnstile or hcaptcha.",
  }),
  verifyUrl: setting("CAPTCHA_VERIFY_URL", href("https", "http"), undefined, {
    says: "Another address at which answers to the captcha are verified.",
  }),
};

/** What other programs read from the same file. */
export const others = {
  password: setting("DATABASE_PASSWORD", shaped(/./, ""), undefined, {
    secret: true,
    says: "Only docker compose: the password of the database that it starts.",
  }),
};
