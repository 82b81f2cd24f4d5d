import { useQuery } from "@tanstack/react-query";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { dataOf } from "../../serverState.tsx";

export type Backorder = Reply<Endpoints["backorders"]>["data"][number];

export const backordersKey = ["backorders"];

/** The orders that wait for stock. */
export const useWaiting = (isActive: boolean): readonly Backorder[] =>
  useQuery({
    queryKey: backordersKey,
    queryFn: async ({ signal }) => (await dataOf(api.backorders({}, { signal }))).data,
    select: (all) => all.filter(({ state }) => state === "waiting"),
    enabled: isActive,
  }).data ?? [];
