import { type Db, listen, notify, type Sql } from "../kit/db.ts";
import type { Usd } from "../kit/money.ts";
import { registrable } from "../kit/registrable.ts";
import { isHostName, nearest, readSite } from "./catalog.sites.ts";
import * as rows from "./catalog.sql.ts";

export type { MailDomain, Site } from "./catalog.sql.ts";

/** The site that takes a letter from any sender (product.md). */
export const anySite = "any";

/** Told by the database when a domain, a group or a site changed, in every process. */
const channel = "catalog";

const sitesRemembered = 20_000;

/** A site that is served. */
export interface FoundSite {
  /** 0 while nobody has ordered for it. */
  readonly id: number;
  readonly name: string;
  /** Of a sandbox site: where its mailboxes are; null for every other. */
  readonly sandboxDomainId: number | null;
}

/** A site that cannot be served, with the name that was probably meant. */
export interface NoSite {
  readonly refused: "site";
  readonly didYouMean: string | undefined;
}

/** The catalogue as this process remembers it; every change, also of another process, is seen at once. */
export interface Catalog {
  /** The site of a text as people write it; `make` gives a new site its row. Blocked ones are refused. */
  readonly siteOf: (text: string, options?: { make: boolean }) => Promise<FoundSite | NoSite>;
  /** The names of sites by their numbers. */
  readonly siteNames: (siteIds: readonly number[]) => Promise<ReadonlyMap<number, string>>;
  /** The mail domains on sale that a comma-separated list of domains and groups names, in its order. */
  readonly domainsOf: (list: string) => Promise<readonly rows.MailDomain[]>;
  /** The name nearest to the first of a list that names nothing on sale. */
  readonly nearestDomain: (list: string) => Promise<string | undefined>;
  readonly domains: () => Promise<readonly rows.MailDomain[]>;
  /** Group names with their domains on sale; `all` is always there. */
  readonly groups: () => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Registrable domains whose letters are for a site, its own name among them; undefined for `any`. */
  readonly sendersOf: (siteId: number, name: string) => Promise<ReadonlySet<string> | undefined>;
  /** Whether letters from a registrable domain are for a site that is known, served or not. */
  readonly isSender: (domain: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

interface Shelf {
  readonly domains: readonly rows.MailDomain[];
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly aliases: readonly string[];
  readonly sites: Map<string, rows.Site>;
  readonly senders: Map<number, ReadonlySet<string>>;
}

/** Opens the catalogue on a database. */
export async function openCatalog(db: Db): Promise<Catalog> {
  let shelf: Promise<Shelf> | undefined;
  const load = () =>
    (shelf ??= readShelf(db).catch((fault: unknown) => {
      shelf = undefined;
      throw fault;
    }));
  const stop = await listen(db, channel, () => (shelf = undefined));
  return {
    siteOf: async (text, { make } = { make: false }) => siteIn(db, await load(), text, make),
    siteNames: async (siteIds) =>
      new Map((await rows.selectSiteNames(db, siteIds)).map(({ id, name }) => [id, name])),
    domainsOf: async (list) => pickDomains(await load(), list),
    nearestDomain: async (list) => {
      const { domains, groups } = await load();
      const names = [
        ...domains.filter((domain) => domain.enabled).map((domain) => domain.name),
        ...groups.keys(),
      ];
      return nearest(words(list)[0] ?? "", names);
    },
    domains: async () => (await load()).domains,
    groups: async () => (await load()).groups,
    sendersOf: async (siteId, name) => findSenders(db, await load(), siteId, name),
    isSender: (domain) => rows.isSender(db, domain),
    close: stop,
  };
}

async function readShelf(db: Db): Promise<Shelf> {
  const [domains, members, aliases] = await Promise.all([
    rows.selectDomains(db),
    rows.selectGroups(db),
    rows.selectAliases(db),
  ]);
  const onSale = domains.filter((domain) => domain.enabled).map((domain) => domain.name);
  const groups = new Map<string, string[]>([["all", onSale]]);
  for (const { name, domain } of members) {
    if (onSale.includes(domain)) groups.set(name, [...(groups.get(name) ?? []), domain]);
  }
  return { domains, groups, aliases: aliases.map(({ name }) => name), sites: new Map(), senders: new Map() };
}

async function siteIn(db: Db, shelf: Shelf, text: string, make: boolean): Promise<FoundSite | NoSite> {
  // Nearly every text is the name itself, and was read before.
  const known = shelf.sites.get(text);
  if (known && !known.blocked) return known;
  const read = readSite(text);
  if (!read) return { refused: "site", didYouMean: undefined };
  const name = "domain" in read ? read.domain : read.word;
  const site = shelf.sites.get(name) ?? (await rows.selectSite(db, name));
  if (site) remember(shelf.sites, name, site);
  if (site?.blocked) return { refused: "site", didYouMean: undefined };
  if (site) return site;
  // A word that is no known short name is not guessed to be a .com: the letter of another site would be waited for.
  if ("word" in read) return { refused: "site", didYouMean: nearest(read.word, shelf.aliases) };
  return make ? rows.addSite(db, name) : { id: 0, name, sandboxDomainId: null };
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  const oldest = map.keys().next();
  if (map.size >= sitesRemembered && !oldest.done) map.delete(oldest.value);
  map.set(key, value);
}

const words = (list: string) =>
  list
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean);

function pickDomains(shelf: Shelf, list: string): rows.MailDomain[] {
  const picked = new Map<number, rows.MailDomain>();
  for (const word of words(list)) {
    for (const domain of named(shelf, word)) picked.set(domain.id, domain);
  }
  return [...picked.values()];
}

/** What one word names: a group, a domain, or a domain without or with a needless ending when only one can be meant. */
function named(shelf: Shelf, word: string): rows.MailDomain[] {
  const onSale = shelf.domains.filter((domain) => domain.enabled);
  const group = shelf.groups.get(word);
  if (group) return group.flatMap((name) => onSale.filter((domain) => domain.name === name));
  const exact = onSale.find((domain) => domain.name === word);
  if (exact) return [exact];
  const stem = word.replace(/\.com$/, "");
  const likely = onSale.filter((domain) => domain.name === stem || domain.name.split(".")[0] === stem);
  return likely.length === 1 ? likely : [];
}

async function findSenders(
  db: Db,
  shelf: Shelf,
  siteId: number,
  name: string,
): Promise<ReadonlySet<string> | undefined> {
  if (name === anySite) return undefined;
  const known = shelf.senders.get(siteId);
  if (known) return known;
  const senders = new Set([name, ...(await rows.selectSenders(db, siteId)).map((sender) => sender.name)]);
  remember(shelf.senders, siteId, senders);
  return senders;
}

/** Puts a mail domain on sale. Answers its number, "exists", or "not a domain name". */
export async function addDomain(
  sql: Sql,
  domain: { name: string; price: Usd; kind: "own" | "hosted" },
): Promise<number | "exists" | "not a domain name"> {
  const name = domain.name.trim().toLowerCase();
  if (!isHostName(name)) return "not a domain name";
  const added = await rows.insertDomain(sql, name, domain.price, domain.kind);
  await notify(sql, channel, "");
  return added?.id ?? "exists";
}

/** Changes the price of a mail domain or takes it off or on sale. False when there is none of that name. */
export async function setDomain(
  sql: Sql,
  name: string,
  change: { price?: Usd; enabled?: boolean },
): Promise<boolean> {
  const changed = await rows.updateDomain(
    sql,
    name.toLowerCase(),
    change.price ?? null,
    change.enabled ?? null,
  );
  await notify(sql, channel, "");
  return changed !== undefined;
}

/** Every mail domain, on sale or not, as the database has it now; those of the sandbox are not among them. */
export async function listDomains(sql: Sql): Promise<rows.MailDomain[]> {
  return rows.selectDomains(sql);
}

/** Registers the IMAP host of a hosted mail domain. False when there is no hosted domain of that name. */
export async function addHost(
  sql: Sql,
  name: string,
  host: { host: string; port: number; tls: "implicit" | "starttls" | "none" },
): Promise<boolean> {
  const changed = await rows.updateImap(sql, name.toLowerCase(), host.host, host.port, host.tls);
  await notify(sql, channel, "");
  return changed !== undefined;
}

/** The site of a text with its row, blocked or not: for the operator. Undefined when the text names none. */
export async function findOrAddSite(sql: Sql, text: string): Promise<rows.Site | undefined> {
  const read = readSite(text);
  if (!read) return undefined;
  const name = "domain" in read ? read.domain : read.word;
  return (await rows.selectSite(sql, name)) ?? ("domain" in read ? rows.addSite(sql, name) : undefined);
}

/** The site of a text with its row, blocked or not: for the operator. Undefined when the text names none that has one. */
export async function findSite(sql: Sql, text: string): Promise<rows.Site | undefined> {
  const read = readSite(text);
  return read && rows.selectSite(sql, "domain" in read ? read.domain : read.word);
}

/** Lets letters from one more domain count for a site. Answers the registrable domain, or undefined when it is none. */
export async function addSender(sql: Sql, siteId: number, domain: string): Promise<string | undefined> {
  const sender = registrable(domain);
  if (!sender) return undefined;
  await rows.insertSender(sql, siteId, sender);
  await notify(sql, channel, "");
  return sender;
}

/** Stops or resumes serving a site. */
export async function blockSite(sql: Sql, siteId: number, blocked: boolean): Promise<void> {
  await rows.setBlocked(sql, siteId, blocked);
  await notify(sql, channel, "");
}

/** Sites that are not served. */
export async function listBlockedSites(sql: Sql): Promise<rows.Site[]> {
  return rows.selectBlockedSites(sql);
}
