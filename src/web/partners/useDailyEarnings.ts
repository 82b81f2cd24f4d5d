import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { dataOf } from "../serverState.tsx";

export const earningKinds = ["soft", "referral"] as const;
export type EarningKind = (typeof earningKinds)[number];

/** Earnings grow while buyers get letters. */
const refreshSeconds = 20;

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
