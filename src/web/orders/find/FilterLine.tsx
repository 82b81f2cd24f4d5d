import type { OrderState } from "../../../contract/order-states.ts";
import type { AppKey } from "../../../i18n/t.ts";
import { useAppText } from "../../language.tsx";
import { hasPeriod, noPeriod } from "../../period/period.ts";
import { periodText } from "../../period/periodText.ts";
import { FilterChips } from "../../ui/button/FilterChips.tsx";
import type { ListQuery } from "../list/listQuery.ts";

export const stateTexts = {
  pending: "find.pending",
  received: "find.received",
  canceled: "find.canceled",
  expired: "find.expired",
} as const satisfies Record<OrderState, AppKey>;

interface FilterLineProps {
  query: ListQuery;
  change: (more: Partial<ListQuery>) => void;
  found: number | undefined;
}

/** What narrows the list, and how many orders fit. */
export function FilterLine({ query, change, found }: FilterLineProps) {
  const t = useAppText();
  const { state, site, domain } = query;
  const filters = [
    state !== "" && { id: "state", label: t(stateTexts[state]), onRemove: () => change({ state: "" }) },
    site !== "" && { id: "site", label: site, onRemove: () => change({ site: "" }) },
    domain !== "" && { id: "domain", label: `@${domain}`, onRemove: () => change({ domain: "" }) },
    hasPeriod(query) && { id: "period", label: periodText(t, query), onRemove: () => change(noPeriod) },
  ].filter((filter) => filter !== false);
  return (
    <FilterChips
      filters={filters}
      found={found === undefined ? undefined : t("find.found", { count: found })}
    />
  );
}
