// The operator's changes of the catalogue: mail domains, sites and sender domains, all in the journal.
import type { TlsWay } from "../../contract/catalog.ts";
import * as journal from "../journal/journal.ts";
import { attempt, type Db, notify, type Sql } from "../platform/db/db.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { registrable } from "../platform/registrable.ts";
import { insertPrices, lockDomains } from "./catalog.prices.sql.ts";
import { isHostName, readSite } from "./catalog.sites.ts";
import * as rows from "./catalog.sql.ts";

/** NOTIFY channel: a domain, a group or a site changed. */
export const channel = "catalog";

export async function addDomain(
  sql: Sql,
  domain: { name: string; price: Usd; kind: "own" | "hosted" },
): Promise<number | "domain exists" | "mail domain"> {
  const name = domain.name.trim().toLowerCase();
  if (!isHostName(name)) return "mail domain";
  const added = await rows.insertDomain(sql, name, domain.price, domain.kind);
  await notify(sql, channel, "");
  return added?.id ?? "domain exists";
}

/** Call it in a transaction where it changes the price, which `by` does as the journal names him. */
export async function setDomain(
  sql: Sql,
  name: string,
  change: { price?: Usd; enabled?: boolean },
  by = "operator",
): Promise<boolean> {
  const changed = await rows.updateDomain(sql, name.toLowerCase(), change.enabled ?? null);
  if (changed && change.price !== undefined) {
    const price = { domainId: changed.id, siteId: null, price: change.price };
    await lockDomains(sql, [changed.id]);
    await insertPrices(sql, [price], { by, reason: undefined, key: undefined, from: undefined });
  }
  await notify(sql, channel, "");
  return changed !== undefined;
}

/** A mail domain by name, on sale or not; never one of the sandbox. */
export async function findDomain(sql: Sql, name: string): Promise<rows.MailDomain | undefined> {
  const wanted = name.trim().toLowerCase();
  return (await rows.selectDomains(sql)).find((domain) => domain.name === wanted);
}

export async function listDomains(sql: Sql): Promise<rows.MailDomain[]> {
  return rows.selectDomains(sql);
}

export async function addHost(
  sql: Sql,
  name: string,
  host: { host: string; port: number; tls: TlsWay },
): Promise<boolean> {
  const changed = await rows.updateImap(sql, name.toLowerCase(), host.host, host.port, host.tls);
  await notify(sql, channel, "");
  return changed !== undefined;
}

/** For the operator: the site of a text, blocked or not, created if new. Undefined when the text names none. */
export async function findOrAddSite(sql: Sql, text: string): Promise<rows.Site | undefined> {
  const read = readSite(text);
  if (!read) return undefined;
  const name = "domain" in read ? read.domain : read.word;
  return (await rows.selectSite(sql, name)) ?? ("domain" in read ? rows.addSite(sql, name) : undefined);
}

/** For the operator: the site of a text, blocked or not. Undefined when it has no row. */
export async function findSite(sql: Sql, text: string): Promise<rows.Site | undefined> {
  const read = readSite(text);
  return read && rows.selectSite(sql, "domain" in read ? read.domain : read.word);
}

/** Adds a sender domain to a site. Answers the registrable domain; undefined for an invalid one. */
export async function addSender(sql: Sql, siteId: number, domain: string): Promise<string | undefined> {
  const sender = registrable(domain);
  if (!sender) return undefined;
  await rows.insertSender(sql, siteId, sender);
  await notify(sql, channel, "");
  return sender;
}

export async function blockSite(sql: Sql, siteId: number, blocked: boolean): Promise<void> {
  await rows.setBlocked(sql, siteId, blocked);
  await notify(sql, channel, "");
}

export async function listBlockedSites(sql: Sql): Promise<rows.Site[]> {
  return rows.selectBlockedSites(sql);
}

type NewDomain = Parameters<typeof addDomain>[1];

export function sellDomain(
  db: Db,
  { price, kind, ...domain }: NewDomain,
  by: string,
): Promise<{ id: number; name: string } | "domain exists" | "mail domain"> {
  const name = domain.name.trim().toLowerCase();
  return attempt(db, async (tx) => {
    const id = await addDomain(tx, { name, price, kind });
    if (typeof id === "string") return id;
    await journal.note(tx, { by, did: "domains add", about: name, after: { price: showUsd(price), kind } });
    return { id, name };
  });
}

export function changeDomain(
  db: Db,
  name: string,
  change: { price?: Usd; enabled?: boolean },
  by: string,
): Promise<rows.MailDomain | "no domain"> {
  return attempt(db, async (tx) => {
    const found = await findDomain(tx, name);
    if (!found) return "no domain";
    await lockDomains(tx, [found.id]);
    const before = await findDomain(tx, name);
    const { price, ...others } = change;
    const isNew = price !== undefined && price !== before?.price;
    await setDomain(tx, found.name, isNew ? { ...others, price } : others, by);
    const after = await findDomain(tx, name);
    if (!before || !after) throw new Error(`the mail domain ${name} went away`);
    await journal.note(tx, {
      by,
      did: "domains set",
      about: after.name,
      before: saleOf(before),
      after: saleOf(after),
    });
    return after;
  });
}

const saleOf = ({ price, enabled }: rows.MailDomain) => ({ price: showUsd(price as Usd), on: enabled });

interface Allowed {
  readonly siteId: number;
  readonly site: string;
  readonly senders: string[];
  readonly shared: rows.Shared[];
}

/** `shared` are sender domains of other sites too: two buyers of one mailbox, one for each site, both get such a letter. */
export async function allowSenders(
  db: Db,
  asked: { site: string; domains: readonly string[] },
  by: string,
): Promise<Allowed | "site" | { notSender: string }> {
  const notSender = asked.domains.find((domain) => registrable(domain) === undefined);
  if (notSender !== undefined) return { notSender };
  return attempt(db, async (tx) => {
    const site = await findOrAddSite(tx, asked.site);
    if (!site) return "site";
    const before = (await rows.selectSenders(tx, site.id)).map(({ name }) => name);
    const senders = new Set<string>();
    for (const domain of asked.domains) senders.add((await addSender(tx, site.id, domain)) ?? "");
    const after = (await rows.selectSenders(tx, site.id)).map(({ name }) => name);
    await journal.note(tx, {
      by,
      did: "sites alias",
      about: site.name,
      before: { senders: before },
      after: { senders: after },
    });
    const shared = await rows.selectShared(tx, site.id, [...senders]);
    return { siteId: site.id, site: site.name, senders: [...senders], shared };
  });
}

/** Removes sender domains of a site; delivered letters stay. All of them or none, so that a typo is refused. */
export function removeSenders(
  db: Db,
  asked: { site: string; domains: readonly string[] },
  by: string,
): Promise<{ site: string; senders: string[] } | "site" | { noSender: string }> {
  const typed = asked.domains.map((domain) => domain.trim().toLowerCase());
  const domains = typed.map((domain) => registrable(domain) ?? domain);
  return attempt(db, async (tx) => {
    const site = await findSite(tx, asked.site);
    if (!site) return "site";
    const before = (await rows.selectSenders(tx, site.id)).map(({ name }) => name);
    const noSender = domains.find((domain) => !before.includes(domain));
    if (noSender !== undefined) return { noSender };
    const removed = new Set((await rows.deleteSenders(tx, site.id, domains)).map(({ name }) => name));
    await notify(tx, channel, "");
    await journal.note(tx, {
      by,
      did: "sites unalias",
      about: site.name,
      before: { senders: before },
      after: { senders: before.filter((domain) => !removed.has(domain)) },
    });
    return { site: site.name, senders: [...removed] };
  });
}

export async function showSite(
  sql: Sql,
  text: string,
): Promise<{ site: string; blocked: boolean; senders: string[] } | undefined> {
  const site = await findSite(sql, text);
  if (!site) return undefined;
  const senders = await rows.selectSenders(sql, site.id);
  return { site: site.name, blocked: site.blocked, senders: senders.map(({ name }) => name) };
}

export function serveSite(
  db: Db,
  asked: { site: string; blocked: boolean },
  by: string,
): Promise<{ site: string; blocked: boolean } | "site"> {
  const { blocked } = asked;
  return attempt(db, async (tx) => {
    const site = await findOrAddSite(tx, asked.site);
    if (!site) return "site";
    await blockSite(tx, site.id, blocked);
    await journal.note(tx, {
      by,
      did: blocked ? "sites block" : "sites unblock",
      about: site.name,
      before: { blocked: site.blocked },
      after: { blocked },
    });
    return { site: site.name, blocked };
  });
}
