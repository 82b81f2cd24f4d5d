import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { paymentPollSeconds } from "../../../contract/limits.ts";
import { api } from "../../api.ts";
import { dataOf, useIsLive } from "../../serverState.tsx";
import { noPeriod } from "../../period/period.ts";
import { askOf, type PaymentsQuery } from "./paymentsQuery.ts";
import { isFinal, isToPay, stateOf, viewOf } from "../paymentState.ts";

const everything: PaymentsQuery = { group: "", ...noPeriod };

export type ListedPayment = Reply<Endpoints["payments"]>["data"][number];

/** One page of payments; polled while one is open and there is no stream. */
export function usePayments(page: number, query: PaymentsQuery = everything) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: ["payments", page, query],
    queryFn: ({ signal }) => dataOf(api.payments({ offset: page, ...askOf(query) }, { signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const isOpen = state.data?.data.some((payment) => !isFinal(viewOf(payment.payment_status)));
      return isOpen && !isLive ? paymentPollSeconds * 1000 : false;
    },
  });
}

/** Payments that can still receive coins: first those that have got some, as those would be lost; then the newest. */
export const waitingPayments = (payments: readonly ListedPayment[], unixSeconds: number): ListedPayment[] =>
  payments
    .filter((payment) => isToPay(stateOf(payment)) && payment.expires_at > unixSeconds)
    .toSorted((one, other) => Number(isPartly(other)) - Number(isPartly(one)));

/** Whether a part of the coins has come. */
export const isPartly = (payment: ListedPayment): boolean => stateOf(payment) === "underpaid";
