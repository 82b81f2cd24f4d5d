import { useQuery } from "@tanstack/react-query";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { dataOf } from "../../serverState.tsx";

export type State = Reply<Endpoints["officeOverview"]>;

const pollSeconds = 5;

export const useOverview = () =>
  useQuery({
    queryKey: ["office", "overview"],
    queryFn: ({ signal }) => dataOf(api.officeOverview({}, { signal })),
    refetchInterval: pollSeconds * 1000,
    refetchIntervalInBackground: false,
  });
