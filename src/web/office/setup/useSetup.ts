import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api, type Refused } from "../../api.ts";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { useBusy } from "../../useBusy.ts";

export type SetupState = Reply<Endpoints["setup"]>;
export type StepName = SetupState["steps"][number]["name"];
export type Step = SetupState["steps"][number];

export function useSetup() {
  const query = useQuery({
    queryKey: ["setup"],
    queryFn: ({ signal }) => dataOf(api.setup({}, { signal })),
  });
  return {
    setup: query.data,
    isLooking: query.isFetching,
    refused: query.data ? undefined : refusedBy(query.error),
    reload: () => void query.refetch(),
  };
}

export function useStepAction<Data>() {
  const client = useQueryClient();
  const [isBusy, whileBusy] = useBusy();
  const [data, setData] = useState<Data>();
  const [refused, setRefused] = useState<Refused<string>>();
  return {
    isBusy,
    data,
    refused,
    forget: () => {
      setData(undefined);
      setRefused(undefined);
    },
    run: async (ask: () => Promise<{ ok: true; data: Data } | Refused<string>>): Promise<boolean> => {
      if (isBusy) return false;
      const answer = await whileBusy(ask);
      setData(answer.ok ? answer.data : undefined);
      setRefused(answer.ok ? undefined : answer);
      await client.invalidateQueries({ queryKey: ["setup"] });
      return answer.ok;
    },
  };
}
