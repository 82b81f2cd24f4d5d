import { useCallback, useMemo } from "react";
import { useSearch } from "wouter";
import { stored } from "../../stored.ts";
import { type ListQuery, queryOf, withQuery } from "./listQuery.ts";

/** The query in the address bar, for both lists. */
export function useListQuery(): [query: ListQuery, change: (more: Partial<ListQuery>) => void] {
  const address = useSearch();
  const query = useMemo(() => queryOf(address), [address]);
  const change = useCallback((more: Partial<ListQuery>) => {
    // Another query begins with the first page.
    stored.fullCurrentPage.write(1);
    history.replaceState(history.state, "", location.pathname + withQuery(location.search, more));
  }, []);
  return [query, change];
}
