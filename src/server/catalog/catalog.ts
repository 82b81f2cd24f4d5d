import type { Db } from "../platform/db/db.ts";
import { openCache } from "../platform/cache.ts";
import { now } from "../platform/clock.ts";
import { channel } from "./catalog.admin.ts";
import { nearest } from "../platform/nearest.ts";
import { readSite } from "./catalog.sites.ts";
import * as rows from "./catalog.sql.ts";

export {
  addDomain,
  addHost,
  addSender,
  allowSenders,
  blockSite,
  changeDomain,
  findDomain,
  findOrAddSite,
  findSite,
  listBlockedSites,
  listDomains,
  removeSenders,
  sellDomain,
  serveSite,
  setDomain,
  showSite,
} from "./catalog.admin.ts";
export { changePrices, previewPrices, type PriceAsk, undoPrices } from "./catalog.prices.ts";
export { isHostName } from "./catalog.sites.ts";
export type { MailDomain, Site } from "./catalog.sql.ts";

export const anySite = "any";
/** Of a site that nobody ordered for yet. */
export const unknownSite = 0;

const sitesRemembered = 20_000;

export interface FoundSite {
  /** 0 before the first order. */
  readonly id: number;
  readonly name: string;
  /** The mail domain of a sandbox site; null for others. */
  readonly sandboxDomainId: number | null;
}

export interface NoSite {
  readonly refused: "site";
  readonly didYouMean: string | undefined;
}

/** A cache of the catalogue; changes of any process invalidate it at once. */
export interface Catalog {
  /** The site of a text; `make` creates its row. Refuses blocked sites. */
  readonly siteOf: (text: string, options?: { make: boolean }) => Promise<FoundSite | NoSite>;
  readonly siteNames: (siteIds: readonly number[]) => Promise<ReadonlyMap<number, string>>;
  /** The mail domains on sale that a comma-separated list of domains and groups names, in its order. */
  readonly domainsOf: (list: string) => Promise<readonly rows.MailDomain[]>;
  readonly nearestDomain: (list: string) => Promise<string | undefined>;
  readonly domains: () => Promise<readonly rows.MailDomain[]>;
  /** Group names with their domains on sale; `all` always exists. */
  readonly groups: () => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Registrable domains whose letters are for a site, its own among them; undefined for `any`. */
  readonly sendersOf: (siteId: number, name: string) => Promise<ReadonlySet<string> | undefined>;
  readonly shunnedSenders: () => Promise<ReadonlySet<string>>;
  readonly isSender: (domain: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

interface Shelf {
  readonly domains: readonly rows.MailDomain[];
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly aliases: readonly string[];
  readonly shunned: ReadonlySet<string>;
  readonly sites: Map<string, rows.Site>;
  readonly senders: Map<number, ReadonlySet<string>>;
}

export async function openCatalog(db: Db): Promise<Catalog> {
  const kept = await openCache(db, channel, () => readShelf(db));
  const cache = {
    ...kept,
    /** A price that waits for its moment changes without a notification. */
    get: async () => {
      const { domains } = await kept.get();
      const isOver = domains.some(({ changesAt }) => changesAt !== null && changesAt <= now());
      return isOver ? kept.after(Promise.resolve()).then(kept.get) : kept.get();
    },
  };
  return {
    siteOf: async (text, { make } = { make: false }) => siteIn(db, await cache.get(), text, make),
    siteNames: async (siteIds) =>
      new Map((await rows.selectSiteNames(db, siteIds)).map(({ id, name }) => [id, name])),
    domainsOf: async (list) => pickDomains(await cache.get(), list),
    nearestDomain: async (list) => {
      const { domains, groups } = await cache.get();
      const names = [
        ...domains.filter((domain) => domain.enabled).map((domain) => domain.name),
        ...groups.keys(),
      ];
      return nearest(words(list)[0] ?? "", names);
    },
    domains: async () => (await cache.get()).domains,
    groups: async () => (await cache.get()).groups,
    sendersOf: async (siteId, name) => findSenders(db, await cache.get(), siteId, name),
    shunnedSenders: async () => (await cache.get()).shunned,
    isSender: (domain) => rows.isSender(db, domain),
    close: cache.close,
  };
}

async function readShelf(db: Db): Promise<Shelf> {
  const [domains, members, aliases, shunned] = await Promise.all([
    rows.selectDomains(db),
    rows.selectGroups(db),
    rows.selectAliases(db),
    rows.selectShunned(db),
  ]);
  const onSale = domains.filter((domain) => domain.enabled).map((domain) => domain.name);
  const groups = new Map<string, string[]>([["all", onSale]]);
  for (const { name, domain } of members) {
    if (onSale.includes(domain)) groups.set(name, [...(groups.get(name) ?? []), domain]);
  }
  const namesOf = (found: readonly { name: string }[]) => found.map(({ name }) => name);
  return {
    domains,
    groups,
    aliases: namesOf(aliases),
    shunned: new Set(namesOf(shunned)),
    sites: new Map(),
    senders: new Map(),
  };
}

async function siteIn(db: Db, shelf: Shelf, text: string, make: boolean): Promise<FoundSite | NoSite> {
  const known = shelf.sites.get(text);
  if (known && !known.blocked) return known;
  const read = readSite(text);
  if (!read) return { refused: "site", didYouMean: undefined };
  const name = "domain" in read ? read.domain : read.word;
  const site = shelf.sites.get(name) ?? (await rows.selectSite(db, name));
  if (site) remember(shelf.sites, name, site);
  if (site?.blocked) return { refused: "site", didYouMean: undefined };
  if (site) return site;
  // Never guesses .com for an unknown word: the order would wait for letters of another site.
  if ("word" in read) return { refused: "site", didYouMean: nearest(read.word, shelf.aliases) };
  return make ? rows.addSite(db, name) : { id: unknownSite, name, sandboxDomainId: null };
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

/** A group, a domain, or a domain without its ending when only one fits. */
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
