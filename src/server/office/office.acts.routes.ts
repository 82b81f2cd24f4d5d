// The operator's commands as calls of the back office. The services decide.
import {
  addDomain,
  addHost,
  addSenders,
  addStock,
  adjustBalance,
  blockSite,
  blockUser,
  changeDomain,
  clearBatches,
  decideBatch,
  grantRole,
  removeSenders,
  setShare,
} from "../../contract/office/acts.ts";
import { rates, releaseRate } from "../../contract/office/rates.ts";
import * as catalog from "../catalog/catalog.ts";
import * as imap from "../imap/imap.ts";
import * as inventory from "../inventory/inventory.ts";
import * as investors from "../investors/investors.ts";
import { readHostPort } from "../platform/network-address.ts";
import { answer, type Caller, type Route } from "../platform/http/answer.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { showUsd, type Usd, usd, usdFromUnits } from "../platform/money.ts";
import { inPool } from "../platform/db/pools.ts";
import type { Letters } from "../letters/letters.ts";
import type { Payments, RateView, SourceView } from "../payments/payments.ts";
import * as users from "../users/users.ts";

interface Services {
  readonly db: Db;
  readonly letters: Pick<Letters, "deliverUnclaimed">;
  readonly payments: Pick<Payments, "rates">;
  readonly users: Pick<users.Users, "forget" | "setGrant">;
}

const by = ({ userId }: Caller) => `user ${userId}`;

export function actRoutes(services: Services): Route[] {
  return [
    ...domainRoutes(services),
    ...hostRoutes(services),
    ...siteRoutes(services),
    ...userRoutes(services),
    ...investorRoutes(services),
    ...rateRoutes(services),
  ].map(patiently);
}

/** A batch or an order of mailboxes may have a million rows, for which the time of a call is too short. */
const patiently = (route: Route): Route => ({
  ...route,
  handle: (...given) => inPool("reports", () => route.handle(...given)),
});

function domainRoutes({ db }: Services): Route[] {
  // One at a time in a process: it loads the whole database for some seconds.
  let isOrdering = false;
  return [
    answer(addDomain, async ({ asked: { name, price, kind }, caller, refuse }) => {
      const added = await catalog.sellDomain(db, { name, price: usd(price), kind }, by(caller));
      if (typeof added === "string") return refuse(added);
      return { name: added.name, kind, price: showUsd(usd(price)), on: true };
    }),

    answer(changeDomain, async ({ asked: { name, price, on }, caller, refuse }) => {
      if (price === undefined && on === undefined) return refuse("nothing to change");
      const change = {
        ...(price === undefined ? {} : { price: usd(price) }),
        ...(on === undefined ? {} : { enabled: on }),
      };
      const changed = await catalog.changeDomain(db, name, change, by(caller));
      if (changed === "no domain") return refuse(changed);
      const { name: domain, kind, price: costs, enabled } = changed;
      return { name: domain, kind, price: showUsd(usdFromUnits(costs)), on: enabled };
    }),

    answer(addStock, async ({ asked, caller, refuse }) => {
      if (isOrdering) return refuse("stock busy");
      isOrdering = true;
      try {
        const ordered = await inventory.orderUp(db, asked, by(caller));
        return typeof ordered === "string" ? refuse(ordered) : ordered;
      } finally {
        isOrdering = false;
      }
    }),
  ];
}

function hostRoutes({ db }: Services): Route[] {
  return [
    answer(addHost, async ({ asked, caller, refuse }) => {
      const { domain, tls, connections, logins } = asked;
      const where = readHostPort(asked.imap);
      if (!where) return refuse("imap");
      if (asked.ca !== undefined && asked.known_ca === true) return refuse("ca");
      const given = asked.ca === undefined ? undefined : imap.readCertificates(asked.ca);
      if (asked.ca !== undefined && given === undefined) return refuse("ca");
      const ca = asked.known_ca === true ? null : given;
      const wanted = { domain, ...where, tls, connections, logins, ca };
      const registered = await imap.registerHost(db, wanted, by(caller));
      return typeof registered === "string" ? refuse(registered) : { ...registered, tls };
    }),
  ];
}

const listed = (domains: string) =>
  [...new Set(domains.split(",").map((domain) => domain.trim().toLowerCase()))].filter(Boolean);

function siteRoutes({ db, letters }: Services): Route[] {
  return [
    answer(addSenders, async ({ asked, caller, refuse }) => {
      const domains = listed(asked.domains);
      if (domains.length === 0) return refuse("senders");
      const allowed = await catalog.allowSenders(db, { site: asked.site, domains }, by(caller));
      if (allowed === "site") return refuse(allowed);
      if ("notSender" in allowed) return refuse("senders", { domain: allowed.notSender });
      const { siteId, ...senders } = allowed;
      const { delivered, tooLate, unfit } = await letters.deliverUnclaimed({ siteId });
      return { ...senders, delivered, too_late: tooLate, unfit };
    }),

    answer(removeSenders, async ({ asked, caller, refuse }) => {
      const domains = listed(asked.domains);
      if (domains.length === 0) return refuse("senders");
      const removed = await catalog.removeSenders(db, { site: asked.site, domains }, by(caller));
      if (removed === "site") return refuse(removed);
      return "noSender" in removed ? refuse("no sender", { domain: removed.noSender }) : removed;
    }),

    answer(blockSite, async ({ asked, caller, refuse }) => {
      const served = await catalog.serveSite(db, asked, by(caller));
      return served === "site" ? refuse(served) : served;
    }),
  ];
}

function userRoutes({ db, users: { forget, setGrant } }: Services): Route[] {
  return [
    answer(blockUser, async ({ asked: { user: userId, blocked, reason }, caller, refuse }) => {
      const done = await users.setBlock(db, { userId, blocked, reason }, caller.userId);
      if (typeof done === "string") return refuse(done);
      forget(userId);
      return done;
    }),

    answer(adjustBalance, async ({ asked, caller, refuse }) => {
      const { user: userId, book, reason, key } = asked;
      const amount = usd(asked.amount);
      const done = await users.adjust(db, { userId, book, amount, reason, key }, caller.userId);
      if (typeof done === "string") return refuse(done);
      return { balance: showUsd(done.balance), repeated: done.repeated };
    }),

    answer(grantRole, async ({ asked: { user: userId, role, granted }, caller, refuse }) => {
      const done = await setGrant({ userId, role, granted }, caller.userId);
      return typeof done === "string" ? refuse(done) : done;
    }),
  ];
}

const ppmOfPercent = 10_000;

function investorRoutes({ db }: Services): Route[] {
  return [
    answer(setShare, async ({ asked: { user: userId, percent }, caller, refuse }) => {
      if (!(await users.findById(db, userId))) return refuse("no user");
      const sharePpm = Math.round(Number(percent) * ppmOfPercent);
      const before = await investors.setShare(db, userId, sharePpm, by(caller));
      return { percent: sharePpm / ppmOfPercent, before: before / ppmOfPercent };
    }),

    answer(decideBatch, async ({ asked: { batch, decision, reason }, caller, refuse }) => {
      const decided = { by: by(caller), reason, at: now() };
      if (decision === "approve") {
        const state = await investors.approve(db, batch, decided);
        return state === "no batch" || state === "not under review" ? refuse(state) : { state };
      }
      if (decision === "free") {
        const freed = await investors.free(db, batch, decided);
        if (typeof freed === "string") return refuse(freed);
        return "restsUntil" in freed
          ? refuse("freed before", { until: unixSeconds(freed.restsUntil) })
          : { state: freed.state };
      }
      const act = {
        refuse: investors.refuseBatch,
        withdraw: investors.withdraw,
        restore: investors.restoreBatch,
      };
      const done = await act[decision](db, batch, decided);
      return typeof done === "string" ? refuse(done) : done;
    }),

    answer(clearBatches, async ({ asked: { user: userId, reason }, caller, refuse }) => {
      if (!(await users.findById(db, userId))) return refuse("no user");
      const batches = await investors.clearFlags(db, userId, { by: by(caller), reason, at: now() });
      return batches === 0 ? refuse("nothing to see") : { batches };
    }),
  ];
}

function rateRoutes({ payments }: Services): Route[] {
  return [
    answer(rates, async () => {
      const listed = await payments.rates.list();
      // Fixed rates are per currency, and several currencies are one coin.
      const coins = new Map(listed.rates.map((rate) => [rate.coin, rate]));
      return { data: [...coins.values()].map(toldRate), sources: listed.sources.map(toldSource) };
    }),

    answer(releaseRate, async ({ asked: { coin }, caller, refuse }) => {
      const released = await payments.rates.release(coin, by(caller));
      return released === "not held" ? refuse(released) : { coin };
    }),
  ];
}

const dollars = (units: bigint) => showUsd(units as Usd);

function toldRate({ coin, usd: price, why, held, quotes }: RateView) {
  return {
    coin,
    ...(price === undefined ? {} : { usd: showUsd(price) }),
    ...(why === undefined ? {} : { why }),
    ...(held && {
      held: { since: unixSeconds(held.since), from: dollars(held.from), to: dollars(held.to) },
    }),
    quotes: quotes.map(({ source, usd: price, toldAt, use }) => ({
      source,
      ...(price === undefined ? {} : { usd: dollars(price) }),
      told_at: unixSeconds(toldAt),
      use,
    })),
  };
}

function toldSource({ name, answeredAt, restsUntil, trouble }: SourceView) {
  return {
    name,
    ...(answeredAt && { answered_at: unixSeconds(answeredAt) }),
    ...(restsUntil && { rests_until: unixSeconds(restsUntil) }),
    ...(trouble !== null && { trouble }),
  };
}
