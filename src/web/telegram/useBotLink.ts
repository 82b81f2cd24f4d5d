import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { pollSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { dataOf, useIsLive } from "../serverState.tsx";
import { invalidateAccount } from "../session.ts";

/** A link that dies under the finger helps nobody: it is replaced so long before. */
const spareSeconds = 30;
const waitMinSeconds = 5;

/** A link to the bot for whoever looks at it: another one comes before it is over. */
export function useBotLink() {
  return useQuery({
    queryKey: ["telegramLink"],
    queryFn: async ({ signal }) => (await dataOf(api.telegramLink({}, { signal }))).data,
    // One that was made for an earlier look may have been used.
    gcTime: 0,
    staleTime: Infinity,
    refetchInterval: ({ state: { data } }) =>
      data ? Math.max(waitMinSeconds, data.expires_at - Date.now() / 1000 - spareSeconds) * 1000 : false,
  });
}

/** While nothing is told by itself, the account is asked for again and again: the confirmation happens elsewhere. */
export function usePolledAccount(): void {
  const isLive = useIsLive();
  // The clock is outside React.
  useEffect(() => {
    if (isLive) return;
    const timer = setInterval(invalidateAccount, pollSeconds * 1000);
    return () => clearInterval(timer);
  }, [isLive]);
}
