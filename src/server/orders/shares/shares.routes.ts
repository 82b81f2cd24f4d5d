import { notFromSite } from "../../../contract/orders.ts";
import type { TokenLimit } from "../../../contract/refusals.ts";
import { decideComplaint, decideShares } from "../../../contract/office/share-decisions.ts";
import { answer, type Caller, type Route } from "../../platform/http/answer.ts";
import { now } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/db.ts";
import { showUsd } from "../../platform/money.ts";
import * as admin from "./shares.admin.ts";
import { complain } from "./shares.ts";

export function shareRoutes({ db }: { readonly db: Db }): Route[] {
  const decided = (caller: Caller, reason: string) => ({ by: `user ${caller.userId}`, reason, at: now() });
  return [
    answer(notFromSite, async ({ asked, caller, refuse }) => {
      const { userId, limits } = caller;
      const said = await complain(db, { userId, orderId: asked.id, siteIds: limits?.siteIds }, now());
      if (said === "token limit") return refuse(said, { exceeded: "sites" satisfies TokenLimit });
      if (typeof said === "string") return refuse(said);
      return { value: said.outcome, balance: showUsd(said.balance) };
    }),

    answer(decideShares, async ({ asked, caller, refuse }) => {
      const { batch: batchId, site, decision, reason } = asked;
      const state = decision === "release" ? "released" : "refused";
      const done = await admin.decideShares(db, { batchId, site, state, ...decided(caller, reason) });
      return typeof done === "string" ? refuse(done) : { ...done, amount: showUsd(done.amount) };
    }),

    answer(decideComplaint, async ({ asked, caller, refuse }) => {
      const { order: orderId, decision, reason } = asked;
      const state = decision === "refund" ? "refunded" : "rejected";
      const done = await admin.decideComplaint(db, { orderId, state, ...decided(caller, reason) });
      return typeof done === "string" ? refuse(done) : { price: showUsd(done.price) };
    }),
  ];
}
