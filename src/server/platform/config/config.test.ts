import { messageOf } from "../../../../test/kit/config.ts";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";

import { fileSettingOf, misspelt, readConfig, settings } from "./config.ts";

const key = "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602";
const database = { DATABASE_URL: "postgres://shop:pw@db:5432/shop", SECRET_KEY: key };
const xpub =
  "xpub6BosfCnifzxcFwrSzQiqu2DBVTshkCXacvNsWGYJVVhhawA7d4R5WSWGFNbi8Aw6ZRc1brxMyWMzG3DSSSSoekkudhUd9yLb6qx39T9nMdj";
const evm = { WALLET_EVM_XPUB: xpub, WALLET_EVM_FIRST: "0x9858EfFD232B4033E47d90003D41EC34EcaEda94" };

test("without any setting the shop runs as a demonstration on this machine", () => {
  expect(readConfig({})).toEqual({
    host: "127.0.0.1",
    port: 3000,
    healthPort: undefined,
    smtpHost: "127.0.0.1",
    smtpPort: 2525,
    smtpName: undefined,
    smtpProxies: [],
    smtpTls: undefined,
    dataDir: resolve("data"),
    databaseUrl: undefined,
    databaseSessionUrl: undefined,
    databaseReadUrl: undefined,
    roles: new Set(["web", "smtp", "jobs"]),
    publicUrl: "http://localhost:3000",
    secretKey: undefined,
    adminEmails: new Set(),
    demo: true,
    demoStories: true,
    mailUrl: undefined,
    mailFrom: "Postern <no-reply@localhost>",
    dkim: undefined,
    dnsServers: undefined,
    captcha: { kind: "altcha" },
    passwordCheckUrl: undefined,
    telegramBotToken: undefined,
    telegramApiRoot: "https://api.telegram.org",
    telegramWebhook: false,
    confirmGate: "off",
    activationTtlSeconds: 1200,
    openOrders: 50,
    adminSecondFactor: "offered",
    officeTokenActs: "off",
    adjustLimit: { one: 50_000_000_000n, day: 200_000_000_000n },
    withdrawals: "off",
    withdrawalLimits: { least: 1_000_000_000n, one: 50_000_000_000n, day: 100_000_000_000n },
    letterKeepDays: 30,
    hstsSubdomains: false,
    trustProxy: false,
    logLevel: "info",
    accessLog: "off",
    supportUrl: undefined,
    securityContact: [],
    metricsToken: undefined,
    chains: Object.fromEntries(
      ["eth", "bsc", "tron", "ton", "ltc"].map((name) => [name, { urls: [], contracts: {} }]),
    ),
    wallets: {},
    btcpay: undefined,
    rates: { source: "live" },
    paymentMinimums: {},
    paymentTtlSeconds: undefined,
    backupKeep: 14,
    webhookPorts: [],
    webhookPrivate: [],
  });
});

test("an empty setting is an unset one", () => {
  const empty = {
    PORT: "",
    DATABASE_URL: " ",
    SECRET_KEY: "",
    ROLES: "",
    DEMO: "",
    CHAIN_ETH_URLS: "",
    MAIL_URL: "",
  };
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test("the example lists every setting, and its values are the defaults", () => {
  const asked = new Set<string>();
  const watched = (env: Record<string, string>) =>
    new Proxy(env, { get: (target, name) => (asked.add(String(name)), target[String(name)]) });
  readConfig(watched({}));
  readConfig(watched({ CAPTCHA: "recaptcha", CAPTCHA_SITE_KEY: "x", CAPTCHA_SECRET: "x" }));
  // Settings that some chains lack are read in one loop, and refused where they are set.
  for (const name of ["CHAIN_TON_ID", "CHAIN_LTC_ID"]) asked.delete(name);
  // The example names the file of a secret in its comment.
  for (const one of [...settings.values()].flat()) asked.delete(fileSettingOf(one) ?? "");

  const lines = readFileSync(new URL("../../../../.env.example", import.meta.url), "utf8").matchAll(
    /^#([A-Z_]+)=(.*)$/gm,
  );
  const example = Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value]));
  delete example["DATABASE_PASSWORD"];
  expect(Object.keys(example).toSorted()).toEqual([...asked].toSorted());
  expect(readConfig(example)).toEqual(readConfig({}));
});

test.each([
  ["TRUST_PROXI", "TRUST_PROXY"],
  ["DATABASE_URI", "DATABASE_URL"],
  ["DATADIR", "DATA_DIR"],
  ["ADMIN_EMAIL", "ADMIN_EMAILS"],
  ["ACTIVATION_TTL", "ACTIVATION_TTL_S"],
  ["CHAIN_ETH_URL", "CHAIN_ETH_URLS"],
  ["smtp_port", "SMTP_PORT"],
  ["PROT", "PORT"],
  ["HOTS", "HOST"],
])("%s is taken for a misspelt %s", (given, meant) => {
  expect(misspelt({ [given]: "x" })).toEqual([{ given, meant }]);
});

test("what systems, supervisors and package managers set is taken for no misspelt setting", () => {
  const usual =
    "PATH HOME HOSTNAME HOSTTYPE USER LOGNAME SHELL SHLVL PWD OLDPWD TERM LANG LC_ALL TZ EDITOR PAGER DISPLAY MAIL MAILTO " +
    "PS1 SUDO_USER SSH_TTY SSH_AUTH_SOCK XDG_RUNTIME_DIR TMPDIR TEMP TMP INVOCATION_ID JOURNAL_STREAM MAINPID NOTIFY_SOCKET " +
    "HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy no_proxy NODE_ENV NODE_OPTIONS NODE_VERSION " +
    "NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE YARN_VERSION PGHOST PGPORT PGUSER PGDATABASE POSTGRES_USER POSTGRES_DB " +
    "POSTGRES_PASSWORD KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT POSTERN_PORT DATABASE_PORT " +
    "npm_config_cache npm_package_name npm_lifecycle_event INIT_CWD COLOR CI DEBUG MALLOC_MMAP_THRESHOLD_ LD_PRELOAD " +
    "SYSTEMROOT COMSPEC PATHEXT WINDIR APPDATA USERPROFILE PROCESSOR_LEVEL OS LOGON_SERVER ROWS COLUMNS ROLE_ARN _";
  expect(misspelt(Object.fromEntries(usual.split(" ").map((name) => [name, "x"])))).toEqual([]);
  expect(misspelt(process.env)).toEqual([]);
});

test("settings cannot be changed once they are read", () => {
  expect(Object.isFrozen(readConfig({}))).toBe(true);
});

test("the certificate of the reception is two files, found from where the process was started", () => {
  const { smtpTls } = readConfig({ SMTP_TLS_CERT: "tls/mx.crt", SMTP_TLS_KEY: "/etc/tls/mx.key" });
  expect(smtpTls).toEqual({ cert: resolve("tls/mx.crt"), key: "/etc/tls/mx.key" });
});

test.each([
  [{}, true],
  [{ HOST: "localhost" }, true],
  [{ HOST: "::1" }, true],
  [{ HOST: "127.0.0.53" }, true],
  [{ HOST: "0.0.0.0" }, false],
  [{ HOST: "127.example.com" }, false],
  [{ HOST: "0.0.0.0", DEMO: "true" }, true],
  [{ DEMO: "false" }, false],
  [database, false],
  [{ ...database, DEMO: "true" }, true],
])("with %j it is a demonstration: %s", (env: Record<string, string>, demo) => {
  expect(readConfig(env).demo).toBe(demo);
});

test("a demonstration begins with stories unless the settings say otherwise", () => {
  expect(readConfig({}).demoStories).toBe(true);
  expect(readConfig({ DEMO_STORIES: "false" }).demoStories).toBe(false);
  expect(readConfig({ DEMO: "false", DEMO_STORIES: "true" }).demoStories).toBe(false);
});

test("the bot runs when it has a token, unless the roles say otherwise", () => {
  const token = { TELEGRAM_BOT_TOKEN: "123:abc" };
  expect([...readConfig(token).roles]).toContain("bot");
  expect([...readConfig({ ...token, ROLES: "smtp, jobs" }).roles]).toEqual(["smtp", "jobs"]);
});

test("administrators are compared in lower case", () => {
  expect([...readConfig({ ADMIN_EMAILS: "Ann@Shop.test, bob@shop.test" }).adminEmails]).toEqual([
    "ann@shop.test",
    "bob@shop.test",
  ]);
});

test("webhooks may be sent to hosts, addresses and networks that the operator names", () => {
  const named = ["program.internal", "127.0.0.1", "10.0.0.0/8", "fd00::/8"];
  expect(readConfig({ WEBHOOK_PRIVATE: named.join(", ") }).webhookPrivate).toEqual(named);
});

test("webhooks go to 443 and 80, and to ports that the operator names", () => {
  expect(readConfig({ WEBHOOK_PORTS: "8443, 9000-9010" }).webhookPorts).toEqual([
    [8443, 8443],
    [9000, 9010],
  ]);
});

test("everything of chains, wallets and rates is read", () => {
  const config = readConfig({
    ...evm,
    CHAIN_ETH_URLS: "https://one.test/key, http://127.0.0.1:8545",
    CHAIN_ETH_ID: "31337",
    CHAIN_ETH_USDT: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
    CHAIN_ETH_CONFIRMATIONS: "0",
    CHAIN_ETH_POLL_S: "1",
    RATES: "fixed:eth=3000,ltc=80.5",
    PAYMENT_TTL_S: "60",
  });
  expect(config.chains.eth).toEqual({
    urls: ["https://one.test/key", "http://127.0.0.1:8545/"],
    id: 31_337,
    contracts: { USDT: "0xdAC17F958D2ee523a2206206994597C13D831ec7" },
    confirmations: 0,
    pollSeconds: 1,
  });
  expect(config.wallets.evm).toEqual({ key: xpub, first: evm.WALLET_EVM_FIRST });
  expect(config.rates).toEqual({ source: "fixed", usd: { eth: "3000", ltc: "80.5" } });
  expect(config.paymentTtlSeconds).toBe(60);
});

describe("a wrong setting stops the start with one sentence that names it", () => {
  test.each<[string, Record<string, string>]>([
    ["PORT", { PORT: "0" }],
    ["PORT", { PORT: "65536" }],
    ["PORT", { PORT: "80a" }],
    ["PORT", { PORT: "-1" }],
    ["HEALTH_PORT", { HEALTH_PORT: "health" }],
    ["HEALTH_PORT", { HEALTH_PORT: "2525" }],
    ["SMTP_PORT", { SMTP_PORT: "x" }],
    ["SMTP_PORT", { PORT: "2525" }],
    ["SMTP_TLS_KEY", { SMTP_TLS_CERT: "mx.crt" }],
    ["SMTP_TLS_CERT", { SMTP_TLS_KEY: "mx.key" }],
    ["HOST", { HOST: "http://x" }],
    ["HOST", { HOST: "127.0.0.1:80" }],
    ["HOST", { HOST: "999.1.1.1" }],
    ["DATABASE_URL", { DATABASE_URL: "mysql://x/y", SECRET_KEY: key }],
    ["DATABASE_URL", { DATABASE_URL: "postgres://one:x,two/y", SECRET_KEY: key }],
    ["DATABASE_URL", { DATABASE_URL: "postgres://x/y?sslmode=verify_full", SECRET_KEY: key }],
    ["DATABASE_SESSION_URL", { ...database, DATABASE_SESSION_URL: "http://db" }],
    ["SECRET_KEY", { DATABASE_URL: "postgres://x/y" }],
    ["SECRET_KEY", { SECRET_KEY: "short" }],
    ["BACKUP_KEY", { BACKUP_KEY: "backup-private-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
    ["BACKUP_KEY", { BACKUP_KEY: "backup-public-AAAA" }],
    ["BACKUP_KEEP", { BACKUP_KEEP: "0" }],
    ["ROLES", { ROLES: "web,mail" }],
    ["ROLES", { ROLES: "bot" }],
    ["PUBLIC_URL", { PUBLIC_URL: "shop.test" }],
    ["PUBLIC_URL", { PUBLIC_URL: "https://shop.test/path" }],
    ["ADMIN_EMAILS", { ADMIN_EMAILS: "ann" }],
    ["ADMIN_EMAILS", { ADMIN_EMAILS: "postgres://shop:pw@db/shop" }],
    ["DEMO", { DEMO: "yes" }],
    ["MAIL_URL", { MAIL_URL: "mail.test:25", MAIL_FROM: "a@b.test" }],
    ["MAIL_FROM", { MAIL_URL: "smtp://mail.test" }],
    ["MAIL_FROM", { MAIL_FROM: "Postern" }],
    ["MAIL_FROM", { MAIL_FROM: "Postern <a@b.test\r\nBcc: c@d.test>" }],
    ["CAPTCHA", { CAPTCHA: "none" }],
    ["CAPTCHA", { CAPTCHA: "off", DEMO: "false" }],
    ["CAPTCHA_SITE_KEY", { CAPTCHA: "turnstile", CAPTCHA_SECRET: "x" }],
    ["CAPTCHA_SITE_KEY", { CAPTCHA_SITE_KEY: "x" }],
    ["CAPTCHA_VERIFY_URL", { CAPTCHA_VERIFY_URL: "https://x.test/" }],
    ["CAPTCHA_SECRET", { CAPTCHA: "hcaptcha", CAPTCHA_SITE_KEY: "x" }],
    [
      "CAPTCHA_VERIFY_URL",
      { CAPTCHA: "recaptcha", CAPTCHA_SITE_KEY: "x", CAPTCHA_SECRET: "x", CAPTCHA_VERIFY_URL: "x" },
    ],
    ["TELEGRAM_BOT_TOKEN", { TELEGRAM_BOT_TOKEN: "abc" }],
    ["TELEGRAM_API_ROOT", { TELEGRAM_API_ROOT: "api" }],
    ["ACTIVATION_TTL_S", { ACTIVATION_TTL_S: "0" }],
    ["ACTIVATION_TTL_S", { ACTIVATION_TTL_S: "1.5" }],
    ["OPEN_ORDERS", { OPEN_ORDERS: "9" }],
    ["LETTER_KEEP_DAYS", { LETTER_KEEP_DAYS: "0" }],
    ["LETTER_KEEP_DAYS", { LETTER_KEEP_DAYS: "3651" }],
    ["TRUST_PROXY", { TRUST_PROXY: "10.0.0.0/33" }],
    ["TRUST_PROXY", { TRUST_PROXY: "proxy.test" }],
    ["TRUST_PROXY", { TRUST_PROXY: "true,10.0.0.0/8" }],
    ["TRUST_PROXY", { TRUST_PROXY: "false,10.0.0.0/8" }],
    ["LOG_LEVEL", { LOG_LEVEL: "loud" }],
    ["METRICS_TOKEN", { METRICS_TOKEN: "short" }],
    ["CHAIN_DOGE_URLS", { CHAIN_DOGE_URLS: "https://x.test" }],
    ["CHAIN_LTC_ID", { CHAIN_LTC_ID: "1" }],
    ["CHAIN_ETH_URLS", { CHAIN_ETH_URLS: "https://x.test,ftp://y.test" }],
    ["CHAIN_BSC_ID", { CHAIN_BSC_ID: "0" }],
    ["CHAIN_BSC_USDT", { CHAIN_BSC_USDT: "0x12" }],
    ["CHAIN_TON_CONFIRMATIONS", { CHAIN_TON_CONFIRMATIONS: "many" }],
    ["CHAIN_TRON_POLL_S", { CHAIN_TRON_POLL_S: "0" }],
    ["WALLET_EVM_XPUB", { ...evm, WALLET_EVM_XPUB: "xpub123" }],
    ["WALLET_EVM_XPUB", { WALLET_EVM_FIRST: evm.WALLET_EVM_FIRST }],
    ["WALLET_EVM_FIRST", { WALLET_EVM_XPUB: xpub }],
    ["WALLET_EVM_FIRST", { ...evm, WALLET_EVM_FIRST: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb" }],
    ["WALLET_TON_PUBLIC_KEY", { WALLET_TON_PUBLIC_KEY: "zz", WALLET_TON_FIRST: "x" }],
    ["WALLET_BTC_XPUB", { WALLET_BTC_XPUB: xpub }],
    ["RATES", { RATES: "fixed:" }],
    ["RATES", { RATES: "fixed:eth=0" }],
    ["RATES", { RATES: "fixed:eth=3000", DEMO: "false" }],
    ["PAYMENT_TTL_S", { PAYMENT_TTL_S: "0" }],
    ["WEBHOOK_PRIVATE", { WEBHOOK_PRIVATE: "https://program.internal" }],
    ["WEBHOOK_PRIVATE", { WEBHOOK_PRIVATE: "10.0.0.0/40" }],
    ["WEBHOOK_PRIVATE", { WEBHOOK_PRIVATE: "10.0.0" }],
    ["WEBHOOK_PORTS", { WEBHOOK_PORTS: "https" }],
    ["WEBHOOK_PORTS", { WEBHOOK_PORTS: "0" }],
    ["WEBHOOK_PORTS", { WEBHOOK_PORTS: "9000-70000" }],
    ["WEBHOOK_PORTS", { WEBHOOK_PORTS: "9010-9000" }],
  ])("%s of %j", (name, env) => {
    const message = messageOf(() => readConfig(env));
    expect(message).toMatch(new RegExp(`^${name} `));
    expect(message).toMatch(/\.$/);
  });
});

test("what a wrong setting holds is not repeated where it may be a secret", () => {
  const secrets = [
    { DATABASE_URL: "mysql://shop:hunter2@db/shop", SECRET_KEY: key },
    { SECRET_KEY: "hunter2" },
    { BACKUP_PRIVATE_KEY: "hunter2" },
    { BACKUP_KEY: "hunter2" },
    { MAIL_URL: "http://me:hunter2@mail.test" },
    { TELEGRAM_BOT_TOKEN: "hunter2" },
    { METRICS_TOKEN: "hunter2" },
    { CHAIN_ETH_URLS: "wss://node.test/hunter2" },
  ];
  for (const env of secrets) expect(messageOf(() => readConfig(env))).not.toContain("hunter2");
});

test("sources of rates are named with their addresses, two of them at least, and only for live rates", () => {
  const RATES_URLS = "kraken=https://mirror.example/kraken,coinbase=http://127.0.0.1:9";
  expect(readConfig({ RATES_URLS }).rates).toEqual({
    source: "live",
    urls: { kraken: "https://mirror.example/kraken", coinbase: "http://127.0.0.1:9/" },
  });
  expect(() => readConfig({ RATES_URLS: "kraken=https://mirror.example" })).toThrow("two sources");
  expect(() => readConfig({ RATES_URLS: "mtgox=https://a.example,kraken=https://b.example" })).toThrow(
    "mtgox",
  );
  expect(() => readConfig({ RATES_URLS: "kraken=ftp://a.example,binance=https://b.example" })).toThrow(
    "RATES_URLS",
  );
  expect(() => readConfig({ RATES_URLS, RATES: "fixed:eth=1" })).toThrow("no use");
});

test("a currency may be taken from more than a dollar", () => {
  expect(readConfig({ PAYMENT_MIN: "erc=25, usdttrc20=10.5" }).paymentMinimums).toEqual({
    erc: "25",
    usdttrc20: "10.5",
  });
  for (const wrong of ["doge=5", "erc=0.5", "erc", "erc=1e3", "erc=200000"])
    expect(() => readConfig({ PAYMENT_MIN: wrong })).toThrow("PAYMENT_MIN");
});
