// What narrows the list of payments, as it stands in the address bar.
import type { PaymentGroup } from "../../../contract/payments.ts";
import { useAddressQuery, withParameters } from "../../period/addressQuery.ts";
import { hasPeriod, instantsOf, type Period, periodIn } from "../../period/period.ts";

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
  const { since, until, group } = { ...queryOf(address), ...more };
  return withParameters(address, { since, until, group });
}

export const isNarrowed = (query: PaymentsQuery): boolean => query.group !== "" || hasPeriod(query);

export const askOf = ({ group, ...period }: PaymentsQuery) => ({
  ...instantsOf(period),
  ...(group !== "" && { group }),
});

/** The query in the address bar. */
export const usePaymentsQuery = () => useAddressQuery(queryOf, withQuery);
