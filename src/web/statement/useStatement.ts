import { useInfiniteQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { dataOf, refusedBy } from "../serverState.tsx";
import type { Book } from "./statement.ts";

export function useStatement(book: Book) {
  const query = useInfiniteQuery({
    queryKey: ["statement", book],
    queryFn: ({ pageParam, signal }) => dataOf(api.statement({ book, before: pageParam }, { signal })),
    initialPageParam: "",
    getNextPageParam: (last) => last.next,
    // New orders must not reset a reader who is far down.
    refetchOnWindowFocus: false,
  });
  return {
    lines: query.data?.pages.flatMap((page) => page.data) ?? [],
    isLoading: query.isPending && query.isFetching,
    isMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    refused: refusedBy(query.error),
    more: () => void query.fetchNextPage(),
    reload: () => void query.refetch(),
  };
}
