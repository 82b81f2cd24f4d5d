import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { pollSeconds } from "../../contract/limits.ts";
import type { UserInformation } from "../../contract/users.ts";
import { api } from "../api.ts";
import { dataOf, refusedBy, useIsLive } from "../serverState.tsx";
import { useAccountRevision } from "../session.ts";

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

/**
 * The balance in dollars as decimal text; falls back to the account's own. `polls`: every 3 s without the stream
 * (spec B §9); once on a page, for each caller has a timer of its own.
 */
export function useBalance({ polls = false } = {}): string | undefined {
  const isLive = useIsLive();
  const account = useAccount();
  const balance = useQuery({
    queryKey: ["balance"],
    queryFn: async ({ signal }) => (await dataOf(api.balance({}, { signal }))).balance,
    refetchInterval: !polls || isLive ? false : pollSeconds * 1000,
  });
  return balance.data ?? account.data?.balance;
}
