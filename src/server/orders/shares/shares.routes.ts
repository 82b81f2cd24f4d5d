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
      const said = await complain(db, { userId, orderId: asked.id, siteIds: limits?.siteIds }, now());
      if (said === "token limit") return refuse(said, { exceeded: "sites" satisfies TokenLimit });
      if (typeof said === "string") return refuse(said);
      return { value: said.outcome, balance: showUsd(said.balance) };
    }),
  ];
}
