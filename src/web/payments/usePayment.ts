import { useQuery } from "@tanstack/react-query";
import type { Endpoints } from "../../contract/api.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { paymentPollSeconds } from "../../contract/limits.ts";
import { api, type Refused } from "../api.ts";
import { coinOf } from "./CoinAmount.tsx";
import { statusFault, isFinal, stateOf, unwrap, viewOf } from "./paymentState.ts";

export type Payment = Reply<Endpoints["paymentStatus"]>;

/** The last status, and a later refusal, shown until the next answer. */
interface LastAnswer {
  status?: Payment | undefined;
  refused?: Refused<string>;
}

/** A payment, polled every 10 s until it is confirmed or rejected (spec B §4). */
export function usePayment(id: string) {
  const query = useQuery({
    queryKey: ["payment", id],
    queryFn: async ({ client, queryKey, signal }): Promise<LastAnswer> => {
      const answer = await api.paymentStatus({ id }, { signal });
      if (answer.ok) return { status: paymentOf(unwrap(answer.data), id) };
      return { status: client.getQueryData<LastAnswer>(queryKey)?.status, refused: answer };
    },
    enabled: id !== "",
    staleTime: 0,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : paymentPollSeconds * 1000),
  });
  const { status, refused } = query.data ?? {};
  const isLoading = query.data === undefined && query.isFetching;
  return {
    payment: statusFault(undefined, status) === undefined ? status : undefined,
    view: viewOf(status?.payment_status),
    state: stateOf(status),
    fault: isLoading ? undefined : statusFault(refused?.value, status),
    refused,
    isRefreshing: query.isFetching,
    isLoading,
    /** Milliseconds since 1970; undefined in a final state. */
    nextAt: isOver(query.data) || id === "" ? undefined : query.dataUpdatedAt + paymentPollSeconds * 1000,
    reload: () => void query.refetch(),
  };
}

/** The specification promises four fields (spec B §7); the others default to values that show nothing. */
function paymentOf(answer: unknown, id: string): Payment | undefined {
  if (statusFault(undefined, answer) !== undefined) return answer as Payment | undefined;
  const status = answer as Partial<Payment> & Pick<Payment, "currency" | "currency_amount">;
  const { currency, currency_amount } = status;
  const bare = { id, amount: "", currency_name: coinOf(currency), network: "", missing: currency_amount };
  return { ...bare, expires_at: 0, transfers: [], sandbox: false, ...status } as unknown as Payment;
}

function isOver(last: LastAnswer | undefined): boolean {
  if (last?.refused) return last.refused.value === "no payment";
  return isFinal(viewOf(last?.status?.payment_status));
}
