import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type * as z from "zod/mini";
import { pollSeconds } from "../../contract/limits.ts";
import type { UserInformation } from "../../contract/users.ts";
import { api } from "../api.ts";
import { dataOf, refusedBy, useIsLive } from "../serverState.tsx";
import { useAccountRevision } from "../session.ts";

export type Account = z.output<typeof UserInformation>;

/** The account as the server knows it; asked anew when something changed it. */
export function useAccount() {
  const revision = useAccountRevision();
  return useQuery({
    queryKey: ["account", revision],
    queryFn: async ({ signal }) => (await dataOf(api.information({}, { signal }))).data,
    placeholderData: keepPreviousData,
    // Everything waits for it. Who is refused for good is not helped by asking again.
    refetchInterval: ({ state }) => (isPassing(refusedBy(state.error)?.value) ? pollSeconds * 1000 : false),
  });
}

const isPassing = (refusal: string | undefined) => refusal === "connection" || refusal === "server";

/** The balance in dollars as decimal text, asked for every 3 s while it is not told (spec B §9); the account's own until it is there. */
export function useBalance(): string | undefined {
  const isLive = useIsLive();
  const account = useAccount();
  const balance = useQuery({
    queryKey: ["balance"],
    queryFn: async ({ signal }) => (await dataOf(api.balance({}, { signal }))).balance,
    refetchInterval: isLive ? false : pollSeconds * 1000,
  });
  return balance.data ?? account.data?.balance;
}
