import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { api } from "../../api.ts";
import { instantsOf, type Period } from "../../period/period.ts";
import { dataOf, refusedBy } from "../../serverState.tsx";
import {
  type AnyRow,
  filtersOf,
  queryOf,
  readState,
  type TableName,
  tableOf,
  type TableState,
} from "./tableState.ts";

export function useTableState(name: TableName) {
  const table = tableOf(name);
  const query = useSearch();
  const [pathname, navigate] = useLocation();
  const state = useMemo(() => readState(table, query), [table, query]);
  const change = (part: Partial<TableState>) =>
    navigate(pathname + queryOf(table, { ...state, page: 1, ...part }));
  return { table, state, change };
}

type Asked = Omit<TableState, keyof Period> & Partial<Period>;

/** What a table is asked for, without its page. */
export const askOf = (
  name: TableName,
  { sort, search, since = "", until = "", filters }: Omit<Asked, "page">,
) => ({
  table: name,
  sort,
  search,
  filters: filtersOf({ filters }),
  ...instantsOf({ since, until }),
});

export function useRows(name: TableName, { page, ...state }: Asked, isWanted = true) {
  const ask = { ...askOf(name, state), page };
  const query = useQuery({
    queryKey: ["office", ask],
    queryFn: async ({ signal }) => await dataOf(api.officeTable(ask, { signal })),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  });
  return {
    rows: query.data?.rows as readonly AnyRow[] | undefined,
    total: query.data?.total ?? 0,
    more: query.data?.more ?? false,
    pages: query.data?.pages ?? 0,
    /** When the server told them, in unix seconds. */
    readAt: query.dataUpdatedAt / 1000,
    isStale: query.isPlaceholderData,
    isFetching: query.isFetching,
    refused: refusedBy(query.error),
    reload: () => void query.refetch(),
  };
}

export function useReload(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["office"] });
}
