import { hkdfSync, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";

import { isLoopbackHost } from "../network-address.ts";
import { readBtcpay, type Btcpay } from "./config.btcpay.ts";
import {
  chainNames,
  readChains,
  readMinimums,
  readRates,
  settingOf,
  type Chains,
  type Rates,
} from "./config.chains.ts";
import { addressIn, readDnsServers, readMail, type DnsServers, type Mail } from "./config.mail.ts";
import {
  choice,
  ConfigError,
  flag,
  host,
  list,
  port,
  shaped,
  parseUrl,
  text,
  url,
  whole,
  type Environment,
} from "./config.read.ts";
import { makeDataDir } from "./data-dir.ts";
import {
  PrivateKeyError,
  readWallets,
  settingsOfWallet,
  walletNames,
  type Wallets,
} from "./config.wallets.ts";

export {
  addressIn,
  chainNames,
  ConfigError,
  PrivateKeyError,
  readWallets,
  settingOf,
  settingsOfWallet,
  walletNames,
};
export type { Btcpay } from "./config.btcpay.ts";
export { type RateSource, rateSources } from "./config.chains.ts";
export type { ChainConfig, ChainName, Chains } from "./config.chains.ts";
export type { Dkim, DnsServers } from "./config.mail.ts";
export type { WalletConfig, WalletName } from "./config.wallets.ts";

/** A process has one or several; any number of processes share a database. */
export const roles = ["web", "smtp", "jobs", "bot"] as const;
export type Role = (typeof roles)[number];

const captchas = ["altcha", "recaptcha", "turnstile", "hcaptcha", "off"] as const;
const confirmGates = ["off", "orders"] as const;
const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** All settings, checked. Read once at the start; no other code reads the environment. */
export interface Config extends Mail {
  readonly host: string;
  readonly port: number;
  /** Of a process without the role web; undefined: none. */
  readonly healthPort: number | undefined;
  readonly smtpHost: string;
  readonly smtpPort: number;
  /** In the SMTP greeting and MX records. Undefined: the host name. */
  readonly smtpName: string | undefined;
  /** Proxies before the reception, which say the sender's address first (PROXY protocol). */
  readonly smtpProxies: readonly string[];
  /** Absolute paths. Undefined: a self-signed certificate in a demo, else no STARTTLS. */
  readonly smtpTls: { readonly cert: string; readonly key: string } | undefined;
  /** Absolute. */
  readonly dataDir: string;
  /** Undefined: the embedded database under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The way to the same database that shares no connections between transactions; undefined: `databaseUrl` is such. */
  readonly databaseSessionUrl: string | undefined;
  /** A replica of it, for heavy reads. */
  readonly databaseReadUrl: string | undefined;
  readonly roles: ReadonlySet<Role>;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  /** 32 bytes; undefined with the embedded database (see `resolveSecret`). */
  readonly secretKey: Buffer | undefined;
  readonly adminEmails: ReadonlySet<string>;
  readonly demo: boolean;
  readonly demoStories: boolean;
  readonly dnsServers: DnsServers | undefined;
  /** A messaging channel; undefined: the help page, because mail to MAIL_FROM is not read. */
  readonly supportUrl: string | undefined;
  readonly captcha: Captcha;
  /** A service of leaked passwords that is asked by the first letters of hashes; undefined: none. Without a slash at its end. */
  readonly passwordCheckUrl: string | undefined;
  readonly telegramBotToken: string | undefined;
  readonly telegramApiRoot: string;
  /** Telegram posts updates to PUBLIC_URL instead of being polled. */
  readonly telegramWebhook: boolean;
  /** What needs an account confirmed by the bot, beside the bonus. */
  readonly confirmGate: (typeof confirmGates)[number];
  readonly activationTtlSeconds: number;
  /** Paid orders that an account may have open, besides one for each letter of its last 30 days. */
  readonly openOrders: number;
  /** At least, for the bodies of letters. */
  readonly letterKeepDays: number;
  /** Peers whose `X-Forwarded-For` is trusted: none, all, or these. */
  readonly trustProxy: boolean | string[];
  readonly logLevel: (typeof logLevels)[number];
  /** Undefined: /metrics answers loopback only. */
  readonly metricsToken: string | undefined;
  readonly chains: Chains;
  readonly wallets: Wallets;
  readonly btcpay: Btcpay | undefined;
  readonly rates: Rates;
  /** Least sums in dollars by currency id; one dollar for the others. */
  readonly paymentMinimums: Readonly<Record<string, string>>;
  readonly paymentTtlSeconds: number | undefined;
  readonly webhookPrivate: readonly string[];
  readonly webhookPorts: readonly (readonly [first: number, last: number])[];
}

/** The services need keys; ALTCHA is local and needs none. */
export type Captcha =
  | { kind: "altcha" | "off" }
  | {
      kind: "recaptcha" | "turnstile" | "hcaptcha";
      siteKey: string;
      secret: string;
      verifyUrl: string | undefined;
    };

/** Reads and checks all settings (docs: .env.example). Throws ConfigError, which names the wrong setting. */
export function readConfig(env: Environment = process.env): Config {
  const databaseUrl = readDatabaseUrl(env, "DATABASE_URL");
  const doors = readDoors(env);
  const demo = flag(env, "DEMO") ?? (databaseUrl === undefined && isLoopbackHost(doors.host));
  const telegramBotToken = shaped(env, "TELEGRAM_BOT_TOKEN", /^\d+:\S+$/, "a token of the form 123456:ABC…");
  const publicUrl = readPublicUrl(env, doors.port);
  const mail = readMail(env, publicUrl);
  return Object.freeze({
    ...doors,
    smtpName: host(env, "SMTP_NAME")?.toLowerCase(),
    smtpProxies: readSmtpProxies(env),
    smtpTls: readSmtpTls(env),
    dataDir: resolve(text(env, "DATA_DIR") ?? "./data"),
    databaseUrl,
    databaseSessionUrl: readDatabaseUrl(env, "DATABASE_SESSION_URL"),
    databaseReadUrl: readReplicaUrl(env),
    roles: readRoles(env, telegramBotToken !== undefined),
    publicUrl,
    secretKey: readSecretKey(env, databaseUrl !== undefined),
    adminEmails: readEmails(env, "ADMIN_EMAILS"),
    demo,
    demoStories: demo && (flag(env, "DEMO_STORIES") ?? true),
    ...mail,
    dnsServers: readDnsServers(env),
    supportUrl: url(env, "SUPPORT_URL", ["https", "http", "mailto"])?.href,
    captcha: readCaptcha(env, demo),
    passwordCheckUrl: optionalAddress(env, "PASSWORD_CHECK_URL"),
    telegramBotToken,
    telegramApiRoot: withoutSlash(
      url(env, "TELEGRAM_API_ROOT", ["https", "http"])?.href ?? "https://api.telegram.org",
    ),
    telegramWebhook: flag(env, "TELEGRAM_WEBHOOK") ?? false,
    confirmGate: readConfirmGate(env, telegramBotToken !== undefined),
    activationTtlSeconds: whole(env, "ACTIVATION_TTL_S", { min: 1, max: 86_400 }) ?? 1_200,
    openOrders: whole(env, "OPEN_ORDERS", { min: 10, max: 1_000_000 }) ?? 50,
    letterKeepDays: whole(env, "LETTER_KEEP_DAYS", { min: 1, max: 3_650 }) ?? 30,
    trustProxy: readTrustProxy(env),
    logLevel: choice(env, "LOG_LEVEL", logLevels) ?? "info",
    metricsToken: shaped(env, "METRICS_TOKEN", /^\S{16,}$/, "at least 16 characters without spaces"),
    chains: readChains(env),
    wallets: readWallets(env),
    btcpay: readBtcpay(env),
    rates: readRates(env, demo),
    paymentMinimums: readMinimums(env),
    paymentTtlSeconds: whole(env, "PAYMENT_TTL_S", { min: 1, max: 604_800 }),
    webhookPrivate: readWebhookPrivate(env),
    webhookPorts: list(env, "WEBHOOK_PORTS").map(portsOf),
  });
}

/** Whether a proxy must be in front that is not named: the shop itself speaks no TLS. */
export const lacksProxy = ({ publicUrl, trustProxy }: Pick<Config, "publicUrl" | "trustProxy">): boolean =>
  trustProxy === false && publicUrl.startsWith("https:");

/** The 32-byte key: SECRET_KEY or `<DATA_DIR>/secret.key`, made on the first start. Processes that start together agree. */
export function resolveSecret(config: Pick<Config, "secretKey" | "dataDir">): Buffer {
  if (config.secretKey) return config.secretKey;
  const path = join(config.dataDir, "secret.key");
  makeDataDir(config.dataDir);
  const mine = `${path}.${randomBytes(4).toString("hex")}`;
  writeFileSync(mine, randomBytes(32).toString("hex"), { mode: 0o600 });
  try {
    // A link appears with its whole content or not at all, and only for the first process.
    linkSync(mine, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(mine);
  }
  return deriveKey(readFileSync(path, "utf8").trim());
}

function readDatabaseUrl(env: Environment, name: string): string | undefined {
  const given = text(env, name);
  if (given === undefined) return undefined;
  // Several hosts are no URL to the platform: the first of them is looked at.
  const one = given.replace(/^(\w+:\/\/(?:[^/?]*@)?[^/?,]*)[^/?]*/, "$1");
  const { href } = parseUrl(name, one, ["postgres", "postgresql"]);
  return one === given ? href : given;
}

function readReplicaUrl(env: Environment): string | undefined {
  const given = readDatabaseUrl(env, "DATABASE_READ_URL");
  if (given !== undefined && text(env, "DATABASE_URL") === undefined)
    throw new ConfigError(
      "DATABASE_READ_URL names a replica of the database in DATABASE_URL, which is not set.",
    );
  if (given !== undefined && /^\w+:\/\/(?:[^/?]*@)?[^/?]*,/.test(given))
    throw new ConfigError(
      "DATABASE_READ_URL names several hosts, but takes one: a replica, or what leads to replicas.",
    );
  return given;
}

function readConfirmGate(env: Environment, hasBot: boolean): Config["confirmGate"] {
  const gate = choice(env, "CONFIRM_GATE", confirmGates) ?? "off";
  if (gate !== "off" && !hasBot) throw new ConfigError(`CONFIRM_GATE=${gate} needs TELEGRAM_BOT_TOKEN.`);
  return gate;
}

function readDoors(env: Environment): Pick<Config, "host" | "port" | "healthPort" | "smtpHost" | "smtpPort"> {
  const doors = {
    host: host(env, "HOST") ?? "127.0.0.1",
    port: port(env, "PORT") ?? 3000,
    healthPort: port(env, "HEALTH_PORT"),
    smtpHost: host(env, "SMTP_HOST") ?? "127.0.0.1",
    smtpPort: port(env, "SMTP_PORT") ?? 2525,
  };
  if (doors.port === doors.smtpPort && doors.host === doors.smtpHost)
    throw new ConfigError(`SMTP_PORT and PORT are both ${doors.port}, but each needs a port of its own.`);
  if (doors.healthPort === doors.smtpPort && doors.host === doors.smtpHost)
    throw new ConfigError(`HEALTH_PORT is ${doors.smtpPort}, but that is the port of SMTP_PORT.`);
  return doors;
}

function readSmtpTls(env: Environment): Config["smtpTls"] {
  const [cert, key] = [text(env, "SMTP_TLS_CERT"), text(env, "SMTP_TLS_KEY")];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new ConfigError("SMTP_TLS_CERT is required with SMTP_TLS_KEY.");
  if (key === undefined) throw new ConfigError("SMTP_TLS_KEY is required with SMTP_TLS_CERT.");
  return { cert: resolve(cert), key: resolve(key) };
}

function readPublicUrl(env: Environment, httpPort: number): string {
  const given = url(env, "PUBLIC_URL", ["https", "http"]);
  if (!given) return `http://localhost:${httpPort}`;
  if (given.search !== "" || given.hash !== "" || given.username !== "" || given.pathname !== "/")
    throw new ConfigError(
      "PUBLIC_URL must be only a scheme, a host and a port, for example https://shop.example.",
    );
  return given.origin;
}

function readRoles(env: Environment, hasBot: boolean): ReadonlySet<Role> {
  const asked = list(env, "ROLES");
  if (asked.length === 0) return new Set<Role>(hasBot ? roles : ["web", "smtp", "jobs"]);
  const unknown = asked.find((word) => !roles.includes(word as Role));
  if (unknown !== undefined)
    throw new ConfigError(`ROLES has "${unknown}" but the roles are ${roles.join(", ")}.`);
  if (asked.includes("bot") && !hasBot)
    throw new ConfigError("ROLES has bot, which needs TELEGRAM_BOT_TOKEN.");
  return new Set(asked as Role[]);
}

function readSecretKey(env: Environment, isRequired: boolean): Buffer | undefined {
  const given = text(env, "SECRET_KEY");
  if (given !== undefined && given.length < 32)
    throw new ConfigError("SECRET_KEY must have at least 32 characters; `openssl rand -hex 32` makes one.");
  if (given === undefined && isRequired)
    throw new ConfigError("SECRET_KEY is required with DATABASE_URL; `openssl rand -hex 32` makes one.");
  return given === undefined ? undefined : deriveKey(given);
}

/** A key of the right length from any text (RFC 5869). */
function deriveKey(given: string): Buffer {
  return Buffer.from(hkdfSync("sha256", given, "", "postern SECRET_KEY", 32));
}

const emailForm = /^[^\s@<>,:]+@[\p{L}\p{N}.-]+$/u;

function readEmails(env: Environment, name: string): ReadonlySet<string> {
  const emails = list(env, name).map((email) => email.toLowerCase());
  const wrong = emails.find((email) => !emailForm.test(email));
  if (wrong !== undefined) throw new ConfigError(`${name} has "${wrong}", which is not an email address.`);
  return new Set(emails);
}

function readCaptcha(env: Environment, demo: boolean): Captcha {
  const kind = choice(env, "CAPTCHA", captchas) ?? "altcha";
  if (kind === "off" && !demo) throw new ConfigError("CAPTCHA can be off only with DEMO=true.");
  if (text(env, "CAPTCHA") === undefined) {
    const stray = ["CAPTCHA_SITE_KEY", "CAPTCHA_SECRET", "CAPTCHA_VERIFY_URL"].find((name) =>
      text(env, name),
    );
    if (stray !== undefined)
      throw new ConfigError(`${stray} is set, but CAPTCHA does not name the service that it belongs to.`);
  }
  if (kind === "off" || kind === "altcha") return { kind };
  const siteKey = text(env, "CAPTCHA_SITE_KEY");
  const secret = text(env, "CAPTCHA_SECRET");
  if (siteKey === undefined) throw new ConfigError(`CAPTCHA_SITE_KEY is required with CAPTCHA=${kind}.`);
  if (secret === undefined) throw new ConfigError(`CAPTCHA_SECRET is required with CAPTCHA=${kind}.`);
  return { kind, siteKey, secret, verifyUrl: url(env, "CAPTCHA_VERIFY_URL", ["https", "http"])?.href };
}

function readTrustProxy(env: Environment): boolean | string[] {
  const proxies = list(env, "TRUST_PROXY");
  const [only] = proxies.length > 1 ? [] : proxies;
  if (proxies.length === 0 || only === "false") return false;
  if (only === "true") return true;
  const named = ["loopback", "linklocal", "uniquelocal"];
  const wrong = proxies.find((proxy) => !named.includes(proxy) && !isNetwork(proxy));
  if (wrong !== undefined)
    throw new ConfigError(
      `TRUST_PROXY has "${wrong}" but takes true or false alone, or addresses and networks (10.0.0.0/8).`,
    );
  return proxies;
}

function readSmtpProxies(env: Environment): string[] {
  const proxies = list(env, "SMTP_PROXY");
  const wrong = proxies.find((proxy) => isIP(proxy) === 0);
  if (wrong !== undefined)
    throw new ConfigError(`SMTP_PROXY has "${wrong}" but takes addresses (192.0.2.1).`);
  return proxies;
}

function readWebhookPrivate(env: Environment): string[] {
  const entries = list(env, "WEBHOOK_PRIVATE");
  const wrong = entries.find((entry) => !isNetwork(entry) && !isHostName(entry));
  if (wrong !== undefined)
    throw new ConfigError(
      `WEBHOOK_PRIVATE has "${wrong}" but takes host names, addresses and networks (10.0.0.0/8).`,
    );
  return entries;
}

function portsOf(entry: string): readonly [first: number, last: number] {
  const [, first = "", last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(entry) ?? [];
  const ports = [Number(first), Number(last)] as const;
  if (first === "" || ports[0] < 1 || ports[1] > 65_535 || ports[0] > ports[1])
    throw new ConfigError(
      `WEBHOOK_PORTS has "${entry}" but takes ports from 1 to 65535, each alone or as first-last (9000-9010).`,
    );
  return ports;
}

function isHostName(value: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) && !/^[\d.]+$/.test(value);
}

function isNetwork(value: string): boolean {
  const [address = "", bits, ...rest] = value.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function optionalAddress(env: Environment, name: string): string | undefined {
  const given = url(env, name, ["https", "http"]);
  return given && withoutSlash(given.href);
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, "");
}
