// What narrows the list of payments, as it stands in the address bar.
import { useCallback, useMemo } from "react";
import { useSearch } from "wouter";
import type { PaymentGroup } from "../../../contract/payments.ts";
import { hasPeriod, instantsOf, type Period, periodIn, setPeriod } from "../../period/period.ts";

export const paymentGroups: readonly PaymentGroup[] = ["open", "credited", "ended"];

export interface PaymentsQuery extends Period {
  readonly group: PaymentGroup | "";
}

/** Reads the address; what is malformed counts as absent. */
export function queryOf(address: string): PaymentsQuery {
  const given = new URLSearchParams(address);
  const asked = given.get("group");
  return { group: paymentGroups.find((group) => group === asked) ?? "", ...periodIn(given) };
}

/** The address with another query; leaves its other parameters alone. */
export function withQuery(address: string, more: Partial<PaymentsQuery>): string {
  const given = new URLSearchParams(address);
  const query = { ...queryOf(address), ...more };
  setPeriod(given, query);
  if (query.group === "") given.delete("group");
  else given.set("group", query.group);
  return given.size > 0 ? `?${given}` : "";
}

export const isNarrowed = (query: PaymentsQuery): boolean => query.group !== "" || hasPeriod(query);

export const askOf = ({ group, ...period }: PaymentsQuery) => ({
  ...instantsOf(period),
  ...(group !== "" && { group }),
});

/** The query in the address bar. */
export function usePaymentsQuery(): [PaymentsQuery, (more: Partial<PaymentsQuery>) => void] {
  const address = useSearch();
  const query = useMemo(() => queryOf(address), [address]);
  const change = useCallback((more: Partial<PaymentsQuery>) => {
    history.replaceState(history.state, "", location.pathname + withQuery(location.search, more));
  }, []);
  return [query, change];
}
