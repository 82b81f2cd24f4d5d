import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { pollSeconds } from "../../contract/limits.ts";
import type { UserInformation } from "../../contract/users.ts";
import { api } from "../api.ts";
import { dataOf, refusedBy, useIsLive } from "../serverState.tsx";
import { useAccountRevision, useToken } from "../session.ts";

export type Account = z.output<typeof UserInformation>;

export function useAccount() {
  const revision = useAccountRevision();
  return useQuery({
    queryKey: ["account", revision],
    queryFn: async ({ signal }) => (await dataOf(api.information({}, { signal }))).data,
    placeholderData: keepPreviousData,
    // Retries temporary failures until the account loads.
    refetchInterval: ({ state }) => (isPassing(refusedBy(state.error)?.value) ? pollSeconds * 1000 : false),
  });
}

const isPassing = (refusal: string | undefined) => refusal === "connection" || refusal === "server";

/** The balance in dollars as decimal text; falls back to the account's own. */
export function useBalance(): string | undefined {
  const account = useAccount();
  const balance = useQuery({
    queryKey: ["balance"],
    queryFn: async ({ signal }) => (await dataOf(api.balance({}, { signal }))).balance,
  });
  return balance.data ?? account.data?.balance;
}

/**
 * The balance for the header of every page, every 3 s without the stream (spec B §9). A refused token does not end the session: a page that
 * needs no account stays as it is.
 */
export function useHeaderBalance(): string | undefined {
  const isLive = useIsLive();
  const token = useToken();
  const balance = useQuery({
    queryKey: ["balance"],
    queryFn: async ({ signal }) => (await dataOf(api.balance({}, { signal, token }))).balance,
    refetchInterval: ({ state }) =>
      isLive || refusedBy(state.error)?.value === "token" ? false : pollSeconds * 1000,
  });
  return balance.data;
}
