import { skipDays, skipsMax } from "../../../contract/limits.ts";
import { addSkip, removeSkip, skips } from "../../../contract/orders/skips.ts";
import { type Catalog, unknownSite } from "../../catalog/catalog.ts";
import { now, secondsAfter, unixSeconds } from "../../platform/clock.ts";
import { attempt, type Db } from "../../platform/db/db.ts";
import { answer, type Caller, mayUse, otherSite, Refused, type Route } from "../../platform/http/answer.ts";
import { countOthers, deleteSkip, saveSkip, selectSkips } from "./skips.sql.ts";

interface Services {
  readonly db: Db;
  readonly catalog: Catalog;
}

/** Which mail domains a buyer's orders pass over. */
export function skipRoutes({ db, catalog }: Services): Route[] {
  return [
    answer(skips, async ({ caller }) => {
      const own = await selectSkips(db, caller.userId, now());
      const seen = own.filter(({ siteId }) => mayUse(caller, siteId));
      return {
        data: seen.map(({ site, domain, expiresAt }) => ({
          site,
          domain,
          expires_at: unixSeconds(expiresAt),
        })),
      };
    }),

    answer(addSkip, async ({ asked, caller, refuse }) => {
      const which = await whichOf(catalog, asked, caller);
      if (which instanceof Refused) return which;
      const at = now();
      const expiresAt = secondsAfter(at, skipDays * 24 * 60 * 60);
      const { site, domain } = which;
      const ofUser = { userId: caller.userId, siteId: site.id, at };
      const isSaved = await attempt(db, async (tx) => {
        if ((await countOthers(tx, ofUser, domain.id)) >= skipsMax) return false;
        await saveSkip(tx, ofUser, { domainId: domain.id, expiresAt });
        return true;
      });
      if (!isSaved) return refuse("too many");
      return { site: site.name, domain: domain.name, expires_at: unixSeconds(expiresAt) };
    }),

    answer(removeSkip, async ({ asked, caller }) => {
      const which = await whichOf(catalog, asked, caller);
      if (which instanceof Refused) return which;
      await deleteSkip(db, { userId: caller.userId, siteId: which.site.id, domainId: which.domain.id });
      return {};
    }),
  ];
}

/** A site that somebody ordered for, and one of the mail domains. */
async function whichOf(catalog: Catalog, asked: { site: string; domain: string }, caller: Caller) {
  const site = await catalog.siteOf(asked.site);
  if ("refused" in site) return new Refused("site", { did_you_mean: site.didYouMean });
  if (!mayUse(caller, site.id)) return otherSite();
  if (site.id === unknownSite) return new Refused("site");
  const name = asked.domain.toLowerCase();
  const domain = (await catalog.domains()).find((each) => each.name === name);
  return domain ? { site, domain } : new Refused("domain");
}
