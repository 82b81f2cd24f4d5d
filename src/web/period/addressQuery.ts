// What narrows a list, as it stands in the address bar.
import { useCallback, useMemo } from "react";
import { useSearch } from "wouter";

/** The address with these parameters: an empty one is taken out, others stay as they are. */
export function withParameters(address: string, values: Readonly<Record<string, string>>): string {
  const given = new URLSearchParams(address);
  for (const [name, value] of Object.entries(values))
    if (value === "") given.delete(name);
    else given.set(name, value);
  return given.size > 0 ? `?${given}` : "";
}

/** The query in the address bar, and how it is changed without a new entry of the browser's history. */
export function useAddressQuery<Query>(
  queryOf: (address: string) => Query,
  withQuery: (address: string, change: Partial<Query>) => string,
): [query: Query, change: (change: Partial<Query>) => void] {
  const address = useSearch();
  const query = useMemo(() => queryOf(address), [queryOf, address]);
  const change = useCallback(
    (part: Partial<Query>) =>
      history.replaceState(history.state, "", location.pathname + withQuery(location.search, part)),
    [withQuery],
  );
  return [query, change];
}
