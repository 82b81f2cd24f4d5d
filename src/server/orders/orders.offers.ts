import { aggregators, quantity } from "../../contract/catalog.ts";
import { sandboxCount } from "../../contract/sandbox.ts";
import type { Catalog, FoundSite } from "../catalog/catalog.ts";
import { available, type Available } from "../inventory/inventory.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { now } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { usd, usdNumber } from "../platform/money.ts";
import { openOutcomes } from "./orders.outcomes.ts";
import { emptySite } from "./orders.sandbox.ts";

interface Services {
  readonly db: Db;
  readonly catalog: Catalog;
}

const alternativesMax = 5;

export function offerRoutes({ db, catalog }: Services): Route[] {
  const outcomes = openOutcomes(db);
  return [
    answer(quantity, async ({ asked, refuse }) => {
      const site = await catalog.siteOf(asked.site);
      if ("refused" in site) return refuse("site", { did_you_mean: site.didYouMean });
      const offers = await offersOf({ db, catalog }, site);
      const statsOf = asked.stats ? await outcomes.of(site.id, now()) : undefined;
      const data = offers.map((offer) => [
        offer.domain,
        { ...offerOf(offer), ...(statsOf && { stats: statsOf(offer.domainId, offer.price) }) },
      ]);
      return { site: site.name, data: Object.fromEntries(data) };
    }),

    answer(aggregators, async () => ({
      data: Object.fromEntries([...(await catalog.groups())].map(([name, domains]) => [name, [...domains]])),
    })),
  ];
}

/** For "no emails": the other mail domains of the site, the cheapest first, without those that the order passed over. */
export async function alternatives(services: Services, site: FoundSite, skipped: readonly string[]) {
  return (await offersOf(services, site))
    .filter((offer) => offer.available > 0 && !skipped.includes(offer.domain))
    .toSorted((one, other) => Number(one.price - other.price))
    .slice(0, alternativesMax)
    .map((offer) => ({ domain: offer.domain, ...offerOf(offer) }));
}

/** Offers of a site by mail domain; a sandbox site has the same of all, for nothing. */
async function offersOf({ db, catalog }: Services, site: FoundSite): Promise<Available[]> {
  if (site.sandboxDomainId === null) return available(db, site.id || undefined);
  const count = site.name === emptySite ? 0 : sandboxCount;
  return (await catalog.domains())
    .filter((domain) => domain.enabled)
    .map(({ id, name }) => ({ domainId: id, domain: name, price: usd("0"), available: count }));
}

const offerOf = ({ available: count, price }: Available) => ({ count, price: usdNumber(price) });
