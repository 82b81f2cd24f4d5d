import { useQuery } from "@tanstack/react-query";
import type { Endpoints } from "../../contract/api.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { paymentPollSeconds } from "../../contract/limits.ts";
import { api, type Refused } from "../api.ts";
import { faultOf, isFinal, standOf, viewOf } from "./paymentView.ts";

/** A payment as the server tells it. */
export type Payment = Reply<Endpoints["paymentStatus"]>;

/** What was heard of a payment: how it stood last, and the refusal that came after, which is shown until the next answer. */
interface Heard {
  said?: Payment | undefined;
  refused?: Refused<string>;
}

/** How a payment stands, asked for every 10 s until it is confirmed or rejected (spec B §4). */
export function usePayment(id: string) {
  const query = useQuery({
    queryKey: ["payment", id],
    queryFn: async ({ client, queryKey, signal }): Promise<Heard> => {
      const answer = await api.paymentStatus({ id }, { signal });
      if (answer.ok) return { said: answer.data };
      return { said: client.getQueryData<Heard>(queryKey)?.said, refused: answer };
    },
    enabled: id !== "",
    staleTime: 0,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : paymentPollSeconds * 1000),
  });
  const { said, refused } = query.data ?? {};
  const isLoading = query.data === undefined && query.isFetching;
  return {
    // What was no payment stays beside the refusal that came after it.
    payment: faultOf(undefined, said) === undefined ? said : undefined,
    view: viewOf(said?.payment_status),
    stand: standOf(said),
    fault: isLoading ? undefined : faultOf(refused?.value, said),
    refused,
    isRefreshing: query.isFetching,
    isLoading,
    /** Milliseconds since 1970; undefined when nothing will change any more. */
    nextAt: isOver(query.data) || id === "" ? undefined : query.dataUpdatedAt + paymentPollSeconds * 1000,
    reload: () => void query.refetch(),
  };
}

function isOver(heard: Heard | undefined): boolean {
  if (heard?.refused) return heard.refused.value === "no payment";
  return isFinal(viewOf(heard?.said?.payment_status));
}
