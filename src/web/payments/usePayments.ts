import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Endpoints } from "../../contract/api.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { paymentPollSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { dataOf, useIsLive } from "../serverState.tsx";
import { isFinal, isToPay, stateOf, viewOf } from "./paymentState.ts";

/** A payment as the list has it. */
export type ListedPayment = Reply<Endpoints["payments"]>["data"][number];

/** One page of the account's payments; asked for again while one of them is open and nobody tells how it goes. */
export function usePayments(page: number) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: ["payments", page],
    queryFn: ({ signal }) => dataOf(api.payments({ offset: page }, { signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const isOpen = state.data?.data.some((payment) => !isFinal(viewOf(payment.payment_status)));
      return isOpen && !isLive ? paymentPollSeconds * 1000 : false;
    },
  });
}

/** Those that coins can still be sent to, newest first. */
export const waitingPayments = (payments: readonly ListedPayment[], unixSeconds: number): ListedPayment[] =>
  payments.filter((payment) => isToPay(stateOf(payment)) && payment.expires_at > unixSeconds);
