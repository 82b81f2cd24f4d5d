import type { z } from "zod/mini";
import {
  addBackorder,
  type Backorder as BackorderReply,
  backorders,
  removeBackorder,
} from "../../../contract/orders/backorders.ts";
import { backorderDays } from "../../../contract/limits.ts";
import { now, secondsAfter, unixSeconds } from "../../platform/clock.ts";
import { answer, mayUse, otherSite, Refused, type Route } from "../../platform/http/answer.ts";
import { showUsd, usd } from "../../platform/money.ts";
import { type BuyingServices, readOrder } from "../orders.buying.ts";
import { isSandbox } from "../orders.sandbox.ts";
import * as module from "./backorders.ts";

const longest = backorderDays * 24 * 60 * 60;

export function backorderRoutes(services: BuyingServices): Route[] {
  const { db, sandbox, users, confirmFirst = false } = services;
  return [
    answer(backorders, async ({ caller }) => {
      const found = await module.list(db, caller.userId, now());
      return { data: found.filter(({ siteId }) => mayUse(caller, siteId)).map(replyOf) };
    }),

    answer(addBackorder, async ({ asked, caller, request, refuse }) => {
      if (confirmFirst && !caller.confirmed) return refuse("not confirmed");
      const at = now();
      const until = asked.until === undefined ? secondsAfter(at, longest) : new Date(asked.until * 1000);
      // A minute for clocks that differ.
      if (until <= at || until > secondsAfter(at, longest + 60)) return refuse("until");
      const read = await readOrder(services, asked, caller, request);
      if (read instanceof Refused) return read;
      const { wanted, domains, site } = read;
      // When it is placed, no address is known from which it was asked.
      if (caller.referred || asked.soft_id !== undefined)
        await users.identifiers.note(caller.userId, { address: request.address }, at);
      const ask = {
        ...wanted,
        siteId: site.id,
        domainIds: isSandbox(site) ? await sandbox.domainsOf(site) : domains.map(({ id }) => id),
        priceMax: usd(asked.max_price),
        softId: asked.soft_id,
        until,
      };
      const added = await module.add(db, ask, at);
      return "refusal" in added ? refuse(added.refusal) : { data: replyOf(added) };
    }),

    answer(removeBackorder, async ({ asked: { id }, caller, refuse }) => {
      const ask = { userId: caller.userId, id, mayUse: (siteId: number) => mayUse(caller, siteId) };
      const removed = await module.remove(db, ask, now());
      if (removed === "token limit") return otherSite();
      return removed === "removed" ? {} : refuse(removed);
    }),
  ];
}

function replyOf(one: module.Backorder): z.input<typeof BackorderReply> {
  const { id, site, domains, priceMax, state, refused, orderId, createdAt, until, note } = one;
  return {
    id: String(id),
    site,
    domains,
    max_price: showUsd(priceMax),
    state,
    ...(refused !== null && { refused }),
    ...(orderId !== null && { activation_id: String(orderId) }),
    created_at: unixSeconds(createdAt),
    until: unixSeconds(until),
    ...(note !== null && { note }),
  };
}
