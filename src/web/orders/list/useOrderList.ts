import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useReducer, useState } from "react";
import { pollSeconds } from "../../../contract/limits.ts";
import { newKey } from "../../../client/key.ts";
import { api, type Refused } from "../../api.ts";
import { dataOf, useIsLive, useRefused } from "../../serverState.tsx";
import { stored, useStored } from "../../stored.ts";
import { type Item, itemsOf, merge, waitingIn, waitingOf } from "./activations.ts";
import { askOf, isNarrowed, type ListQuery, noFilters } from "./listQuery.ts";
import { useListQuery } from "./useListQuery.ts";
import { type OptimisticChange, optimisticItems } from "./optimisticItems.ts";
import { useCancels } from "../cancel/useCancels.ts";
import { keysFor, type OrderAsk, placeOrder, placeReorder, type Unplaced } from "../form/placeOrder.ts";
import { serverNow } from "../../ui/display/clock.ts";

export type OrderList = ReturnType<typeof useOrderList>;

export function useOrderList() {
  const [tab, setTab] = useStored(stored.activeTab);
  const [query, changeQuery] = useListQuery();
  const [page, setPage] = usePageOf(query);
  const list = useActivations(page, query);
  const refused = useRefused(list);
  const listed = useMemo(() => itemsOf(list.data?.data ?? []), [list.data]);
  // When the last row of a later page goes, show page 1 (spec B §4).
  if (page > 1 && list.data?.data.length === 0 && !list.isPlaceholderData) setPage(1);
  const showNewest = useCallback(() => {
    changeQuery({ search: "", ...noFilters });
    setPage(1);
    setTab("activations");
  }, [setTab, setPage, changeQuery]);
  const { local, order, reorder } = useNewOrders(showNewest);
  const { canceling, sent, cancel, undo } = useCancels(listed);
  const shown = page === 1 && !isNarrowed(query) ? local : none;
  const items = useMemo(
    () => merge(shown, listed, list.dataUpdatedAt, sent),
    [shown, listed, list.dataUpdatedAt, sent],
  );
  return {
    tab,
    setTab,
    page,
    setPage,
    pages: list.data?.pages ?? 1,
    query,
    found: list.data?.found,
    isCut: list.data?.cut === true,
    items,
    ...useSelection(items),
    waiting: waitingIn(list.data, { shown: items, listed }),
    isLoading: list.data === undefined,
    refused,
    reload: async () => void (await list.refetch()),
    order,
    reorder,
    canceling,
    cancel,
    undo,
  };
}

/** The page of the list; another query begins with the first. */
function usePageOf(query: ListQuery) {
  const [at, setAt] = useState({ query, page: 1 });
  const setPage = useCallback((page: number) => setAt({ query, page }), [query]);
  return [at.query === query ? at.page : 1, setPage] as const;
}

/** Selected rows; those that left the page are no longer selected. */
function useSelection(items: readonly Item[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selected = useMemo(
    () => new Set(items.flatMap(({ id }) => (id !== undefined && ids.has(id) ? id : []))),
    [items, ids],
  );
  const select = (id: string, isSelected: boolean) =>
    setIds(isSelected ? new Set(selected).add(id) : new Set([...selected].filter((other) => other !== id)));
  const selectAll = (isSelected: boolean) =>
    setIds(new Set(isSelected ? items.flatMap(({ id }) => id ?? []) : []));
  return { selected, select, selectAll };
}

const none: readonly Item[] = [];

/** New orders, on top of the list from the press on (spec B §4). */
function useNewOrders(showNewest: () => void) {
  const [local, change] = useReducer(optimisticItems, none);
  const refresh = useRefresh();

  /**
   * Places separate orders (spec B §4); returns the refusals. `before`: those of the last press of the same order. A stable function,
   * because memoised rows take it.
   */
  const order = useCallback(
    async (ask: OrderAsk, quantity: number, before: readonly Unplaced[] = []): Promise<Unplaced[]> => {
      const keys = keysFor(quantity, before);
      change({ do: "start", items: keys.map((key) => ({ key, site: ask.site, email: "", note: ask.note })) });
      showNewest();
      const refusals = await Promise.all(
        keys.map(async (key) => {
          const refused = track(change, key, await placeOrder(ask, key));
          return refused && { ...refused, key };
        }),
      );
      refresh();
      return refusals.filter((refused) => refused !== undefined);
    },
    [showNewest, refresh],
  );

  async function reorder(
    item: Pick<Item, "site" | "email" | "price" | "note"> & { id: string },
    subject: string,
    regex: string,
  ): Promise<Refused<string> | undefined> {
    const key = newKey();
    const { id, site, email, price, note } = item;
    change({ do: "start", items: [{ key, site, email, note }] });
    showNewest();
    const refused = track(change, key, await placeReorder({ id, subject, regex, price, note }, key));
    refresh();
    return refused;
  }

  return { local, order, reorder };
}

function track(
  change: (change: OptimisticChange) => void,
  key: string,
  answer: Placed | Refused<string>,
): Refused<string> | undefined {
  if (!answer.ok) {
    change({ do: "drop", key });
    return answer;
  }
  const { id, email, price, expires_at } = answer.data;
  change({ do: "accept", key, id, email, price, expiresAt: expires_at, at: serverNow() });
  return undefined;
}

type Placed = Extract<Awaited<ReturnType<typeof placeOrder>>, { ok: true }>;

export function useRefresh(): () => void {
  const client = useQueryClient();
  return useCallback(() => void client.invalidateQueries(), [client]);
}

/** One page of the list, polled every 3 s while a letter is awaited and there is no stream (spec B §4). */
function useActivations(page: number, query: ListQuery) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: ["activations", page, askOf(query)],
    queryFn: ({ signal }) => dataOf(api.activations({ page, ...askOf(query) }, { signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const waits = waitingOf(state.data) > 0;
      return (waits && !isLive) || state.error !== null ? pollSeconds * 1000 : false;
    },
  });
}

/** The actions of a row; the row knows neither server nor dialogs. */
export interface RowActions {
  order: OrderList["order"];
  onTopUp: (missingDollars: number) => void;
  selected: ReadonlySet<string>;
  select: (id: string, isSelected: boolean) => void;
  open: (item: Item) => void;
  timeline: (item: Item) => void;
  reload: () => Promise<void>;
  /** Returns the price where it is higher than the item's: that one needs consent. */
  reorder: (item: Item) => Promise<number | undefined>;
  reorderWith: (item: Item) => void;
  note: (item: Item) => void;
  canceling: ReadonlySet<string>;
  cancel: (item: Item) => void;
  undo: (item: Item) => void;
}
