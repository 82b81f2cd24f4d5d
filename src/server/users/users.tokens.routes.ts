import type { z } from "zod/mini";
import { tokenSitesMax } from "../../contract/limits.ts";
import {
  addToken,
  endOtherSessions,
  endSession,
  type LimitedToken as TokenReply,
  removeToken,
  type Session as SessionReply,
  sessions,
  signOut,
  tokens,
} from "../../contract/tokens.ts";
import { answer, Limited, type Route } from "../platform/http/answer.ts";
import type { Limits } from "../platform/http/rate-limits.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import { showUsd, usd } from "../platform/money.ts";
import type { LimitedToken, Session, Sessions, Tokens } from "./users.ts";

export function sessionRoutes({ users }: Pick<Services, "users">): Route[] {
  return [
    answer(sessions, async ({ caller }) => {
      const listed = await users.sessions.list(caller.userId, now());
      return { data: listed.map((one) => sessionReply(one, caller.session?.id)) };
    }),

    answer(endSession, async ({ asked, caller, refuse }) => {
      const ended = await users.sessions.end(caller.userId, asked.id);
      return ended === "ended" ? {} : refuse(ended);
    }),

    answer(endOtherSessions, async ({ caller, refuse }) => {
      const { session, userId } = caller;
      return session ? { ended: await users.sessions.endOthers(userId, session.id) } : refuse("session");
    }),

    answer(signOut, async ({ caller: { session, userId } }) => ({
      ended: session !== undefined && (await users.sessions.end(userId, session.id)) === "ended",
    })),
  ];
}

function sessionReply(
  { id, way, program, network, createdAt, usedAt }: Session,
  own: bigint | undefined,
): z.input<typeof SessionReply> {
  return {
    id: String(id),
    own: id === own,
    way,
    ...(program !== undefined && { program }),
    ...(network !== undefined && { network }),
    created_at: unixSeconds(createdAt),
    used_at: unixSeconds(usedAt),
  };
}

/** Sites are of the catalog, which depends on users; the wiring passes this in. */
interface Sites {
  siteOf(
    text: string,
    options?: { make: boolean },
  ): Promise<{ id: number; name: string } | { refused: "site" }>;
  siteNames(siteIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

interface Services {
  readonly users: { readonly sessions: Sessions; readonly tokens: Tokens };
  readonly catalog: Sites;
  readonly limits: Pick<Limits, "take">;
}

export function tokenRoutes({ users, catalog, limits }: Services): Route[] {
  return [
    answer(tokens, async ({ caller }) => {
      const listed = await users.tokens.list(caller.userId, now());
      const names = await catalog.siteNames(listed.flatMap(({ siteIds }) => siteIds ?? []));
      const usedAt = await users.tokens.accountUsedAt(caller.userId);
      return {
        data: listed.map((token) => tokenReply(token, names)),
        open: caller.closed !== true,
        ...(usedAt && { used_at: unixSeconds(usedAt) }),
      };
    }),

    answer(addToken, async ({ asked, caller, request, refuse }) => {
      const at = now();
      const expiresAt = asked.expires_at === undefined ? undefined : new Date(asked.expires_at * 1000);
      if (expiresAt && expiresAt <= at) return refuse("expires_at");
      const who = { account: String(caller.userId), address: request.address };
      const admit = () => limits.take("new sites", who, at);
      const sites = asked.sites === undefined ? undefined : await sitesOf(catalog, asked.sites, admit);
      if (sites === "sites") return refuse(sites);
      if (sites instanceof Limited) return sites;
      const wanted = {
        name: asked.name,
        siteIds: sites && [...sites.keys()],
        priceMax: asked.price_max === undefined ? undefined : usd(asked.price_max),
        budgetDay: asked.budget_day === undefined ? undefined : usd(asked.budget_day),
        expiresAt,
      };
      const added = await users.tokens.add(caller.userId, wanted, at, request);
      if (added === "too many") return refuse(added);
      return { token: added.text, data: tokenReply(added.made, sites ?? new Map()) };
    }),

    answer(removeToken, async ({ asked, caller, refuse }) => {
      const removed = await users.tokens.remove(caller.userId, asked.id, now());
      return removed === "removed" ? {} : refuse(removed);
    }),
  ];
}

/** The sites of a list. An empty list must not become a token for every site. */
async function sitesOf(
  catalog: Sites,
  list: string,
  admit: () => Promise<number | undefined>,
): Promise<ReadonlyMap<number, string> | "sites" | Limited> {
  const words = [...new Set(list.split(",").map((word) => word.trim()))].filter(Boolean);
  if (words.length === 0 || words.length > tokenSitesMax) return "sites";
  // First all are checked, then the new ones get rows: a refusal leaves no row behind.
  let made = 0;
  for (const word of words) {
    const site = await catalog.siteOf(word);
    if ("refused" in site) return "sites";
    if (site.id === 0) made++;
  }
  for (; made > 0; made--) {
    const wait = await admit();
    if (wait !== undefined) return new Limited(wait);
  }
  const sites = new Map<number, string>();
  for (const word of words) {
    const site = await catalog.siteOf(word, { make: true });
    if ("refused" in site) return "sites";
    sites.set(site.id, site.name);
  }
  return sites;
}

function tokenReply(token: LimitedToken, names: ReadonlyMap<number, string>): z.input<typeof TokenReply> {
  const { id, name, siteIds, priceMax, budgetDay, spentToday, createdAt, expiresAt, usedAt } = token;
  return {
    id: String(id),
    name,
    ...(siteIds && { sites: siteIds.map((siteId) => names.get(siteId) ?? "") }),
    ...(priceMax !== undefined && { price_max: showUsd(priceMax) }),
    ...(budgetDay !== undefined && { budget_day: showUsd(budgetDay) }),
    spent_today: showUsd(spentToday),
    created_at: unixSeconds(createdAt),
    ...(expiresAt && { expires_at: unixSeconds(expiresAt) }),
    ...(usedAt && { used_at: unixSeconds(usedAt) }),
  };
}
