import { heldEarnings, partnerList } from "../../contract/office/partners.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { heldOnWire, type Partners } from "./partners.ts";

export function partnerAdminRoutes({ partners }: { readonly partners: Partners }): Route[] {
  return [
    answer(partnerList, async ({ asked }) => {
      const { rows, pages } = await partners.list(asked.page ?? 1);
      return { data: rows.map(({ userId, ...row }) => ({ id: String(userId), ...row })), pages };
    }),

    answer(heldEarnings, async ({ asked }) => {
      const { rows, pages } = await partners.held(asked.page ?? 1);
      return { data: rows.map(heldOnWire), pages };
    }),
  ];
}
