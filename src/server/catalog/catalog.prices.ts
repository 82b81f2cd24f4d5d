// Changes of prices: now or from a moment on, of all sites or of one (docs/decisions/115).
import * as journal from "../journal/journal.ts";
import { attempt, type Db, notify, type Sql } from "../platform/db/db.ts";
import { showUsd, type Usd, usd } from "../platform/money.ts";
import { channel, findOrAddSite, findSite } from "./catalog.admin.ts";
import * as rows from "./catalog.prices.sql.ts";
import { type MailDomain, selectDomains } from "./catalog.sql.ts";

export interface PriceAsk {
  /** Mail domains, or own, hosted, all, separated by commas; with a site and a slash before it, those of the site. */
  readonly prices: string;
  /** `to` a price, `by` dollars, by `percent` of what applies, or the `general` price of all sites. */
  readonly how: "to" | "by" | "percent" | "general";
  /** Dollars or percent. */
  readonly amount: string | undefined;
  readonly from: Date | undefined;
}

export interface PriceStep extends rows.Pair {
  readonly domain: string;
  readonly site: string | null;
  readonly before: bigint;
  readonly after: bigint;
}

type Refused = "no domain" | "site" | "price" | "change" | "nothing to change" | "from";
type Named = rows.Pair & Pick<PriceStep, "domain" | "site">;
type Planned = PriceStep & rows.NewPrice;

const priceMax = usd("999999");

/** What a change would change, and how many orders got their letter for each price in the last seven days. */
export async function previewPrices(
  sql: Sql,
  ask: PriceAsk,
  now: Date,
): Promise<(PriceStep & { letters: bigint })[] | Refused> {
  const named = await pairsOf(sql, ask, findSite);
  const steps = typeof named === "string" ? named : await plan(sql, named, ask, now);
  if (typeof steps === "string") return steps;
  const letters = await rows.selectLetters(sql, steps, ask.from ?? null);
  return steps.map((step, place) => ({ ...step, letters: letters[place]?.letters ?? 0n }));
}

export interface PricesChanged {
  readonly id: bigint;
  readonly count: number;
  readonly repeated: boolean;
}

export function changePrices(
  db: Db,
  ask: PriceAsk & { readonly reason: string | undefined; readonly key: string | undefined },
  by: string,
  now: Date,
): Promise<PricesChanged | Refused> {
  const { prices, reason, key, from } = ask;
  return attempt<PricesChanged | Refused>(db, async (tx) => {
    const named = await pairsOf(tx, ask, findOrAddSite);
    if (typeof named === "string") return named;
    await rows.lockDomains(tx, idsOf(named));
    const [known] = key === undefined ? [] : await rows.selectKnown(tx, by, key);
    if (known) return { id: known.changeId, count: known.count, repeated: true };
    const steps = await plan(tx, named, ask, now);
    if (typeof steps === "string") return steps;
    const id = await rows.insertPrices(tx, steps, { by, reason, key, from });
    await notify(tx, channel, "");
    const change = { before: listOf(steps, "before"), after: { ...listOf(steps, "after"), from } };
    await journal.note(tx, { by, did: "prices change", about: prices, ...change, reason });
    return { id, count: steps.length, repeated: false };
  });
}

/**
 * Takes a change back: before its moment it never comes; later what applied before it applies again from now on, unless one of its
 * prices was changed since.
 */
export function undoPrices(
  db: Db,
  { id, reason }: { readonly id: bigint; readonly reason: string | undefined },
  by: string,
): Promise<{ count: number } | "no price change" | "price changed since"> {
  return attempt<{ count: number } | "no price change" | "price changed since">(db, async (tx) => {
    await rows.lockDomains(tx, idsOf(await rows.selectChange(tx, id)));
    const made = await rows.selectChange(tx, id);
    const [first] = made;
    if (!first || first.undone) return "no price change";
    if (first.waits) {
      await rows.takeBack(tx, id);
      await rows.showPrices(tx, idsOf(made));
    } else {
      if (made.some(({ isOver }) => isOver)) return "price changed since";
      const prices = made.map(({ ownBefore, ...pair }) => ({ ...pair, price: ownBefore }));
      await rows.insertPrices(tx, prices, { by, reason, key: undefined, from: undefined });
    }
    await notify(tx, channel, "");
    await journal.note(tx, {
      by,
      did: "prices undo",
      about: made.map(nameOf).join(", "),
      before: listOf(made, "price"),
      after: listOf(made, "before"),
      reason,
    });
    return { count: made.length };
  });
}

const idsOf = (pairs: readonly rows.Pair[]) => pairs.map(({ domainId }) => domainId);

const nameOf = ({ site, domain }: Pick<Named, "site" | "domain">) =>
  site === null ? domain : `${site}/${domain}`;

const listOf = <Name extends string>(
  steps: readonly (Pick<Named, "site" | "domain"> & Record<Name, bigint>)[],
  which: Name,
) => Object.fromEntries(steps.map((step) => [nameOf(step), showUsd(step[which])]));

/** The prices that a list names, each once. */
async function pairsOf(
  sql: Sql,
  { prices }: PriceAsk,
  readSite: typeof findSite,
): Promise<Named[] | "no domain" | "site"> {
  const domains = await selectDomains(sql);
  const named = new Map<string, Named>();
  for (const item of prices.split(",").map((text) => text.trim().toLowerCase())) {
    const slash = item.lastIndexOf("/");
    const site = slash < 0 ? null : await readSite(sql, item.slice(0, slash));
    if (site === undefined || (site && (site.blocked || site.sandboxDomainId !== null))) return "site";
    const found = domains.filter(fits(item.slice(slash + 1)));
    if (found.length === 0) return "no domain";
    for (const { id, name } of found) {
      const pair = { domainId: id, domain: name, siteId: site?.id ?? null, site: site?.name ?? null };
      named.set(nameOf(pair), pair);
    }
  }
  return [...named.values()];
}

const fits =
  (word: string) =>
  ({ name, kind }: MailDomain) =>
    word === "all" || kind === word || name === word;

/** The new price of each; those that have it already are left out. */
async function plan(
  sql: Sql,
  named: readonly Named[],
  { how, amount, from }: PriceAsk,
  now: Date,
): Promise<Planned[] | Refused> {
  if (from !== undefined && from <= now) return "from";
  if (amount === undefined && how !== "general") return "change";
  const priced = await rows.selectPriced(sql, named, from ?? null);
  const steps: Planned[] = [];
  for (const [place, { price: before, general, own }] of priced.entries()) {
    const pair = named[place];
    if (!pair || (how === "general" && pair.siteId === null)) continue;
    const price = how === "general" ? null : newPrice(before, how, usd(amount ?? "0"));
    if (price !== null && (price <= 0n || price > priceMax)) return "price";
    if (price !== own) steps.push({ ...pair, before, price, after: price ?? general });
  }
  return steps.length === 0 ? "nothing to change" : steps;
}

const percentUnits = usd("100");

/** A part of a price is rounded to the nearest 10⁻⁸ dollar, a half away from zero. */
function newPrice(before: bigint, how: "to" | "by" | "percent", amount: Usd): bigint {
  if (how === "to") return amount;
  if (how === "by") return before + amount;
  const half = amount < 0n ? -percentUnits / 2n : percentUnits / 2n;
  return before + (before * amount + half) / percentUnits;
}
