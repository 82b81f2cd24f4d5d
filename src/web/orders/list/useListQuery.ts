import { useCallback } from "react";
import { useAddressQuery } from "../../period/addressQuery.ts";
import { stored } from "../../stored.ts";
import { type ListQuery, queryOf, withQuery } from "./listQuery.ts";

/** The query in the address bar, for both lists. */
export function useListQuery(): ReturnType<typeof useAddressQuery<ListQuery>> {
  const [query, change] = useAddressQuery(queryOf, withQuery);
  const changeAndTurn = useCallback(
    (part: Partial<ListQuery>) => {
      // Another query begins with the first page.
      stored.fullCurrentPage.write(1);
      change(part);
    },
    [change],
  );
  return [query, changeAndTurn];
}
