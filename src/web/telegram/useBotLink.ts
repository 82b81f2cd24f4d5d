import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { pollSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { dataOf, useIsLive } from "../serverState.tsx";
import { invalidateAccount } from "../session.ts";
import { serverNow } from "../ui/display/clock.ts";

/** Replaces a link this long before it expires, so that none expires during a press. */
const spareSeconds = 30;
const waitMinSeconds = 5;

export function useBotLink() {
  return useQuery({
    queryKey: ["telegramLink"],
    queryFn: async ({ signal }) => (await dataOf(api.telegramLink({}, { signal }))).data,
    // A cached link may be used already.
    gcTime: 0,
    staleTime: Infinity,
    refetchInterval: ({ state: { data } }) =>
      data ? Math.max(waitMinSeconds, data.expires_at - serverNow() / 1000 - spareSeconds) * 1000 : false,
  });
}

/** Polls the account without the stream: the confirmation happens elsewhere. */
export function usePolledAccount(): void {
  const isLive = useIsLive();
  useEffect(() => {
    if (isLive) return;
    const timer = setInterval(invalidateAccount, pollSeconds * 1000);
    return () => clearInterval(timer);
  }, [isLive]);
}
