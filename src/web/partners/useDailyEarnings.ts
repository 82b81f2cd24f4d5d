import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { dataOf } from "../serverState.tsx";

/** The two ways to earn: by who registered under one's word, and by what orders with one's Soft ID. */
export const earningKinds = ["soft", "referral"] as const;
export type EarningKind = (typeof earningKinds)[number];

/** Earnings come while others read their letters: they are asked for again now and then. */
const refreshSeconds = 20;

/** What each day earned, one way. */
export function useDailyEarnings(way: EarningKind) {
  return useQuery({
    queryKey: ["partner", way],
    queryFn: async ({ signal }) => {
      const ask = way === "soft" ? api.statsSoft : api.statsReferral;
      return (await dataOf(ask({}, { signal }))).data;
    },
    refetchInterval: refreshSeconds * 1000,
  });
}
