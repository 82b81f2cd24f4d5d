import { notFromSite } from "../../../contract/orders.ts";
import type { TokenLimit } from "../../../contract/refusals.ts";
import { answer, type Route } from "../../platform/http/answer.ts";
import { now } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/db.ts";
import { showUsd } from "../../platform/money.ts";
import { complain } from "./shares.ts";

export function shareRoutes({ db }: { readonly db: Db }): Route[] {
  return [
    answer(notFromSite, async ({ asked, caller, refuse }) => {
      const { userId, limits } = caller;
      const complaint = await complain(db, { userId, orderId: asked.id, siteIds: limits?.siteIds }, now());
      if (complaint === "token limit") return refuse(complaint, { exceeded: "sites" satisfies TokenLimit });
      if (typeof complaint === "string") return refuse(complaint);
      return { value: complaint.outcome, balance: showUsd(complaint.balance) };
    }),
  ];
}
