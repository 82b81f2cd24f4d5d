import * as catalog from "../catalog/catalog.ts";
import { deliver, waiting } from "../orders/orders.ts";
import { type Act, type CommandContext, operator, refused, ok, showCount, table } from "./answer.ts";
import { loadLetters } from "./letters.ts";
import type { Nouns } from "./nouns.ts";

export function addSiteCommands({ noun, verb }: Nouns): void {
  const sites = noun("sites", "sender domains, blocked sites");
  verb(
    sites,
    "alias <site> <sender-domain...>",
    "adds sender domains of a site, and delivers their letters of the last 24 hours",
    (site: string, senders: string[]) => addSenders(site, senders),
  );
  verb(
    sites,
    "unalias <site> <sender-domain...>",
    "removes sender domains of a site; delivered letters stay",
    (site: string, senders: string[]) => removeSenders(site, senders),
  );
  verb(sites, "show <site>", "shows the sender domains of a site, and whether it is served", (site: string) =>
    showSite(site),
  );
  verb(sites, "block <site>", "stops serving a site: no offers, no orders", (site: string) =>
    setBlocked(site, true),
  );
  verb(sites, "unblock <site>", "serves a site again", (site: string) => setBlocked(site, false));
  verb(sites, "list", "shows the sites that are not served", () => listBlocked);
}

function addSenders(text: string, domains: string[]): Act {
  return async (context) => {
    const done = await catalog.allowSenders(context.db, { site: text, domains }, operator);
    if (done === "site") return refused(noSite(text));
    if ("notSender" in done) return refused(`"${done.notSender}" cannot be a sender domain.`);
    const { siteId, ...json } = done;
    const waited = await deliverWaiting(context, siteId);
    const { delivered, tooLate, unfit } = waited;
    const parts = [
      `Letters from ${done.senders.join(", ")} count for ${done.site}.`,
      ...done.shared.map(
        ({ domain, sites }) =>
          `Warning: letters from ${domain} are for ${sites.join(", ")} as well. Of buyers who share a mailbox, one for each site, ` +
          "both get them.",
      ),
      `${showCount(delivered)} that waited ${delivered === 1 ? "was" : "were"} delivered.`,
      tooLate > 0 ? `${showCount(tooLate)} came too late: their orders are over and refunded.` : "",
      unfit > 0 ? `${showCount(unfit)} did not fit their orders for another reason.` : "",
    ];
    return ok({ ...json, ...waited }, parts.filter(Boolean).join(" "));
  };
}

function removeSenders(text: string, domains: string[]): Act {
  return async ({ db }) => {
    const done = await catalog.removeSenders(db, { site: text, domains }, operator);
    if (done === "site") return refused(noSite(text));
    if ("noSender" in done)
      return refused(`"${done.noSender}" is none of its sender domains; "sites show ${text}" lists them.`);
    return ok(
      done,
      `Letters from ${done.senders.join(", ")} no longer count for ${done.site}, also for orders that wait. What was delivered stays.`,
    );
  };
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

/** Delivers unclaimed letters that match the site now, like the running shop. */
async function deliverWaiting({ db, log, config }: CommandContext, siteId: number) {
  const { openLetters } = await loadLetters();
  const remembered = await catalog.openCatalog(db);
  const { sendersOf, shunnedSenders } = remembered;
  const letters = openLetters(db, {
    waiting,
    deliver,
    sendersOf,
    shunnedSenders,
    log,
    keepDays: config.letterKeepDays,
  });
  try {
    return await letters.deliverUnclaimed({ siteId });
  } finally {
    await letters.close();
    await remembered.close();
  }
}

function setBlocked(text: string, blocked: boolean): Act {
  return async ({ db }) => {
    const done = await catalog.serveSite(db, { site: text, blocked }, operator);
    if (done === "site") return refused(noSite(text));
    return ok(done, `${done.site} is ${blocked ? "not served from now on" : "served"}.`);
  };
}

const listBlocked: Act = async ({ db }) => {
  const sites = await catalog.listBlockedSites(db);
  const names = sites.map(({ name }) => ({ site: name, blocked: true }));
  return ok(names, table(names, [{ title: "not served", of: ({ site }) => site }], "Every site is served."));
};

const noSite = (text: string) => `"${text}" is not a site: give its domain, for example instagram.com.`;
