// The first run: what a shop needs before its first sale. Settings stay in the environment: pages show and test them, and never set them.
import { walletFamilies } from "../../contract/currencies.ts";
import { hash } from "node:crypto";
import { hostname } from "node:os";
import type { setup } from "../../contract/office/setup.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { isHostName, listDomains, type MailDomain } from "../catalog/catalog.ts";
import * as journal from "../journal/journal.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import { addressIn, type Config, lacksProxy, settingsOfWallet } from "../platform/config/config.ts";
import { lackOfConnections } from "../platform/db/check-server.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import type { ClockWatch } from "../platform/db/time.ts";
import type { Log } from "../platform/log.ts";
import { showUsd } from "../platform/money.ts";
import { recordOf } from "../mailer/mailer.ts";
import { missingFor, walletOf } from "../payments/payments.ts";
import { administrators } from "../users/users.ts";
import { type DnsRecord, isRight, look, type Purpose } from "./setup.dns.ts";
import { lastFromOutside, tryLetter, type Tried as TriedLetter } from "./setup.letter.ts";
import { type Check, isSuperuser, putCheck, selectChecks } from "./setup.sql.ts";

export { examine, filesMax, type Finding } from "./setup.doctor.ts";
export { lookAtKey } from "./setup.wallet.ts";

export type Standing = Reply<typeof setup>;
type State = Standing["steps"][number]["state"];
/** `isCurrent`: the settings are still those that were tested. */
type Tried = Pick<Check, "what" | "domain" | "isRight" | "at"> & { readonly isCurrent: boolean };
type Checks = readonly Tried[];

interface Seen {
  /** As Telegram said it just now. */
  readonly botName: string | undefined;
  /** Whether the call that asks came so. */
  readonly isByUntrustedProxy: boolean;
}

export interface Setup {
  readonly standing: (seen: Seen) => Promise<Standing>;
  /** Looks up the records of a domain and saves whether they were right; undefined for no domain name. */
  readonly dns: (
    domain: string,
  ) => Promise<{ domain: string; right: boolean; records: DnsRecord[] } | undefined>;
  readonly letter: (
    domain: string,
    by: string,
  ) => Promise<(TriedLetter & { listener: string }) | "domain name" | "domain">;
}

const domainsShown = 50;

interface Parts {
  readonly db: Db;
  readonly config: Config;
  readonly clock: Pick<ClockWatch, "secondsOff">;
  readonly key: () => Promise<Standing["key"]>;
}

export function openSetup(parts: Parts): Setup {
  return {
    standing: (seen) => standing(parts, seen),
    dns: async (text) => {
      const domain = nameOf(text);
      if (domain === undefined) return undefined;
      const { db, config } = parts;
      const known = (await listDomains(db)).find(({ name }) => name === domain);
      const purpose = purposeOf(config, domain, known);
      const records = await look(config.dnsServers ?? "system", purpose);
      const right = isRight(records);
      await putCheck(db, { what: "dns", domain, asked: digestOf(purpose), isRight: right, at: now() });
      return { domain, right, records };
    },
    letter: async (text, by) => {
      const domain = nameOf(text);
      if (domain === undefined) return "domain name";
      const { db, config } = parts;
      if (!(await listDomains(db)).some(({ name, kind }) => name === domain && kind === "own"))
        return "domain";
      const tried = await tryLetter(db, listenerOf(config), domain, receptionName(config));
      await attempt(db, async (tx) => {
        const asked = digestOf(wayOf(config, domain));
        await putCheck(tx, { what: "letter", domain, asked, isRight: tried.arrived, at: now() });
        await journal.note(tx, { by, did: "setup letter", about: domain, after: { arrived: tried.arrived } });
      });
      return { ...tried, listener: listenerText(config) };
    },
  };
}

/** Logs how a shop without an administrator gets its first one. No page makes the first visitor one. */
export async function tellOfAdministrator(
  { db, config }: Pick<Parts, "db" | "config">,
  log: Log,
): Promise<void> {
  if (config.demo || (await administrators(db, [])).length > 0) return;
  const { publicUrl, adminEmails } = config;
  if (adminEmails.size === 0)
    log.warn(
      "this shop has no administrator: set ADMIN_EMAILS to your email address, restart, then register with it",
    );
  else
    log.warn(
      { register: publicUrl, goOn: `${publicUrl}/en/admin/setup` },
      "this shop has no administrator yet: register with an address of ADMIN_EMAILS, and enter the code from the mail",
    );
}

function nameOf(text: string): string | undefined {
  const name = text.trim().toLowerCase().replace(/\.$/, "");
  return isHostName(name) ? name : undefined;
}

const sendingDomain = ({ mailFrom }: Config) => addressIn(mailFrom).replace(/^.*@/, "").toLowerCase();
const relayOf = ({ mailUrl }: Config) => (mailUrl === undefined ? undefined : new URL(mailUrl).hostname);
const receptionName = ({ smtpName }: Config) => (smtpName ?? hostname()).toLowerCase();
const listenerText = (config: Config) => `${listenerOf(config).host}:${config.smtpPort}`;

/** The local address of a reception that listens on all addresses. */
function listenerOf({ smtpHost, smtpPort }: Config): { host: string; port: number } {
  const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  return { host: everywhere[smtpHost] ?? smtpHost, port: smtpPort };
}

const wayOf = (config: Config, domain: string) => ({
  domain,
  listener: listenerText(config),
  name: receptionName(config),
});

/** A result counts only for these public settings. */
const digestOf = (asked: Purpose | ReturnType<typeof wayOf>) => hash("sha256", JSON.stringify(asked));

function purposeOf(config: Config, domain: string, known: MailDomain | undefined): Purpose {
  const isSender = domain === sendingDomain(config);
  // An unknown domain is to be sold, unless it is the sender's domain.
  const receives = known ? known.kind === "own" : !isSender;
  const name = receptionName(config);
  return {
    domain,
    reception: receives ? (isHostName(name) ? name : `mx.${domain}`) : undefined,
    relay: isSender ? relayOf(config) : undefined,
    dkim: config.dkim?.domain === domain ? recordOf(config.dkim) : undefined,
  };
}

async function standing(parts: Parts, { botName, isByUntrustedProxy }: Seen): Promise<Standing> {
  const { db, config, clock } = parts;
  const [domains, acting, outside, key, superuser] = await Promise.all([
    listDomains(db),
    administrators(db, config.adminEmails),
    lastFromOutside(db),
    parts.key(),
    isSuperuser(db),
  ]);
  const checks = await checksOf(parts, domains);
  const connections = await lackOfConnections(db, config.databaseSessionUrl);
  const facts: Omit<Standing, "done" | "steps"> = {
    demo: config.demo,
    proxy_untrusted: isByUntrustedProxy || lacksProxy(config),
    token_acts: config.officeTokenActs === "on",
    clock_ahead: clock.secondsOff(),
    admin: {
      administrators: acting,
      awaited: [...config.adminEmails].filter((email) => !acting.includes(email)),
    },
    mail: mailOf(config, checks),
    domains: domains.slice(0, domainsShown).map((domain) => domainOf(domain, checks)),
    reception: receptionOf(config, checks, outside),
    wallets: walletsOf(config),
    ...(connections && { connections }),
    ...(key && { key }),
    superuser,
    btcpay: config.btcpay !== undefined,
    bot: {
      set: config.telegramBotToken !== undefined,
      ...(botName !== undefined && { name: botName }),
    },
  };
  const steps = stepsOf(facts, domains, checks);
  return { done: steps.every(({ needed, state }) => !needed || state === "done"), steps, ...facts };
}

async function checksOf({ db, config }: Parts, domains: readonly MailDomain[]): Promise<Checks> {
  const known = new Map(domains.map((domain) => [domain.name, domain]));
  const checks = await selectChecks(db, [sendingDomain(config), ...known.keys()]);
  return checks.map(({ asked, ...check }) => {
    const { what, domain } = check;
    const today = what === "dns" ? purposeOf(config, domain, known.get(domain)) : wayOf(config, domain);
    return { ...check, isCurrent: asked === digestOf(today) };
  });
}

function mailOf(config: Config, checks: Checks): Standing["mail"] {
  const domain = sendingDomain(config);
  const relay = relayOf(config);
  return {
    from: config.mailFrom,
    domain,
    ...(relay !== undefined && { relay }),
    signed: config.dkim !== undefined,
    ...tried("dns", checkOf(checks, "dns", domain)),
  };
}

const domainOf = ({ name, kind, enabled, price, live }: MailDomain, checks: Checks) => ({
  name,
  kind,
  on: enabled,
  price: showUsd(price),
  mailboxes: Number(live),
  ...tried("dns", checkOf(checks, "dns", name)),
});

function receptionOf(config: Config, checks: Checks, outside: Date | undefined): Standing["reception"] {
  const name = receptionName(config);
  return {
    listener: listenerText(config),
    name,
    named: isHostName(name),
    // A demonstration creates its own certificate.
    encrypted: config.smtpTls !== undefined || config.demo,
    ...tried(
      "letter",
      checks.find(({ what }) => what === "letter"),
    ),
    ...(outside && { outside_at: unixSeconds(outside) }),
  };
}

function walletsOf(config: Config): Standing["wallets"] {
  const chains = missingFor(config);
  return walletFamilies.map((wallet) => {
    const settings = settingsOfWallet(wallet);
    const address = config.wallets[wallet]?.first;
    return {
      wallet,
      ...settings,
      ...(address !== undefined && { address }),
      chains: chains.filter(({ chain }) => walletOf[chain] === wallet),
    };
  });
}

const checkOf = (checks: Checks, what: Check["what"], domain: string) =>
  checks.find((check) => check.what === what && check.domain === domain);

function tried<Name extends string>(name: Name, check: Tried | undefined): { [Key in Name]?: CheckReply } {
  return (
    check ? { [name]: { right: check.isRight, current: check.isCurrent, at: unixSeconds(check.at) } } : {}
  ) as { [Key in Name]?: CheckReply };
}

type CheckReply = NonNullable<Standing["mail"]["dns"]>;

const holds = (check: CheckReply | undefined) => check !== undefined && check.right && check.current;

type Facts = Omit<Standing, "done" | "steps">;

/** The bot is optional; all else is needed before a sale. */
function stepsOf(facts: Facts, all: readonly MailDomain[], checks: Checks): Standing["steps"] {
  const onSale = all.filter(({ enabled }) => enabled);
  const states: Record<Standing["steps"][number]["name"], State> = {
    admin: facts.admin.awaited.length === 0 ? "done" : "warning",
    mail: facts.mail.relay === undefined ? "todo" : holds(facts.mail.dns) ? "done" : "warning",
    domain: stateOfDomains(onSale, checks),
    stock: onSale.some(({ live }) => live > 0n) ? "done" : "todo",
    letter: stateOfLetter(facts, onSale),
    wallets: stateOfWallets(facts),
    bot: !facts.bot.set ? "todo" : facts.bot.name === undefined ? "warning" : "done",
  };
  return (Object.keys(states) as (keyof typeof states)[]).map((name) => ({
    name,
    state: states[name],
    needed: name !== "bot",
  }));
}

/** Hosted domains are right without records: their letters are fetched. */
function stateOfDomains(onSale: readonly MailDomain[], checks: Checks): State {
  if (onSale.length === 0) return "todo";
  const own = onSale.filter(({ kind }) => kind === "own");
  return own.every(({ name }) => holds(tried("dns", checkOf(checks, "dns", name)).dns)) ? "done" : "warning";
}

function stateOfLetter({ reception }: Facts, onSale: readonly MailDomain[]): State {
  const isComing = onSale.some(({ kind }) => kind === "own");
  if (!isComing) return onSale.length === 0 ? "todo" : "done";
  if (!reception.letter) return "todo";
  return holds(reception.letter) && reception.encrypted && reception.named ? "done" : "warning";
}

/** A chain can be paid when none of its settings is missing. */
function stateOfWallets({ wallets, btcpay, demo }: Facts): State {
  const isPaid = wallets.some(({ chains }) => chains.some(({ missing }) => missing.length === 0));
  const set = wallets.filter(({ address }) => address !== undefined);
  const isLost = set.some(({ chains }) => chains.every(({ missing }) => missing.length > 0));
  if (isPaid || btcpay) return isLost ? "warning" : "done";
  // The sandbox pays for a demonstration.
  if (set.length > 0) return "warning";
  return demo ? "done" : "todo";
}
