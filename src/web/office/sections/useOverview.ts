import { useQuery } from "@tanstack/react-query";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { dataOf } from "../../serverState.tsx";

export type Figures = Reply<Endpoints["officeOverview"]>;

/** Often enough to see that the shop lives; a hidden page asks nothing. */
const pollSeconds = 5;

/** How the shop is doing now. */
export const useOverview = () =>
  useQuery({
    queryKey: ["office", "overview"],
    queryFn: ({ signal }) => dataOf(api.officeOverview({}, { signal })),
    refetchInterval: pollSeconds * 1000,
    refetchIntervalInBackground: false,
  });
