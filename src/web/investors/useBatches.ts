import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { batchesSize } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { dataOf, refusedBy } from "../serverState.tsx";
import { type BatchPage, batchesIn, isChecking } from "./batches.ts";

const checkingSeconds = 5;
const earningSeconds = 30;

/** One page of batches. Falls back to page 1 when a later page is empty (spec O §4). */
export function useBatches(page: number, setPage: (page: number) => void) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["batches", page],
    queryFn: ({ signal }) => ask(page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      (state.data?.batches.some(isChecking) ? checkingSeconds : earningSeconds) * 1000,
  });
  const isBeyond =
    page > 1 && !query.isPlaceholderData && query.data !== undefined && query.data.batches.length === 0;
  // Only the server knows whether the page exists.
  useEffect(() => {
    if (!isBeyond) return;
    // The cached first page has the same wrong page count.
    void client.invalidateQueries({ queryKey: ["batches"], refetchType: "none" });
    setPage(1);
  }, [isBeyond, setPage, client]);
  return {
    batches: query.data?.batches ?? [],
    pages: Math.max(1, Math.ceil((query.data?.total ?? 0) / batchesSize)),
    isLoading: query.isPending,
    isFetching: query.isFetching,
    refused: refusedBy(query.error),
    reload: () => void query.refetch(),
  };
}

/** Logs batches of another shape and shows nothing else (spec O §8). */
async function ask(page: number, signal: AbortSignal): Promise<BatchPage> {
  const asked = { limit: batchesSize, offset: (page - 1) * batchesSize };
  const found = batchesIn(await dataOf(api.batches(asked, { signal })));
  if (found) return found;
  reportError(new Error("the batches came in an unexpected shape"));
  return { batches: [], total: 0 };
}

export function useInvestorStats() {
  return useQuery({
    queryKey: ["investorStats"],
    queryFn: ({ signal }) => dataOf(api.investorStats({}, { signal })),
    refetchInterval: earningSeconds * 1000,
  });
}
