import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { isLoopbackHost } from "../network-address.ts";
import { nearest } from "../nearest.ts";
import { btcpay, readBtcpay } from "./config.btcpay.ts";
import { type Captcha, readCaptcha } from "./config.captcha.ts";
import { chainNames, chains, payments, readChains, readPayments, settingOf } from "./config.chains.ts";
import {
  ConfigError,
  read,
  text,
  type Environment,
  type Setting,
  type Table,
  type Values,
} from "./config.fields.ts";
import { deriveKey, keyMissing, type Role, roles } from "./config.forms.ts";
import { addressIn, dns, mail, readMail } from "./config.mail.ts";
import * as table from "./config.table.ts";
import { makeDataDir } from "./data-dir.ts";
import { PrivateKeyError, readWallets, settingsOfWallet, wallets } from "./config.wallets.ts";

export {
  addressIn,
  chainNames,
  ConfigError,
  PrivateKeyError,
  readWallets,
  roles,
  settingOf,
  settingsOfWallet,
};
export type { Btcpay } from "./config.btcpay.ts";
export type { Captcha } from "./config.captcha.ts";
export { type RateSource, rateSources } from "./config.chains.ts";
export type { ChainConfig, ChainName, Chains } from "./config.chains.ts";
export type { Setting } from "./config.fields.ts";
export type { Role } from "./config.forms.ts";
export type { Dkim, DnsServers } from "./config.mail.ts";
export type { WalletConfig, WalletName } from "./config.wallets.ts";

/** Every setting, as the documents group them. */
export const settings: ReadonlyMap<string, readonly Setting[]> = new Map(
  Object.entries<readonly Table[]>({
    "Pages and API": [table.web],
    "Letters that come in": [table.reception, table.smtpTls, dns],
    "Database and data": [table.database],
    Backups: [table.backups],
    "The shop": [table.shop],
    "Our own mail": [mail],
    Captcha: [table.captcha],
    Telegram: [table.telegram],
    "Log and metrics": [table.logs],
    Wallets: wallets,
    Chains: chains,
    "BTCPay Server": [btcpay],
    "Rates and payments": [payments],
    Webhooks: [table.webhooks],
    Docker: [table.others],
  }).map(([group, tables]) => [group, tables.flatMap((each) => Object.values(each))]),
);

/** All settings, checked. Read once at the start; no other code reads the environment. */
export interface Config extends Readonly<ReturnType<typeof assemble>> {}

/** Reads and checks all settings (docs: .env.example). Throws ConfigError, which names the wrong setting. */
export function readConfig(env: Environment = process.env): Config {
  return Object.freeze(assemble(withFiles(env)));
}

const dockerOnly: readonly Setting[] = Object.values(table.others);
/** The name of the setting by which a secret comes from a file; undefined for what comes from the environment alone. */
export const fileSettingOf = (one: Setting): string | undefined =>
  one.secret && !dockerOnly.includes(one) ? `${one.name}_FILE` : undefined;

/** The environment, and the secrets whose files it names. */
function withFiles(env: Environment): Environment {
  const secrets = [...settings.values()].flat().flatMap((one): [string, string | undefined][] => {
    const named = fileSettingOf(one);
    const path = named && text(env, named);
    if (path === undefined) return [];
    if (text(env, one.name) !== undefined)
      throw new ConfigError(`${named} and ${one.name} are both set, but one secret comes from one place.`);
    return [
      [one.name, secretIn(named!, path)],
      // Known here alone: elsewhere it would be an unknown setting.
      [named!, undefined],
    ];
  });
  if (secrets.length === 0) return env;
  const given: [string, string | undefined][] = [...Object.entries(env), ...secrets];
  return Object.fromEntries([...new Map(given)].filter(([, value]) => value !== undefined));
}

/** What a file holds, without the end of its line. */
function secretIn(setting: string, path: string): string {
  let held: string;
  try {
    held = readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? "unknown";
    throw new ConfigError(`${setting} names ${path}, which cannot be read (${why}).`, { cause });
  }
  if (held.trim() === "") throw new ConfigError(`${setting} names ${path}, which is empty.`);
  return held;
}

const plain = {
  ...table.web,
  ...table.reception,
  ...dns,
  ...table.database,
  ...table.backups,
  ...table.shop,
  ...table.telegram,
  ...table.logs,
  ...table.webhooks,
};

function assemble(env: Environment) {
  const given = read(env, plain);
  const demo = given.demo ?? (given.databaseUrl === undefined && isLoopbackHost(given.host));
  const publicUrl = given.publicUrl ?? `http://localhost:${given.port}`;
  checkTogether(given);
  return {
    ...given,
    smtpName: given.smtpName?.toLowerCase(),
    smtpTls: readSmtpTls(env),
    roles: rolesOf(given),
    publicUrl,
    adminSecondFactor: given.adminSecondFactor ?? (publicUrl.startsWith("https:") ? "required" : "offered"),
    demo,
    demoStories: demo && (given.demoStories ?? true),
    ...readMail(env, publicUrl),
    captcha: readCaptcha(env, demo),
    chains: readChains(env),
    wallets: readWallets(env),
    btcpay: readBtcpay(env),
    ...readPayments(env, demo),
  };
}

/** Throws ConfigError when settings that are right alone do not go together. */
function checkTogether(given: Values<typeof plain>): void {
  const { host, port, healthPort, smtpHost, smtpPort, confirmGate: gate } = given;
  if (port === smtpPort && host === smtpHost)
    throw new ConfigError(`SMTP_PORT and PORT are both ${port}, but each needs a port of its own.`);
  if (healthPort === smtpPort && host === smtpHost)
    throw new ConfigError(`HEALTH_PORT is ${smtpPort}, but that is the port of SMTP_PORT.`);
  if (given.databaseUrl !== undefined && given.secretKey === undefined) throw new ConfigError(keyMissing);
  if (given.secretKeyOld !== undefined && given.secretKey?.equals(given.secretKeyOld))
    throw new ConfigError("SECRET_KEY_OLD is the same key as SECRET_KEY.");
  if (given.databaseReadUrl !== undefined && given.databaseUrl === undefined)
    throw new ConfigError(
      "DATABASE_READ_URL names a replica of the database in DATABASE_URL, which is not set.",
    );
  if (gate !== "off" && given.telegramBotToken === undefined)
    throw new ConfigError(`CONFIRM_GATE=${gate} needs TELEGRAM_BOT_TOKEN.`);
}

function readSmtpTls(env: Environment) {
  const { cert, key } = read(env, table.smtpTls);
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined) throw new ConfigError("SMTP_TLS_CERT is required with SMTP_TLS_KEY.");
  if (key === undefined) throw new ConfigError("SMTP_TLS_KEY is required with SMTP_TLS_CERT.");
  return { cert, key };
}

function rolesOf({ roles: asked, telegramBotToken: token }: Values<typeof plain>): ReadonlySet<Role> {
  if (asked.length === 0) return new Set<Role>(token === undefined ? ["web", "smtp", "jobs"] : roles);
  if (asked.includes("bot") && token === undefined)
    throw new ConfigError("ROLES has bot, which needs TELEGRAM_BOT_TOKEN.");
  return new Set(asked);
}

type Marked<Of> = {
  [Key in keyof Of]: Of[Key] extends { readonly pages: true } ? Key : never;
}[keyof Of];

/** What pages, and so every visitor, may read: the settings that are marked so in the tables. */
export type PageSettings = Pick<Config, Extract<Marked<typeof plain>, keyof Config>> & {
  readonly captcha: Pick<Captcha, "kind"> & { readonly siteKey?: string };
};

export function pageSettings(config: Config): PageSettings {
  const marked = (of: Table, values: object) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => of[key]?.pages));
  return { ...marked(plain, config), captcha: marked(table.captcha, config.captcha) } as PageSettings;
}

/** Variables that are almost the name of a setting, with that name: typing errors. */
export function misspelt(env: Environment = process.env): { given: string; meant: string }[] {
  const names = [...settings.values()].flat().flatMap((one) => [one.name, fileSettingOf(one) ?? []].flat());
  return Object.keys(env).flatMap((given) => {
    if (names.includes(given)) return [];
    // Few mistype the first letter, and HTTP_PROXY, which many systems have, is no SMTP_PROXY.
    const alike = names.filter((name) => name[0] === given[0]?.toUpperCase());
    const meant = nearest(given.toUpperCase(), alike, Math.max(1, Math.floor(given.length / 5)));
    return meant === undefined ? [] : [{ given, meant }];
  });
}

/** Whether a proxy must be in front that is not named: the shop itself speaks no TLS. */
export const lacksProxy = ({ publicUrl, trustProxy }: Pick<Config, "publicUrl" | "trustProxy">): boolean =>
  trustProxy === false && publicUrl.startsWith("https:");

/** Where the key is when the settings have none. */
export const keyFileOf = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "secret.key");

/** The 32-byte key: SECRET_KEY or `<DATA_DIR>/secret.key`, made on the first start. Processes that start together agree. */
export function resolveSecret(config: Pick<Config, "secretKey" | "dataDir">): Buffer {
  if (config.secretKey) return config.secretKey;
  const path = keyFileOf(config);
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
