import type { z } from "zod/mini";
import {
  decideHeld,
  type HeldEarnings,
  heldEarnings,
  partnerList,
  payPartner,
} from "../../contract/office/partners.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import { showUsd, usd } from "../platform/money.ts";
import type { HeldRow, Partners } from "./partners.ts";

export function partnerAdminRoutes({ partners }: { readonly partners: Partners }): Route[] {
  return [
    answer(partnerList, async ({ asked }) => {
      const { rows, pages } = await partners.list(asked.page ?? 1);
      return { data: rows.map(({ userId, ...row }) => ({ id: String(userId), ...row })), pages };
    }),

    answer(heldEarnings, async ({ asked }) => {
      const { rows, pages } = await partners.held(asked.page ?? 1);
      return { data: rows.map(heldWire), pages };
    }),

    answer(payPartner, async ({ asked, caller, refuse }) => {
      const { partner, way, amount, note, key } = asked;
      // Their own money is another administrator's, or the command's, to decide about.
      if (partner === caller.userId) return refuse("yourself");
      const by = `user ${caller.userId}`;
      const paid = await partners.payOut({ userId: partner, way, amount: usd(amount), note, key, by });
      if (typeof paid === "string") return refuse(paid);
      return { to_withdraw: showUsd(paid.left), repeated: paid.moved === "repeat" };
    }),

    answer(decideHeld, async ({ asked, caller, refuse }) => {
      const { partner: partnerId, buyer: userId, decision, note: reason } = asked;
      if (partnerId === caller.userId) return refuse("yourself");
      const state = decision === "release" ? "released" : "refused";
      const by = `user ${caller.userId}`;
      const held = await partners.decide({ userId, partnerId, state, reason, by }, now());
      return held === "nothing held" ? refuse(held) : { data: heldWire(held) };
    }),
  ];
}

function heldWire(held: HeldRow): z.output<typeof HeldEarnings> {
  return {
    partner: { id: String(held.partnerId), email: held.partnerEmail },
    buyer: { id: String(held.userId), email: held.email },
    reasons: held.reasons,
    since: unixSeconds(held.foundAt),
    referrals: showUsd(held.referrals),
    referrals_count: held.referralsCount,
    soft: showUsd(held.soft),
    soft_count: held.softCount,
  };
}
