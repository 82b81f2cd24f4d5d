import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Endpoints } from "../../contract/api.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { useAddressQuery } from "../period/addressQuery.ts";
import { dataOf, refusedBy } from "../serverState.tsx";
import type { Refused } from "../api.ts";
import { askOf, type Book, books, queryOf, type StatementQuery, withQuery } from "./statement.ts";

type Page = Reply<Endpoints["statement"]>;
export type StatementAsk = ReturnType<typeof askOf> & { before?: string };

/** Whose statement it is, and how a page of it is read. */
export interface StatementSource {
  readonly key: readonly string[];
  readonly read: (
    ask: StatementAsk,
    options: { signal?: AbortSignal },
  ) => Promise<{ ok: true; data: Page } | Refused<string>>;
}

/** The query in the address bar. */
export const useStatementQuery = () => useAddressQuery(queryOf, withQuery);

export function useStatement({ key, read }: StatementSource, query: StatementQuery) {
  const ask = askOf(query);
  const asked = useInfiniteQuery({
    queryKey: [...key, ask],
    queryFn: ({ pageParam, signal }) => dataOf(read({ ...ask, before: pageParam }, { signal })),
    initialPageParam: "",
    getNextPageParam: (last) => last.next,
    // New orders must not reset a reader who is far down.
    refetchOnWindowFocus: false,
  });
  const lines = asked.data?.pages.flatMap((page) => page.data) ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = asked;
  // Of a rare kind the first pages may have no line.
  const looksOn = lines.length === 0 && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (looksOn) void fetchNextPage();
  }, [looksOn, fetchNextPage]);
  return {
    lines,
    period: asked.data?.pages[0]?.period,
    isLoading: (asked.isPending && asked.isFetching) || (lines.length === 0 && hasNextPage && !isError),
    isMore: hasNextPage,
    isLoadingMore: asked.isFetchingNextPage,
    refused: refusedBy(asked.error),
    more: () => void fetchNextPage(),
    /** Reads all pages that are left. Answers whether they came. */
    all: async () => {
      let answer = { hasNextPage, isError: false };
      while (answer.hasNextPage && !answer.isError) answer = await fetchNextPage();
      return !answer.isError;
    },
    reload: () => void asked.refetch(),
  };
}

/** The balance, and the books with movements: a buyer sees no partner or investor book. */
export function useUsedBooks({ key, read }: StatementSource): { used: Book[]; isLoading: boolean } {
  const others = books.filter((book) => book !== "balance");
  const asked = useQueries({
    queries: others.map((book) => ({
      queryKey: ["book", ...key, book],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await dataOf(read({ book }, { signal }))).data.length > 0,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const isLoading = asked.some((one) => one.isPending && one.isFetching);
  return { used: ["balance", ...others.filter((_, at) => asked[at]?.data === true)], isLoading };
}
