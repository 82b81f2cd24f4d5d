import * as catalog from "../catalog/catalog.ts";
import { type Act, refused, ok, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addSiteCommands({ noun, verb }: Nouns): void {
  const sites = noun("sites", "sender domains, blocked sites");
  verb(sites, "show <site>", "shows the sender domains of a site, and whether it is served", (site: string) =>
    showSite(site),
  );
  verb(sites, "list", "shows the sites that are not served", () => listBlocked);
}

function showSite(text: string): Act {
  return async ({ db }) => {
    const found = await catalog.showSite(db, text);
    if (!found) return refused(noSite(text));
    const { site, blocked, senders } = found;
    const also = senders.length === 0 ? "" : ` and ${senders.join(", ")}`;
    return ok(
      found,
      `${site} is ${blocked ? "not served" : "served"}; its letters come from ${site}${also}.`,
    );
  };
}

const listBlocked: Act = async ({ db }) => {
  const sites = await catalog.listBlockedSites(db);
  const names = sites.map(({ name }) => ({ site: name, blocked: true }));
  return ok(names, table(names, [{ title: "not served", of: ({ site }) => site }], "Every site is served."));
};

const noSite = (text: string) => `"${text}" is not a site: give its domain, for example instagram.com.`;
