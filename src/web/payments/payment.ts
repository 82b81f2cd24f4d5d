import { useQuery } from "@tanstack/react-query";
import { paymentPollSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { dataOf, refusedBy } from "../serverState.tsx";
import { faultOf, isFinal, viewOf } from "./paymentView.ts";

/** How a payment stands, asked for every 10 s until it is confirmed or rejected (spec B §4). */
export function usePayment(id: string) {
  const query = useQuery({
    queryKey: ["payment", id],
    queryFn: ({ signal }) => dataOf(api.paymentStatus({ id }, { signal })),
    enabled: id !== "",
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const isOver =
        isFinal(viewOf(state.data?.payment_status)) || refusedBy(state.error)?.value === "no payment";
      return isOver ? false : paymentPollSeconds * 1000;
    },
  });
  const refused = refusedBy(query.error);
  const view = viewOf(query.data?.payment_status);
  const isOver = (isFinal(view) && refused === undefined) || refused?.value === "no payment";
  // What was no payment stays in the cache beside the refusal that came after it.
  const payment = faultOf(undefined, query.data) === undefined ? query.data : undefined;
  const askedAt = Math.max(query.dataUpdatedAt, query.errorUpdatedAt);
  return {
    payment,
    view,
    fault: query.isPending && query.isFetching ? undefined : faultOf(refused?.value, query.data),
    refused,
    isRefreshing: query.isFetching,
    isLoading: query.isPending && query.isFetching,
    /** Milliseconds since 1970; undefined when nothing will change any more. */
    nextAt: isOver || id === "" ? undefined : askedAt + paymentPollSeconds * 1000,
    reload: () => void query.refetch(),
  };
}
